/** The cycle of a worker, by the size of its I/O: how long one takes in the volume, and how long it thinks before the next. */

import { median } from 'simple-statistics';
import type { Attribution } from '../diagnosis/attribute.ts';
import { causeCode } from '../diagnosis/causes.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { bytesPerMiB, msPerSecond } from '../units.ts';

// The periods in which nothing throttled a load, by I/O size: how long an I/O takes then, and how rate and latency step.

const calmFigures = {
  /** A period counts for a step once nothing throttled in so many before it: next to a limit chance decides what is calm. */
  periodsBefore: 3,
  /** Fewer operations than this tell no latency. */
  minOps: 30,
  /** I/O whose size differs by no more than this share is the same work. */
  likeSize: 0.05,
  /** Fewer calm periods, as a share of those throttled, are those whose I/O took long: that kept them below the limit. */
  leastShare: 0.01,
  /** Of many values so many tell enough, and are sorted quickly. */
  maxSampled: 128,
} as const;

/** Sizes are alike by power of two: 16 KiB is from 11.3 to 22.6 KiB. 0 where the size is not known. */
const sizeClasses = 33;
export const sizeClassOf = (mibPerIo: number): number => 32 - Math.clz32(mibPerIo * bytesPerMiB * Math.SQRT2);
/** 0 where it is not known. */
export const mibOfSizeClass = (sizeClass: number): number =>
  sizeClass === 0 ? 0 : 2 ** (sizeClass - 1) / bytesPerMiB;
const notCalm = 255;

const areLikeSizes = (a: number, b: number): boolean => Math.abs(a - b) <= calmFigures.likeSize * b;

/** What is in flight or waiting: the queue, else rate x latency (Little). */
export function queueOf(load: VolumeLoad, i: number): number {
  const queue = load.queueLength === null ? Number.NaN : (load.queueLength[i] as number);
  if (!Number.isNaN(queue) || load.latencyMs === null) return queue;
  return ((load.iops[i] as number) * (load.latencyMs[i] as number)) / msPerSecond;
}

/** Seconds that an I/O of a period took: its latency, else its queue by its rate (Little); NaN where neither is known. */
export function secondsPerIo(
  { latencyMs, queueLength, iops }: Pick<VolumeLoad, 'latencyMs' | 'queueLength' | 'iops'>,
  i: number,
): number {
  const ms = latencyMs === null ? Number.NaN : (latencyMs[i] as number);
  if (!Number.isNaN(ms) || queueLength === null) return ms / msPerSecond;
  return (queueLength[i] as number) / (iops[i] as number);
}

/** The change from one value to the next, as a share of their mean. */
const step = (from: number, to: number): number => (2 * (to - from)) / (to + from);

/** Sizes of `values` where `markers` has a marker, ascending: up to 128 of them, evenly spread. NaN come last. */
function sortedSample(values: Float64Array, markers: Uint8Array, marker: number): Float64Array {
  let count = 0;
  for (let i = 0; i < markers.length; i++) if (markers[i] === marker) count++;
  const every = Math.ceil(count / calmFigures.maxSampled);
  const sample = new Float64Array(Math.ceil(count / every));
  let next = 0;
  let seen = 0;
  for (let i = 0; next < sample.length; i++) {
    if (markers[i] !== marker) continue;
    if (seen === next * every) sample[next++] = Math.abs(values[i] as number);
    seen++;
  }
  return sample.sort();
}

/** One entry a period. */
export class CalmPeriods {
  /** Of the I/O of a calm period; another figure where something throttled or nothing was done. */
  readonly sizeClass: Uint8Array;
  /** Of the rate and of the latency from the period before; NaN where there is none, or it was not calm or not alike. */
  readonly rateStep: Float64Array;
  readonly latencyStep: Float64Array;
  private readonly seconds: Float64Array;

  constructor(load: VolumeLoad, cause: Uint8Array) {
    const { length } = load.iops;
    this.sizeClass = new Uint8Array(length).fill(notCalm);
    this.rateStep = new Float64Array(length).fill(Number.NaN);
    this.latencyStep = new Float64Array(length).fill(Number.NaN);
    this.seconds = new Float64Array(length);
    this.read(load, cause);
  }

  private read(load: VolumeLoad, cause: Uint8Array): void {
    const { iops, mibps, ops, epochSeconds, periodSeconds, latencyMs, queueLength } = load;
    const took = { latencyMs, queueLength, iops };
    const { sizeClass, rateStep, latencyStep, seconds } = this;
    let calmBefore = 0;
    let sizeBefore = Number.NaN;
    for (let i = 0; i < iops.length; i++) {
      const rate = iops[i] as number;
      const latency = secondsPerIo(took, i);
      if (cause[i] !== causeCode.none || !(rate > 0) || !(latency > 0)) {
        calmBefore = 0;
        continue;
      }
      const mibPerIo = (mibps[i] as number) / rate;
      const like = sizeClassOf(mibPerIo);
      sizeClass[i] = like;
      seconds[i] = latency;
      if ((epochSeconds[i] as number) - (epochSeconds[i - 1] as number) !== periodSeconds) calmBefore = 0;
      const isEnough = calmBefore >= calmFigures.periodsBefore && (ops[i] as number) >= calmFigures.minOps;
      if (isEnough && areLikeSizes(mibPerIo, sizeBefore)) {
        rateStep[i] = step(iops[i - 1] as number, rate);
        latencyStep[i] = step(seconds[i - 1] as number, latency);
      }
      calmBefore++;
      sizeBefore = mibPerIo;
    }
  }

  /** Seconds per I/O of one size, ascending: up to 128 of them. */
  latencies(sizeClass: number): Float64Array {
    return sortedSample(this.seconds, this.sizeClass, sizeClass);
  }

  /** How far the rate steps at such a size, whichever way: the median; NaN where it never does. */
  typicalRateStep(sizeClass: number): number {
    const steps = sortedSample(this.rateStep, this.sizeClass, sizeClass);
    const known = steps.findIndex(Number.isNaN);
    return quantile(known === -1 ? steps : steps.subarray(0, known), 0.5);
  }
}

/** Between the two values nearest to it. @param share 0.5 for the median; NaN where there is no value. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (place - Math.floor(place)) * (above - below);
}

// How much of a worker's cycle is waiting for I/O, from calm periods. n workers with a service time of s and a think time
// of z reach n / (s + z) I/O a second: where only s changes, the rate changes by -s / (s + z) times as much. So the share
// is the slope of the steps of rate over the steps of latency: 1 for workers that do not think (fio, a scan, a backup), 0 for
// an open load, whose rate does not ask how long its I/O take.

const cycleShareFigures = {
  /** Steps of the rate that differ from the fit by more typical steps than this are the load's own, and left out. */
  ownSteps: 5,
  /** Latency that changes by more than this share from one period to the next has another cause than chance. */
  largestLatencyStep: 0.5,
  minSteps: 20,
  /** Both figures come from the same counters, so errors in one show in the other: no share is known better than this. */
  minError: 0.015,
  /** Seven of eight lie within so many; the spread of the service time brings the demand to more than nine of ten. */
  standardErrors: 1.5,
} as const;

interface CycleShare {
  low: number;
  high: number;
  steps: number;
}

/** Sums over the steps of one size that are near the line: rate step = -slope x latency step. */
function sumsNear(calm: CalmPeriods, size: number, slope: number, furthest: number) {
  const { sizeClass, rateStep, latencyStep } = calm;
  let count = 0;
  let xx = 0;
  let xy = 0;
  // For the error: residual times latency step, squared, and times the one before (neighbouring steps share a period).
  let squares = 0;
  let neighbours = 0;
  let before = 0;
  for (let i = 0; i < sizeClass.length; i++) {
    const x = latencyStep[i] as number;
    const y = rateStep[i] as number;
    const residual = y + slope * x;
    const isNear = Math.abs(residual) <= furthest && Math.abs(x) <= cycleShareFigures.largestLatencyStep;
    if (!isNear || sizeClass[i] !== size) {
      before = 0;
      continue;
    }
    count++;
    xx += x * x;
    xy += x * y;
    const product = x * residual;
    squares += product * product;
    neighbours += product * before;
    before = product;
  }
  return { count, xx, xy, variance: Math.max(squares / 2, squares + 2 * neighbours) };
}

/** Null where too few steps tell. Least squares twice: the second time without what the load itself did. */
export function cycleShare(calm: CalmPeriods, sizeClass: number): CycleShare | null {
  const furthest = cycleShareFigures.ownSteps * calm.typicalRateStep(sizeClass);
  const rough = sumsNear(calm, sizeClass, 0, furthest);
  if (rough.count < cycleShareFigures.minSteps || rough.xx === 0) return null;
  const { count, xx, xy, variance } = sumsNear(calm, sizeClass, -rough.xy / rough.xx, furthest);
  if (count < cycleShareFigures.minSteps || xx === 0) return null;
  const slope = -xy / xx;
  const error = cycleShareFigures.minError + (cycleShareFigures.standardErrors * Math.sqrt(variance)) / xx;
  return {
    low: Math.max(0, Math.min(1, slope) - error),
    high: Math.min(1, Math.max(0, slope) + error),
    steps: count,
  };
}

// The think time of workers, from falls of their limit (credits run out, a neighbour comes) and its rises. Q of n workers
// are in the volume while X x z think: n = Q + X x z, throttled or not. Where the limit falls and the workers stay, z is how
// much longer the queue became by how much less was served: (Q2 - Q1) / (X1 - X2). Both are means over a few periods.

const limitFallFigures = {
  /** Periods on either side that are averaged. */
  side: 5,
  minOnSide: 2,
  /** Of a smaller fall nothing can be known. */
  minFall: 0.1,
  /** Within one side the rate stays within this factor. */
  sideFactor: 2,
  /** Calm places at which the load's own change is read: every so many periods. */
  everyCalm: 11,
  minCalm: 10,
  /** With fewer of them, and at least. */
  usualChange: 0.15,
  minChange: 0.01,
  /** From a median of absolute deviations to a standard deviation. */
  normal: 1.4826,
  /** Four of five lie within so many; the spread of the service time brings the demand to more than nine of ten. */
  standardErrors: 1.3,
} as const;

/** Means over periods on one side of a place. */
class Side {
  count = 0;
  rate = 0;
  queue = 0;
  mibPerIo = 0;

  /** Reads up to five periods from `first` on, in steps of 1 or -1, as long as the same goes on without a gap. */
  read(load: VolumeLoad, first: number, step: 1 | -1): void {
    const { iops, mibps, epochSeconds, periodSeconds } = load;
    this.count = 0;
    let rates = 0;
    let queues = 0;
    for (let k = 0, i = first; k < limitFallFigures.side; k++, i += step) {
      if (i < 0 || i >= iops.length) break;
      const apart = (epochSeconds[i] as number) - (epochSeconds[first] as number);
      const rate = iops[i] as number;
      const queue = queueOf(load, i);
      const mibPerIo = (mibps[i] as number) / rate;
      if (apart !== k * step * periodSeconds || !(rate > 0) || !(queue >= 0)) break;
      if (k === 0) this.mibPerIo = mibPerIo;
      const mean = k === 0 ? rate : rates / k;
      if (rate > limitFallFigures.sideFactor * mean || mean > limitFallFigures.sideFactor * rate) break;
      if (!areLikeSizes(mibPerIo, this.mibPerIo)) break;
      rates += rate;
      queues += queue;
      this.count++;
    }
    this.rate = rates / this.count;
    this.queue = queues / this.count;
  }
}

/** By how much the load itself changes over such a distance, as a share: from calm places. */
function ownChange(load: VolumeLoad, cause: Uint8Array): number {
  const { side, everyCalm } = limitFallFigures;
  const changes: number[] = [];
  const before = new Side();
  const after = new Side();
  for (let i = side; i + side < load.iops.length; i += everyCalm) {
    const { none } = causeCode;
    if (cause[i - side] !== none || cause[i] !== none || cause[i + side] !== none) continue;
    before.read(load, i - 1, -1);
    after.read(load, i + 1, 1);
    if (before.count < side || after.count < side) continue;
    changes.push(Math.abs(after.rate / before.rate - 1));
  }
  if (changes.length < limitFallFigures.minCalm) return limitFallFigures.usualChange;
  return Math.max(limitFallFigures.minChange, limitFallFigures.normal * median(changes));
}

interface Fall {
  sizeClass: number;
  /** What was served less, and how much longer the queue became, for each I/O a second that was served before. */
  lessServed: number;
  waitedMoreSeconds: number;
  /** Of a worker: an I/O and the thinking after it, while nothing was throttled. */
  cycleSeconds: number;
}

function fallBetween(fewer: Side, more: Side): Fall | null {
  const drop = more.rate - fewer.rate;
  if (Math.min(fewer.count, more.count) < limitFallFigures.minOnSide) return null;
  if (!(drop > limitFallFigures.minFall * fewer.rate) || !areLikeSizes(fewer.mibPerIo, more.mibPerIo))
    return null;
  // Less is served and less waits: the work ended.
  if (fewer.queue < (1 - limitFallFigures.minFall) * more.queue) return null;
  const grown = fewer.queue - more.queue;
  return {
    sizeClass: sizeClassOf(fewer.mibPerIo),
    lessServed: drop / more.rate,
    waitedMoreSeconds: grown / more.rate,
    cycleSeconds: more.queue / more.rate + Math.max(0, grown / drop),
  };
}

/** A fall or a rise of the limit at period i, from the periods before to those after it; null where there is none. */
function fallAt(
  load: VolumeLoad,
  cause: Uint8Array,
  i: number,
  { before, after }: { before: Side; after: Side },
): Fall | null {
  const { iops, epochSeconds, periodSeconds } = load;
  const earlier = iops[i - 1] as number;
  const later = iops[i + 1] as number;
  const isFall = later < earlier;
  if (cause[isFall ? i + 1 : i - 1] === causeCode.none) return null;
  if (!(Math.abs(later - earlier) > limitFallFigures.minFall * Math.min(earlier, later))) return null;
  const apart = (epochSeconds[i + 1] as number) - (epochSeconds[i - 1] as number);
  if (apart !== 2 * periodSeconds) return null;
  before.read(load, i - 1, -1);
  after.read(load, i + 1, 1);
  return isFall ? fallBetween(after, before) : fallBetween(before, after);
}

interface ThinkFromFalls {
  low: number;
  high: number;
  falls: number;
}

export class LimitFalls {
  private readonly falls: Fall[][] = [];
  private readonly change: number;

  constructor(load: VolumeLoad, cause: Uint8Array) {
    const sides = { before: new Side(), after: new Side() };
    let last = Number.NEGATIVE_INFINITY;
    for (let i = 1; i + 1 < load.iops.length; i++) {
      // Places near each other show the same fall: the first counts, since the sharpest is where the load changed too.
      if (cause[i - 1] === cause[i + 1] || i - last <= limitFallFigures.side) continue;
      const fall = fallAt(load, cause, i, sides);
      if (fall === null) continue;
      const like = this.falls[fall.sizeClass] ?? [];
      this.falls[fall.sizeClass] = like;
      like.push(fall);
      last = i;
    }
    this.change = this.falls.length === 0 ? limitFallFigures.usualChange : ownChange(load, cause);
  }

  /**
   * Seconds that workers with I/O of this size think; null where no fall shows it. Sums over all falls: to leave out those that
   * look small would leave those in which the load itself changed.
   */
  thinkTime(sizeClass: number): ThinkFromFalls | null {
    const falls = this.falls[sizeClass] ?? [];
    if (falls.length === 0) return null;
    const sum = (of: (fall: Fall) => number): number => falls.reduce((total, fall) => total + of(fall), 0);
    const lessServed = sum((fall) => fall.lessServed);
    const think = sum((fall) => fall.waitedMoreSeconds) / lessServed;
    const squares = sum((fall) => (fall.waitedMoreSeconds - think * fall.lessServed) ** 2);
    const spread = falls.length > 1 ? Math.sqrt(squares / (falls.length - 1)) : 0;
    const own = this.change * median(falls.map(({ cycleSeconds }) => cycleSeconds));
    const deviation = Math.max(spread, own);
    const error = (limitFallFigures.standardErrors * deviation * Math.sqrt(falls.length)) / lessServed;
    if (think + error < 0) return null;
    return { low: Math.max(0, think - error), high: Math.max(0, think) + error, falls: falls.length };
  }
}

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
const leastAgreement = 0.75;
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
  private readonly leastCalm: number;
  /** Only hard disks have credits in MiB. */
  private readonly isHardDisk: boolean;
  private readonly bySize: (CycleTimes | undefined)[] = new Array(sizeClasses).fill(undefined);

  constructor(load: VolumeLoad, { cause, balance, throttledAt }: Attribution) {
    this.leastCalm = Math.max(
      fixedThresholds.calmPeriodsForQueue,
      Math.min(calmFigures.maxSampled, calmFigures.leastShare * throttledAt.length),
    );
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
    const isKnown = latencies.length >= this.leastCalm;
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
