/** The cycle of a worker, by the size of its I/O: how long one takes in the volume, and how long it thinks before the next. */
import type { Attribution } from '../diagnosis/attribute.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { CalmPeriods, mibOfSizeClass, quantile, sizeClasses } from './calm-periods.ts';
import { cycleShare } from './cycle-share.ts';
import { LimitFalls } from './limit-falls.ts';

/** Seconds. */
export interface Span {
  low: number;
  high: number;
}

export interface CycleTimes {
  service: Span;
  /** From 0 (a loop that never pauses) to Infinity (an open load). */
  think: Span;
  /** The service time is that of calm periods with I/O of like size, and not only what is usual. */
  isServiceKnown: boolean;
  /** Steps between calm periods, and falls of the limit, that the think time is read from. */
  steps: number;
  falls: number;
}

/** Of the calm periods' latencies, nine of ten lie between these shares. */
const spreadShares = { low: 0.05, middle: 0.5, high: 0.95 } as const;
/** Spans agree that share this much of the shorter one. */
const leastAgreement = 0.5;
/** Around what is usual where no calm period tells. */
const usualFactors = { low: 0.25, high: 2 } as const;

/** Where both tell, what both allow; where they hardly agree, the falls: they measure the workers themselves. */
function thinkSpan(bySteps: Span | null, byFalls: Span | null): Span {
  const steps = bySteps ?? { low: 0, high: Number.POSITIVE_INFINITY };
  if (byFalls === null) return steps;
  const low = Math.max(steps.low, byFalls.low);
  const high = Math.min(steps.high, byFalls.high);
  const least = leastAgreement * Math.min(steps.high - steps.low, byFalls.high - byFalls.low);
  return high - low >= least ? { low, high } : byFalls;
}

export class CycleTimesBySize {
  private readonly calm: CalmPeriods;
  private readonly falls: LimitFalls;
  /** Only hard disks have credits in MiB. */
  private readonly isHardDisk: boolean;
  private readonly bySize: (CycleTimes | undefined)[] = new Array(sizeClasses).fill(undefined);

  constructor(load: VolumeLoad, { cause, balance }: Attribution) {
    this.calm = new CalmPeriods(load, cause);
    this.falls = new LimitFalls(load, cause);
    this.isHardDisk = balance?.bucket.unit === 'mib';
  }

  of(sizeClass: number): CycleTimes {
    const before = this.bySize[sizeClass];
    if (before !== undefined) return before;
    const times = this.read(sizeClass);
    this.bySize[sizeClass] = times;
    return times;
  }

  private read(sizeClass: number): CycleTimes {
    const latencies = this.calm.latencies(sizeClass);
    const isKnown = latencies.length >= fixedThresholds.calmPeriodsForQueue;
    const service = isKnown
      ? { low: quantile(latencies, spreadShares.low), high: quantile(latencies, spreadShares.high) }
      : this.usualService(sizeClass);
    const share = isKnown ? cycleShare(this.calm, sizeClass) : null;
    const middle = quantile(latencies, spreadShares.middle);
    const bySteps = share && {
      low: (middle * (1 - share.high)) / share.high,
      high: share.low > 0 ? (middle * (1 - share.low)) / share.low : Number.POSITIVE_INFINITY,
    };
    const byFalls = this.falls.thinkTime(sizeClass);
    return {
      service,
      think: thinkSpan(bySteps, byFalls),
      isServiceKnown: isKnown,
      steps: share?.steps ?? 0,
      falls: byFalls?.falls ?? 0,
    };
  }

  /** From a quarter of what a small I/O takes to twice what one of this size does. */
  private usualService(sizeClass: number): Span {
    const { ssd, hdd, perMiB } = fixedThresholds.typicalSecondsPerIo;
    const small = this.isHardDisk ? hdd : ssd;
    return {
      low: usualFactors.low * small,
      high: usualFactors.high * (small + perMiB * mibOfSizeClass(sizeClass)),
    };
  }
}

/**
 * What workers want whose queue is Q while X a second are served: they are n = Q + X x think, and unthrottled each would
 * issue one I/O in every service + think seconds.
 */
export const demandBy = (queue: number, rate: number, service: number, think: number): number =>
  think === Number.POSITIVE_INFINITY ? rate : (queue + think * rate) / (service + think);
