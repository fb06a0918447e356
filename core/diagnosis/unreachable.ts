/**
 * Performance that is paid for and cannot be reached: the volumes of an instance have more together than the instance
 * can do at its maximum. What it costs is what lowering the paid figures would save, at least, while the volumes together
 * still reach that maximum. It is a fact of the configuration: whether to lower anything is for the recommendation.
 */
import { weightedFigures } from '../catalog/bandwidth-weighting.ts';
import type { EbsFigures, InstanceType } from '../catalog/instance-type.ts';
import type { WeightingReason } from '../catalog/type-reason.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import { lowerToReach, type PaidConfiguration } from '../plan/lower-to-reach.ts';
import type { Rates } from '../plan/need.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import type { PriceReason } from '../prices/price-reason.ts';
import { monthlyUsd, roundUsd } from '../prices/volume-price.ts';
import type { EvidenceOf, Limit } from '../schemas/finding.ts';
import {
  type AttachedVolume,
  type AttachedVolumes,
  attachedVolumes,
  type Sums,
  sumsOf,
} from './attached-volumes.ts';
import type { Draft } from './draft.ts';
import type { Thresholds } from './thresholds.ts';
import { byConfiguration, standing } from './throttled.ts';

/** Of a type whose figures are paid for apart. */
const isPaid = (config: VolumeConfiguration): config is PaidConfiguration =>
  ['gp3', 'io1', 'io2'].includes(config.volumeType);

/** A volume of such a type. */
export type PaidVolume = AttachedVolume & { config: PaidConfiguration };

type UnreachableDraft = Draft<'unreachable-performance'>;

/** What is to be done about it is added by who recommends. */
type UnreachableEvidence = Omit<
  EvidenceOf<'unreachable-performance'>,
  'recommendedSavingMonthlyUsd' | 'volumesToLower'
>;

export interface Unreachable {
  draft: Omit<UnreachableDraft, 'evidence'> & { evidence: UnreachableEvidence };
  counted: AttachedVolume[];
  /** Those of the counted whose figures can be lowered: paid for apart, and not throttled by them. */
  lowerable: PaidVolume[];
  /** What the lowerable must have together, so that all counted reach what the instance can do. */
  reachable: Rates;
  /** What the volumes have together today. */
  sums: Sums;
}

interface Excess {
  sums: Sums;
  figures: EbsFigures;
  mibpsUnknownReason: WeightingReason | null;
  iops: number;
  mibps: number;
}

function excessOf(
  counted: readonly AttachedVolume[],
  { instanceType, ebs }: InstanceType,
  weighting: string | null,
): Excess | null {
  if (ebs === null) return null;
  const { figures, mibpsUnknownReason } = weightedFigures(ebs, instanceType, weighting);
  const sums = sumsOf(counted);
  const iops = Math.max(0, sums.iops - figures.maximumIops);
  const mibps = mibpsUnknownReason === null ? Math.max(0, sums.mibps - figures.maximumMiBps) : 0;
  return iops > 0 || mibps > 0 ? { sums, figures, mibpsUnknownReason, iops, mibps } : null;
}

/** An Outpost is billed by its rack: nothing is saved there. */
const isLowerable = (one: AttachedVolume): one is PaidVolume =>
  isPaid(one.config) && one.config.deployment === 'region';

/** What is not above the instance's maximum stays as it is: that can be reached. */
function reachableBy(
  lowerable: readonly AttachedVolume[],
  counted: readonly AttachedVolume[],
  { sums, iops, mibps }: Excess,
): Rates {
  const fixed = sumsOf(counted.filter((one) => !lowerable.includes(one)));
  return { iops: sums.iops - iops - fixed.iops, throughputMiBps: sums.mibps - mibps - fixed.mibps };
}

const nothing: Rates = { iops: 0, throughputMiBps: 0 };

/** What lowering saves, whatever a volume needs for itself. */
function excessUsd(lowerable: readonly PaidVolume[], reachable: Rates, prices: EbsPrices): number {
  const all = lowerable.map(({ config }) => ({ config, keeps: nothing }));
  const total = (configs: readonly VolumeConfiguration[]): number =>
    configs.reduce((sum, config) => sum + monthlyUsd(config, prices).total, 0);
  return roundUsd(total(all.map(({ config }) => config)) - total(lowerToReach(all, reachable, prices)));
}

/** What of the instance its volumes exceed. */
const limitOf = ({ iops, figures }: Excess): Limit =>
  iops > 0
    ? { what: 'maximum', value: figures.maximumIops, unit: 'IOPS', scope: 'instance' }
    : { what: 'maximum', value: figures.maximumMiBps, unit: 'MiB/s', scope: 'instance' };

/** Limits have three decimals. */
const rounded = (mibps: number): number => Number(mibps.toFixed(3));

function evidenceOf(
  { instanceType, weighting, ...excess }: Excess & { instanceType: string; weighting: string | null },
  usd: number,
  { counted, leftOut }: AttachedVolumes,
  kept: ReadonlySet<string>,
): UnreachableEvidence {
  const { sums, figures, mibpsUnknownReason } = excess;
  return {
    instanceType,
    instanceMaximumIops: figures.maximumIops,
    instanceBaselineIops: figures.baselineIops,
    instanceMaximumMiBps: mibpsUnknownReason === null ? figures.maximumMiBps : null,
    instanceBaselineMiBps: mibpsUnknownReason === null ? figures.baselineMiBps : null,
    throughputNotEvaluatedReason: mibpsUnknownReason,
    provisionedIops: sums.iops,
    provisionedMiBps: rounded(sums.mibps),
    excessIops: excess.iops,
    excessMiBps: mibpsUnknownReason === null ? rounded(excess.mibps) : null,
    excessMonthlyUsd: usd,
    volumes: counted.map(({ volume }) => volume.volumeId),
    volumesNotLowered: counted.flatMap(({ volume }) => (kept.has(volume.volumeId) ? [volume.volumeId] : [])),
    volumesLeftOut: leftOut,
  };
}

/**
 * @param throttledVolumeIds volumes that their own limit throttled: they count in the sum and are not lowered.
 * @returns null where nothing exceeds, or what exceeds costs little, or its price is not known.
 */
export function unreachablePerformance(
  { bandwidthWeighting, excludedVolumes = 0 }: Instance,
  type: InstanceType,
  volumes: readonly Volume[],
  prices: Known<EbsPrices, PriceReason>,
  throttledVolumeIds: ReadonlySet<string>,
  { unreachableUsd }: Thresholds,
): Unreachable | null {
  if (!prices.known) return null;
  const attached = attachedVolumes(volumes, false);
  if (excludedVolumes > 0) attached.leftOut.push({ code: 'excluded', count: excludedVolumes });
  const { counted } = attached;
  const excess = excessOf(counted, type, bandwidthWeighting);
  if (excess === null) return null;
  const lowerable = counted
    .filter(isLowerable)
    .filter(({ volume }) => !throttledVolumeIds.has(volume.volumeId));
  const reachable = reachableBy(lowerable, counted, excess);
  const usd = excessUsd(lowerable, reachable, prices.value);
  if (usd < unreachableUsd) return null;
  return {
    draft: {
      kind: 'unreachable-performance',
      // What can be saved without harm decides whether it is more than an information.
      severity: 'info',
      ...standing,
      ...{ limit: limitOf(excess), demand: null, confidence: 'high', ...byConfiguration },
      evidence: evidenceOf(
        { instanceType: type.instanceType, weighting: bandwidthWeighting, ...excess },
        usd,
        attached,
        throttledVolumeIds,
      ),
    },
    counted,
    lowerable,
    reachable,
    sums: excess.sums,
  };
}
