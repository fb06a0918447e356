/** The member of a stripe that makes the others wait. */

import { stragglerFindings } from '../../../core/diagnosis/straggler.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import type { FindingOf } from '../../../core/schemas/finding.ts';
import type { Stripe } from '../../../core/stripes/stripes.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { ids } from '../stripes/hosts.ts';
import { loadBy } from '../stripes/loads.ts';
import { aStripe } from '../stripes/stripes.ts';

const id = (number: number): string => ids(number)[0] as string;
const minutes = 60;
const column = (of: (minute: number) => number) => Float64Array.from({ length: minutes }, (_, i) => of(i));

/** 200 IOPS, an operation of so many milliseconds in each minute. */
const member = (ms: number | ((minute: number) => number), more: Partial<VolumeLoad> = {}): VolumeLoad => {
  const latencyMs = column(typeof ms === 'number' ? () => ms : ms);
  return loadBy(
    Array.from({ length: minutes }, () => 12_000),
    { latencyMs, queueLength: latencyMs.map((one) => (200 * one) / 1_000), ...more },
  );
};

type IsThrottled = (volumeId: string, period: number) => boolean;
function find(
  loads: readonly (VolumeLoad | null)[],
  stripe: Stripe = aStripe(loads.length),
  isThrottled: IsThrottled = () => false,
): FindingOf<'stripe-straggler'>[] {
  const byId = new Map(loads.map((load, i) => [id(i + 1), load]));
  return stragglerFindings(stripe, (volumeId) => byId.get(volumeId) ?? null, isThrottled, defaultThresholds);
}

/** Slow in so many minutes, from minute 20 on. */
const slowFor = (count: number, ms = 6): VolumeLoad =>
  member((minute) => (minute >= 20 && minute < 20 + count ? ms : 2));

test('three times its siblings for ten minutes, at the same rate: waiting tells, the rate does not', () => {
  const [finding, ...others] = find([member(2), member(2), slowFor(10), member(2)]);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    kind: 'stripe-straggler',
    severity: 'warning',
    resource: { type: 'volume', id: id(3), name: 'data-3', region: 'us-east-1', account: '111122223333' },
    status: 'ended',
    firstSeen: '1970-01-01T00:20:00Z',
    lastSeen: '1970-01-01T00:30:00Z',
    confidence: 'high',
    evidence: {
      stripeId: 'i-0123456789abcdef0/data/data',
      members: ids(1, 2, 3, 4),
      stripeEvidence: 'host',
      medianLatencyMs: 6,
      siblingsMedianLatencyMs: 2,
      timesSiblings: 3,
      slowMinutesPeak24h: 10,
      slowMinutesInWindow: 10,
      // 200 IOPS x 6 ms
      topQueueLength: 1.2,
      rateShare: 1,
      latencyFrom: 'total-time',
      unlikeSiblings: null,
    },
  });
});

test.each([
  ['nine minutes', [member(2), member(2), slowFor(9), member(2)]],
  ['2.9 times its siblings', [member(2), member(2), slowFor(30, 5.8), member(2)]],
  [
    'less than a millisecond, where 3 times is nothing',
    [member(0.3), member(0.3), member(0.99), member(0.3)],
  ],
  ['all slow together', [member(6), member(6), member(6), member(6)]],
  // Its siblings took 2 and 6: the median is 4.
  ['most of them slow: that is the usual', [member(2), member(6), member(6)]],
  [
    'the latency of one unknown, with no queue',
    [member(2), member(6, { latencyMs: null, queueLength: null })],
  ],
  ['the load of one unknown', [member(2), member(6), null]],
  ['points of another period', [member(2), member(6, { periodSeconds: 300 })]],
  [
    'hardly any load: few operations are no mean',
    [member(2), member(6)].map((load) => ({ ...load, iops: load.iops.map(() => 0.9) })),
  ],
])('silent: %s', (_, loads) => {
  expect(find(loads)).toEqual([]);
});

test('of two, the one that takes three times as long as the other', () => {
  expect(find([member(2), member(6)]).map(({ resource }) => resource.id)).toEqual([id(2)]);
});

test('two of four or five can be slow; each is reported', () => {
  const found = find([member(2), member(9), member(2), member(7), member(2)]);
  expect(found.map(({ resource }) => resource.id)).toEqual([id(2), id(4)]);
  expect(new Set(found.map((finding) => finding.id)).size).toBe(2);
  expect(find([member(2), member(2), member(6), member(6)])).toHaveLength(2);
});

test('what its own limit or its instance throttles is no straggler, and no usual for the others either', () => {
  const loads = [member(2), member(2), member(20), member(2)];
  expect(find(loads, aStripe(4), (volumeId) => volumeId === id(3))).toEqual([]);
  // Three of four are throttled: nobody tells what is usual.
  expect(find(loads, aStripe(4), (volumeId) => volumeId !== id(3))).toEqual([]);
  // In 50 of the 60 minutes: 10 are left.
  const [finding] = find(loads, aStripe(4), (volumeId, period) => volumeId === id(3) && period < 50);
  expect(finding?.evidence.slowMinutesInWindow).toBe(10);
});

test('where total times are missing, the queue over the rate tells (Little), a little less surely', () => {
  const [finding] = find([2, 2, 6].map((ms) => ({ ...member(ms), latencyMs: null })));
  // 1.2 waiting / 200 IOPS = 6 ms
  expect(finding).toMatchObject({
    confidence: 'medium',
    evidence: {
      medianLatencyMs: 6,
      siblingsMedianLatencyMs: 2,
      latencyFrom: 'queue-length-in-part',
    },
  });
});

test('members whose points are not at the same times are compared where they meet', () => {
  const late = (load: VolumeLoad, by: number): VolumeLoad => ({
    ...load,
    epochSeconds: load.epochSeconds.map((time) => time + 60 * by),
  });
  // Slow from minute 45 on; the others have points to minute 59: 15 minutes
  const slow = late(
    member((minute) => (minute >= 30 ? 6 : 2)),
    15,
  );
  expect(find([member(2), slow, member(2)])[0]?.evidence.slowMinutesInWindow).toBe(15);
  expect(find([member(2), late(slow, 6), member(2)])).toEqual([]);
});

test('in the worst 24 hours: ten minutes over three days are none', () => {
  const spread = (load: VolumeLoad): VolumeLoad => ({
    ...load,
    // A minute of every third hour.
    epochSeconds: load.epochSeconds.map((time) => time * 180),
  });
  expect(find([member(2), member(6), member(2)].map(spread))).toEqual([]);
});

test('five-minute points count five minutes each', () => {
  const five = (ms: number | ((minute: number) => number)) => {
    const load = member(ms);
    return { ...load, periodSeconds: 300, epochSeconds: load.epochSeconds.map((time) => time * 5) };
  };
  const [finding] = find([five(2), five((i) => (i < 2 ? 6 : 2)), five(2)]);
  expect(finding?.evidence.slowMinutesPeak24h).toBe(10);
});

test('a member that is configured otherwise than its siblings is named as that', () => {
  const stripe = aStripe([{}, {}, { volumeType: 'gp2', iops: 300, throughputMiBps: null }]);
  const [finding] = find([member(2), member(2), member(6)], stripe);
  expect(finding?.evidence.unlikeSiblings).toEqual({
    volumeId: id(3),
    configuration: { volumeType: 'gp2', sizeGiB: 100, iops: 300, throughputMiBps: 75 },
    othersConfiguration: { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 },
  });
  expect(finding?.recommendations[0]?.risks).toEqual([{ code: 'unlike-members', count: 1 }]);
});

test('the recommendation looks at initialisation and figures first, then replaces it by what joins the volumes', () => {
  const recommend = (stripe: Stripe) =>
    find([member(2), member(2), member(6)], stripe)[0]?.recommendations ?? [];
  const [look, replace] = recommend(aStripe(3));
  expect(commandsOf(look)).toEqual([
    `aws ec2 describe-volume-status --volume-ids ${id(3)} --region us-east-1`,
    `aws ec2 describe-volumes --volume-ids ${ids(1, 2, 3).join(' ')} --region us-east-1 --query 'Volumes[].[VolumeId,VolumeType,Size,Iops,Throughput,SnapshotId,CreateTime]' --output text`,
  ]);
  expect(look?.steps.at(-1)).toEqual({ code: 'initialization-rate', minMiBps: 100, maxMiBps: 300 });
  expect(replace?.steps[0]).toEqual({ code: 'create-like-siblings' });
  expect(commandsOf(replace)).toContain('sudo pvmove <old-device> <new-device>');
  const mdadm = (kind: Stripe['kind']) => recommend(aStripe(3, { builtWith: 'mdadm', kind }))[1];
  expect(commandsOf(mdadm('raid10')).join('\n')).toContain('--replace <old-device> --with <new-device>');
  expect(mdadm('raid10')).toMatchObject({ inPlace: true, risks: [] });
  expect(commandsOf(mdadm('stripe'))).toContain('sudo mdadm --stop <md-device>');
  expect(mdadm('stripe')).toMatchObject({ inPlace: false, risks: [{ code: 'downtime' }] });
  const inferred = recommend(aStripe(3, { builtWith: null, evidence: 'inferred', confidence: 'low' }));
  expect(inferred[0]?.risks).toEqual([{ code: 'inferred-stripe', count: 3 }]);
  expect(inferred[1]?.steps[0]).toEqual({ code: 'array-unknown' });
  expect(commandsOf(inferred[1])).toEqual(['lsblk']);
});

test('a stripe that is inferred gives no more confidence than it has', () => {
  const stripe = aStripe(2, { evidence: 'inferred', confidence: 'low' });
  expect(find([member(2), member(6)], stripe)[0]).toMatchObject({
    confidence: 'low',
    evidence: { stripeEvidence: 'inferred', stripeConfidence: 'low' },
  });
});
