/** io2 where latency is what harms: by what AWS documents of it, since no simulation shows how long an operation takes. */
import { documentedIo2, whyNotIo2 } from '../diagnosis/latency.ts';
import { cheapestMember } from '../plan/cheapest-member.ts';
import type { Layout, Rates } from '../plan/layout.ts';
import { monthlyUsd, roundUsd } from '../prices/prices.ts';
import type { EvidenceOf, Recommendation } from '../schemas/finding.ts';
import {
  caveatRisks,
  layoutNow,
  modificationLimit,
  percentOf,
  type RecommendationInput,
  run,
  unknownEffect,
  volumePriceUnknown,
  volumeTarget,
} from './recommendation.ts';

export interface LatencyInput
  extends Pick<RecommendationInput, 'volume' | 'config' | 'limits' | 'prices' | 'usd'> {
  evidence: EvidenceOf<'latency-above-target'>;
  /** What its load needs, with headroom; null where that is not known: then nothing that it can do today is given up. */
  needed: Rates | null;
  headroomShare: number;
  /** Of its instance; null where that is not known. */
  isNitro: boolean | null;
}

type Reason = EvidenceOf<'latency-above-target'>['io2NotRecommendedReason'];

interface LatencyOptions {
  recommendations: Recommendation[];
  io2NotRecommendedReason: Reason;
}

const notRecommended = (io2NotRecommendedReason: Reason): LatencyOptions => ({
  recommendations: [],
  io2NotRecommendedReason,
});

/** The fewest IOPS of io2 that serve the load; online, in place. Where no price is known it is recommended without. */
export function latencyOptions(input: LatencyInput): LatencyOptions {
  const { volume, config, limits, prices, needed, evidence } = input;
  const reason = whyNotIo2({
    volumeType: config.volumeType,
    targetLatencyMs: evidence.targetLatencyMs,
    isOnOutpost: config.deployment === 'outposts',
    isMultiAttach: volume.multiAttach || volume.attachments.length > 1,
    isNitro: input.isNitro,
  });
  if (reason !== null) return notRecommended(reason);
  const best: Rates = { iops: limits.burstIops, throughputMiBps: limits.burstMiBps };
  const rates: Rates =
    needed === null
      ? best
      : {
          iops: Math.min(best.iops, needed.iops),
          throughputMiBps: Math.min(best.throughputMiBps, needed.throughputMiBps),
        };
  const { sizeGiB, deployment } = config;
  const found = cheapestMember('io2', { ...rates, iops: Math.ceil(rates.iops), sizeGiB }, deployment);
  if ('outOfReach' in found || found.member.sizeGiB !== sizeGiB)
    return notRecommended('size-or-rate-out-of-reach');
  const to: Layout = { kind: 'single', members: 1, volumeType: 'io2', ...found.member };
  const priceUnknownReason = volumePriceUnknown(input, 'io2');
  const { iops, throughputMiBps } = to;
  const paid = { volumeType: to.volumeType, sizeGiB, deployment, iops, throughputMiBps };
  return {
    recommendations: [
      {
        ...{ action: 'modify', purpose: 'less-latency', inPlace: true },
        change: { of: 'volume', from: layoutNow(limits), to },
        effect: {
          ...unknownEffect,
          method: 'estimated',
          latencyMsBefore: evidence.slowLatencyMsMedian,
          latencyMsAfterBelow: documentedIo2.averageMsBelow,
        },
        monthlyUsdDelta:
          prices.known && priceUnknownReason === null
            ? roundUsd(monthlyUsd(paid, prices.value).total - monthlyUsd(config, prices.value).total)
            : null,
        priceUnknownReason,
        ...(needed === null
          ? { sizedBy: 'current-maximum', headroomPercent: null }
          : { sizedBy: 'headroom', headroomPercent: percentOf(input.headroomShare) }),
        sizedFor: rates,
        risks: caveatRisks(config.volumeType, 'io2'),
        steps: [
          run(`aws ec2 modify-volume ${volumeTarget(volume)} --volume-type io2 --iops ${to.iops}`),
          modificationLimit,
        ],
      },
    ],
    io2NotRecommendedReason: null,
  };
}
