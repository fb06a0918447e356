/**
 * How long and how high micro-bursts were, from averages of a period. Of P seconds with an average A, a limit L and a base
 * rate b around it, t = P (A - b) / (L - b) were saturated. What waited on average beyond what this rate keeps in flight, dQ,
 * adds up to P dQ: a backlog that rises while the burst lasts and is worked off after it, half its peak on average over t.
 * So peak = 2 P dQ / t took peak / (L - b) to work off, the burst lasted t - peak / (L - b), and all that came above b came
 * in that time. Where clients wait for their replies nothing piles up: the rate is then the limit, and says at least. Several
 * bursts within one period look like one that is longer and lower, and so does one where no calm period is near.
 */
import { median } from 'simple-statistics';
import { type Known, known, unknown } from '../known.ts';
import { isHdd, type VolumeLimits } from '../limits/volume-limits.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import type { Attribution } from './attribute.ts';
import { isEmptyAt } from './balance.ts';
import { causeCode } from './causes.ts';

const figures = {
  /** Periods in which nothing was throttled, on either side, that tell the base rate; and how far away they may be. */
  calmOnSide: 3,
  furthest: 15,
  /** A length is known to half a second and a twentieth of the saturated time. */
  errorSeconds: 0.5,
  errorShare: 0.05,
  /** What came within less looks the same. */
  shortestSeconds: 0.5,
  /** So many throttled periods in a row are one burst that spilled over; in more of them there was one in each. */
  spillsOver: 3,
} as const;

/** One burst: seconds, and IOPS or MiB/s. */
interface Burst {
  seconds: number;
  rate: number;
  /** The same work in as much more or less time as the length may be wrong by. */
  rateLow: number;
  rateHigh: number;
}

/** Of one period; rates per second, all in the unit of the limit. */
export interface BurstFigures {
  periodSeconds: number;
  average: number;
  limit: number;
  base: number;
  /** What waited on average beyond what the rate itself keeps in flight. */
  waiting: number;
  /** Seconds in which anything was in flight; null where nobody tells. */
  activeSeconds: number | null;
}

/** Null where the figures are not those of one burst within the period: more waited than it could have brought. */
export function burstFrom(period: BurstFigures): Burst | null {
  const { periodSeconds, average, limit, base, waiting, activeSeconds } = period;
  const { shortestSeconds, errorSeconds, errorShare } = figures;
  const spare = limit - base;
  const extra = periodSeconds * (average - base);
  if (!(extra > 0) || !(spare > 0) || Number.isNaN(waiting)) return null;
  const saturated = Math.min(extra / spare, activeSeconds ?? periodSeconds);
  const error = errorSeconds + errorShare * saturated;
  const peak = (2 * periodSeconds * Math.max(0, waiting)) / saturated;
  const left = saturated - peak / spare;
  if (left < -error) return null;
  const bounded = (seconds: number): number =>
    Math.min(saturated, Math.max(Math.min(shortestSeconds, saturated), seconds));
  const rateIn = (seconds: number): number => Math.max(limit, base + extra / bounded(seconds));
  return {
    seconds: bounded(left),
    rate: rateIn(left),
    rateLow: rateIn(left + error),
    rateHigh: rateIn(left - error),
  };
}

/** Why the length of a burst is not reported: what waited is not known, or more waited than one burst in these periods can bring. */
type NoBurstReason = 'no-queue-metric' | 'more-waiting-than-one-burst';

/** What a finding says of a volume's micro-bursts at one of its limits. */
export interface MicroBursts {
  /** Periods throttled for seconds only. */
  periods: number;
  /** Of the bursts that can be known: how many, seconds, and IOPS or MiB/s with the bounds of the middle one. */
  bursts: Known<
    {
      notified: number;
      secondsMedian: number;
      secondsLongest: number;
      rateMedian: number;
      rateMedianLow: number;
      rateMedianHigh: number;
      rateHighest: number;
    },
    NoBurstReason
  >;
}

class BurstPeriods {
  private readonly load: VolumeLoad;
  private readonly attribution: Attribution;
  private readonly limits: VolumeLimits;
  private readonly own: 'iops' | 'throughput';

  constructor(load: VolumeLoad, attribution: Attribution, limits: VolumeLimits, own: 'iops' | 'throughput') {
    this.load = load;
    this.attribution = attribution;
    this.limits = limits;
    this.own = own;
  }

  isBurst(i: number): boolean {
    const { microBurst, cause } = this.attribution;
    return microBurst[i] === 1 && cause[i] === causeCode[`volume-${this.own}`];
  }

  /** Bursts of all such periods, each once. */
  bursts(): Burst[] {
    const found: Burst[] = [];
    for (let i = 0; i < this.load.iops.length; ) {
      const row = this.isBurst(i) ? this.rowAround(i) : null;
      const burst = row === null ? null : this.burstOver(row.from, row.to);
      if (burst !== null) found.push(burst);
      i = row?.to ?? i + 1;
    }
    return found;
  }

  /**
   * Throttled periods in a row around a burst that it can have filled: from, and the one after the last. Null at the edge of
   * a time that was throttled as a whole.
   */
  private rowAround(i: number): { from: number; to: number } | null {
    let from = i;
    let to = i + 1;
    while (this.isThrottled(from - 1) && to - from <= figures.spillsOver) from--;
    while (this.isThrottled(to) && to - from <= figures.spillsOver) to++;
    if (to - from <= figures.spillsOver) return { from, to };
    const isEdge = [i - 1, i + 1].some((beside) => this.isThrottled(beside) && !this.isBurst(beside));
    return isEdge ? null : { from: i, to: i + 1 };
  }

  private isThrottled(i: number): boolean {
    return (this.attribution.throttledMinutes[i] ?? 0) > 0;
  }

  private burstOver(from: number, to: number): Burst | null {
    const { load } = this;
    const calm = this.calmAround(from, to);
    const secondsPerIo = this.calmSecondsPerIo(calm);
    let [average, waiting, activeSeconds] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      const iops = load.iops[i] as number;
      const rate = this.rateAt(i);
      const excess = (load.queueLength?.[i] ?? Number.NaN) - iops * secondsPerIo;
      average += rate / (to - from);
      waiting += (excess * rate) / iops / (to - from);
      activeSeconds += (load.ops[i] as number) / (load.activeTimeIops?.[i] ?? Number.NaN);
    }
    return burstFrom({
      periodSeconds: load.periodSeconds * (to - from),
      average,
      limit: this.limitAt(from),
      base: calm.length === 0 ? 0 : median(calm.map((i) => this.rateAt(i))),
      waiting,
      activeSeconds: Number.isNaN(activeSeconds) ? null : activeSeconds,
    });
  }

  /** In the unit of the limit. */
  private rateAt(i: number): number {
    const iops = this.load.iops[i] as number;
    const mibps = this.load.mibps[i] as number;
    if (this.own === 'throughput') return mibps;
    return isHdd(this.limits.volumeType) ? iops : countedSsdIops(iops, mibps);
  }

  private limitAt(i: number): number {
    const { baselineIops, baselineMiBps, burstIops, burstMiBps } = this.limits;
    const isEmpty = isEmptyAt(this.attribution.balance, i);
    if (this.own === 'throughput') return isEmpty ? baselineMiBps : burstMiBps;
    return isEmpty ? baselineIops : burstIops;
  }

  /** The nearest periods on either side in which nothing was throttled. */
  private calmAround(from: number, to: number): number[] {
    return [...this.calmFrom(from - 1, -1), ...this.calmFrom(to, 1)];
  }

  private calmFrom(first: number, step: 1 | -1): number[] {
    const found: number[] = [];
    for (let k = 0; k < figures.furthest && found.length < figures.calmOnSide; k++) {
      const i = first + k * step;
      if (this.attribution.cause[i] === causeCode.none) found.push(i);
    }
    return found;
  }

  /** 0 where they were idle: then all that is in flight counts as waiting, which is little beside a backlog. */
  private calmSecondsPerIo(calm: readonly number[]): number {
    const { queueLength, iops } = this.load;
    const seconds = calm
      .map((j) => (queueLength?.[j] ?? Number.NaN) / (iops[j] as number))
      .filter(Number.isFinite);
    return seconds.length === 0 ? 0 : median(seconds);
  }
}

/** Of the bursts at one of its limits; null where there are none. @param own the limit, in IOPS or MiB/s. */
export function microBursts(
  load: VolumeLoad,
  attribution: Attribution,
  limits: VolumeLimits,
  own: 'iops' | 'throughput',
): MicroBursts | null {
  const read = new BurstPeriods(load, attribution, limits, own);
  let periods = 0;
  for (let i = 0; i < load.iops.length; i++) if (read.isBurst(i)) periods++;
  if (periods === 0) return null;
  if (load.queueLength === null) {
    return { periods, bursts: unknown('no-queue-metric') };
  }
  const bursts = read.bursts();
  if (bursts.length === 0) {
    return { periods, bursts: unknown('more-waiting-than-one-burst') };
  }
  const medianOf = (value: (burst: Burst) => number): number => median(bursts.map(value));
  const highestOf = (value: (burst: Burst) => number): number =>
    bursts.reduce((highest, burst) => Math.max(highest, value(burst)), 0);
  return {
    periods,
    bursts: known({
      notified: bursts.length,
      secondsMedian: medianOf(({ seconds }) => seconds),
      secondsLongest: highestOf(({ seconds }) => seconds),
      rateMedian: medianOf(({ rate }) => rate),
      rateMedianLow: medianOf(({ rateLow }) => rateLow),
      rateMedianHigh: medianOf(({ rateHigh }) => rateHigh),
      rateHighest: highestOf(({ rate }) => rate),
    }),
  };
}
