/** One finding of every kind and status, with every kind of recommendation somewhere: what the lines are rendered from. */
import type { Layout } from '../../../core/plan/layout.ts';
import type {
  AnyEvidence,
  Finding,
  FindingKind,
  Recommendation,
  Risk,
} from '../../../core/schemas/finding.ts';
import type { KubernetesVolume } from '../../../core/schemas/kubernetes-volume.ts';
import type { WordedFinding } from '../../../report/wording/facts.ts';
import { inTwoLines } from '../../../report/wording/finding-lines.ts';
import {
  aFinding,
  aRecommendation,
  onInstance,
  onStripe,
  onVolume,
  type SomeFinding,
} from '../../fixtures/findings.ts';

/** As a message has them. */
export function linesInShort(finding: WordedFinding, what: string | null): string[] {
  const { resource, problem, fix } = inTwoLines(finding, what);
  return [`${resource}: ${problem}.`, ...(fix === null ? [] : [fix])];
}

export interface Sample {
  title: string;
  /** As a channel tells it: "gp3 100 GiB". */
  what: string | null;
  finding: Finding;
}

const account = { account: '111122223333' };
const volume = onVolume('vol-0123456789abcdef0', { name: 'orders', ...account });
const stripe = onStripe('i-0123456789abcdef0/data', { name: 'data', ...account });
const instance = onInstance('i-0123456789abcdef0', { name: 'db-1', ...account });
const members = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2', 'vol-0123456789abcdef3'];

const layout = (volumeType: Layout['volumeType'], more: Partial<Layout> = {}): Layout => ({
  ...{ kind: 'single', members: 1, volumeType, sizeGiB: 200, iops: 3_000, throughputMiBps: 125 },
  ...more,
});
const volumeChange = (from: Layout, to: Layout): Recommendation['change'] => ({ of: 'volume', from, to });

const iops = (
  what: 'baseline' | 'burst' | 'maximum',
  value: number,
  scope: 'volume' | 'instance' | 'card',
) => ({
  ...({ what, value, unit: 'IOPS', scope } as const),
});
const noLimits = { limitBefore: null, limitAfter: null };
const noMinutes = { throttledMinutesBefore: null, throttledMinutesAfter: null };

const counts = (minutes: number, inHour: number): AnyEvidence => ({
  ...{ throttledMinutesPeak24h: minutes, throttledMinutesInPeakHour: inHour },
});

/** Nothing is sized and nothing is bought. */
const way = (
  action: Recommendation['action'],
  purpose: Recommendation['purpose'],
  more: Partial<Recommendation> = {},
): Recommendation =>
  aRecommendation({
    ...{ action, purpose, inPlace: false, change: null, monthlyUsdDelta: null, sizedBy: null },
    effect: { method: 'unknown', ...noMinutes, ...noLimits },
    ...more,
  });

const toGp3 = (more: Partial<Recommendation> = {}): Recommendation =>
  aRecommendation({
    change: volumeChange(layout('gp3'), layout('gp3', { iops: 6_000, throughputMiBps: 250 })),
    effect: {
      ...{ method: 'simulated', throttledMinutesBefore: 1_440, throttledMinutesAfter: 0 },
      ...{ limitBefore: iops('maximum', 3_000, 'volume'), limitAfter: iops('maximum', 6_000, 'volume') },
    },
    monthlyUsdDelta: 20,
    ...more,
  });

const stripeOf4 = aRecommendation({
  ...{ action: 'migrate', purpose: 'less-cost', inPlace: false, monthlyUsdDelta: -269, sizedBy: 'headroom' },
  headroomPercent: 25,
  change: volumeChange(layout('io2'), layout('gp3', { kind: 'stripe', members: 4, sizeGiB: 50 })),
  effect: { method: 'simulated', throttledMinutesBefore: 0, throttledMinutesAfter: 0, ...noLimits },
  risks: [
    { code: 'downtime' },
    { code: 'no-root-volume' },
    { code: 'data-loss-rate', from: 0.002, to: 0.008 },
  ],
});

const endsThrottling = (minutes: number): Recommendation['effect'] => ({
  ...{ method: 'simulated', throttledMinutesBefore: minutes, throttledMinutesAfter: 0 },
  ...noLimits,
});

/** @param to null: a new instance. */
const moved = (
  to: string | null,
  instanceType: string,
  monthlyUsdDelta: number,
  mayBeRoot = false,
): Recommendation =>
  way('move-volume', 'throttle-nothing', {
    ...{ monthlyUsdDelta, effect: endsThrottling(90) },
    change: {
      ...{ of: 'volume-move', volumeId: 'vol-0123456789abcdef1', loadShare: 0.62 },
      ...{ from: 'i-0123456789abcdef0', to, instanceType },
      ...{ availabilityZone: 'us-east-1a', architecture: 'arm64' },
    },
    risks: [
      { code: 'downtime' },
      { code: 'application-moves' },
      ...(to === null ? [] : [{ code: 'several-go-there' as const, count: 2 }]),
      ...(mayBeRoot ? [{ code: 'no-root-volume' as const }] : []),
    ],
  });

const resized = (more: Partial<Recommendation> = {}): Recommendation =>
  way('resize-instance', 'throttle-nothing', {
    change: { of: 'instance', from: 'm5.large', to: 'm6in.xlarge' },
    effect: {
      ...{ method: 'simulated', throttledMinutesBefore: 300, throttledMinutesAfter: 0 },
      ...{ limitBefore: iops('burst', 18_750, 'instance'), limitAfter: iops('baseline', 50_000, 'instance') },
    },
    ...{ monthlyUsdDelta: 124.1, sizedBy: 'demand', risks: [{ code: 'downtime' }] },
    ...more,
  });

const noPrices = { code: 'no-ebs-prices', region: 'eu-central-1' } as const;

const byRisk = (...risks: Risk[]): Recommendation[] => [toGp3({ risks })];

const standing = { status: 'standing', firstSeen: null, lastSeen: null, limit: null, demand: null } as const;
const ongoing = {
  status: 'ongoing',
  firstSeen: '2026-11-22T14:47:00Z',
  lastSeen: '2026-11-23T14:47:00Z',
} as const;
const ended = {
  status: 'ended',
  firstSeen: '2026-11-22T14:47:00Z',
  lastSeen: '2026-11-22T15:30:00Z',
} as const;

const sample = (title: string, finding: SomeFinding, what: string | null = 'gp3 200 GiB'): Sample => ({
  ...{ title, what },
  finding: aFinding({ resource: volume, recommendations: [], ...finding }),
});

const provisional = (days: number, from: string, hasMonthEnd: boolean) => ({
  ...{
    code: 'provisional' as const,
    days,
    from: `${from}T00:00:00Z`,
    to: '2026-11-22T00:00:00Z',
    hasMonthEnd,
  },
});

const saving = (kind: FindingKind, recommendations: Recommendation[], more: SomeFinding = {}) =>
  sample(kind, {
    ...{ kind, ...standing, severity: 'info', recommendations },
    evidence: { peakIops: 2_100, peakMiBps: 40 },
    ...more,
  });

const slowReads = { readLatencyMs: 42.4, usualReadLatencyMs: 1.16, slowMinutesPeak24h: 35 };

const claimed = (more: Partial<KubernetesVolume> = {}): KubernetesVolume => ({
  ...{ claim: 'orders-data', namespace: 'payments', volume: 'pvc-1', cluster: 'prod', isOfDriver: true },
  ...more,
});
const ofKubernetes = (title: string, kubernetes: KubernetesVolume, name: string | null = null): Sample =>
  sample(`of Kubernetes: ${title}`, {
    ...{ kind: 'throttled-volume-iops', ...ongoing, evidence: counts(1_440, 60) },
    resource: { ...volume, name, kubernetes },
    recommendations: kubernetes.isOfDriver ? byRisk({ code: 'by-claim' }) : [toGp3()],
  });

export const samples: Sample[] = [
  ofKubernetes('a claim', claimed()),
  ofKubernetes('a claim and a Name tag', claimed(), 'prod-dynamic-pvc-5f3c9a52-1f2e-4c0d-9d5b-0a1b2c3d4e5f'),
  ofKubernetes('a claim without its namespace', claimed({ namespace: null, cluster: null })),
  ofKubernetes('a persistent volume', claimed({ claim: null, namespace: null })),
  ofKubernetes('the driver alone', claimed({ claim: null, namespace: null, volume: null, cluster: null })),
  ofKubernetes('no tag of the driver', claimed({ isOfDriver: false })),
  sample('throttled-volume-iops, ongoing', {
    ...{ kind: 'throttled-volume-iops', ...ongoing, evidence: counts(1_440, 60) },
    recommendations: [toGp3(), toGp3({ purpose: 'faster', monthlyUsdDelta: 45 }), stripeOf4],
  }),
  sample('throttled-volume-throughput, both limits, ended, likely demand', {
    ...{ kind: 'throttled-volume-throughput', ...ended, confidence: 'medium', provisional: true },
    limit: { what: 'maximum', value: 125, unit: 'MiB/s', scope: 'volume' },
    evidenceWindow: { start: '2026-11-22T05:00:00Z', end: '2026-11-22T16:00:00Z', days: 0.46 },
    evidence: { ...counts(43, 43), bindingLimit: 'iops+throughput', limitIops: 3_000, limitMiBps: 125 },
    recommendations: [
      toGp3({
        ...{ sizedBy: 'headroom', headroomPercent: 40 },
        effect: {
          ...{ method: 'estimated', throttledMinutesBefore: 43, throttledMinutesAfter: 4, ...noLimits },
          throttledMinutesAfterAtMost: 43,
        },
        risks: [{ code: 'demand-unknown' }, { code: 'instance-limits', minutes: 4 }],
      }),
    ],
  }),
  sample('throttled-volume-throughput, the other limit becomes lower', {
    ...{ kind: 'throttled-volume-throughput', ...ongoing, evidence: counts(80, 40) },
    limit: { what: 'maximum', value: 500, unit: 'MiB/s', scope: 'volume' },
    recommendations: [
      toGp3({
        change: volumeChange(
          layout('gp3', { iops: 4_000, throughputMiBps: 500 }),
          layout('gp3', { iops: 3_524, throughputMiBps: 705 }),
        ),
      }),
    ],
  }),
  sample(
    'credits-exhausted, ongoing, demand unknown',
    {
      ...{ kind: 'credits-exhausted', ...ongoing, limit: iops('baseline', 100, 'volume') },
      evidence: { ...counts(1_440, 60), lowestBalancePercent: 0, balanceBasis: 'metric' },
      recommendations: [
        toGp3({
          change: volumeChange(layout('gp2', { sizeGiB: 33 }), layout('gp3', { sizeGiB: 33 })),
          effect: {
            ...{ method: 'unknown', throttledMinutesBefore: 1_440, throttledMinutesAfter: null },
            ...{ limitBefore: iops('baseline', 100, 'volume'), limitAfter: iops('maximum', 3_000, 'volume') },
          },
          ...{ monthlyUsdDelta: -0.66, sizedBy: 'type-minimum', risks: [{ code: 'no-more-credits' }] },
        }),
      ],
    },
    'gp2 33 GiB',
  ),
  sample(
    'credits-exhausted of a stripe, price unknown',
    {
      ...{ kind: 'credits-exhausted', ...ongoing, resource: stripe, confidence: 'low' },
      limit: iops('baseline', 300, 'volume'),
      evidence: {
        ...counts(90, 60),
        members,
        membersConcerned: members,
        lowestBalancePercent: 0,
        balanceBasis: 'simulated',
      },
      recommendations: [
        toGp3({
          ...{ monthlyUsdDelta: null, priceUnknownReason: noPrices },
          ...{ sizedBy: 'current-maximum', risks: [{ code: 'all-members-alike', count: 3 }] },
        }),
      ],
    },
    null,
  ),
  sample('credits-will-exhaust', {
    ...{
      kind: 'credits-will-exhaust',
      status: 'forecast',
      lastSeen: null,
      limit: iops('baseline', 300, 'volume'),
    },
    evidence: { secondsToEmpty: 2_400, balancePercent: 40, balanceBasis: 'metric' },
    recommendations: [
      way('modify', 'larger-or-other-type'),
      toGp3({
        purpose: 'leave-the-bucket',
        sizedBy: 'current-maximum',
        risks: [{ code: 'no-more-credits' }],
      }),
      toGp3({ sizedBy: 'type-minimum' }),
    ],
  }),
  sample('credits-will-exhaust, faster in the last minute', {
    ...{ kind: 'credits-will-exhaust', status: 'forecast', lastSeen: null },
    limit: iops('baseline', 300, 'volume'),
    evidence: { secondsToEmpty: 2_400, secondsToEmptyAtLastMinute: 240, balancePercent: 12 },
  }),
  sample(
    'throttled-instance-iops, ongoing',
    {
      ...{
        kind: 'throttled-instance-iops',
        ...ongoing,
        resource: instance,
        limit: iops('burst', 18_750, 'instance'),
      },
      evidence: { ...counts(300, 41), instanceType: 'm5.large' },
      recommendations: [
        resized(),
        resized({ change: { of: 'instance', from: 'm5.large', to: 'm5.4xlarge' }, monthlyUsdDelta: 490.56 }),
      ],
    },
    null,
  ),
  sample(
    'throttled-instance-throughput, type unknown',
    {
      ...{ kind: 'throttled-instance-throughput', ...ended, resource: instance, confidence: 'medium' },
      limit: { what: 'maximum', value: 593.75, unit: 'MiB/s', scope: 'instance' },
      evidence: { ...counts(12, 12), instanceType: null },
      recommendations: [
        way('set-bandwidth-weighting', 'throttle-nothing', {
          ...{ monthlyUsdDelta: 0, risks: [{ code: 'downtime' }] },
          change: { of: 'bandwidth-weighting', from: 'vpc-1', to: 'default' },
        }),
        // Of an earlier run, without its change.
        way('set-bandwidth-weighting', 'throttle-nothing', { monthlyUsdDelta: 0 }),
        way('resize-instance', 'throttle-nothing', {
          priceUnknownReason: {
            ...{ code: 'unknown-instance-type', instanceType: 'm9.large', region: 'us-east-1' },
          },
          risks: [{ code: 'downtime' }],
        }),
      ],
    },
    null,
  ),
  sample(
    'throttled-instance-throughput, a free weighting, moves and a type with its weighting',
    {
      ...{ kind: 'throttled-instance-throughput', ...ended, resource: instance },
      limit: { what: 'maximum', value: 1_192.09, unit: 'MiB/s', scope: 'instance' },
      evidence: { ...counts(90, 60), instanceType: 'm8g.8xlarge' },
      recommendations: [
        way('set-bandwidth-weighting', 'throttle-nothing', {
          ...{ monthlyUsdDelta: 0, effect: endsThrottling(90) },
          change: { of: 'bandwidth-weighting', from: 'default', to: 'ebs-1' },
          risks: [
            { code: 'downtime' },
            { code: 'instance-store-lost' },
            { code: 'less-network-bandwidth', throughputMiBps: 298.023 },
          ],
        }),
        moved('i-0123456789abcdef9', 'm8g.4xlarge', 0),
        moved(null, 'm8g.medium', 26.28),
        resized({
          ...{ effect: endsThrottling(90), monthlyUsdDelta: 490.56 },
          change: {
            ...{ of: 'instance', from: 'm8g.8xlarge', to: 'm8i.8xlarge', bandwidthWeighting: 'ebs-1' },
          },
          risks: [
            { code: 'downtime' },
            { code: 'instance-store-lost' },
            { code: 'less-network-bandwidth', throughputMiBps: 298.023 },
          ],
        }),
      ],
    },
    null,
  ),
  sample(
    'throttled-instance-iops, one volume moved',
    {
      ...{ kind: 'throttled-instance-iops', ...ended, resource: instance },
      limit: iops('maximum', 18_750, 'instance'),
      evidence: { ...counts(90, 60), instanceType: 'm5.4xlarge' },
      recommendations: [
        moved(null, 'm8a.medium', 26.28, true),
        moved('i-0123456789abcdef9', 'm5.12xlarge', 0),
      ],
    },
    null,
  ),
  sample(
    'instance-credits-exhausted',
    {
      ...{
        kind: 'instance-credits-exhausted',
        ...ended,
        resource: instance,
        limit: iops('baseline', 4_000, 'instance'),
      },
      evidence: { ...counts(20, 20), instanceType: 'm6i.large' },
      recommendations: [
        resized({
          effect: { method: 'estimated', ...noMinutes, ...noLimits },
          ...{ sizedBy: 'current-maximum', sizedFor: { iops: 18_750, throughputMiBps: 593.75 } },
          risks: [{ code: 'load-not-explained' }, { code: 'not-the-whole-need' }],
        }),
      ],
    },
    null,
  ),
  sample('micro-burst, ongoing', {
    ...{ kind: 'micro-burst', ...ongoing, confidence: 'low' },
    evidence: {
      ...counts(4, 3),
      burstSecondsMedian: 8,
      burstRateMedianLow: 5_100,
      burstRateMedianHigh: 7_400,
      burstUnit: 'IOPS',
    },
    recommendations: [
      toGp3({
        ...{ purpose: 'raise-in-steps', sizedBy: 'limit-headroom', headroomPercent: 25 },
        effect: { method: 'unknown', throttledMinutesBefore: 4, throttledMinutesAfter: null, ...noLimits },
      }),
      way('schedule', 'spread-the-burst'),
    ],
  }),
  sample('stalled, ended', {
    ...{ kind: 'stalled', ...ended, limit: null, demand: null, evidence: counts(2, 2) },
    recommendations: [way('investigate', 'host-errors')],
  }),
  saving(
    'over-provisioned',
    [
      toGp3({
        ...{ purpose: 'less-cost', monthlyUsdDelta: -35, sizedBy: 'headroom', headroomPercent: 25 },
        effect: { method: 'simulated', throttledMinutesBefore: 0, throttledMinutesAfter: 0, ...noLimits },
        risks: [
          { code: 'like-volumes', count: 2 },
          { code: 'averages-hide-bursts', minutes: 5 },
          provisional(28, '2026-10-25', true),
        ],
      }),
    ],
    { confidence: 'medium' },
  ),
  saving(
    'cheaper-type',
    [
      toGp3({
        ...{ purpose: 'less-cost', monthlyUsdDelta: -4, sizedBy: 'current-maximum' },
        change: volumeChange(layout('io1'), layout('gp3', { iops: 4_000 })),
        effect: { method: 'estimated', ...noMinutes, ...noLimits },
        risks: [{ code: 'less-consistent', from: 99.9, to: 99 }, { code: 'also-at-the-limit' }],
      }),
    ],
    { evidence: { loadNotUsedReason: { code: 'not-read' } } },
  ),
  saving('cheaper-stripe', [stripeOf4], { confidence: 'low' }),
  saving('schedule-iops', [
    way('schedule', 'less-cost', {
      ...{ inPlace: true, monthlyUsdDelta: -51.46, sizedBy: 'headroom', headroomPercent: 25 },
      change: {
        ...{ of: 'schedule', days: 'monday-to-friday', leadMinutes: 30, highPercent: 10.4167 },
        from: layout('gp3', { iops: 16_000, throughputMiBps: 500 }),
        low: layout('gp3'),
        high: layout('gp3', { iops: 16_000, throughputMiBps: 500 }),
        ...{ busyFromUtc: '01:00', busyUntilUtc: '04:00', raiseAtUtc: '00:30', lowerAtUtc: '04:00' },
      },
      effect: { method: 'simulated', throttledMinutesBefore: 0, throttledMinutesAfter: 0, ...noLimits },
      risks: [{ code: 'modification-time', minutes: 27, count: 1 }, provisional(28, '2026-10-25', true)],
    }),
    way('schedule', 'less-cost', {
      ...{ inPlace: true, monthlyUsdDelta: -310, sizedBy: 'headroom', headroomPercent: 25 },
      change: {
        ...{ of: 'schedule', days: 'daily', leadMinutes: 60, highPercent: 16.6667 },
        from: layout('io2', { iops: 8_000, throughputMiBps: 2_000 }),
        low: layout('io2', { iops: 500, throughputMiBps: 125 }),
        high: layout('io2', { iops: 7_500, throughputMiBps: 1_875 }),
        ...{ busyFromUtc: '22:00', busyUntilUtc: '01:00', raiseAtUtc: '21:00', lowerAtUtc: '01:00' },
      },
      risks: [{ code: 'modification-time', minutes: 55, count: 3 }],
    }),
  ]),
  sample('latency-above-target, io2 helps', {
    ...{ kind: 'latency-above-target', ...ongoing, limit: null, demand: null },
    evidence: {
      ...{ targetLatencyMs: 1, slowLatencyMsMedian: 1.8, slowMinutesPeak24h: 220 },
      io2NotRecommendedReason: null,
    },
    recommendations: [
      way('modify', 'less-latency', {
        ...{ inPlace: true, monthlyUsdDelta: 132.5, sizedBy: 'headroom', headroomPercent: 25 },
        change: volumeChange(layout('gp3'), layout('io2', { iops: 1_900, throughputMiBps: 475 })),
        effect: {
          ...{ method: 'estimated', ...noMinutes, ...noLimits },
          ...{ latencyMsBefore: 1.8, latencyMsAfterBelow: 0.5 },
        },
      }),
    ],
  }),
  sample('latency-above-target, io2 already', {
    ...{ kind: 'latency-above-target', ...ended, limit: null, demand: null },
    evidence: {
      ...{ targetLatencyMs: 0.5, slowLatencyMsMedian: 0.7, slowMinutesPeak24h: 12 },
      io2NotRecommendedReason: 'already-io2',
    },
  }),
  sample(
    'unreachable-performance',
    {
      ...{ kind: 'unreachable-performance', ...standing, resource: instance, evidenceWindow: null },
      limit: iops('maximum', 10_000, 'instance'),
      evidence: { instanceType: 'm1.large', provisionedIops: 19_000, excessMonthlyUsd: 54 },
      recommendations: [
        way('modify', 'lower-to-need', {
          inPlace: true,
          change: {
            of: 'volumes',
            volumes: members.map((volumeId) => ({
              ...{ volumeId, from: { iops: 6_000, throughputMiBps: 125 } },
              to: { iops: 3_000, throughputMiBps: 125 },
            })),
          },
          ...{ monthlyUsdDelta: -45, sizedBy: 'headroom', headroomPercent: 25 },
          risks: [{ code: 'need-unknown', count: 1 }, { code: 'stripes-alike' }, { code: 'same-saving' }],
        }),
        resized({
          purpose: 'use-figures',
          sizedBy: 'provisioned',
          effect: { method: 'unknown', ...noMinutes, ...noLimits },
        }),
      ],
    },
    null,
  ),
  sample(
    'unreachable-performance, nothing to lower',
    {
      ...{ kind: 'unreachable-performance', ...standing, resource: instance },
      recommendations: [
        way('investigate', 'keep-figures'),
        way('modify', 'lower-to-reach', {
          inPlace: true,
          change: {
            of: 'volumes',
            volumes: members.slice(0, 2).map((volumeId) => ({
              volumeId,
              from: { iops: 6_000, throughputMiBps: 125 },
              to: { iops: 3_000, throughputMiBps: 125 },
            })),
          },
          monthlyUsdDelta: -3,
          sizedBy: 'current-maximum',
          risks: [{ code: 'volumes-peak-together' }],
        }),
      ],
    },
    null,
  ),
  sample('idle', {
    ...{ kind: 'idle', ...standing, evidence: { operations: 12, knownHours: 336, monthlyUsd: 20 } },
    recommendations: [
      way('delete', 'unused', {
        ...{
          monthlyUsdDelta: -20,
          risks: [{ code: 'snapshot-first' }, provisional(14, '2026-11-08', false)],
        },
      }),
    ],
  }),
  sample('idle, on an Outpost', {
    ...{ kind: 'idle', ...standing },
    evidence: { operations: 12, knownHours: 336, monthlyUsd: 20, isOnOutpost: true },
  }),
  sample('unattached', {
    ...{ kind: 'unattached', ...standing, evidenceWindow: null, evidence: { monthlyUsd: null } },
    recommendations: [
      way('delete', 'unused', {
        ...{ priceUnknownReason: noPrices, risks: [{ code: 'all-members-or-none', count: 2 }] },
      }),
    ],
  }),
  sample('stripe-straggler, ended', {
    ...{ kind: 'stripe-straggler', ...ended, limit: null, demand: null },
    evidence: {
      members,
      stripeConfidence: 'high',
      medianLatencyMs: 6,
      siblingsMedianLatencyMs: 2,
      slowMinutesPeak24h: 10,
    },
    recommendations: [
      way('investigate', 'initialization', { risks: [{ code: 'inferred-stripe', count: 3 }] }),
      way('recreate', 'replace-member'),
    ],
  }),
  sample(
    'ebs-card-imbalance',
    {
      ...{
        kind: 'ebs-card-imbalance',
        ...standing,
        resource: instance,
        limit: iops('maximum', 20_000, 'card'),
      },
      recommendations: [
        way('move-card', 'use-figures', {
          change: {
            of: 'cards',
            moves: [...members, volume.id].map((volumeId, toCard) => ({ volumeId, toCard })),
          },
          ...{ monthlyUsdDelta: 0, risks: [{ code: 'downtime' }, { code: 'stripe-in-use' }] },
        }),
      ],
    },
    null,
  ),
  sample('uninitialized, ongoing', {
    ...{ kind: 'uninitialized', ...ongoing, limit: null, demand: null, confidence: 'medium' },
    evidence: { ...slowReads, writeLatencyMs: 1.04, initializationRateMiBps: null },
    recommendations: [
      way('investigate', 'first-reads', {
        risks: [
          {
            ...{ code: 'initialization-rate', minMiBps: 100, maxMiBps: 300, sizeGiB: 200 },
            ...{ minutesAtMost: 12, exampleUsdAtMost: 0.72 },
          },
        ],
      }),
    ],
  }),
  sample('uninitialized, ended, made with a rate, hardly writes', {
    ...{ kind: 'uninitialized', ...ended, limit: null, demand: null, confidence: 'low', severity: 'info' },
    evidence: { ...slowReads, writeLatencyMs: null, initializationRateMiBps: 200 },
    recommendations: [way('investigate', 'first-reads')],
  }),
  sample('nothing helps: the instance first', {
    ...{ ...ongoing, evidence: counts(60, 30) },
    recommendations: [
      way('investigate', 'instance-first', {
        risks: [
          {
            ...{ code: 'limited-by-instance', instanceId: 'i-0123456789abcdef0', instanceType: 'm4.xlarge' },
            ...{ iops: 6_000, throughputMiBps: 89.4, layout: layout('gp3', { iops: 7_500 }) },
            ...{ throttledMinutes: 60, throttledMinutesWithoutIt: 0 },
          },
        ],
      }),
      way('investigate', 'instance-after'),
      way('investigate', 'spread-the-load'),
    ],
  }),
  sample('through a snapshot, HDD, growing', {
    ...{ ...ended, evidence: counts(30, 30) },
    recommendations: [
      toGp3({
        ...{ action: 'recreate', inPlace: false },
        change: volumeChange(layout('standard'), layout('gp3')),
        sizedBy: 'twice-served',
      }),
      toGp3({
        change: volumeChange(layout('st1'), layout('st1', { sizeGiB: 8_704 })),
        risks: [{ code: 'never-shrinks', from: 200, to: 8_704 }, { code: 'on-credits' }],
      }),
    ],
  }),
  sample(
    'throttled-instance-iops: credits, a step, prices and types that are not known',
    {
      ...{ kind: 'throttled-instance-iops', ...ended, resource: instance },
      limit: iops('maximum', 18_750, 'instance'),
      evidence: { ...counts(30, 30), instanceType: 'm5.large' },
      recommendations: [
        resized({
          change: { of: 'instance', from: 'm5.large', to: 'm6in.xlarge', monthlyUsd: 196.22 },
          ...{ monthlyUsdDelta: null, sizedBy: 'headroom', headroomPercent: 25 },
          priceUnknownReason: { code: 'no-instance-price', instanceType: 'm5.large', region: 'us-east-1' },
          sizedFor: { iops: 15_000, throughputMiBps: 250 },
          risks: [
            { code: 'on-instance-credits', refillHours: 24 },
            { code: 'not-for-the-highest-demand' },
            { code: 'volume-needs-unknown' },
          ],
        }),
        resized({ monthlyUsdDelta: 70.08, risks: [{ code: 'downtime' }, { code: 'not-enough' }] }),
      ],
    },
    null,
  ),
  sample('credits-will-exhaust, by simulation', {
    ...{ kind: 'credits-will-exhaust', status: 'forecast', lastSeen: null },
    limit: iops('baseline', 300, 'volume'),
    evidence: { secondsToEmpty: 2_400, balancePercent: 40, balanceBasis: 'metric' },
    recommendations: [
      toGp3({
        effect: {
          ...{ method: 'simulated', throttledMinutesBefore: 80, throttledMinutesAfter: 0, ...noLimits },
          forecastHours: 2,
        },
      }),
    ],
  }),
  sample('a demand that is in part unknown, of a stripe', {
    ...{ ...ended, evidence: counts(40, 40) },
    recommendations: [
      toGp3({
        sizedBy: 'twice-served-or-burst',
        risks: [
          { code: 'demand-unknown' },
          { code: 'demand-hidden', minutes: 3, headroomPercent: 25 },
          { code: 'all-members-alike', count: 3 },
        ],
      }),
    ],
  }),
  sample('risks of a type', {
    recommendations: byRisk(
      { code: 'less-durable', from: 0.000_01, to: 0.002 },
      { code: 'seldom-read' },
      { code: 'type-on-outpost' },
      { code: 'more-than-the-type', minutes: 7 },
      { code: 'sequential-stripe-cheaper' },
      { code: 'small-io-costs-credits', ioKiB: 16 },
      { code: 'volumes-peak-together' },
      { code: 'unlike-members', count: 2 },
    ),
  }),
];
