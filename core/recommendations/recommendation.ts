/** What every recommendation is made from: the demand, the layout now, the ids that commands may name, and the risks. */

import type { InstanceType } from '../catalog/instance-types.ts';
import type { Draft } from '../diagnosis/draft.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import { isInstanceId, isRegionName, isVolumeId } from '../ids.ts';
import type { Volume } from '../inventory.ts';
import type { Known } from '../known.ts';
import type { VolumeConfiguration, VolumeLimits, VolumeType } from '../limits/volume-limits.ts';
import { volumeFailureRate } from '../plan/cheapest-member.ts';
import type { Layout, Rates } from '../plan/layout.ts';
import type { StepLine } from '../plan/step-commands.ts';
import { ebsPriceUnknown, type PriceBook } from '../prices/prices.ts';
import type { AnyEvidence, Limit, Recommendation, Risk } from '../schemas/finding.ts';
import type { PriceUnknown, Step } from '../schemas/recommendation.ts';
import type { EbsPriceReason } from '../schemas/unknown-reasons.ts';

// What a throttled load demanded, and what another configuration would throttle of it, by replay.

/** What a configuration must have to throttle nothing of a load at its busiest. */
export interface Sized {
  rates: Rates;
  /** The IOPS where each I/O is cut at the chunk of a stripe. */
  cutIops: number;
}

export type DemandLine = 'high' | 'likely' | 'low';

/** Which load is replayed, and on what. */
export interface ReplayedWith {
  /** The demand at most (where not said otherwise), what is likely, or what is certain: averages of minutes, as low as they may be. */
  line?: DemandLine;
  /** The load so many times as high. @default 1 */
  times?: number;
  /** On an instance that is no limit. */
  withoutInstance?: boolean;
}

export interface Demand {
  /** For the demand at most, and with headroom above what is likely. */
  most: Sized;
  /** For what is likely, with headroom. */
  likely: Sized;
  /** What is likely at its highest on average, without headroom. */
  likelyRates: Rates;
  /** Minutes in which anything throttled it: of the window as they were measured, of a load to come by replay. */
  throttledMinutes: number;
  /** Of these the minutes in which nothing bounds its demand: a quarter above the limit is taken. */
  openMinutes: number;
  /** Average I/O of what was throttled; NaN where that is not known. */
  ioKiB: number;
  /** Not what was, but what is coming. */
  isComing: boolean;
  /** It may be one of several volumes that carry one load: it cannot be striped alone. */
  isMember: boolean;
  /** What its instance does at its best; null where that is not known, and where it is on several. */
  instance: (Rates & { instanceId: string; instanceType: string | null }) | null;
  /** Minutes in which the same load would be throttled with a layout, on its instance as it is. */
  throttledMinutesWith: (layout: Layout, how?: ReplayedWith) => number;
  /** What is coming, where its credits will run out at the rate of the last half hour; null where they will not. */
  coming: () => Demand | null;
}

/** Of a demand that is not known closely, so many times what was served: its demand beyond that is a guess. */
export const mostTimesServed = 2;

/** Most of what was throttled shows no bound of the demand: then no minutes are promised. */
export const isOpen = ({ openMinutes, throttledMinutes }: Demand): boolean =>
  openMinutes > (1 - fixedThresholds.replayExplainsShare) * throttledMinutes;

// Ids and Regions go into lines that people copy: anything that is not one is left for them to fill in.

export const safeVolumeId = (id: string): string => (isVolumeId(id) ? id : '<volume-id>');
export const safeInstanceId = (id: string): string => (isInstanceId(id) ? id : '<instance-id>');
export const safeRegion = (region: string): string => (isRegionName(region) ? region : '<region>');

interface VolumeTarget {
  volumeId: string;
  region: string;
}

interface InstanceTarget {
  instanceId: string;
  region: string;
}

export const volumeTarget = ({ volumeId, region }: VolumeTarget): string =>
  `--volume-id ${safeVolumeId(volumeId)} --region ${safeRegion(region)}`;

export const instanceTarget = ({ instanceId, region }: InstanceTarget): string =>
  `--instance-id ${safeInstanceId(instanceId)} --region ${safeRegion(region)}`;

/** For commands that take several. */
export const volumesTarget = ({ volumeId, region }: VolumeTarget): string =>
  `--volume-ids ${safeVolumeId(volumeId)} --region ${safeRegion(region)}`;

export const instancesTarget = ({ instanceId, region }: InstanceTarget): string =>
  `--instance-ids ${safeInstanceId(instanceId)} --region ${safeRegion(region)}`;

// What a change of a volume's type gives up.

/** How much of the time a type keeps the performance that it is paid for; null where AWS states nothing. */
const consistentPercent: Partial<Record<VolumeType, number>> = { gp3: 99, io1: 99.9, io2: 99.9 };

export function caveatRisks(from: VolumeType, to: VolumeType): Risk[] {
  const [before, after] = [consistentPercent[from], consistentPercent[to]];
  const isLess = before !== undefined && after !== undefined && after < before;
  const rates = { from: volumeFailureRate(from), to: volumeFailureRate(to) };
  return [
    ...(isLess ? [{ code: 'less-consistent' as const, from: before, to: after }] : []),
    ...(rates.to > rates.from ? [{ code: 'less-durable' as const, ...rates }] : []),
    ...(from === 'st1' && to === 'sc1' ? [{ code: 'seldom-read' as const }] : []),
  ];
}

/** Fails no more often than another type does. */
export const isAsDurable = (volumeType: VolumeType, as: VolumeType): boolean =>
  volumeFailureRate(volumeType) <= volumeFailureRate(as);

// A volume as a layout.

/** A single volume as it stands. */
export const layoutNow = ({ volumeType, sizeGiB, baselineIops, baselineMiBps }: VolumeLimits): Layout => ({
  kind: 'single',
  members: 1,
  volumeType,
  sizeGiB,
  iops: baselineIops,
  throughputMiBps: baselineMiBps,
});

// What recommendation on a volume is made from.

export interface RecommendationInput {
  draft: Pick<Draft, 'kind' | 'limit'> & { evidence: AnyEvidence };
  /** Every finding of the same volume. */
  siblings: readonly Draft[];
  volume: Volume;
  config: VolumeConfiguration;
  limits: VolumeLimits;
  prices: PriceBook['ebs'];
  usd: Known<number, EbsPriceReason>;
  /** What its load demanded; null where there is no load to replay. */
  demand: Demand | null;
  /** Volumes that its instance takes beside those that it has; null where that is not known. */
  freeAttachments: number | null;
}

/** Why nobody can say what a change of a volume to a type costs; null where its Region has prices of both types. */
export function volumePriceUnknown(
  {
    prices,
    config: { deployment, volumeType },
    volume: { region },
  }: Pick<RecommendationInput, 'prices' | 'config' | 'volume'>,
  to: VolumeType,
): PriceUnknown | null {
  if (deployment === 'outposts') return { code: 'billed-by-rack' };
  return ebsPriceUnknown(prices, region, [volumeType, to]);
}

/** Of a share of 0.25 the 25, without the last digits of a product. */
export const percentOf = (share: number): number => Number((100 * share).toFixed(4));

export const run = (command: string): Step => ({ code: 'run', command });

/** A volume takes so many modifications, each after the one before is completed. */
export const modificationLimit: Step = { code: 'modification-limit', most: 4, hours: 24 };

/** The lines of a plan: commands, notes between them, and last what is commented out. */
export const stepsOfPlan = (lines: readonly StepLine[]): Step[] =>
  lines.map((line) => {
    if (typeof line !== 'string') return { code: 'plan-note', note: line };
    return line.startsWith('# ') ? { code: 'run-later', command: line.slice(2) } : run(line);
  });

export const unknownEffect: Recommendation['effect'] = {
  method: 'unknown',
  throttledMinutesBefore: null,
  throttledMinutesAfter: null,
  limitBefore: null,
  limitAfter: null,
};

/** A way without a size: no price, no replay. */
export const way = (
  action: Recommendation['action'],
  purpose: Recommendation['purpose'],
  steps: Step[] = [],
): Recommendation => ({
  ...{ action, purpose, inPlace: false, change: null, effect: unknownEffect },
  ...{ monthlyUsdDelta: null, priceUnknownReason: null },
  ...{ sizedBy: null, headroomPercent: null, sizedFor: null, risks: [], steps },
});

/** The limit that a layout has in the unit of another one, of all members together. */
export const limitOfLayout = (
  { members, iops, throughputMiBps }: Layout,
  before: Limit | null,
): Limit | null =>
  before && {
    ...{ what: 'maximum', unit: before.unit, scope: 'volume' },
    value: members * (before.unit === 'IOPS' ? iops : throughputMiBps),
  };

/**
 * Of a stop of an instance: the disks of its own are empty after it.
 * @param type of today; null, undefined: not known, so that nothing is said of its disks.
 */
export const stopRisks = (type: InstanceType | null | undefined): Risk[] => [
  { code: 'downtime' },
  ...(type?.instanceStore == null ? [] : [{ code: 'instance-store-lost' as const }]),
];
