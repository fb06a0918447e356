/**
 * What a volume's load demanded at most, period by period: as its demand is bounded, and above the limit where averages hide
 * what throttled it.
 */

import { queueOf } from '../demand/cycle-times.ts';
import { narrowDemand, onLine } from '../demand/demand.ts';
import { causeCode } from '../diagnosis/causes.ts';
import type { DiagnosedVolume } from '../diagnosis/diagnosed-volume.ts';
import { microBursts } from '../diagnosis/micro-bursts.ts';
import { fixedThresholds, type Thresholds } from '../diagnosis/thresholds.ts';
import { isHdd, type VolumeLimits } from '../limits/volume-limits.ts';
import { countedSsdIops } from '../load/volume-load.ts';
import { minHddIoKiB } from '../plan/layout.ts';
import { mostTimesServed } from '../recommendations/recommendation.ts';
import { kibFromMiB } from '../units.ts';

/** Rates of one volume, one entry a period. */
export interface DemandSeries {
  iops: Float64Array;
  mibps: Float64Array;
  /** Over the seconds that were not idle, where that is more; null where nothing tells of them. */
  activeTimeIops: Float64Array | null;
  /** Throttled minutes in which nothing bounds the demand: a quarter above the limit is taken. */
  openMinutes: number;
  /** KiB an I/O has on average where the volume throttled it; NaN where it never did. */
  throttledIoKiB: number;
}

const { 'volume-iops': byIops, 'volume-throughput': byThroughput, 'volume-credits': byCredits } = causeCode;
const isOwn = (cause: number): boolean => cause === byIops || cause === byThroughput || cause === byCredits;

/** I/O so small on HDD is not merged often enough: its number is what it costs. */
const isSmallIo = (iops: number, mibps: number): boolean => kibFromMiB(mibps) < minHddIoKiB * iops;

/** Rates as shares of what a volume does: above 1 is more than that. */
class SharesOf {
  private readonly hdd: boolean;
  private readonly limits: VolumeLimits;

  constructor(limits: VolumeLimits) {
    this.limits = limits;
    this.hdd = isHdd(limits.volumeType);
  }

  counted(iops: number, mibps: number): number {
    return this.hdd ? iops : countedSsdIops(iops, mibps);
  }

  /** As a replay counts them; HDD by bytes alone. */
  replayed(iops: number, mibps: number, hasCredits: boolean): number {
    const { baselineIops, burstIops, baselineMiBps, burstMiBps, approximate } = this.limits;
    const atBest = hasCredits && approximate === undefined;
    const byBytes = Number.isNaN(mibps) ? 0 : mibps / (atBest ? burstMiBps : baselineMiBps);
    if (this.hdd) return byBytes;
    return Math.max(byBytes, this.counted(iops, mibps) / (atBest ? burstIops : baselineIops));
  }

  /** Of its best; small I/O on HDD by their number. */
  ofBest(iops: number, mibps: number): number {
    const isByNumber = this.hdd && isSmallIo(iops, mibps);
    return isByNumber ? iops / this.limits.burstIops : this.replayed(iops, mibps, true);
  }
}

/**
 * As high as the highest burst that can be known at a limit may have been; NaN where none can. Where what waited does not show
 * that they were above the limit, clients waited for their replies: then the height says at least.
 */
function burstHeight({ load, attribution, limits }: DiagnosedVolume, own: 'iops' | 'throughput'): number {
  const found = microBursts(load, attribution, limits, own);
  if (found === null || !found.bursts.known) return Number.NaN;
  const { rateHighest, rateMedian, rateMedianLow, rateMedianHigh } = found.bursts.value;
  const isAbove = rateMedianLow > (own === 'iops' ? limits.burstIops : limits.burstMiBps);
  return isAbove ? (rateHighest * rateMedianHigh) / rateMedian : Number.NaN;
}

class DemandPeriods {
  openMinutes = 0;
  private readonly diagnosed: DiagnosedVolume;
  private readonly shares: SharesOf;
  private readonly activeTimeIops: Float64Array | null;
  /** Made when a burst asks for it. */
  private highest: { iops: number; mibps: number } | null = null;
  private throttledIo = 0;
  private throttledMiB = 0;

  constructor(diagnosed: DiagnosedVolume) {
    this.diagnosed = diagnosed;
    this.shares = new SharesOf(diagnosed.limits);
    this.activeTimeIops = diagnosed.load.activeTimeIops;
  }

  get throttledIoKiB(): number {
    return kibFromMiB(this.throttledMiB) / this.throttledIo;
  }

  /** How many times as high as on average the load of a throttled period is in its seconds that count. */
  peakAt(i: number, iops: number, mibps: number): number {
    const { attribution } = this.diagnosed;
    if (!isOwn(attribution.cause[i] as number)) return this.peakServed(i, iops, mibps);
    const busy = this.activeTimeIops?.[i] ?? Number.NaN;
    return Math.max(busy > iops ? busy / iops : 1, this.peakThrottled(i, iops, mibps));
  }

  /** The same where the volume did not throttle it: no more than it has. */
  peakServed(i: number, iops: number, mibps: number): number {
    const busy = this.activeTimeIops?.[i] ?? Number.NaN;
    if (!(busy > iops)) return 1;
    return Math.min(busy / iops, Math.max(1, 1 / this.shares.replayed(iops, mibps, true)));
  }

  /** What was served while it was busy is the limit: it shows nothing of the demand. */
  private peakThrottled(i: number, iops: number, mibps: number): number {
    const { load, attribution } = this.diagnosed;
    const isCredits = attribution.cause[i] === byCredits;
    const isBurst = attribution.microBurst[i] === 1;
    this.throttledIo += iops;
    if (mibps > 0) this.throttledMiB += mibps;
    const height = isBurst ? this.heightOfBurst(i, iops, mibps) : 1;
    if (this.shares.replayed(iops * height, mibps * height, !isCredits) > 1) return height;
    // Less is demanded than was served: a backlog is worked off, which the replay has too.
    if (!isBurst && iops < (load.iops[i] as number)) return 1;
    const isOpen = !isCredits || Number.isNaN(mibps);
    if (isOpen) this.openMinutes += attribution.throttledMinutes[i] as number;
    return (isCredits ? 1 : 1 + fixedThresholds.openHeadroom) / this.shares.ofBest(iops, mibps);
  }

  /**
   * At most twice what was served where the demand of a throttled period is not known closely; of what credits throttled
   * at least all that the volume does with them.
   */
  capAt(i: number): number {
    const { load, attribution, demand } = this.diagnosed;
    if (!((attribution.throttledMinutes[i] as number) > 0)) return Number.POSITIVE_INFINITY;
    const [low, high] = [demand.lowIops[i] as number, demand.highIops[i] as number];
    if (high <= narrowDemand * low) return Number.POSITIVE_INFINITY;
    const [io, mib] = [load.iops[i] as number, load.mibps[i] as number];
    const isCredits = attribution.cause[i] === byCredits;
    return io * Math.max(mostTimesServed, isCredits ? 1 / this.shares.ofBest(io, mib) : 0);
  }

  /** NaN where it does not show. */
  private heightOfBurst(i: number, iops: number, mibps: number): number {
    const { diagnosed } = this;
    this.highest ??= {
      iops: burstHeight(diagnosed, 'iops'),
      mibps: burstHeight(diagnosed, 'throughput'),
    };
    return diagnosed.attribution.cause[i] === byIops
      ? this.highest.iops / this.shares.counted(iops, mibps)
      : this.highest.mibps / mibps;
  }
}

/** Of a rate that was demanded the part to size for. @param room what is likely leaves for its headroom; null for the most. */
function capped(iops: number, isUnbounded: boolean, cap: number, room: number | null): number {
  if (!(iops > 0)) return 1;
  if (room !== null) return Math.min(1, cap / room / iops);
  return isUnbounded ? cap / iops : Math.min(1, cap / iops);
}

const servedOf = new WeakMap<DiagnosedVolume, Float64Array>();

/** Of the periods that were not throttled, over the seconds that were not idle: the same for all lines of demand. */
function servedActiveTime(diagnosed: DiagnosedVolume, periods: DemandPeriods): Float64Array {
  const before = servedOf.get(diagnosed);
  if (before !== undefined) return before;
  const { load, attribution } = diagnosed;
  const { iops, mibps } = load;
  const served = iops.slice();
  for (let i = 0; i < served.length; i++) {
    const io = iops[i] as number;
    if (io > 0 && !((attribution.throttledMinutes[i] as number) > 0))
      served[i] = io * periods.peakServed(i, io, mibps[i] as number);
  }
  servedOf.set(diagnosed, served);
  return served;
}

/**
 * - A period that was not throttled demanded what it was served; its busy seconds had no more than the volume has.
 * - One that was throttled demanded what its demand says; in a micro-burst for some seconds as much as the highest of them.
 *   Where that has no bound, or is no more than the limit in force, averages hide it: taken is a quarter above the limit
 *   for some seconds. Of what credits throttled it is all that the volume does with them: more than that would have been
 *   throttled before, by its limit.
 * - Where the demand is not known closely it is never more than twice what was served; all of that where a queue shows that clients waited and nothing bounds their demand.
 * @param line through what the demand is at least and at most; what is likely gets headroom afterwards.
 */
export function demandByPeriod(
  diagnosed: DiagnosedVolume,
  ...[line, thresholds]: ['high', undefined?] | ['likely', Thresholds]
): DemandSeries {
  const { load, attribution, demand } = diagnosed;
  if (attribution.throttledAt.length === 0) {
    const { iops, mibps, activeTimeIops } = load;
    return { iops, mibps, activeTimeIops, openMinutes: 0, throttledIoKiB: Number.NaN };
  }
  const periods = new DemandPeriods(diagnosed);
  // In most periods what was served was demanded.
  const [iops, mibps] = [load.iops.slice(), load.mibps.slice()];
  const activeTimeIops = servedActiveTime(diagnosed, periods).slice();
  const room = line === 'likely' ? 1 + thresholds.savingHeadroom : null;
  for (const i of attribution.throttledAt) {
    const mibOnLine = onLine(demand.lowMiBps[i] as number, demand.highMiBps[i] as number, line);
    // A burst is above its average; without the size of its I/O a demand is a guess.
    if (attribution.microBurst[i] !== 1 && !Number.isNaN(mibOnLine)) {
      iops[i] = onLine(demand.lowIops[i] as number, demand.highIops[i] as number, line);
      mibps[i] = mibOnLine;
    }
    const cap = attribution.microBurst[i] === 1 ? Number.POSITIVE_INFINITY : periods.capAt(i);
    if (cap !== Number.POSITIVE_INFINITY) {
      const isUnbounded = Number.isNaN(demand.highIops[i]) && !Number.isNaN(queueOf(load, i));
      const part = capped(iops[i] as number, isUnbounded, cap, room);
      iops[i] = (iops[i] as number) * part;
      mibps[i] = (mibps[i] as number) * part;
    }
    const [io, mib] = [iops[i] as number, mibps[i] as number];
    activeTimeIops[i] = io > 0 ? io * periods.peakAt(i, io, mib) : io;
  }
  const { openMinutes, throttledIoKiB } = periods;
  return { iops, mibps, activeTimeIops, openMinutes, throttledIoKiB };
}

/**
 * With headroom where something throttled it, since minutes are averages of seconds. What credits throttled was not
 * throttled before, at all that the volume does with them: it wants no more than that.
 */
export function withRoom(
  { iops, mibps }: DemandSeries,
  { attribution, limits }: DiagnosedVolume,
  { savingHeadroom }: Thresholds,
): DemandSeries {
  const { throttledAt, cause } = attribution;
  const shares = new SharesOf(limits);
  const [withRoomIops, withRoomMiBps] = [iops.slice(), mibps.slice()];
  for (const i of throttledAt) {
    const io = iops[i] as number;
    if (!(io > 0)) continue;
    const room = 1 + savingHeadroom;
    const upToBest = Math.max(1, 1 / shares.ofBest(io, mibps[i] as number));
    const times = cause[i] === byCredits ? Math.min(room, upToBest) : room;
    withRoomIops[i] = io * times;
    withRoomMiBps[i] = (mibps[i] as number) * times;
  }
  return {
    iops: withRoomIops,
    mibps: withRoomMiBps,
    activeTimeIops: null,
    openMinutes: 0,
    throttledIoKiB: Number.NaN,
  };
}
