/** The runs that have a report: what is said of each, in which order, and how many. */

import { runKeys } from '../../../core/audit/run-keys.ts';
import { reportPageKey } from '../../../core/report/report-link.ts';
import {
  maxRuns,
  type RunEntry,
  runBefore,
  runEntry,
  runManifestSchema,
  withRun,
} from '../../../core/report/run-manifest.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { aFinding, aRecommendation, aResult, onVolume } from '../../fixtures/findings.ts';

const madeAt = '2026-11-22T12:00:00.000Z';
const made = { madeAt, byHand: false, report: 'runs/run-1/report.html' };
const keptDays = 400;
const entry = (given: Partial<RunEntry> = {}): RunEntry => ({ ...runEntry(aResult([]), made), ...given });

const saving = (kind: Finding['kind'], volumeId: string, ...deltas: (number | null)[]): Finding =>
  aFinding({
    ...{ kind, severity: 'info' },
    resource: onVolume(volumeId),
    recommendations: deltas.map((monthlyUsdDelta) => aRecommendation({ monthlyUsdDelta })),
  });

test('a run is listed with its window, what was found by severity, and what it cost', () => {
  const result = aResult([
    aFinding({ severity: 'critical' }),
    aFinding({ severity: 'warning' }),
    aFinding({ severity: 'warning' }),
  ]);
  expect(runEntry(result, made)).toEqual({
    ...{ runId: 'run-1', window: result.window, madeAt },
    ...{ volumes: 1, unknown: 0, findings: { critical: 1, warning: 2, info: 0 } },
    ...{ savedMonthlyUsd: 0, findingsWithoutPrice: 0, partial: false, costUsd: 0.01, byHand: false },
    report: 'runs/run-1/report.html',
  });
});

test('what could be saved is what its page says: the largest saving of each resource', () => {
  const findings = [
    saving('over-provisioned', 'vol-1', -10.25),
    // Another way to the same money.
    saving('cheaper-type', 'vol-1', -4),
    saving('unattached', 'vol-2', -4.5),
    // Its price is not known: nothing is claimed of it.
    saving('cheaper-type', 'vol-3', null),
    // What helps costs 5 more: that is no saving.
    aFinding(),
  ];
  // 10.25 + 4.50
  expect(runEntry(aResult(findings), made)).toMatchObject({
    savedMonthlyUsd: 14.75,
    findingsWithoutPrice: 1,
  });
});

test('a run that could not read everything is listed as partial', () => {
  const result = aResult([]);
  const unknown = [{ volumeId: 'vol-9', reason: { code: 'no-operations' as const }, nothingToRead: false }];
  const partial = { ...result, coverage: { ...result.coverage, unknown } };
  expect(runEntry(partial, made)).toMatchObject({ partial: true, unknown: 1 });
});

test('the first run makes the list', () => {
  expect(withRun(null, entry(), keptDays)).toEqual({ version: 1, runs: [entry()] });
});

test('the newest is first, whichever ended last', () => {
  const at = (hour: string) => entry({ runId: `at-${hour}`, madeAt: `2026-11-22T${hour}:00:00.000Z` });
  const runs = ['09', '11', '10'].reduce(
    (list, hour) => withRun(list, at(hour), keptDays),
    withRun(null, at('08'), keptDays),
  );
  expect(runs.runs.map(({ runId }) => runId)).toEqual(['at-11', 'at-10', 'at-09', 'at-08']);
});

test('a run that is written again is there once, as it is now', () => {
  const before = withRun(null, entry({ volumes: 1 }), keptDays);
  expect(withRun(before, entry({ volumes: 2 }), keptDays).runs).toEqual([entry({ volumes: 2 })]);
});

test('the oldest leave where there are too many', () => {
  const at = (i: number) =>
    entry({ runId: `run-${i}`, madeAt: new Date(Date.UTC(2025, 0, 1) + i * 86_400_000).toISOString() });
  const full = { version: 1 as const, runs: Array.from({ length: maxRuns }, (_, i) => at(maxRuns - i)) };
  const { runs } = withRun(full, at(maxRuns + 1), maxRuns * 2);
  expect(runs).toHaveLength(maxRuns);
  expect([runs[0]?.runId, runs.at(-1)?.runId]).toEqual(['run-501', 'run-2']);
});

test('it comes back as it was written', () => {
  const manifest = withRun(null, entry({ window: null, byHand: true }), keptDays);
  expect(runManifestSchema.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
});

test('links lead where reports are written', () => {
  expect(runKeys('run-1').report).toBe(reportPageKey({ kind: 'runs', id: 'run-1' }));
});

test('what is not about money is not without a price', () => {
  const findings = [saving('throttled-volume-iops', 'vol-1', null), saving('idle', 'vol-2', null)];
  expect(runEntry(aResult(findings), made)).toMatchObject({ savedMonthlyUsd: 0, findingsWithoutPrice: 1 });
});

test('a run of before there was a count has none without a price', () => {
  const { findingsWithoutPrice: _, ...before } = entry();
  expect(runManifestSchema.parse({ version: 1, runs: [before] }).runs).toEqual([entry()]);
});

test('a run leaves when its page goes', () => {
  const of = (runId: string, day: string) => entry({ runId, madeAt: `2026-11-${day}T12:00:00.000Z` });
  const before = { version: 1 as const, runs: [of('a week old', '15'), of('older', '14')] };
  const { runs } = withRun(before, of('new', '22'), 7);
  expect(runs.map(({ runId }) => runId)).toEqual(['new', 'a week old']);
});

describe('the run before one', () => {
  const day = (n: number) => ({ start: `2026-11-0${n}T00:00:00Z`, end: `2026-11-1${n}T00:00:00Z` });
  const entryOf = (runId: string, window: RunEntry['window'], byHand = false): RunEntry =>
    runEntry(aResult([], { runId, window }), { madeAt, byHand, report: runKeys(runId).report });
  const listed = [
    ...[entryOf('of-2', day(2)), entryOf('of-4', day(4)), entryOf('of-3', day(3))],
    ...[entryOf('by-hand', day(5), true), entryOf('without-figures', null)],
  ];
  const earlierOf = (runId: string, window: RunEntry['window']): string | undefined =>
    runBefore({ version: 1, runs: listed }, { runId, window })?.runId;

  test('is the newest by the end of its window, none by hand and none without figures', () => {
    expect(earlierOf('new', day(6))).toBe('of-4');
    expect(earlierOf('of-4', day(4))).toBe('of-3');
    expect(earlierOf('of-2', day(2))).toBeUndefined();
  });

  test('ended before it: one of the same window is beside it', () => {
    expect(earlierOf('twin', day(4))).toBe('of-3');
  });

  test('is none where there is no list yet, or no figure', () => {
    expect(runBefore(null, { runId: 'new', window: day(6) })).toBeNull();
    expect(earlierOf('new', null)).toBeUndefined();
  });
});
