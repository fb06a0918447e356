/** What throttled workers demanded, against a population of which it is known: the true demand, minute by minute. */

import { closedLoopPopulation, type Member } from '../closed-loop-population.ts';
import { contains, demandRows, isShown, isTooHigh, type DemandRow as Row } from '../demand-against-truth.ts';
import { type MetricResult, toFiveMinutes } from '../fixtures/replies.ts';

const throttledMinutesOfEachKind = 7_000;
const seed = 1;
const leastShown = 100;

const share = (rows: readonly Row[], is: (row: Row) => boolean): number =>
  rows.filter(is).length / rows.length;
const containedShare = (rows: readonly Row[]): number => share(rows, contains);
const width = ({ low, high }: Row): number => high / low;

function quantileOf(rows: readonly Row[], value: (row: Row) => number, part: number): number {
  const sorted = Float64Array.from(rows, value).sort();
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}
const medianWidth = (rows: readonly Row[]): number => quantileOf(rows, width, 0.5);

const below = (value: number, bounds: readonly number[], unit: string): string => {
  const bound = bounds.find((one) => value < one);
  return bound === undefined ? `${bounds.at(-1)}${unit} and more` : `below ${bound}${unit}`;
};

const classesOf: Record<string, (member: Member) => string> = {
  'throttled by': ({ limitedBy }) => limitedBy,
  'thinks for': ({ thinkMs }) => (thinkMs === 0 ? 'no time' : below(thinkMs, [1, 3, 10], ' ms')),
  workers: ({ workers }) => below(workers, [8, 64], ''),
  'limit over demand': ({ cap }) => below(cap, [0.3, 0.6], ''),
  'change from minute to minute': ({ noise }) => `${100 * noise} %`,
};

function groupsOf(rows: readonly Row[]): [string, Row[]][] {
  return Object.entries(classesOf).flatMap(([name, classOf]) =>
    [...Map.groupBy(rows, ({ member }) => classOf(member))].map(([group, those]): [string, Row[]] => [
      `${name}: ${group}`,
      those,
    ]),
  );
}

const percent = (part: number): string => (Number.isNaN(part) ? '' : `${(100 * part).toFixed(1)} %`);

function line(name: string, rows: readonly Row[]): string {
  const shown = rows.filter(isShown);
  const widths = [0.25, 0.5, 0.75].map((part) => quantileOf(rows, width, part).toFixed(2));
  return [
    `  ${name}`.padEnd(34),
    `${rows.length} periods`.padStart(14),
    `unseen ${percent(share(rows, ({ isSeen }) => !isSeen))}`.padStart(15),
    `shown ${percent(share(rows, isShown))}`.padStart(14),
    `contained ${percent(containedShare(shown))}`.padStart(19),
    `of all ${percent(containedShare(rows))}`.padStart(16),
    `too high ${percent(share(rows, isTooHigh))}`.padStart(16),
    `width ${widths.join(' ')}`.padStart(24),
    `middle/true ${quantileOf(rows, ({ likely, truth }) => likely / truth, 0.5).toFixed(2)}`.padStart(18),
  ].join('');
}

function table(title: string, rows: readonly Row[]): string {
  const lines = Object.entries(classesOf).flatMap(([name, classOf]) => {
    const groups = Map.groupBy(rows, ({ member }) => classOf(member));
    return [name, ...[...groups].map(([group, those]) => line(group, those))];
  });
  return [
    title,
    line('all', rows),
    line('the highest of each volume', highestOfEach(rows)),
    ...lines,
    '',
  ].join('\n');
}

/** What the finding of a volume says: the most that was demanded at one time, of the periods that were seen. */
function highestOfEach(rows: readonly Row[]): Row[] {
  const seen = Map.groupBy(
    rows.filter(({ isSeen }) => isSeen),
    ({ member }) => member,
  );
  return [...seen].map(([member, those]) => {
    const most = (value: (row: Row) => number): number => Math.max(...those.map(value));
    const [truth, low, high] = [most((one) => one.truth), most((one) => one.low), most((one) => one.high)];
    return { member, isSeen: true, truth, low, high, likely: most((one) => one.likely) };
  });
}

/** Kinds in which a bound that is shown is wrong more often than in one of ten; a few periods are no kind. */
const weakKinds = (rows: readonly Row[]): string[] =>
  groupsOf(rows.filter(isShown))
    .filter(([, those]) => those.length >= leastShown && containedShare(those) < 0.9)
    .map(([name]) => name);

const volumes = [...closedLoopPopulation({ ofEach: throttledMinutesOfEachKind, seed })];
const rowsIn = (change?: (result: MetricResult) => MetricResult): Row[] =>
  volumes.flatMap((member) => demandRows(member, change));

test('in minutes, nine of ten intervals contain what the workers demanded, and half are narrower than 1.6', () => {
  const rows = rowsIn();
  process.stdout.write(`${table(`${volumes.length} volumes under closed loops, in minutes`, rows)}\n`);
  expect(rows.length).toBeGreaterThan(40_000);
  expect(containedShare(rows)).toBeGreaterThanOrEqual(0.95);
  expect(medianWidth(rows)).toBeLessThanOrEqual(1.3);
  expect(share(rows, isShown)).toBeGreaterThanOrEqual(0.6);
  expect(containedShare(highestOfEach(rows).filter(isShown))).toBeGreaterThanOrEqual(0.9);
  expect(weakKinds(rows)).toEqual([]);
});

test('in five-minute points of one day, a fifth of the figures, fewer are shown, and contain it as often', () => {
  const rows = rowsIn(toFiveMinutes);
  process.stdout.write(
    `${table(`${volumes.length} volumes under closed loops, in five-minute points`, rows)}\n`,
  );
  expect(containedShare(rows)).toBeGreaterThanOrEqual(0.9);
  expect(share(rows, isShown)).toBeGreaterThanOrEqual(0.4);
  expect(containedShare(highestOfEach(rows).filter(isShown))).toBeGreaterThanOrEqual(0.9);
  expect(weakKinds(rows)).toEqual([]);
});
