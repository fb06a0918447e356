/**
 * Who throttled whom, minute by minute, in scenarios whose truth is known: test/scenarios. The truth comes from the
 * simulator, second by second; the audit reads what CloudWatch would have published.
 */
import { join } from 'node:path';
import Table from 'cli-table3';
import { isSaving } from '../../core/schemas/finding.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import {
  type ComparedMinute,
  comparedMinutes,
  isComplete,
  isOverlooked,
  isQuiet,
  isRight,
  isThrottled,
} from '../scenarios/compare-minutes.ts';
import { type EvaluatedScenario, evaluateScenario } from '../scenarios/evaluate-scenario.ts';
import { publishedAt } from '../scenarios/published-at.ts';
import { readScenarios } from '../scenarios/scenario-file.ts';

const directory = temporaryDirectory();
const scenarios = readScenarios(join(process.cwd(), 'test', 'scenarios'));

interface Row {
  evaluated: EvaluatedScenario;
  minutes: ComparedMinute[];
  /** Findings that nobody asked for: what could cost less, and what is configured in vain, come from prices. */
  troubles: string[];
}

const rows: Row[] = scenarios.map((scenario) => {
  const evaluated = evaluateScenario(scenario, directory);
  const troubles = evaluated.result.findings
    .filter((finding) => !isSaving(finding) && finding.kind !== 'unreachable-performance')
    .map(({ kind }) => kind);
  return { evaluated, minutes: comparedMinutes(evaluated), troubles: [...new Set(troubles)] };
});
const all = rows.flatMap(({ minutes }) => minutes);

const share = (minutes: readonly ComparedMinute[], test: (minute: ComparedMinute) => boolean): number =>
  minutes.length === 0 ? 1 : minutes.filter(test).length / minutes.length;
const percent = (minutes: readonly ComparedMinute[], test: (minute: ComparedMinute) => boolean): string =>
  minutes.length === 0 ? '' : (100 * share(minutes, test)).toFixed(1);

function figures(minutes: readonly ComparedMinute[]): (string | number)[] {
  const throttled = minutes.filter(isThrottled);
  const two = throttled.filter(({ boundBy }) => boundBy.length > 1);
  const quiet = minutes.filter(isQuiet);
  const without = minutes.filter(({ withoutFigures }) => withoutFigures);
  return [
    throttled.length,
    percent(throttled, isRight),
    two.length === 0 ? '' : `${percent(two, isComplete)} of ${two.length}`,
    quiet.length,
    percent(quiet, isRight),
    without.length === 0 ? '' : `${percent(without, isRight)} of ${without.length}`,
    minutes.filter(isOverlooked).length,
  ];
}

const shownMinutes = 2;

/** The first wrong minutes of each kind of mistake, with what CloudWatch published in them. */
function mistakes({ evaluated, minutes }: Row): string[] {
  const kinds = new Map<string, ComparedMinute[]>();
  for (const minute of minutes.filter((one) => !isRight(one))) {
    const { volume, truth, boundBy, withoutFigures, cause, also } = minute;
    const bound = boundBy.length > 1 ? ` (bound: ${boundBy.join(' + ')})` : '';
    const said = also.length > 0 ? `${cause} also ${also.join(' + ')}` : cause;
    const without = withoutFigures ? ', no figures of its operations' : '';
    const kind = `${volume}: true ${truth}${bound}${without}, said ${said}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), minute]);
  }
  return [...kinds].flatMap(([kind, wrong]) => [
    `  ${evaluated.scenario.name} ${kind}: ${wrong.length} min`,
    ...wrong
      .slice(0, shownMinutes)
      .map((one) => `    minute ${one.minute}, held ${one.heldSeconds} s: ${publishedAt(evaluated, one)}`),
  ]);
}

function report(): string {
  const table = new Table({
    head: [
      'scenario',
      'throttled min',
      'right %',
      'both named %',
      'quiet min',
      'right %',
      'unknown %',
      'none >= 30 s',
      'findings',
    ],
    style: { head: [], border: [], compact: true },
  });
  for (const { evaluated, minutes, troubles } of rows) {
    table.push([evaluated.scenario.name, ...figures(minutes), troubles.join(' ')]);
  }
  table.push([`total ${rows.length}`, ...figures(all), '']);
  return [table.toString(), ...rows.flatMap(mistakes)].join('\n');
}

beforeAll(() => process.stdout.write(`${report()}\n`));

describe('the scenarios', () => {
  test('are many, and each is throttled by what it says', () => {
    expect(rows.length).toBeGreaterThanOrEqual(44);
    for (const { evaluated, minutes } of rows) {
      const { name, trouble } = evaluated.scenario;
      const held = [
        ...new Set(minutes.filter(({ heldSeconds }) => heldSeconds > 0).flatMap((one) => one.boundBy)),
      ];
      const demand =
        trouble === 'none' ? [] : trouble.filter((one) => one !== 'straggler' && one !== 'first-reads');
      expect({ name, held: held.sort() }).toEqual({ name, held: [...demand].sort() });
    }
  });

  test('have among them twelve and more without any trouble', () => {
    expect(scenarios.filter(({ trouble }) => trouble === 'none').length).toBeGreaterThanOrEqual(12);
  });
});

describe('the attribution', () => {
  test('names the cause in 95 % of the throttled minutes', () => {
    expect(share(all.filter(isThrottled), isRight)).toBeGreaterThanOrEqual(0.95);
  });

  test('says none in 99 % of the quiet minutes', () => {
    expect(share(all.filter(isQuiet), isRight)).toBeGreaterThanOrEqual(0.99);
  });

  test('never says none of a minute that was throttled for half of it or more', () => {
    const overlooked = rows.flatMap(({ evaluated, minutes }) =>
      minutes
        .filter(isOverlooked)
        .map(({ volume, minute, truth }) => `${evaluated.scenario.name} ${volume} ${minute}: ${truth}`),
    );
    expect(overlooked).toEqual([]);
  });

  test('says unknown of minutes whose operations have no figures', () => {
    expect(
      share(
        all.filter(({ withoutFigures }) => withoutFigures),
        isRight,
      ),
    ).toBe(1);
  });
});

test('slow first reads are named where they are, and nowhere else', () => {
  const named = rows.filter(({ troubles }) => troubles.includes('uninitialized'));
  const slow = rows.filter(({ evaluated: { scenario } }) => scenario.trouble.includes('first-reads'));
  const namesOf = (some: readonly Row[]) => some.map(({ evaluated }) => evaluated.scenario.name);
  expect(namesOf(slow)).toEqual(['first-reads-hardly-any-writes', 'first-reads']);
  expect(namesOf(named)).toEqual(namesOf(slow));
});

describe('where nothing throttles', () => {
  test.each(
    rows
      .filter(({ evaluated }) => evaluated.scenario.trouble === 'none')
      .map(({ evaluated, troubles }) => [evaluated.scenario.name, troubles]),
  )('%s has no finding', (_, troubles) => {
    expect(troubles).toEqual([]);
  });
});
