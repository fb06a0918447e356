/** A batch in two passes: what each pass took, what becomes of a volume that could not be read, and what is not claimed. */

import type { AuditBatch } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds, type Thresholds, thresholdsOf } from '../../../core/diagnosis/thresholds.ts';
import type { MetricQuery } from '../../../core/load/metrics.ts';
import type { ResourceSeries } from '../../../core/report/resource-series.ts';
import { keepSeries } from '../../../core/report/series-keeper.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { type AuditResult, auditResultSchema } from '../../../core/schemas/audit-result.ts';
import { type EvaluateFrom, evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const plan = { startEpochSeconds: 0, endEpochSeconds: 86_400, periodSeconds: 60, coarsePeriodSeconds: 300 };
const quietVolume = aVolume();
const heldVolume = aVolume({ volumeId: 'vol-2', sizeGiB: 500 });
const batch: AuditBatch = {
  volumes: [heldVolume, quietVolume],
  instances: [anInstance({ instanceType: 'm6i.4xlarge' })],
  published: null,
};

/** Of vol-2 ten minutes are throttled at 3,000 IOPS; all else is calm. */
function figureOf({ resourceId, metric, periodSeconds }: MetricQuery, time: number): number {
  const held = resourceId === 'vol-2' && time >= 36_000 && time < 36_600;
  const seconds = periodSeconds;
  if (metric === 'VolumeIOPSExceededCheck') return held ? seconds / 60 : 0;
  if (metric === 'VolumeQueueLength') return held ? 30 : 0.05;
  if (metric === 'VolumeReadOps') return (held ? 3_000 : 60) * seconds;
  if (metric === 'VolumeReadBytes') return (held ? 3_000 : 60) * seconds * 8_192;
  return metric === 'VolumeIdleTime' && !held ? 0.95 * seconds : 0;
}

const answer: EvaluateFrom['readMetrics'] = async (queries, when, collectorOf) => {
  let points = 0;
  for (const query of queries) {
    if (query.namespace !== 'AWS/EBS') continue;
    const times: number[] = [];
    for (let time = when.startEpochSeconds; time < when.endEpochSeconds; time += query.periodSeconds) {
      times.push(time);
    }
    points += times.length;
    collectorOf(query).add(
      query.resourceId,
      query.metric,
      times,
      times.map((time) => figureOf(query, time)),
    );
  }
  return { metricsRequested: queries.length, points, incomplete: [] };
};

const oddPrices = { code: 'stored-prices-unreadable', region: 'us-east-1', reason: 'odd' } as const;
const noPrices = { code: 'stored-prices-denied', region: 'us-east-1', reason: 'denied' } as const;

/** Every reading takes one call. */
function evaluate(
  readMetrics = answer,
  given: Partial<AuditBatch> = {},
  when = plan,
  thresholds: Thresholds = defaultThresholds,
) {
  let calls = 0;
  const counted: EvaluateFrom['readMetrics'] = (...args) => {
    calls++;
    return readMetrics(...args);
  };
  return evaluateBatch(
    {
      runId: 'run-1',
      batch: { ...batch, ...given },
      plan: when,
      regionCatalogs: builtInRegionCatalog,
      thresholds,
      notices: [oddPrices],
      incomplete: [noPrices],
    },
    { readMetrics: counted, apiCalls: () => calls },
  );
}

test('what is throttled is found, what is quiet is healthy by the first pass, in the order of the batch', async () => {
  const { volumes, findings, notices, window } = await evaluate();
  expect(volumes.map(({ volumeId, status, evaluatedBy }) => [volumeId, status, evaluatedBy])).toEqual([
    ['vol-2', 'finding', 'fine'],
    ['vol-1', 'healthy', 'coarse'],
  ]);
  expect(findings.map(({ kind, resource }) => [kind, resource.id])).toEqual([
    ['throttled-volume-iops', 'vol-2'],
  ]);
  expect(window).toEqual({ start: '1970-01-01T00:00:00Z', end: '1970-01-02T00:00:00Z' });
  expect(notices).toEqual([oddPrices]);
});

test('of a volume that the first pass cleared nothing is claimed that it does not show', async () => {
  const { volumes, coverage } = await evaluate();
  expect(volumes[1]).toMatchObject({
    knownMinutes: 1_440,
    unknownMinutes: 0,
    activePeriods: 1_440, // with something in flight
    topAverageIops: null,
    topActiveTimeIops: null,
    periodsBusyOverTwiceAverage: null,
    throttledMinutesByCause: {},
  });
  expect(coverage).toMatchObject({ volumes: 2, evaluated: 2, unknown: [], metricsWithoutResource: [] });
  expect(coverage.instances).toEqual({ total: 1, evaluated: 1, notEvaluated: [] });
});

test('each pass says what it took: 3 metrics of each volume, none, and the other 10 of the suspect', async () => {
  const { cost } = await evaluate();
  expect(cost).toEqual({
    // Points of five minutes and of one come in one call.
    apiCalls: 1 + 0 + 1,
    metricsRequested: 16,
    points: 4_032 + 14_400,
    usd: 0.000_16,
    passes: [
      {
        pass: 'coarse',
        volumes: 2,
        instances: 0,
        metricsRequested: 6,
        points: 4_032,
        apiCalls: 1,
        usd: 0.000_06,
      },
      { pass: 'second-look', volumes: 0, instances: 0, metricsRequested: 0, points: 0, apiCalls: 0, usd: 0 },
      {
        pass: 'fine',
        volumes: 1,
        instances: 0,
        metricsRequested: 10,
        points: 14_400,
        apiCalls: 1,
        usd: 0.000_1,
      },
    ],
  });
});

test('the result is as it is stored', async () => {
  const result = await evaluate();
  expect(auditResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
});

test('a batch without any volume takes nothing', async () => {
  const { cost, volumes } = await evaluate(answer, { volumes: [], instances: [anInstance()] });
  expect(volumes).toEqual([]);
  expect(cost).toMatchObject({ apiCalls: 0, metricsRequested: 0 });
});

describe('what cannot be read', () => {
  const denied = { code: 'metrics-not-read', reason: 'denied' } as const;
  const notRead = (metrics: number): AuditNotice => ({ ...denied, metrics, resources: 2 });

  const denying = (pass: (queries: readonly MetricQuery[]) => boolean): EvaluateFrom['readMetrics'] => {
    return async (queries, when, collectorOf) => {
      if (!pass(queries)) return answer(queries, when, collectorOf);
      for (const query of queries) collectorOf(query).unread(query.resourceId, denied);
      return { metricsRequested: 0, points: 0, incomplete: [notRead(queries.length)] };
    };
  };
  const unknownOf = (result: Awaited<ReturnType<typeof evaluate>>) =>
    result.coverage.unknown.map(({ volumeId, reason }) => [volumeId, reason]);

  test('in the first pass: the volumes are unknown with the reason, and nothing more is asked of them', async () => {
    const result = await evaluate(denying(() => true));
    expect(unknownOf(result)).toEqual([
      ['vol-2', denied],
      ['vol-1', denied],
    ]);
    expect(result.volumes.map(({ evaluatedBy }) => evaluatedBy)).toEqual([null, null]);
    expect(result.coverage.incomplete).toEqual([noPrices, notRead(2 + 4)]);
    expect(result.cost.passes?.map(({ volumes }) => volumes)).toEqual([2, 0, 0]);
  });

  test('the checks alone: without them nobody is cleared', async () => {
    const isCheck = ({ metric }: MetricQuery) => metric.endsWith('Check');
    expect(unknownOf(await evaluate(denying((queries) => queries.some(isCheck))))).toEqual([
      ['vol-2', denied],
      ['vol-1', denied],
    ]);
  });

  test('in the second pass: the suspect is unknown, who was cleared before is not', async () => {
    const isFine = ({ metric }: MetricQuery) => metric === 'VolumeIdleTime';
    const result = await evaluate(denying((queries) => queries.some(isFine)));
    expect(unknownOf(result)).toEqual([['vol-2', denied]]);
    expect(result.volumes.map(({ status }) => status)).toEqual(['unknown', 'healthy']);
  });
});

test('volumes of a stopped instance that show nothing are unknown, and the run is not partial for it', async () => {
  const { coverage, cost } = await evaluate(
    async (queries) => ({ metricsRequested: queries.length, points: 0, incomplete: [] }),
    { instances: [anInstance({ state: 'stopped' })] },
  );
  expect(coverage.unknown).toEqual(
    ['vol-2', 'vol-1'].map((volumeId) => ({
      volumeId,
      reason: { code: 'instance-stopped', instanceId: 'i-1', asked: 'queue-length' },
      nothingToRead: true,
    })),
  );
  expect(cost.metricsRequested).toBe(6);
});

test('a window without minutes says that five minutes were looked at, which hide bursts', async () => {
  const { notices } = await evaluate(answer, {}, { ...plan, periodSeconds: 300 });
  expect(notices).toEqual([oddPrices, { code: 'one-minute-points-gone', periodSeconds: 300 }]);
});

test('gp2 is recommended to become gp3 without its load being read, and the recommendation says so', async () => {
  const gp2 = aVolume({ volumeType: 'gp2', sizeGiB: 500, iops: 1_500, throughputMiBps: null });
  const withBalance: EvaluateFrom['readMetrics'] = async (queries, when, collectorOf) => {
    const others = queries.filter(({ metric }) => metric !== 'BurstBalance');
    const { points } = await answer(others, when, collectorOf);
    const balances = queries.filter(({ metric }) => metric === 'BurstBalance');
    for (const query of balances) {
      collectorOf(query).add('vol-1', 'BurstBalance', [0, 300, 600], [100, 100, 100]);
    }
    return { metricsRequested: queries.length, points: points + 3 * balances.length, incomplete: [] };
  };
  const { findings, volumes } = await evaluate(withBalance, { volumes: [gp2] });
  expect(volumes[0]).toMatchObject({ evaluatedBy: 'coarse', status: 'healthy', lowestBalancePercent: 100 });
  expect(findings).toMatchObject([
    {
      kind: 'cheaper-type',
      evidence: { loadNotUsedReason: { code: 'not-read' } },
    },
  ]);
});

test('suspects that are more than fits into memory are read and evaluated in parts, and told as one', async () => {
  // Of two volumes and their instance 14 + 4 metrics in minutes and 2 in five: 18.4 x 20,160 points of 5.04 million.
  const volumes = Array.from({ length: 60 }, (_, i) =>
    aVolume({ volumeId: `vol-${i}`, attachments: on(`i-${i % 30}`) }),
  );
  const instances = Array.from({ length: 30 }, (_, i) => anInstance({ instanceId: `i-${i}` }));
  const asked: number[] = [];
  const result = await evaluate(
    async (queries) => {
      asked.push(queries.length);
      return { metricsRequested: queries.length, points: 0, incomplete: [] };
    },
    { volumes, instances, published: {} }, // as of Xen: no checks
    { ...plan, endEpochSeconds: 14 * 86_400 },
  );
  // The queues of all; both checks of each instance, which has none; then everything else of 13, 13 and 4 instances.
  expect(asked).toEqual([60, 60, 13 * 20, 13 * 20, 4 * 20]);
  expect(result.volumes.map(({ volumeId }) => volumeId)).toEqual(volumes.map(({ volumeId }) => volumeId));
  expect(result.coverage).toMatchObject({ volumes: 60, evaluated: 0, metricsWithoutResource: [] });
  expect(result.coverage.instances.total).toBe(30);
  expect(result.cost.passes?.at(-1)).toMatchObject({ pass: 'fine', volumes: 60, instances: 30 });
});

test('two evaluations of one fleet at the same time: each goes by its own thresholds', async () => {
  const reads: number[] = [];
  const evaluateFrom = (throttledWarningMinutes: number): ReturnType<typeof evaluate> => {
    const reading: EvaluateFrom['readMetrics'] = (...args) => {
      reads.push(throttledWarningMinutes);
      return answer(...args);
    };
    return evaluate(reading, {}, plan, thresholdsOf({ throttledWarningMinutes }));
  };
  const notified = ({ findings }: AuditResult): string[] => findings.map(({ kind }) => kind);
  // Ten minutes are throttled.
  const [early, late] = await Promise.all([evaluateFrom(9), evaluateFrom(11)]);
  expect(notified(early)).toEqual(['throttled-volume-iops']);
  expect(notified(late)).toEqual([]);
  expect([early.thresholds, late.thresholds]).toEqual([
    { throttledWarningMinutes: 9 },
    { throttledWarningMinutes: 11 },
  ]);
  // Neither was over before the other began, nor before it read on.
  expect(reads).toEqual([9, 11, 9, 11]);
  reads.length = 0;
  expect([await evaluateFrom(9), await evaluateFrom(11)]).toEqual([early, late]);
  expect(reads).toEqual([9, 9, 11, 11]);
});

test('who is reported of each load is reported of those that were read', async () => {
  const notified: string[] = [];
  await evaluateBatch(
    {
      thresholds: defaultThresholds,
      ...{ runId: 'run-1', batch, plan, regionCatalogs: builtInRegionCatalog, notices: [], incomplete: [] },
      onDiagnosed: ({ volume }) => notified.push(volume.volumeId),
    },
    { readMetrics: answer, apiCalls: () => 0 },
  );
  expect(notified).toEqual(['vol-2']);
});

test.each([
  ['in two passes', plan],
  ['in one', { startEpochSeconds: 0, endEpochSeconds: 86_400, periodSeconds: 60 }],
])('%s the series of what was found are kept, and of what is quiet none', async (_, when) => {
  const series: ResourceSeries[] = [];
  const { findings } = await evaluateBatch(
    {
      thresholds: defaultThresholds,
      ...{
        runId: 'run-1',
        batch,
        plan: when,
        regionCatalogs: builtInRegionCatalog,
        notices: [],
        incomplete: [],
      },
      onEvaluated: keepSeries((one) => series.push(one)),
    },
    { readMetrics: answer, apiCalls: () => 0 },
  );
  expect(findings.length).toBeGreaterThan(0);
  const [held, ...others] = series;
  expect(others).toEqual([]);
  expect(held?.resourceId).toBe('vol-2');
  // From 10:00 on for ten minutes, and a close-up of its six hours.
  expect(held?.whole.throttled.minutes.reduce<number>((total, minutes) => total + (minutes ?? 0), 0)).toBe(
    10,
  );
  expect(held?.closeUp).not.toBeNull();
});
