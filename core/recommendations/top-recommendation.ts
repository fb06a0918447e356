/**
 * The recommendation on a volume. What throttled it is answered by what helps, tried by replay; what needs no replay to be right
 * (remove what is not used) is said as it is.
 */
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { gp3Figures, type VolumeConfiguration } from '../limits/volume-limits.ts';
import type { Layout } from '../plan/layout.ts';
import { monthlyUsd, roundUsd } from '../prices/prices.ts';
import type { FindingKind, Recommendation } from '../schemas/finding.ts';
import { firstReadsRecommendation } from './first-reads.ts';
import {
  type Demand,
  isOpen,
  layoutNow,
  limitOfLayout,
  modificationLimit,
  type RecommendationInput,
  run,
  unknownEffect,
  volumePriceUnknown,
  volumeTarget,
  way,
} from './recommendation.ts';
import { type Options, throttledOptions } from './throttled-recommendations.ts';

function removeUnused({ volume, usd }: RecommendationInput, attached: boolean): Recommendation {
  return {
    ...way('delete', 'unused', [
      ...(attached ? [{ code: 'unmount' as const }] : []),
      run(`aws ec2 create-snapshot ${volumeTarget(volume)}`),
      { code: 'await-snapshot' },
      ...(attached ? [run(`aws ec2 detach-volume ${volumeTarget(volume)}`)] : []),
      run(`aws ec2 delete-volume ${volumeTarget(volume)}`),
    ]),
    monthlyUsdDelta: usd.known ? -usd.value : null,
    priceUnknownReason: usd.known ? null : usd.reason,
    risks: [{ code: 'snapshot-first' }],
  };
}

/** What its credits give today, all the time: it needs no replay to be right. */
function leaveTheBucket(input: RecommendationInput): Recommendation {
  const { draft, siblings, volume, limits, config, prices } = input;
  const iops = Math.max(gp3Figures.freeIops, limits.burstIops);
  const throughputMiBps = Math.max(gp3Figures.freeMiBps, Math.ceil(limits.burstMiBps));
  const next: VolumeConfiguration = { ...config, volumeType: 'gp3', iops, throughputMiBps };
  const isOutpost = config.deployment === 'outposts';
  const priceUnknownReason = volumePriceUnknown(input, 'gp3');
  const alsoAtBurst = siblings.some(({ kind }) => kind.startsWith('throttled-volume-'));
  const to: Layout = {
    ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: config.sizeGiB, iops, throughputMiBps },
  };
  const [limitBefore, from] = [draft.limit, layoutNow(limits)];
  return {
    ...way('modify', 'leave-the-bucket', [
      run(
        `aws ec2 modify-volume ${volumeTarget(volume)} --volume-type gp3 --iops ${iops} --throughput ${throughputMiBps}`,
      ),
      { code: 'name-figures' },
      modificationLimit,
    ]),
    monthlyUsdDelta:
      prices.known && priceUnknownReason === null
        ? roundUsd(monthlyUsd(next, prices.value).total - monthlyUsd(config, prices.value).total)
        : null,
    priceUnknownReason,
    inPlace: true,
    change: { of: 'volume', from, to },
    effect: {
      ...unknownEffect,
      ...{ method: 'estimated', limitBefore, limitAfter: limitOfLayout(to, limitBefore) },
    },
    sizedBy: 'current-maximum',
    sizedFor: { iops: limits.burstIops, throughputMiBps: limits.burstMiBps },
    risks: [
      { code: 'no-more-credits' },
      ...(alsoAtBurst ? [{ code: 'also-at-the-limit' as const }] : []),
      ...(isOutpost ? [{ code: 'type-on-outpost' as const }] : []),
    ],
  };
}

/** Where the rate of the last half hour does not empty the bucket, what is coming is a forecast and not replayed. */
function creditsWillExhaust(input: RecommendationInput): Recommendation {
  return input.config.volumeType === 'gp2' ? leaveTheBucket(input) : way('modify', 'larger-or-other-type');
}

const byKind: Partial<Record<FindingKind, (input: RecommendationInput) => Recommendation>> = {
  'credits-will-exhaust': creditsWillExhaust,
  'micro-burst': () => way('schedule', 'spread-the-burst'),
  stalled: () => way('investigate', 'host-errors'),
  idle: (input) => removeUnused(input, true),
  unattached: (input) => removeUnused(input, false),
  uninitialized: firstReadsRecommendation,
};

/** Findings of a volume that another configuration can be tried for. */
const replayed: readonly FindingKind[] = [
  'credits-exhausted',
  'credits-will-exhaust',
  'throttled-volume-iops',
  'throttled-volume-throughput',
  'micro-burst',
];

/** Of what runs out soon what is coming counts, where that is known. */
const demandFor = ({ draft, demand }: RecommendationInput): Demand | null =>
  draft.kind === 'credits-will-exhaust' ? (demand?.coming() ?? null) : demand;

/**
 * The recommendation of one finding of a volume: what helps by replay, each with the minutes before and after; where there is
 * nothing to replay, the way. A burst can also be spread.
 */
export function topRecommendation(input: RecommendationInput, thresholds: Thresholds): Options {
  const { kind } = input.draft;
  const demand = replayed.includes(kind) ? demandFor(input) : null;
  const general = byKind[kind]?.(input);
  const ways = general === undefined ? [] : [general];
  if (demand === null) return { recommendations: ways, notRecommended: [] };
  const options = throttledOptions(input, demand, thresholds);
  // Where averages show nothing of it the top recommendation is that already.
  const isSpreadToo = kind === 'micro-burst' && !isOpen(demand);
  const { recommendations } = options;
  return { ...options, recommendations: isSpreadToo ? [...recommendations, ...ways] : recommendations };
}
