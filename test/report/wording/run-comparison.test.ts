/** Two runs compared, in words: every change, note and figure once, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf, compareRuns } from '../../../core/report/compare-runs.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { comparisonNotes, findingChanges } from '../../../core/schemas/finding-changes.ts';
import type { ComparedFinding, RunComparison } from '../../../core/schemas/run-comparison.ts';
import { inTwoLines } from '../../../report/wording/finding-lines.ts';
import {
  changeCounts,
  changeTexts,
  comparedFigures,
  comparedLines,
  comparedProblem,
  comparedRunText,
  comparisonHeadline,
  figureText,
  noteLines,
  partialText,
  savingText,
  severityText,
  throttledText,
} from '../../../report/wording/run-comparison.ts';
import { aFinding, anEvaluation, aRecommendation, aResult, onVolume } from '../../fixtures/findings.ts';
import { samples } from './samples.ts';

const file = join(__dirname, 'run-comparison.txt');

const priced = (monthlyUsdDelta: number | null) => [aRecommendation({ monthlyUsdDelta })];
const costing = (monthlyUsd: number | null, findings: readonly Finding[] = []) =>
  aResult(findings, { volumes: [anEvaluation({ monthlyUsd })] });
const saving = (monthlyUsdDelta: number | null): Finding =>
  aFinding({ ...{ kind: 'cheaper-type', severity: 'info' }, recommendations: priced(monthlyUsdDelta) });
const figuresOf = (comparison: RunComparison): Record<string, string[]> =>
  Object.fromEntries(
    comparedFigures(comparison).map(({ what, before, after, change }) => [what, [before, after, change]]),
  );

/** A fleet in which each change happened once or twice. */
function everyChange(): RunComparison {
  const on = (id: string, minutes: number, more: Partial<Finding> = {}): Finding =>
    aFinding({
      ...{ id, resource: onVolume(`vol-${id}`, { name: 'orders' }) },
      evidence: { throttledMinutesPeak24h: minutes },
      ...more,
    });
  const status = (id: string, minutes: number, more: Partial<AuditResult['volumes'][number]> = {}) =>
    anEvaluation({ volumeId: `vol-${id}`, monthlyUsd: 8, throttledMinutesPeak24h: minutes, ...more });
  const ongoing = { status: 'ongoing', firstSeen: '2026-11-19T14:47:00Z' } as const;
  const lost = { status: 'unknown', reason: { code: 'no-operations' }, monthlyUsd: null } as const;
  return compareRuns(
    aResult(
      [
        on('same', 9),
        on('worse', 12),
        on('better', 90, { severity: 'critical' }),
        on('gone', 20),
        on('lost', 7),
      ],
      {
        volumes: [
          ...[status('same', 9), status('worse', 12), status('better', 90), status('gone', 20)],
          ...[status('lost', 7), status('unread', 0, lost)],
        ],
        wholeRegions: ['us-east-1'],
      },
    ),
    aResult(
      [
        on('new', 1_440, { severity: 'critical', ...ongoing }),
        on('worse', 90, { ...ongoing, recommendations: priced(-3) }),
        ...[on('better', 6), on('same', 9), on('unread', 8)],
      ],
      {
        ...{ runId: 'run-2', window: { start: '2026-11-07T00:00:00Z', end: '2026-11-21T00:00:00Z' } },
        volumes: [
          ...[status('new', 1_440), status('worse', 90), status('better', 6), status('same', 9)],
          ...[status('lost', 0, lost), status('unread', 8)],
        ],
        wholeRegions: ['us-east-1'],
      },
    ),
  );
}

/** As many of a thing as there are notes about it. */
const everyNote = (comparison: RunComparison): RunComparison => ({
  ...comparison,
  before: { ...comparison.before, accounts: ['111122223333'], regions: ['us-east-1'], partial: true },
  after: {
    ...comparison.after,
    ...{ accounts: [], partial: false },
    regions: ['ap-south-1', 'eu-central-1', 'eu-west-1', 'us-east-1', 'us-west-2'],
  },
  notes: [...comparisonNotes],
});

function rendered(): string {
  const comparison = everyChange();
  const changed = changesOf(comparison).findings;
  return [
    ...['# headline', comparisonHeadline(comparison), ''],
    ...[
      '# runs',
      comparedRunText(comparison.before),
      comparedRunText({ ...comparison.after, window: null }),
      '',
    ],
    ...['# figures', ...comparedFigures(comparison).map((one) => `${one.what}: ${figureText(one)}`), ''],
    ...changed.flatMap((one) => [`# ${changeTexts[one.change]}`, ...comparedLines(one), '']),
    ...['# notes', ...noteLines(everyNote(comparison))],
  ].join('\n');
}

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, `${rendered()}\n`);
  expect(`${rendered()}\n`).toBe(readFileSync(file, 'utf8'));
});

test('every change is among them', () => {
  const { counts, findings } = everyChange();
  expect(counts).toEqual({ new: 1, worse: 1, better: 1, resolved: 1, ongoing: 1, 'not-evaluated': 2 });
  expect(new Set(findings.map(({ change }) => change))).toEqual(new Set(findingChanges));
});

test('what both runs count, and the money of both', () => {
  expect(figuresOf(compareRuns(costing(8), costing(10.5, [saving(-2.5)])))).toEqual({
    critical: ['0', '0', '0'],
    warning: ['0', '0', '0'],
    info: ['0', '1', '+1'],
    'throttled volume-minutes, peak 24 h': ['0', '0', '0'],
    volumes: ['1', '1', '0'],
    'volumes unknown': ['0', '0', '0'],
    'volumes cost a month': ['8.00 USD', '10.50 USD', '+2.50 USD'],
    'possible savings a month': ['0.00 USD', '2.50 USD', '+2.50 USD'],
  });
});

test('what has no price is counted beside the sum, and is no change', () => {
  const figures = figuresOf(compareRuns(costing(null), costing(10.5, [saving(null)])));
  expect(figures['volumes cost a month']).toEqual([
    'unknown, 1 volume without a price',
    ...['10.50 USD', 'unknown, 1 volume left out'],
  ]);
  expect(figures['possible savings a month']).toEqual([
    ...['0.00 USD', '0.00 USD, 1 finding without a price', 'unknown'],
  ]);
});

test('a change that is not known is said also where both figures are the same', () => {
  const lost = compareRuns(
    aResult([aFinding({ evidence: { throttledMinutesPeak24h: 3 } })]),
    aResult([], { volumes: [anEvaluation({ status: 'unknown' })] }),
  );
  const [, , , throttled] = comparedFigures(lost);
  expect(throttled && figureText(throttled)).toBe('0 -> 0 (unknown)');
});

describe('a finding of both runs', () => {
  type Side = NonNullable<ComparedFinding['before']>;
  const side = (more: Partial<Side>): Side => ({
    ...{ severity: 'warning', throttledMinutesPeak24h: 12, savingMonthlyUsd: null, ...more },
  });
  const finding = (before: Side | null, after: Side | null): ComparedFinding => ({
    ...{ change: 'ongoing', finding: aFinding(), volumeText: 'gp3 100 GiB', before, after },
  });

  test('is said as it was and as it is, once where that is the same', () => {
    const same = finding(side({}), side({ throttledMinutesPeak24h: 1_440, savingMonthlyUsd: -3 }));
    expect(severityText(same)).toBe('warning');
    expect(throttledText(same, '-')).toBe('12 -> 1,440');
    expect(savingText(same, 'none known')).toBe('none known -> -3.00 USD');
  });

  test.each([
    ['new', finding(null, side({}))],
    ['resolved', finding(side({}), null)],
  ])('that is %s has one side', (_, one) => {
    expect([severityText(one), throttledText(one, '-'), savingText(one, '-')]).toEqual([
      'warning',
      '12',
      '-',
    ]);
  });

  test('that counts no minutes has none, which is not zero', () => {
    const none = side({ throttledMinutesPeak24h: null });
    expect(throttledText(finding(none, none), 'not counted')).toBe('not counted');
    expect(throttledText(finding(side({ throttledMinutesPeak24h: 0 }), none), '-')).toBe('0 -> -');
  });

  test.each(samples.map((sample) => [sample.title, sample] as const))(
    '%s: reads as in every channel',
    (_, { what, finding: found }) => {
      const one = { ...finding(null, side({})), finding: found, volumeText: what };
      const { resource, problem, fix } = inTwoLines(found, what);
      expect(comparedLines(one)).toEqual([
        `warning: ${resource}: ${problem}.`,
        ...(fix === null ? [] : [fix]),
      ]);
      expect(comparedProblem(one)).toBe(`${problem}.`);
    },
  );

  test('of the earlier run alone goes on no more, and nothing is recommended against it', () => {
    const one = { ...finding(side({}), null), finding: aFinding({ status: 'ongoing' }) };
    expect(comparedLines(one).join(' ')).not.toMatch(/ongoing|Fix/);
  });
});

test('what was not evaluated is in the headline where there is any', () => {
  const evaluated = compareRuns(aResult([], { volumes: [anEvaluation()] }), aResult([aFinding()]));
  expect(comparisonHeadline(evaluated)).toBe('1 new, 0 worse, 0 better, 0 resolved, 0 ongoing.');
  const lost = compareRuns(aResult([aFinding()]), aResult([], { volumes: [] }));
  expect(comparisonHeadline(lost)).toBe('0 new, 0 worse, 0 better, 0 resolved, 0 ongoing, 1 not evaluated.');
  expect(changeCounts(lost).at(-1)).toEqual({ change: 'not-evaluated', count: 1 });
});

test('a partial run is said last', () => {
  const { before, after } = everyChange();
  const partial = (was: boolean, is: boolean) =>
    partialText({ before: { ...before, partial: was }, after: { ...after, partial: is } });
  expect(partial(false, false)).toBeNull();
  expect([partial(true, false), partial(false, true), partial(true, true)]).toEqual([
    'The earlier run is partial: not all metrics could be read.',
    'The later run is partial: not all metrics could be read.',
    'Both runs are partial: not all metrics could be read.',
  ]);
  expect(noteLines(everyNote(everyChange())).at(-1)).toBe(partial(true, false));
});
