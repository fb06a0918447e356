/** What is known of an instance and its load when something is recommended for it. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import type { RegionCatalog } from '../catalog/region-catalog.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import type { Instance, Volume } from '../inventory.ts';
import type { Rates } from '../plan/layout.ts';
import type { NeedOf } from './savings.ts';

/** Assumed of the EBS burst of an instance: AWS does not document how its credits come back. */
export const refillHours = 24;

/** A load of all volumes of an instance, none more than it can do itself. */
export interface InstanceLoadDemand {
  /** At the busiest. */
  rates: Rates;
  /** Minutes in which it would be throttled with other figures of the instance, by replay. */
  throttledMinutesWith: (figures: EbsFigures) => number;
}

/** One of the volumes, as it could go to another instance. */
export interface MovableVolume {
  volumeId: string;
  /** Of what all demanded at most over the window, 0 to 1. */
  loadShare: { iops: number; throughputMiBps: number };
  /** True: nobody said which volume the instance starts from. */
  mayBeRoot: boolean;
  /** Its demand at most. */
  alone: InstanceLoadDemand;
  /** That of all others. */
  others: InstanceLoadDemand;
}

/** What the volumes of an instance demanded together. */
export interface InstanceDemand {
  /** At most, and with headroom above what is likely. */
  most: InstanceLoadDemand;
  /** What is likely, with headroom. */
  likely: InstanceLoadDemand;
  /** Minutes of the window in which the instance throttled them. */
  throttledMinutes: number;
  /**
   * Volumes that may be moved while others of the instance wait for it: none that it starts from, that is a member of a stripe
   * or that several instances use. Absent: none.
   */
  movable?: () => MovableVolume[];
}

export interface InstanceToRecommendFor {
  instance: Instance;
  /** Attached to it. */
  volumes: readonly Volume[];
  regionCatalog: RegionCatalog;
  needOf: NeedOf;
  /** What its volumes demanded of it together; null where that is not known of each of them. */
  demand: InstanceDemand | null;
  thresholds: Thresholds;
}

/** A load to replay; what is likely promises nothing. */
export interface Replayable {
  load: InstanceLoadDemand;
  isLikely: boolean;
}

/**
 * A load whose replay explains, with today's type, what was measured: else it says nothing of another type either. At most
 * first, then what is likely.
 */
export function explained({ demand }: InstanceToRecommendFor, figures: EbsFigures): Replayable[] {
  if (demand === null) return [];
  const { most, likely, throttledMinutes } = demand;
  const explains = ({ load }: Replayable): boolean =>
    load.throttledMinutesWith(figures) >= fixedThresholds.replayExplainsShare * throttledMinutes;
  const loads: Replayable[] = [
    { load: most, isLikely: false },
    { load: likely, isLikely: true },
  ];
  return loads.filter(explains);
}

/** With these figures the load needs no credits. */
export const isSteadyWith = (
  { baselineIops, baselineMiBps }: EbsFigures,
  { rates: { iops, throughputMiBps } }: InstanceLoadDemand,
): boolean => baselineIops >= iops && baselineMiBps >= throughputMiBps;

/** Nothing of it is throttled in the simulation: bursts count where their credits suffice. */
export function isServedBy(figures: EbsFigures, load: InstanceLoadDemand): boolean {
  if (isSteadyWith(figures, load)) return true;
  const { iops, throughputMiBps } = load.rates;
  if (figures.maximumIops < iops || figures.maximumMiBps < throughputMiBps) return false;
  return load.throttledMinutesWith(figures) === 0;
}
