/** `stripewise history fleet`: by ISO week throttled minutes, where they were evaluated, USD a month and findings. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveDirectory } from '../../adapters/archive/directory.ts';
import { putTable } from '../../adapters/archive/write-tables.ts';
import { isoWeek, mondayOf } from '../../core/archive/iso-week.ts';
import { type ArchiveTarget, dayStart, tableKey } from '../../core/archive/keys.ts';
import { findingCells, inventoryCells } from '../../core/archive/tables.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import { fleetWeeksSchema } from '../../core/schemas/history-fleet.ts';
import { aFinding, anEvaluation } from '../fixtures/findings.ts';
import { aVolume } from '../fixtures/inventory.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';
import { type ArchivedVolume, writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
/** A Sunday: the day after it another week begins. */
const sunday = dayStart('2027-01-03');
const [first, second, third] = ['a', 'b', 'c'].map((letter) => `vol-000000000000000${letter}`) as [
  string,
  string,
  string,
];
/** An hour of each of the two days. */
const hours = [0, 1_440].flatMap((day) => Array.from({ length: 60 }, (_, i) => sunday + (day + i) * 60));

/** On Sunday 10 minutes of a are throttled and on Monday 20, of b 5 on Monday; c was not evaluated: its checks report 7 on Sunday. */
beforeAll(async () => {
  const until = (onSunday: number, onMonday: number) => (minute: number) =>
    minute < 60 ? minute < onSunday : minute - 1_440 < onMonday;
  const volume = (id: string, isHigh: (minute: number) => boolean, isEvaluated: boolean): ArchivedVolume => ({
    id,
    epochSeconds: hours,
    metrics: {
      VolumeReadOps: () => 60,
      VolumeWriteOps: () => 0,
      VolumeIOPSExceededCheck: (minute) => (isHigh(minute) ? 1 : 0),
      VolumeThroughputExceededCheck: () => 0,
    },
    ...(isEvaluated ? { status: (minute: number) => (isHigh(minute) ? 'throttled' : 'normal') } : {}),
  });
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      volume(first, until(10, 20), true),
      volume(second, until(0, 5), true),
      volume(third, until(7, 0), false),
    ],
    { fromSeconds: sunday, endSeconds: sunday + 2 * 86_400 },
  );
});

const [usEast1, euWest1] = ['us-east-1', 'eu-west-1'].map((region) => ({
  account: '111122223333',
  region,
})) as [ArchiveTarget, ArchiveTarget];

/** An inventory of volumes with these prices, and findings of these severities. */
async function putDay(
  target: ArchiveTarget,
  day: string,
  { prices, findings }: { prices?: (number | null)[]; findings?: Severity[] },
): Promise<void> {
  const store = new ArchiveDirectory(archive);
  const idOf = (i: number) => `vol-0000000000000${target.region === 'us-east-1' ? 'aaa' : 'bbb'}${i}`;
  if (prices !== undefined) {
    const volumes = prices.map((_, i) => aVolume({ volumeId: idOf(i) }));
    const evaluations = prices.map((monthlyUsd, i) => anEvaluation({ volumeId: idOf(i), monthlyUsd }));
    await putTable(
      store,
      { ...target, day },
      'inventory',
      inventoryCells({ volumes, instances: [] }, evaluations),
    );
  }
  if (findings !== undefined) {
    const all = findings.map((severity, i) => aFinding({ id: `f-${i}`, severity }));
    await putTable(store, { ...target, day }, 'findings', findingCells({ findings: all }));
  }
}

/** Sunday has no findings in us-east-1, where Saturday has four; eu-west-1 was last read on Friday; Monday has findings alone. */
beforeAll(async () => {
  await putDay(usEast1, '2027-01-02', {
    prices: [500, 500, 500],
    findings: ['critical', 'critical', 'warning', 'info'],
  });
  await putDay(usEast1, '2027-01-03', { prices: [100, 20.5, null], findings: [] });
  await putDay(euWest1, '2027-01-01', { prices: [8], findings: ['warning', 'warning'] });
  await putDay(usEast1, '2027-01-04', { findings: ['critical'] });
  // No minute of this week is in the archive.
  await putDay(usEast1, '2027-01-12', { prices: [null], findings: [] });
});

const fleet = async (...more: string[]) =>
  fleetWeeksSchema.parse(await cliJson('history', 'fleet', '--archive', archive, ...more));

test('weeks begin on Monday; what was not evaluated is not counted as zero', async () => {
  const weeks = (await fleet()).weeks.slice(0, 2);
  expect(weeks.map(({ top: _, cost: _usd, findings: _findings, ...week }) => week)).toEqual([
    {
      ...{ week: '2026-W53', from: '2026-12-28', daysWithPoints: 1, volumes: 3, volumesEvaluated: 2 },
      ...{ volumesThrottled: 1, minutes: 180, evaluatedMinutes: 120 },
      // 10 of a; 10 of a and 7 of c.
      ...{ throttledMinutes: 10, exceededMinutes: 17 },
    },
    {
      ...{ week: '2027-W01', from: '2027-01-04', daysWithPoints: 1, volumes: 3, volumesEvaluated: 2 },
      ...{ volumesThrottled: 2, minutes: 180, evaluatedMinutes: 120 },
      ...{ throttledMinutes: 25, exceededMinutes: 25 },
    },
  ]);
  expect(weeks.map(({ top }) => top.map((one) => [one.volumeId, one.throttledMinutes]))).toEqual([
    [
      [first, 10],
      [third, null],
    ],
    [
      [first, 20],
      [second, 5],
    ],
  ]);
});

test('USD and findings are of the last day of the week, of each account and Region; a table without a row is zero', async () => {
  const { weeks } = await fleet();
  expect(weeks.map(({ week, cost, findings }) => [week, cost, findings])).toEqual([
    [
      '2026-W53',
      // 100 + 20.50 of Sunday, 8 of Friday; one of the 3 + 1 volumes has no price.
      { day: '2027-01-03', volumes: 4, unpriced: 1, usdMonth: 128.5 },
      { day: '2027-01-03', critical: 0, warning: 2, info: 0 },
    ],
    ['2027-W01', null, { day: '2027-01-04', critical: 1, warning: 0, info: 0 }],
    [
      '2027-W02',
      { day: '2027-01-12', volumes: 1, unpriced: 1, usdMonth: null },
      { day: '2027-01-12', critical: 0, warning: 0, info: 0 },
    ],
  ]);
  expect(weeks[2]).toMatchObject({ volumes: 0, throttledMinutes: null, exceededMinutes: null, top: [] });
});

test('of one Region there is what that Region has, and of a window what its days have', async () => {
  const of = async (...more: string[]) =>
    (await fleet(...more)).weeks.map(({ cost, findings }) => [
      cost?.usdMonth ?? null,
      findings?.warning ?? null,
    ]);
  expect((await of('--region', 'us-east-1'))[0]).toEqual([120.5, 0]);
  expect((await of('--region', 'us-east-1', '--to', '2027-01-02T23:59Z'))[0]).toEqual([1_500, 1]);
});

test('--top names fewer, and sums all', async () => {
  const { weeks } = await fleet('--top', '1');
  expect(weeks.map(({ top, throttledMinutes }) => [top.length, throttledMinutes])).toEqual([
    [1, 10],
    [1, 25],
    [0, null],
  ]);
});

test('in the terminal: the sum first, then a line a week, and what is missing', async () => {
  const { code, out } = await runCli('history', 'fleet', '--archive', archive);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toBe('3 weeks: 35 throttled minutes of volumes');
  expect(out).toMatch(/2026-W53 │ 2026-12-28 │ 1 +│ 3 +│ 10 min +│ 1 +│ 17 min/);
  const cells = lines
    .filter((line) => line.includes('2027-W0') || line.includes('2026-W'))
    .map((line) =>
      line
        .split('│')
        .slice(-3, -1)
        .map((cell) => cell.trim()),
    );
  expect(cells).toEqual([
    ['at least 128.50 USD', '2 warnings'],
    ['-', '1 critical'],
    ['-', 'none'],
  ]);
  expect(lines.at(-1)).toBe('Not each volume was evaluated: throttled minutes are of those that were.');
});

test('a week whose tables cannot be read has no USD and no findings, and they are named', async () => {
  const broken = tableKey('inventory', '2027-01-12', usEast1);
  const before = readFileSync(join(archive, broken));
  writeFileSync(join(archive, broken), 'PAR1 and no more');
  const { code, out } = await runCli('history', 'fleet', '--archive', archive, '--json');
  writeFileSync(join(archive, broken), before);
  const { weeks, unreadFiles } = fleetWeeksSchema.parse(JSON.parse(out));
  expect([code, unreadFiles.map(({ file }) => file)]).toEqual([3, [broken]]);
  expect(weeks.map(({ cost }) => cost?.usdMonth ?? null)).toEqual([128.5, null, null]);
  expect(weeks[2]?.cost).toBeNull();
});

test.each([
  ['2027-01-03', '2026-12-28'],
  ['2027-01-04', '2027-01-04'],
  ['2027-01-10', '2027-01-04'],
])('%s is in the week from %s', (day, monday) => {
  expect(mondayOf(day)).toBe(monday);
});

test.each([
  ['2026-12-28', '2026-W53'],
  ['2025-12-29', '2026-W01'],
  ['2024-12-30', '2025-W01'],
  ['2026-11-23', '2026-W48'],
])('the week of %s is %s', (monday, week) => {
  expect(isoWeek(monday)).toBe(week);
});
