/** One finding of every kind and status, with every kind of recommendation somewhere: what the lines are rendered from. */
import type { Layout } from '../../../core/plan/layout.ts';
import type {
  AnyEvidence,
  Finding,
  FindingKind,
  Recommendation,
  Risk,
} from '../../../core/schemas/finding.ts';
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

export const samples: Sample[] = [
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
  sample('uninitialized', { kind: 'uninitialized', ...ongoing, limit: null, demand: null }),
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
