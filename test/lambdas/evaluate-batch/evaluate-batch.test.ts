/** One batch: what is asked, what it cost, and what becomes of a volume that could not be read. */

import type { AuditBatch } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { MetricQuery } from '../../../core/load/metrics.ts';
import { type EvaluateFrom, evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';

const plan = { startEpochSeconds: 0, endEpochSeconds: 86_400, periodSeconds: 300 };
const batch: AuditBatch = { volumes: [aVolume()], instances: [anInstance()], published: null };

/** A day of calm, but for its first five minutes: one operation of 16 KiB a second. */
const calm: EvaluateFrom['readMetrics'] = async (queries, _plan, collectorOf) => {
  const times = Array.from({ length: 287 }, (_, i) => (i + 1) * 300);
  let points = 0;
  for (const query of queries) {
    const { resourceId, metric, namespace } = query;
    if (namespace !== 'AWS/EBS') continue;
    const value = metric.endsWith('Ops') ? 300 : metric.endsWith('Bytes') ? 300 * 16_384 : 0;
    points += times.length;
    collectorOf(query).add(
      resourceId,
      metric,
      times,
      times.map(() => value),
    );
  }
  return { metricsRequested: queries.length, points, incomplete: [] };
};

const evaluate = (readMetrics: EvaluateFrom['readMetrics'], calls: number[] = [0, 0]) =>
  evaluateBatch(
    {
      thresholds: defaultThresholds,
      runId: 'run-1',
      batch,
      plan,
      regionCatalogs: builtInRegionCatalog,
      notices: [],
      incomplete: [],
    },
    { readMetrics, apiCalls: () => calls.shift() ?? 0 },
  );

test('a calm volume is healthy, over the window that was asked for', async () => {
  const { volumes, window, runId } = await evaluate(calm);
  expect(volumes).toMatchObject([{ status: 'healthy', evaluatedBy: 'fine', knownMinutes: 1_435 }]);
  expect(window).toEqual({ start: '1970-01-01T00:00:00Z', end: '1970-01-02T00:00:00Z' });
  expect(runId).toBe('run-1');
});

test('11 metrics of the volume and 8 of its instance cost 19 x 0.00001 USD; 7 - 2 = 5 calls were its own', async () => {
  const { cost } = await evaluate(calm, [2, 7]);
  expect(cost).toEqual({ apiCalls: 5, metricsRequested: 19, points: 3_157, usd: 0.000_19 });
});

test('asks at the period of the plan, for the window of the plan', async () => {
  let asked: readonly MetricQuery[] = [];
  await evaluate(async (queries, when, collectorOf) => {
    asked = queries;
    expect(when).toEqual(plan);
    return calm(queries, when, collectorOf);
  });
  expect(new Set(asked.map(({ periodSeconds }) => periodSeconds))).toEqual(new Set([300]));
});

const notRead = { code: 'metrics-not-read', metrics: 15, resources: 2, reason: 'denied' } as const;

test('a volume whose metrics could not be read is unknown with the reason, and what is incomplete is kept', async () => {
  const { coverage, findings } = await evaluate(async (queries, _plan, collectorOf) => {
    collectorOf(queries[0] as MetricQuery).unread('vol-1', { code: 'metrics-not-read', reason: 'denied' });
    return { metricsRequested: 0, points: 0, incomplete: [notRead] };
  });
  expect(findings).toEqual([]);
  expect(coverage.unknown).toEqual([
    {
      ...{ volumeId: 'vol-1', nothingToRead: false },
      reason: { code: 'metrics-not-read', reason: 'denied' },
    },
  ]);
  expect(coverage.incomplete).toEqual([notRead]);
});

test('figures that came before the failure do not make an evaluation', async () => {
  const { volumes } = await evaluate(async (queries, when, collectorOf) => {
    const read = await calm(queries, when, collectorOf);
    collectorOf(queries[0] as MetricQuery).unread('vol-1', {
      code: 'metrics-not-read',
      reason: 'the last page failed',
    });
    return read;
  });
  expect(volumes).toMatchObject([
    { status: 'unknown', reason: { code: 'metrics-not-read', reason: 'the last page failed' } },
  ]);
});

test('prices are those it is given, and what is to be said of them is said', async () => {
  const refreshedAt = '2026-11-20T00:00:00.000Z';
  const old = { code: 'stored-prices-unreadable', region: 'us-east-1', reason: 'odd' } as const;
  const { prices, notices, coverage } = await evaluateBatch(
    {
      thresholds: defaultThresholds,
      ...{ runId: 'run-1', batch, plan },
      ...{ notices: [old], incomplete: [notRead] },
      regionCatalogs: (region) => ({ ...builtInRegionCatalog(region), refreshedAt }),
    },
    { readMetrics: calm, apiCalls: () => 0 },
  );
  expect(prices).toMatchObject([{ region: 'us-east-1', refreshedAt, ebsAsOf: '2026-09-30' }]);
  expect(notices).toEqual([old]);
  expect(coverage.incomplete).toEqual([notRead]);
});
