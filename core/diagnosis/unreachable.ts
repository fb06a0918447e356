/**
 * Performance that is paid for and cannot be reached: the volumes of an instance have more together than the instance
 * can do at its maximum. What it costs is what lowering the paid figures would save while the volumes together still
 * reach that maximum.
 */
import { weightedFigures } from '../catalogue/bandwidth-weighting.ts';
import type { EbsFigures, InstanceType } from '../catalogue/instance-type.ts';
import { figure } from '../figures.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import { volumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import { lowestFigures } from '../plan/lowest-figures.ts';
import type { Rates } from '../plan/need.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import { monthlyUsd, roundUsd } from '../prices/volume-price.ts';
import type { Finding } from '../schemas/finding.ts';
import { type AttachedVolume, attachedVolumes, type Sums, sumsOf } from './attached-volumes.ts';
import type { Draft } from './draft.ts';
import { thresholds } from './thresholds.ts';

export interface LoweredVolume {
  volume: Volume;
  to: VolumeConfiguration;
}

export interface Unreachable {
  draft: Draft;
  /** Those whose figures can be lowered without falling below what their own load showed that it needs. */
  lowered: LoweredVolume[];
  /** Volumes that stay as they are because their own busiest time needs it. */
  neededVolumeIds: string[];
  /** What some of the lowered need for their own busiest time did not show. */
  someNeedUnknown: boolean;
  /** What the volumes have together today. */
  sums: Sums;
  savedMonthlyUsd: number;
}

/** What a volume's load showed that it needs, with headroom; null where it did not show it. */
export type NeedOf = (volumeId: string) => Rates | null;

/** An Outpost is billed by its rack: nothing is saved there. */
const isPaidApart = ({ config }: AttachedVolume): boolean =>
  config.deployment === 'region' && ['gp3', 'io1', 'io2'].includes(config.volumeType);

interface Excess {
  sums: Sums;
  figures: EbsFigures;
  mibpsUnknownBecause: string | null;
  iops: number;
  mibps: number;
}

function excessOf(
  counted: readonly AttachedVolume[],
  { instanceType, ebs }: InstanceType,
  weighting: string | null,
): Excess | null {
  if (ebs === null) return null;
  const { figures, mibpsUnknownBecause } = weightedFigures(ebs, instanceType, weighting);
  const sums = sumsOf(counted);
  const iops = Math.max(0, sums.iops - figures.maximumIops);
  const mibps = mibpsUnknownBecause === null ? Math.max(0, sums.mibps - figures.maximumMiBps) : 0;
  return iops > 0 || mibps > 0 ? { sums, figures, mibpsUnknownBecause, iops, mibps } : null;
}

interface Saving {
  lowered: LoweredVolume[];
  usd: number;
  proved: boolean;
}

/** What is not above the instance's maximum stays as it is: that can be reached. */
function savingOf(
  counted: readonly AttachedVolume[],
  { sums, iops, mibps }: Excess,
  prices: EbsPrices,
  kept: ReadonlySet<string>,
): Saving {
  const canBeLowered = (one: AttachedVolume): boolean => isPaidApart(one) && !kept.has(one.volume.volumeId);
  const paid = counted.filter(canBeLowered);
  const fixed = sumsOf(counted.filter((one) => !canBeLowered(one)));
  const need = { iops: sums.iops - iops - fixed.iops, mibps: sums.mibps - mibps - fixed.mibps };
  const { volumes, proved } = lowestFigures(
    paid.map(({ config }) => config),
    need,
    prices,
  );
  const changes = paid.map(({ volume, config }, i) => {
    const to = volumes[i] as VolumeConfiguration;
    return { volume, to, usd: monthlyUsd(config, prices).total - monthlyUsd(to, prices).total };
  });
  return {
    lowered: changes.filter(({ usd }) => usd > 0).map(({ volume, to }) => ({ volume, to })),
    usd: roundUsd(changes.reduce((total, { usd }) => total + usd, 0)),
    proved,
  };
}

/** Would it have less than its own load needs? */
function isTooLow({ volume, to }: LoweredVolume, needOf: NeedOf): boolean {
  const need = needOf(volume.volumeId);
  if (need === null) return false;
  const { baselineIops, baselineMiBps } = volumeLimits(to);
  return baselineIops < need.iops || baselineMiBps < need.throughputMiBps;
}

/** The same saving without volumes that would have too little for their own peak: they stay as they are. */
function safeSaving(
  counted: readonly AttachedVolume[],
  excess: Excess,
  prices: EbsPrices,
  kept: ReadonlySet<string>,
  needOf: NeedOf,
): Saving & { needed: string[] } {
  const needed: string[] = [];
  for (;;) {
    const saving = savingOf(counted, excess, prices, new Set([...kept, ...needed]));
    const tooLow = saving.lowered.filter((one) => isTooLow(one, needOf));
    if (tooLow.length === 0) return { ...saving, needed };
    needed.push(...tooLow.map(({ volume }) => volume.volumeId));
  }
}

function reasonOf(instanceType: string, excess: Excess, { usd, proved }: Saving): string {
  const { sums, figures } = excess;
  const over = [
    ...(excess.iops > 0
      ? [`${figure(sums.iops)} IOPS of which ${instanceType} does at most ${figure(figures.maximumIops)}`]
      : []),
    ...(excess.mibps > 0
      ? [`${figure(sums.mibps)} MiB/s of which ${instanceType} does at most ${figure(figures.maximumMiBps)}`]
      : []),
  ];
  return `its volumes together have ${over.join(', and ')}: what exceeds it cannot be reached and costs ${proved ? '' : 'at least '}${usd.toFixed(2)} USD a month`;
}

/** Limits have three decimals. */
const rounded = (mibps: number): number => Number(mibps.toFixed(3));

function evidenceOf(
  instanceType: string,
  excess: Excess,
  saving: Saving,
  counted: readonly AttachedVolume[],
  leftOut: string[],
  kept: ReadonlySet<string>,
): Finding['evidence'] {
  const { sums, figures, mibpsUnknownBecause } = excess;
  return {
    instanceType,
    instanceMaximumIops: figures.maximumIops,
    instanceBaselineIops: figures.baselineIops,
    instanceMaximumMiBps: mibpsUnknownBecause === null ? figures.maximumMiBps : null,
    instanceBaselineMiBps: mibpsUnknownBecause === null ? figures.baselineMiBps : null,
    throughputNotJudgedBecause: mibpsUnknownBecause,
    provisionedIops: sums.iops,
    provisionedMiBps: rounded(sums.mibps),
    excessIops: excess.iops,
    excessMiBps: mibpsUnknownBecause === null ? rounded(excess.mibps) : null,
    excessMonthlyUsd: saving.usd,
    excessIsProvedMost: saving.proved,
    volumes: counted.map(({ volume }) => volume.volumeId),
    volumesNotLowered: counted.flatMap(({ volume }) => (kept.has(volume.volumeId) ? [volume.volumeId] : [])),
    volumesLeftOut: leftOut,
    confidence: 'high',
  };
}

/**
 * @param heldBackVolumeIds volumes that their own limit held back: they count in the sum and are not lowered.
 * @returns null where nothing exceeds, or what exceeds costs little, or its price is not known.
 */
export function unreachablePerformance(
  { bandwidthWeighting }: Instance,
  type: InstanceType,
  volumes: readonly Volume[],
  prices: Known<EbsPrices>,
  heldBackVolumeIds: ReadonlySet<string>,
  needOf: NeedOf,
): Unreachable | null {
  if (!prices.known) return null;
  const { counted, leftOut } = attachedVolumes(volumes, false);
  const excess = excessOf(counted, type, bandwidthWeighting);
  if (excess === null) return null;
  const saving = savingOf(counted, excess, prices.value, heldBackVolumeIds);
  if (saving.usd < thresholds.unreachableUsd) return null;
  const safe = safeSaving(counted, excess, prices.value, heldBackVolumeIds, needOf);
  return {
    draft: {
      kind: 'unreachable-performance',
      severity: saving.usd >= thresholds.unreachableWarningUsd ? 'warning' : 'info',
      since: null,
      reason: reasonOf(type.instanceType, excess, saving),
      evidence: evidenceOf(type.instanceType, excess, saving, counted, leftOut, heldBackVolumeIds),
    },
    lowered: safe.lowered,
    neededVolumeIds: safe.needed,
    someNeedUnknown: safe.lowered.some(({ volume }) => needOf(volume.volumeId) === null),
    sums: excess.sums,
    savedMonthlyUsd: safe.usd,
  };
}
