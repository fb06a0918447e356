/** A batch with recommendations of another service: what is simulated, in one pass and in two, and in parts. */
import { type AuditBatch, mergeResults } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { MetricQuery } from '../../../core/load/metrics.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { batchSchema } from '../../../core/schemas/batch.ts';
import type { SecondOpinion } from '../../../core/schemas/second-opinion.ts';
import type { GivenOpinions } from '../../../core/schemas/volume-recommendation.ts';
import { matched, notRead } from '../../../core/second-opinion/given.ts';
import { computeOptimizerRows } from '../../../core/second-opinion/recommendations.ts';
import { type EvaluateFrom, evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';
import { ebs, ebsRow, notOptimized } from '../../fixtures/recommendations.ts';

const day = 86_400;
const plan = { startEpochSeconds: 0, endEpochSeconds: day, periodSeconds: 60 };
const twoPasses = { ...plan, coarsePeriodSeconds: 300 };
const vol = (last: number): string => `vol-0123456789abcdef${last}`;
const [quiet, busy, detached, striped] = [vol(0), vol(1), vol(2), vol(3)] as const;
const volumes = [
  aVolume({ volumeId: quiet }),
  aVolume({ volumeId: busy, sizeGiB: 500, iops: 6_000 }),
  aVolume({ volumeId: detached, state: 'available', attachments: [] }),
];
const batch: AuditBatch = {
  volumes,
  instances: [anInstance({ instanceType: 'm6i.4xlarge' })],
  published: null,
};

/** The busy volume does 4,000 IOPS of 8 KiB in ten minutes of the day, and 60 else, as the others do all the time. */
function figureOf({ resourceId, metric, periodSeconds }: MetricQuery, time: number): number {
  const isBusy = resourceId === busy && time >= 36_000 && time < 36_600;
  const rate = isBusy ? 4_000 : 60;
  if (metric === 'VolumeQueueLength') return isBusy ? 2 : 0.05;
  if (metric === 'VolumeReadOps') return rate * periodSeconds;
  if (metric === 'VolumeReadBytes') return rate * periodSeconds * 8_192;
  return metric === 'VolumeIdleTime' && !isBusy ? 0.95 * periodSeconds : 0;
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

/** Made at the end of the window, of three days: a day of them is what 48 h may leave. */
const made = { lookBackPeriodInDays: 3, lastRefreshTimestamp: day };
const gp3 = (iops: number, size = 100) => ebs('gp3', size, iops, 125);
const change = (id: string, from: object, to: object) => ({ ...notOptimized(id, from, to), ...made });
const keep = (id: string, from: object) => ebsRow(id, { currentConfiguration: from, ...made });

function opinionsOf(...rows: object[]): GivenOpinions {
  const place = { accounts: null, account: '111122223333', region: null };
  return matched(computeOptimizerRows([{ volumeRecommendations: rows }]), { volumes, ...place }).given;
}

function evaluate(
  when: typeof plan | typeof twoPasses,
  rows: object[],
  given: Partial<AuditBatch> = {},
): Promise<AuditResult> {
  return evaluateBatch(
    {
      ...{ runId: 'run-1', plan: when, regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
      ...{ notices: [], incomplete: [] },
      batch: { ...batch, opinions: [opinionsOf(...rows)], ...given },
    },
    { readMetrics, apiCalls: () => 0 },
  );
}

const said = ({ secondOpinion = [] }: Pick<AuditResult, 'secondOpinion'>) =>
  secondOpinion.map(({ volumeId, label, reason: { code } }) => [volumeId, label, code]);
const rowOf = ({ secondOpinion = [] }: AuditResult, id: string): SecondOpinion =>
  secondOpinion.find(({ volumeId }) => volumeId === id) as SecondOpinion;

const rows = [
  keep(quiet, gp3(3_000)),
  change(busy, gp3(6_000, 500), gp3(3_000, 500)), // 4,000 of 3,000 IOPS for ten minutes
];

test.each([
  ['one pass', plan],
  ['two passes', twoPasses],
])('in %s: a row for each volume, in the order of the inventory, the harm simulated', async (_, when) => {
  const result = await evaluate(when, rows);
  expect(said(result)).toEqual([
    [quiet, 'agree', 'both-keep'],
    [busy, 'unsafe', 'throttled-if-followed'],
    [detached, 'unseen', 'detached'],
  ]);
  const { throttledMinutesIfFollowed, monthlyUsdDifference, recommended } = rowOf(result, busy);
  // 10 min x 4,000 IOPS on 3,000: the backlog of 600,000 I/O is worked off in 13.3 min and 10 s more of 60 a second.
  expect(throttledMinutesIfFollowed).toBeGreaterThanOrEqual(10);
  expect(throttledMinutesIfFollowed).toBeLessThanOrEqual(15);
  expect(recommended).toEqual({ volumeType: 'gp3', sizeGiB: 500, iops: 3_000, throughputMiBps: 125 });
  // 3,000 IOPS fewer x 0.005 USD, if the audit keeps it as it is; it may lower some itself.
  expect(monthlyUsdDifference).toBeLessThanOrEqual(0);
});

test('what somebody would change is read in full; what is optimized is not', async () => {
  const evaluatedBy = async (some: object[]) =>
    (await evaluate(twoPasses, some)).volumes.map((one) => [one.volumeId, one.evaluatedBy]);
  expect(await evaluatedBy([keep(quiet, gp3(3_000))])).toContainEqual([quiet, 'coarse']);
  const lower = change(quiet, gp3(3_000), ebs('gp2', 100, 300, 128));
  expect(await evaluatedBy([lower])).toContainEqual([quiet, 'fine']);
});

test('gp2 of 100 GiB carries 60 IOPS as well, and costs 10 USD instead of 8', async () => {
  const result = await evaluate(twoPasses, [change(quiet, gp3(3_000), ebs('gp2', 100, 300, 128))]);
  expect(rowOf(result, quiet)).toMatchObject({
    label: 'leaves-money',
    reason: { code: 'more-than-needed' },
    monthlyUsdDifference: 2, // 100 x (0.10 - 0.08)
    throttledMinutesIfFollowed: 0,
  });
});

test('to delete a volume that is used all day', async () => {
  const opinions: GivenOpinions = {
    ...opinionsOf(keep(quiet, gp3(3_000))),
    source: 'cost-optimization-hub',
  };
  const recommendations = opinions.recommendations.map((one) => ({ ...one, action: 'delete' as const }));
  const result = await evaluate(twoPasses, [], { opinions: [{ ...opinions, recommendations }] });
  expect(rowOf(result, quiet)).toMatchObject({
    source: 'cost-optimization-hub',
    label: 'unsafe',
    reason: { code: 'deletes-what-is-used', activeMinutes: 1_440 },
    recommended: null,
    throttledMinutesIfFollowed: null,
  });
});

test('a figure that EBS refuses is an option that is not known', async () => {
  const result = await evaluate(plan, [change(quiet, gp3(3_000), gp3(500_000))]);
  expect(rowOf(result, quiet).reason).toEqual({ code: 'option-unknown', volumeType: 'gp3' });
});

describe('a member of a stripe', () => {
  const members = [quiet, striped].map((volumeId) =>
    aVolume({ volumeId, attachments: on('i-1'), stripeTag: 'data' }),
  );
  const place = { accounts: null, account: '1', region: null };
  const evaluated = (...some: object[]) => {
    const { given } = matched(computeOptimizerRows([{ volumeRecommendations: some }]), {
      volumes: members,
      ...place,
    });
    return evaluate(plan, [], { volumes: members, opinions: [given] });
  };
  const to = ebs('gp2', 100, 300, 128);

  test('that is to be changed alone is one of two', async () => {
    const result = await evaluated(change(quiet, gp3(3_000), to), keep(striped, gp3(3_000)));
    expect(rowOf(result, quiet)).toMatchObject({ label: 'unseen', reason: { code: 'stripe', members: 2 } });
  });

  test('that is to be changed as all the others stands for them', async () => {
    const result = await evaluated(change(quiet, gp3(3_000), to), change(striped, gp3(3_000), to));
    expect(rowOf(result, quiet).reason).toEqual({ code: 'more-than-needed' });
  });
});

test('in batches it is the same as at once', async () => {
  const alone = (...ids: string[]): Partial<AuditBatch> => ({
    volumes: volumes.filter(({ volumeId }) => ids.includes(volumeId)),
  });
  const parts = [
    await evaluate(twoPasses, rows, alone(quiet, busy)),
    await evaluate(twoPasses, rows, { ...alone(detached), instances: [] }),
  ];
  const refused = notRead({ source: 'cost-optimization-hub', account: '1', region: null }, 'denied', 'no');
  const facts = { runId: 'run-1', window: null, notices: [], incomplete: [], apiCalls: 0 };
  const merged = mergeResults(parts, { ...facts, opinionReads: [refused] });
  expect(merged.secondOpinion).toEqual((await evaluate(twoPasses, rows)).secondOpinion);
  expect(merged.secondOpinionReads).toEqual([refused]);
});

test('where nobody asked, nothing is said; where all refused, there are no rows', async () => {
  const facts = { runId: 'run-1', window: null, notices: [], incomplete: [], apiCalls: 0 };
  const none = await evaluate(plan, [], { opinions: undefined });
  expect('secondOpinion' in none).toBe(false);
  expect('secondOpinion' in mergeResults([none], facts)).toBe(false);
  const refused = notRead({ source: 'compute-optimizer', account: '1', region: 'x' }, 'not-enabled', 'no');
  expect(mergeResults([none], { ...facts, opinionReads: [refused] })).toMatchObject({
    secondOpinion: [],
    secondOpinionReads: [refused],
  });
});

test('of a Region that nobody asked about there are no rows', async () => {
  const elsewhere = { ...opinionsOf(...rows), regions: ['eu-central-1'] };
  expect(said(await evaluate(plan, [], { opinions: [elsewhere] }))).toEqual([]);
});

test('a stored batch keeps them', () => {
  const stored = { region: 'us-east-1', account: '111122223333', ...batch, opinions: [opinionsOf(...rows)] };
  expect(batchSchema.parse(JSON.parse(JSON.stringify(stored))).opinions).toEqual(stored.opinions);
});
