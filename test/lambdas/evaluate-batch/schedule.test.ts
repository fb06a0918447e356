/** A batch that is read from an archive of weeks: modifications in it make a schedule of IOPS, and without them a notice says so. */
import { isPartial } from '../../../core/audit/audit.ts';
import { type AuditBatch, mergeResults } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { MetricQuery } from '../../../core/load/metrics.ts';
import { type EvaluateFrom, evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const start = Date.UTC(2026, 9, 5) / 1_000;
const plan = { startEpochSeconds: start, endEpochSeconds: start + 14 * 86_400, periodSeconds: 60 };
const vol = 'vol-0123456789abcdef0';

/** 10,000 IOPS for two hours from 01:00 UTC, 500 all else. */
function figureOf({ metric, periodSeconds }: MetricQuery, time: number): number {
  const isBusy = [1, 2].includes(Math.floor(time / 3_600) % 24);
  const rate = isBusy ? 10_000 : 500;
  if (metric === 'VolumeReadOps') return rate * periodSeconds;
  if (metric === 'VolumeReadBytes') return rate * periodSeconds * 16_384;
  if (metric === 'VolumeQueueLength') return isBusy ? 2 : 0.2;
  return metric === 'VolumeIdleTime' && !isBusy ? 0.2 : 0;
}

const readMetrics: EvaluateFrom['readMetrics'] = async (queries, when, collectorOf) => {
  for (const query of queries.filter(({ namespace }) => namespace === 'AWS/EBS')) {
    const times: number[] = [];
    for (let at = when.startEpochSeconds; at < when.endEpochSeconds; at += query.periodSeconds)
      times.push(at);
    const values = times.map((time) => figureOf(query, time));
    collectorOf(query).add(query.resourceId, query.metric, times, values);
  }
  return { metricsRequested: queries.length, points: 0, incomplete: [] };
};

function evaluated(modifications: AuditBatch['modifications'], passes: object = {}, volumeId = vol) {
  const instance = { instanceId: `i-of-${volumeId}`, instanceType: 'm6i.8xlarge' };
  const size = { sizeGiB: 500, iops: 16_000, throughputMiBps: 500 };
  return evaluateBatch(
    {
      runId: 'run',
      batch: {
        volumes: [aVolume({ volumeId, ...size, attachments: on(instance.instanceId) })],
        instances: [anInstance(instance)],
        published: null,
        modifications,
      },
      plan: { ...plan, ...passes },
      ...{ regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
      ...{ notices: [], incomplete: [] },
    },
    { readMetrics, apiCalls: () => 0 },
  );
}

const completed = (minutes: number) => ({
  ...{ state: 'completed' as const, startEpochSeconds: start - 86_400 },
  endEpochSeconds: start - 86_400 + minutes * 60,
});

test.each([
  ['one pass', {}],
  ['two passes', { coarsePeriodSeconds: 60 }],
])('the latest modification of a volume makes its schedule, read in %s', async (_, passes) => {
  const { findings, notices, volumes } = await evaluated({ [vol]: [completed(27)] }, passes);
  const schedule = findings.find(({ kind }) => kind === 'schedule-iops');
  expect(schedule?.evidence).toMatchObject({
    ...{ busyFromUtc: '01:00', busyUntilUtc: '03:00', leadMinutes: 30, earlierModifications: 1 },
  });
  expect(notices).toEqual([]);
  expect(volumes[0]).not.toHaveProperty('missingForSchedule');
});

test.each([
  ['nobody could read them', undefined],
  ['EC2 knows none of it', {}],
])('no schedule where %s: the run is complete, and a notice says it', async (_, modifications) => {
  const result = await evaluated(modifications);
  const kinds = result.findings.map(({ kind }) => kind);
  expect(kinds).toContain('over-provisioned');
  expect(kinds).not.toContain('schedule-iops');
  expect(result.notices).toEqual([{ code: 'modifications-unknown', volumeIds: [vol], count: 1 }]);
  expect(isPartial(result)).toBe(false);
});

test('of all batches of a run each reason is said once, with its count', async () => {
  const other = (last: number): string => `vol-0123456789abcdef${last}`;
  const parts = [
    await evaluated(undefined),
    await evaluated({}, {}, other(1)),
    await evaluated({ [other(2)]: [completed(700)] }, {}, other(2)),
    await evaluated({ [other(3)]: [completed(27)] }, {}, other(3)),
  ];
  const whole = { runId: 'run', window: null, notices: [], incomplete: [], apiCalls: 0 };
  expect(mergeResults(parts, whole).notices).toEqual([
    { code: 'modifications-unknown', volumeIds: [vol, other(1)], count: 2 },
    { code: 'modifications-too-slow', volumeIds: [other(2)], count: 1 },
  ]);
});
