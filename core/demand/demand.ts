/**
 * What a load demanded, as an interval: what was served tells the need only where nothing throttled it. Workers that wait for
 * their replies want what they would reach unthrottled (core/demand/cycle-times.ts); what comes whether replies come or not
 * piles up and is done later.
 */

import type { Attribution } from '../diagnosis/attribute.ts';
import { causeCode } from '../diagnosis/causes.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { topOf } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { DemandAssumption } from '../schemas/load-codes.ts';
import { kibFromMiB, msPerSecond } from '../units.ts';
import {
  type CycleTimes,
  CycleTimesBySize,
  demandBy,
  mibOfSizeClass,
  queueOf,
  type Span,
  sizeClassOf,
} from './cycle-times.ts';

// What the bounds of a demand rest on.

/** Throttled periods by how their demand was reported. */
interface Counts {
  held: number;
  /** By size class: those whose queue tells what workers demanded. */
  bySize: number[];
  bursts: number;
  backlog: number;
  stalled: number;
  /** Neither queue nor latency. */
  unbounded: number;
}

const inMs = ({ low, high }: Span) => ({
  lowMs: low * msPerSecond,
  highMs: high === Number.POSITIVE_INFINITY ? null : high * msPerSecond,
});

const serviceTime = ({ service, isServiceKnown }: CycleTimes, kib: number): DemandAssumption => ({
  ...{ code: 'service-time', ioKiB: kib > 0 ? kib : null, isMeasured: isServiceKnown },
  ...inMs(service),
});

const thinkTime = ({ think, steps, falls }: CycleTimes): DemandAssumption => ({
  ...{ code: 'think-time', ...inMs(think), calmSteps: steps, limitFalls: falls },
});

/** The size that most throttled periods had speaks for the others. */
function ofWorkers(bySize: readonly number[], times: CycleTimesBySize): DemandAssumption[] {
  let most = -1;
  bySize.forEach((count, sizeClass) => {
    if (count > (bySize[most] ?? 0)) most = sizeClass;
  });
  if (most === -1) return [];
  const kib = kibFromMiB(mibOfSizeClass(most));
  return [serviceTime(times.of(most), kib), thinkTime(times.of(most))];
}

function assumptionsOf(counts: Counts, times: CycleTimesBySize): DemandAssumption[] {
  const { held, bySize, bursts, backlog, stalled, unbounded } = counts;
  const part = (
    code: 'backlog' | 'short-bursts' | 'stalled' | 'no-queue-no-latency',
    periods: number,
  ): DemandAssumption[] => (periods > 0 ? [{ code, periods, throttledPeriods: held }] : []);
  return [
    ...ofWorkers(bySize, times),
    ...part('backlog', backlog),
    ...part('short-bursts', bursts),
    ...part('stalled', stalled),
    ...part('no-queue-no-latency', unbounded),
  ];
}

// Unmet work: what a limit makes wait in one period is done in a later one.

/**
 * Workers that wait for replies are as many after an hour as after a minute. A queue that is worth this many seconds of what
 * is served, and came over time, is work that arrives whether replies come or not.
 */
const unmetSeconds = 10;
const grownFactor = 2;

class Backlog {
  private readonly load: VolumeLoad;
  private readonly attribution: Attribution;
  /** The episode (throttled periods without a gap) that was looked at last: its first period, the one after its last. */
  private from = 0;
  private to = 0;
  private isUnmet = false;

  constructor(load: VolumeLoad, attribution: Attribution) {
    this.load = load;
    this.attribution = attribution;
  }

  /**
   * I/O a second that the queue grew by in a throttled period; negative while a backlog is worked off. The queue at the turn
   * of two periods is halfway between their means, at the ends of an episode that of the period beside it: over an episode
   * the growth adds up to what waits after it less what waited before.
   */
  growth(i: number): number {
    const { load } = this;
    const now = queueOf(load, i);
    const before = this.follows(i) ? queueOf(load, i - 1) : now;
    const after = this.follows(i + 1) ? queueOf(load, i + 1) : now;
    const start = this.isThrottled(i - 1) ? (before + now) / 2 : before;
    const end = this.isThrottled(i + 1) ? (now + after) / 2 : after;
    const growth = (end - start) / load.periodSeconds;
    return Number.isNaN(growth) ? 0 : growth;
  }

  /** Is the queue of this throttled period unmet work of an open load? */
  isUnmetWork(i: number): boolean {
    if (i < this.from || i >= this.to) this.readEpisode(i);
    return this.isUnmet;
  }

  private readEpisode(i: number): void {
    const { load, attribution } = this;
    let from = i;
    while (this.isThrottled(from - 1) && this.follows(from)) from--;
    let to = i;
    let [served, periods, longest] = [0, 0, 0];
    for (; to === i || (this.isThrottled(to) && this.follows(to)); to++) {
      const queue = queueOf(load, to);
      if (queue > longest) longest = queue;
      if (attribution.cause[to] === causeCode.stalled) continue;
      served += load.iops[to] as number;
      periods++;
    }
    [this.from, this.to] = [from, to];
    const grew = longest >= grownFactor * queueOf(load, from);
    this.isUnmet = grew && longest >= unmetSeconds * (served / periods);
  }

  private isThrottled(i: number): boolean {
    return (this.attribution.throttledMinutes[i] ?? 0) > 0;
  }

  /** Does period i begin where the one before it ends? */
  private follows(i: number): boolean {
    const { epochSeconds, periodSeconds } = this.load;
    return (epochSeconds[i] as number) - (epochSeconds[i - 1] as number) === periodSeconds;
  }
}

/**
 * One entry a period, rates per second; NaN where the load is unknown. Where nothing was throttled, low and high are what
 * was served (the very same arrays where nothing ever was). High alone is NaN where at least low was demanded and nothing
 * tells how much more.
 */
export interface Demand {
  lowIops: Float64Array;
  highIops: Float64Array;
  lowMiBps: Float64Array;
  highMiBps: Float64Array;
  /** What the bounds rest on; empty where nothing was throttled. */
  assumptions: DemandAssumption[];
}

/** A demand whose bounds are within this factor is known: the most is sized for, and what a replay shows of it promised. */
export const narrowDemand = 1.6;

/** The upper bound of a known demand; NaN where it is too far from the lower one to size for: nobody is shown it then. */
export const narrowHigh = (low: number, high: number): number =>
  high >= low && high <= narrowDemand * low ? high : Number.NaN;

/**
 * The most that was demanded at one time. At most is null where it is too far from at least (`isWide`), or nothing bounds it.
 */
export function highestDemand(
  { lowIops, highIops, lowMiBps, highMiBps }: Demand,
  unit: 'IOPS' | 'MiB/s',
): { atLeast: number | null; atMost: number | null; isWide: boolean } {
  const [low, high] = unit === 'IOPS' ? [lowIops, highIops] : [lowMiBps, highMiBps];
  const [atLeast, highest] = [topOf(low), topOf(high)];
  const atMost = narrowHigh(atLeast, highest);
  const isKnown = atLeast >= 0 && !Number.isNaN(atMost);
  return {
    atLeast: atLeast < 0 ? null : atLeast,
    atMost: isKnown ? atMost : null,
    isWide: !isKnown && highest >= 0,
  };
}

class ThrottledPeriods {
  readonly demand: Demand;
  readonly counts: Counts = { held: 0, bySize: [], bursts: 0, backlog: 0, stalled: 0, unbounded: 0 };
  readonly times: CycleTimesBySize;
  private readonly load: VolumeLoad;
  private readonly attribution: Attribution;
  private readonly backlog: Backlog;
  private readonly thresholds: Thresholds;

  constructor(load: VolumeLoad, attribution: Attribution, thresholds: Thresholds) {
    this.load = load;
    this.thresholds = thresholds;
    this.attribution = attribution;
    this.times = new CycleTimesBySize(load, attribution);
    this.backlog = new Backlog(load, attribution);
    this.demand = {
      lowIops: load.iops.slice(),
      highIops: load.iops.slice(),
      lowMiBps: load.mibps.slice(),
      highMiBps: load.mibps.slice(),
      assumptions: [],
    };
  }

  estimate(): void {
    for (const i of this.attribution.throttledAt) {
      const rate = this.load.iops[i] as number;
      if (rate >= 0) this.estimateAt(i, rate);
    }
  }

  private estimateAt(i: number, rate: number): void {
    const { counts } = this;
    counts.held++;
    const growth = this.backlog.growth(i);
    const served = Math.max(0, rate + growth);
    if (this.attribution.cause[i] === causeCode.stalled) {
      counts.stalled++;
      this.set(i, served, Number.NaN);
    } else if (this.backlog.isUnmetWork(i)) {
      counts.backlog++;
      this.set(i, served, served);
    } else if (this.isLoneBurst(i)) {
      counts.bursts++;
      this.set(i, served, served);
    } else this.estimateWorkers(i, rate, growth);
  }

  private estimateWorkers(i: number, rate: number, growth: number): void {
    const { counts } = this;
    const queue = queueOf(this.load, i);
    if (Number.isNaN(queue)) {
      counts.unbounded++;
      this.set(i, Math.max(0, rate + growth), Number.NaN);
      return;
    }
    const sizeClass = sizeClassOf(this.mibPerIo(i));
    counts.bySize[sizeClass] = (counts.bySize[sizeClass] ?? 0) + 1;
    const { service, think } = this.times.of(sizeClass);
    const low = Math.max(rate, demandBy(queue, rate, service.high, think.high));
    const high = Math.max(low, demandBy(queue, rate, service.low, think.low));
    this.set(i, Math.max(0, low + growth), Math.max(0, high + growth));
  }

  private set(i: number, low: number, high: number): void {
    const { demand } = this;
    const mibPerIo = this.mibPerIo(i);
    demand.lowIops[i] = low;
    demand.highIops[i] = high;
    demand.lowMiBps[i] = low * mibPerIo;
    demand.highMiBps[i] = high * mibPerIo;
  }

  /** Where the period had none, that of the last one that had; NaN where none had. */
  private mibPerIo(i: number): number {
    const { iops, mibps } = this.load;
    let last = i;
    while (iops[last] === 0) last--;
    return (mibps[last] as number) / (iops[last] as number);
  }

  /** Seconds within a period, and none beside it that was throttled as a whole: the work was done in the same period. */
  private isLoneBurst(i: number): boolean {
    return this.isBurst(i) && !this.isThrottledAsAWhole(i - 1) && !this.isThrottledAsAWhole(i + 1);
  }

  /** A volume that is hardly ever idle was not throttled for seconds only, however little it served. */
  private isBurst(i: number): boolean {
    const whileBusy = this.load.activeTimeIops?.[i] ?? Number.NaN;
    const isSteady = (this.load.iops[i] as number) >= this.thresholds.microBurstAverageShare * whileBusy;
    return this.attribution.microBurst[i] === 1 && !isSteady;
  }

  private isThrottledAsAWhole(i: number): boolean {
    return (this.attribution.throttledMinutes[i] ?? 0) > 0 && !this.isBurst(i);
  }
}

/**
 * What the load of a volume demanded, period by period. In a throttled period at least what was served (plus what the queue
 * grew by, minus what it shrank by), at most what the queue would drive at the unthrottled service time of I/O of like size
 * (Little), and in between as far as the think time of the workers is known.
 */
export function demandOf(load: VolumeLoad, attribution: Attribution, thresholds: Thresholds): Demand {
  const { iops, mibps } = load;
  if (attribution.throttledAt.length === 0) {
    return { lowIops: iops, highIops: iops, lowMiBps: mibps, highMiBps: mibps, assumptions: [] };
  }
  const periods = new ThrottledPeriods(load, attribution, thresholds);
  periods.estimate();
  periods.demand.assumptions.push(...assumptionsOf(periods.counts, periods.times));
  return periods.demand;
}

/** One line through the intervals: an end, or the geometric mean of both (a factor too high is as likely as one too low). */
type DemandLine = 'low' | 'likely' | 'high';

/** In one period. Where no upper bound is known the low one stands: the line then says at least, and the assumptions say so. */
export function onLine(low: number, high: number, line: DemandLine): number {
  if (line === 'low' || !(high > low)) return low;
  return line === 'high' ? high : Math.sqrt(low * high);
}
