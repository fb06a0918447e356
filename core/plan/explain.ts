/** Why an option is what it is, in codes: price, limit, risk, and what to know before taking it. */
import type { InstanceType } from '../catalog/instance-types.ts';
import {
  gp2Figures,
  gp3Figures,
  hddFigures,
  isHdd,
  sizeBoundsGiB,
  type VolumeType,
} from '../limits/volume-limits.ts';
import { roundUsd } from '../prices/prices.ts';
import type { PlanReason } from '../schemas/plan-answer.ts';
import type { Delivered } from './delivered.ts';
import { type PricedInstance, spreadOverCards } from './instance-choice.ts';
import { dataMembers, type Need, piecesOf, redundancyFactor, ssdUnitKiB, writePenalty } from './layout.ts';
import { type Candidate, sameUsd } from './search.ts';

// What is to be known of the instance of an option.

const has = (is: boolean, reason: PlanReason): PlanReason[] => (is ? [reason] : []);

/** What a person should know of a type before running a database on it. */
const typeCautions = ({
  instanceType,
  currentGeneration,
  burstableCpu,
  architectures,
}: InstanceType): PlanReason[] => [
  ...has(architectures.includes('arm64'), { code: 'arm64', instanceType }),
  ...has(burstableCpu, { code: 'cpu-credits', instanceType }),
  ...has(!currentGeneration, { code: 'previous-generation', instanceType }),
];

/** @param usual the cheapest that carries it of the current generation, without CPU credits. */
function instanceReasons(
  { instance, instanceRates, layout }: Candidate,
  usual: PricedInstance | null,
): PlanReason[] {
  if (instance === null || instance.type.ebs === null) return [];
  const { type, monthlyUsd } = instance;
  const { instanceType } = type;
  const { baselineIops, maximumIops, baselineMiBps } = instance.type.ebs;
  const volumes = spreadOverCards(type, instanceRates, layout.members);
  return [
    { code: 'instance-baseline', instanceType, baselineIops, baselineMiBps, maximumIops },
    ...typeCautions(type),
    ...(usual === null || usual.type === type || !usual.monthlyUsd.known
      ? []
      : [
          {
            code: 'usual-instance' as const,
            instanceType: usual.type.instanceType,
            monthlyUsd: roundUsd(usual.monthlyUsd.value),
          },
        ]),
    ...has(volumes.length > 1, { code: 'ebs-cards', volumes }),
    ...(monthlyUsd.known ? [] : [{ code: 'instance-price-unknown' as const, reason: monthlyUsd.reason }]),
  ];
}

/** A stripe was measured to give about 98 % of its members' sum at depth. */
const measuredEfficiency = 0.98;
const minHeadroom = 0.02;
/** Less room than this is none. */
const minRoomShare = 0.0005;

export interface Ranked {
  candidate: Candidate;
  cheapest: Candidate;
  /** On the front of price against failure rate. */
  isFront: boolean;
  isCheapestSingle: boolean;
  legal: number;
  /** The cheapest instance that carries it, of the current generation and without CPU credits. */
  usualInstance: PricedInstance | null;
  /** Reached by ModifyVolume, and shown for that alone. */
  isInPlace: boolean;
  /** Of what stands today; null where nothing was said of it. */
  currentFailureRate: number | null;
}

/** A price that is not known is after all that are. */
const isPriced = ({ instance }: Candidate): boolean => instance === null || instance.monthlyUsd.known;

function rankReason(ranked: Ranked): PlanReason {
  const { candidate, cheapest, isFront, isCheapestSingle, isInPlace, legal } = ranked;
  if (candidate === cheapest) return { code: 'cheapest', layouts: legal };
  const { annualFailureRate } = candidate;
  // How it compares with the cheapest in risk, where that is the reason to take it.
  const isSafer = isFront && annualFailureRate !== cheapest.annualFailureRate;
  const placed = {
    shownAs: isInPlace ? 'in-place' : isCheapestSingle ? 'cheapest-single' : null,
    lowerRisk: isSafer ? { annualFailureRate, cheapestAnnualFailureRate: cheapest.annualFailureRate } : null,
  } as const;
  const dearer = candidate.rank - cheapest.rank;
  if (dearer <= sameUsd)
    return {
      code: 'same-price',
      hasMoreMembers: candidate.layout.members > cheapest.layout.members,
      ...placed,
    };
  const isUnpriced = candidate.volumesUsd === null || cheapest.volumesUsd === null;
  if (!isUnpriced && isPriced(cheapest) && !isPriced(candidate)) return { code: 'price-unknown', ...placed };
  return { code: 'dearer', monthlyUsdMore: roundUsd(dearer), isPricedElsewhere: isUnpriced, ...placed };
}

/** A lower price at a higher risk is no bargain that nobody speaks of. */
function currentRiskReason({ candidate, currentFailureRate }: Ranked): PlanReason[] {
  const { annualFailureRate } = candidate;
  return currentFailureRate !== null && annualFailureRate > currentFailureRate * 1.01
    ? [
        {
          code: 'loses-data-more-often',
          annualFailureRate,
          currentAnnualFailureRate: currentFailureRate,
        },
      ]
    : [];
}

function gp3Reason({ members, iops, throughputMiBps }: Candidate['layout']): PlanReason {
  const { freeIops, freeMiBps } = gp3Figures;
  return {
    code: 'gp3-included',
    members,
    iops: freeIops,
    throughputMiBps: freeMiBps,
    paidIops: Math.max(0, iops - freeIops),
    paidMiBps: Math.max(0, throughputMiBps - freeMiBps),
  };
}

const hddReason = (volumeType: 'st1' | 'sc1'): PlanReason => ({
  code: 'hdd-baseline',
  volumeType,
  baselineMiBpsPerTiB: hddFigures[volumeType].baselineMiBpsPerTiB,
});

const typeReasons: Partial<Record<VolumeType, (layout: Candidate['layout']) => PlanReason>> = {
  gp3: gp3Reason,
  io2: () => ({ code: 'io2-promises' }),
  io1: () => ({ code: 'io1-promises' }),
  gp2: () => ({ code: 'gp2-baseline', iopsPerGiB: gp2Figures.iopsPerGiB }),
  st1: () => hddReason('st1'),
  sc1: () => hddReason('sc1'),
};

function bindingReason({ bindingLimits, headroom }: Delivered): PlanReason {
  if (bindingLimits.length === 0) return { code: 'capacity-alone' };
  return {
    code: 'first-limit',
    limits: bindingLimits,
    roomShare: headroom < minRoomShare ? 0 : Math.floor(headroom * 1000) / 1000,
  };
}

function stripeReasons(need: Need, { layout, shape }: Candidate, delivered: Delivered): PlanReason[] {
  const { kind, members } = layout;
  if (members === 1 || kind === 'single') return [];
  const { chunkKiB, stripeEfficiency } = shape;
  const { ioSizeKiB } = need;
  const pieces = piecesOf(need, shape);
  const isTight = stripeEfficiency === 1 && delivered.headroom < minHeadroom;
  const has = (is: boolean, reason: PlanReason): PlanReason[] => (is ? [reason] : []);
  return [
    { code: 'redundancy', kind },
    ...has(writePenalty(kind) > 1, {
      code: 'write-penalty',
      writeShare: 1 - need.readShare,
      memberIoPerIo: redundancyFactor(need, kind),
    }),
    ...has(pieces > 1 && !isHdd(layout.volumeType), { code: 'io-split', ioSizeKiB, chunkKiB, pieces }),
    ...has(isTight, { code: 'no-room-in-stripe', measuredEfficiency, minRoomShare: minHeadroom }),
  ];
}

function sizeReason(need: Need, ranked: Ranked): PlanReason[] {
  const { layout } = ranked.candidate;
  const { volumeType } = layout;
  const totalGiB = layout.sizeGiB * dataMembers(layout);
  if (totalGiB < need.capacityGiB + layout.members || ranked.isInPlace) return [];
  const smallestGiB = sizeBoundsGiB[volumeType].min;
  return [
    layout.sizeGiB === smallestGiB
      ? { code: 'smallest-of-its-type', volumeType, totalGiB, smallestGiB }
      : { code: 'size-for-speed', volumeType, totalGiB },
  ];
}

/** AWS counts sequential I/O that it merges as one; whether it does depends on what is queued together. */
function mergeReason({ access, ioSizeKiB }: Need, { volumeType }: Candidate['layout']): PlanReason[] {
  const merged = Math.floor(ssdUnitKiB / ioSizeKiB);
  return access === 'sequential' && merged > 1 && !isHdd(volumeType)
    ? [{ code: 'merging-not-counted', ioSizeKiB, merged, unitKiB: ssdUnitKiB }]
    : [];
}

/** The most important first. */
export function reasonsOf(ranked: Ranked, need: Need, delivered: Delivered): PlanReason[] {
  const { candidate } = ranked;
  const typeReason = typeReasons[candidate.layout.volumeType];
  return [
    rankReason(ranked),
    ...(typeReason === undefined ? [] : [typeReason(candidate.layout)]),
    ...currentRiskReason(ranked),
    ...sizeReason(need, ranked),
    bindingReason(delivered),
    ...stripeReasons(need, candidate, delivered),
    ...mergeReason(need, candidate.layout),
    ...instanceReasons(candidate, ranked.usualInstance),
  ];
}
