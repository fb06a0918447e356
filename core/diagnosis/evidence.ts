/**
 * What is known of a volume's load in each period, and nothing decided: first its shares of the limits in force, then for the
 * periods in which anything points at a limit one row of all evidence. `attribute.ts` decides by such a row. What is to
 * count in future is a new column here.
 */
import { median } from 'simple-statistics';
import { isHdd, ssdMiBPerIo, type VolumeLimits } from '../limits/volume-limits.ts';
import { summaryOf } from '../load/load-summary.ts';
import { minimum, topOf } from '../load/series.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, isEmptyAt } from './balance.ts';
import { checkMinutes } from './causes.ts';
import type { InstanceOnAxis } from './instance-on-axis.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { Waiting } from './waiting.ts';

// How near a volume was to its limits, period by period.

/** More I/O than the limit on HDD: they must have merged. */
const mergesForSure = (iopsShare: number): boolean => iopsShare > fixedThresholds.mergedShare;

/**
 * The larger of the average's shares of what the volume can do at its best, credits and all. On HDD by bytes, and by number
 * where that is the burst's rate itself and no more: had they merged, more of them would pass.
 */
function shareOfBurst(
  { volumeType, burstIops, burstMiBps }: VolumeLimits,
  iops: number,
  mibps: number,
): number {
  const byBytes = Number.isNaN(mibps) ? 0 : mibps / burstMiBps;
  if (!isHdd(volumeType)) return Math.max(byBytes, countedSsdIops(iops, mibps) / burstIops);
  const byNumber = iops / burstIops;
  const isOfNumber = byNumber >= fixedThresholds.saturatedShare && !mergesForSure(byNumber);
  return isOfNumber ? Math.max(byBytes, byNumber) : byBytes;
}

/** Averages as shares of the limits in force; NaN where unknown. On HDD an operation counts as one, merged or not. */
export class LimitShares {
  readonly hdd: boolean;
  readonly isApproximate: boolean;
  /** 1 where its credits were gone under a load that would spend them; null where it has no bucket. */
  readonly atBaseline: Uint8Array | null;
  private readonly limits: VolumeLimits;
  private readonly load: VolumeLoad;

  constructor(limits: VolumeLimits, load: VolumeLoad, balance: Balance | null) {
    this.limits = limits;
    this.load = load;
    this.hdd = isHdd(limits.volumeType);
    this.isApproximate = limits.approximate !== undefined;
    this.atBaseline = balance && this.withoutCredits(balance);
  }

  /** Who does the burst's rate on average has credits left, however few. Null where they never were gone. */
  private withoutCredits({ percent, emptyPercent }: Balance): Uint8Array | null {
    const { iops, mibps } = this.load;
    let without: Uint8Array | null = null;
    for (let i = 0; i < percent.length; i++) {
      if (!((percent[i] as number) <= emptyPercent)) continue;
      without ??= new Uint8Array(percent.length);
      const ofBurst = shareOfBurst(this.limits, iops[i] as number, mibps[i] as number);
      if (this.isApproximate || ofBurst < fixedThresholds.saturatedShare) without[i] = 1;
    }
    return without;
  }

  /** The limits of the empty bucket, or what AWS says of `standard` on average; else those of the burst. */
  private isAtBaseline(i: number): boolean {
    return this.isApproximate || this.atBaseline?.[i] === 1;
  }

  limitIops(i: number): number {
    return this.isAtBaseline(i) ? this.limits.baselineIops : this.limits.burstIops;
  }

  limitMiBps(i: number): number {
    return this.isAtBaseline(i) ? this.limits.baselineMiBps : this.limits.burstMiBps;
  }

  iops(i: number): number {
    const { iops, mibps } = this.load;
    const rate = iops[i] as number;
    return (this.hdd ? rate : countedSsdIops(rate, mibps[i] as number)) / this.limitIops(i);
  }

  mibps(i: number): number {
    return (this.load.mibps[i] as number) / this.limitMiBps(i);
  }

  /** The larger of both: NaN where the operations are not known, and beyond the first and the last period. */
  nearest(i: number): number {
    const byNumber = this.iops(i);
    const byBytes = this.mibps(i);
    return byBytes > byNumber ? byBytes : byNumber;
  }

  ofBurst(i: number): number {
    return shareOfBurst(this.limits, this.load.iops[i] as number, this.load.mibps[i] as number);
  }

  /** Well below the limit: by both figures on SSD; on HDD by bytes, and not where the number of I/O is the limit. */
  isBelow(share: number, i: number): boolean {
    const { iops, mibps } = this.load;
    const rate = iops[i] as number;
    const mib = mibps[i] as number;
    const mostIops = share * this.limitIops(i);
    const mostMiBps = share * this.limitMiBps(i);
    if (!(mib < mostMiBps)) return false;
    if (!this.hdd) return rate < mostIops && mib < mostIops * ssdMiBPerIo;
    return !(rate >= mostIops && !mergesForSure(this.iops(i)));
  }
}

// Most periods of most volumes are nowhere near a limit: found column by column, before anybody asks why.

/** Below `fixedThresholds.atLimitShare` by so much that no rounding decides. */
const farShare = 0.9;

export interface WhatPoints {
  limits: VolumeLimits;
  load: VolumeLoad;
  balance: Balance | null;
  instances: readonly InstanceOnAxis[];
  /** AWS's checks of the volume, of which 1 or more points at a limit. */
  checks: readonly (Float64Array | null)[];
}

interface Near {
  iops: number;
  mibps: number;
}

/** Below both a rate is far from every limit in force, with credits or, where a limit is approximate, on average. */
function nearRates({ volumeType, approximate, ...limits }: VolumeLimits): Near {
  const isApproximate = approximate !== undefined;
  const iops = farShare * (isApproximate ? limits.baselineIops : limits.burstIops);
  const mibps = farShare * (isApproximate ? limits.baselineMiBps : limits.burstMiBps);
  // Large I/O on SSD counts by its bytes.
  return { iops, mibps: isHdd(volumeType) ? mibps : Math.min(mibps, iops * ssdMiBPerIo) };
}

/**
 * One entry a period: 1 where its operations are known and nothing points at a limit: no check, no instance, no rate over
 * the period or its busy seconds, no empty balance. Whether its I/O waits all the same is another question, and on HDD part
 * of this one.
 */
export function farFromLimits(asked: WhatPoints): Uint8Array {
  const { limits, load, balance, instances, checks } = asked;
  const { iops: nearIops, mibps: nearMiBps } = nearRates(limits);
  const { iops, mibps, activeTimeIops, busyMiBps } = load;
  const far = new Uint8Array(iops.length);
  // Of most volumes no rate ever comes near: then only what is unknown is left to find.
  const isNearByBytes = topOf(mibps) >= nearMiBps;
  for (let i = 0; i < far.length; i++)
    if ((iops[i] as number) < nearIops && !(isNearByBytes && (mibps[i] as number) >= nearMiBps)) far[i] = 1;
  // On HDD operations merge: their number over the busy seconds points at a limit only where they wait.
  const nearWhileBusy = isHdd(limits.volumeType) ? Number.POSITIVE_INFINITY : nearIops;
  if (
    activeTimeIops !== null &&
    busyMiBps !== null &&
    (topOf(activeTimeIops) >= nearWhileBusy || topOf(busyMiBps) >= nearMiBps)
  )
    for (let i = 0; i < far.length; i++)
      if ((activeTimeIops[i] as number) >= nearWhileBusy || (busyMiBps[i] as number) >= nearMiBps) far[i] = 0;
  for (const check of checks)
    if (check !== null) for (let i = 0; i < far.length; i++) if ((check[i] as number) > 0) far[i] = 0;
  for (const { cause } of instances) for (let i = 0; i < far.length; i++) if (cause[i] !== 0) far[i] = 0;
  if (balance !== null) {
    const { percent, emptyPercent } = balance;
    for (let i = 0; i < far.length; i++) if ((percent[i] as number) <= emptyPercent) far[i] = 0;
  }
  return far;
}

// Load that came all at once: so much more than beside it, or than usual, that it may have waited for a limit.

/** A burst over several periods is compared with what is beside all of them, if it is no longer than this to either side. */
const mostBurstPeriods = 5;

/** So much more than in both of two periods. */
const isPeak = (rates: Float64Array, i: number, before: number, after: number): boolean => {
  const least = (rates[i] as number) / fixedThresholds.burstTimesBeside;
  return least >= (rates[before] as number) && least >= (rates[after] as number);
};

/** The next period on one side in which I/O does not wait long: a burst can go on for several. */
function beside(waiting: Waiting, i: number, step: 1 | -1): number {
  let at = i + step;
  for (let n = 1; n < mostBurstPeriods && waiting.isLongAt(at); n++) at += step;
  return at;
}

/** More than beside it, and what is more fills a second at the limit at least: a volume that is slow does less, not more. */
function isSudden(load: VolumeLoad, shares: LimitShares, waiting: Waiting, i: number): boolean {
  const [before, after] = [beside(waiting, i, -1), beside(waiting, i, 1)];
  if (!isPeak(load.iops, i, before, after) && !isPeak(load.mibps, i, before, after)) return false;
  const here = shares.nearest(i);
  const more = Math.max(shares.nearest(before), shares.nearest(after));
  const secondsAtLimit = (load.periodSeconds * (here - more)) / (1 - more);
  return here >= fixedThresholds.burstTimesBeside * more && secondsAtLimit >= 1;
}

/** Share of the nearer limit in half of the periods with load whose I/O does not wait long; NaN where there is none. */
function usualShare({ iops }: VolumeLoad, shares: LimitShares, waiting: Waiting): number {
  const calm: number[] = [];
  for (let i = 0; i < iops.length; i++)
    if ((iops[i] as number) > 0 && !waiting.isLongAt(i)) calm.push(shares.nearest(i));
  return calm.length === 0 ? Number.NaN : median(calm);
}

/** A limit that is seen: for minutes the same rate not far below the nominal one, and I/O that waits long. */
function isPlateau(shares: LimitShares, waiting: Waiting, i: number): boolean {
  const here = shares.nearest(i);
  if (!(here >= fixedThresholds.seenLimitShare)) return false;
  const isHeldAt = (at: number): boolean =>
    waiting.isLongAt(at) && Math.abs(shares.nearest(at) / here - 1) <= fixedThresholds.seenLimitWithin;
  const { seenLimitPeriods } = fixedThresholds;
  let periods = 1;
  for (const step of [-1, 1])
    for (let at = i + step; periods < seenLimitPeriods && isHeldAt(at); at += step) periods++;
  return periods >= seenLimitPeriods;
}

/** A check of 1 on less than this share of the limit: exceeded for less than half of the minute. */
const lowAverage = 0.5;

/** A check of this volume was 1 on a low average: then they see bursts of seconds, and 0 says that there was none. */
function checksSeeBursts(checks: VolumeChecks, shares: LimitShares, periodMinutes: number): boolean {
  for (const check of [checks.iops, checks.throughput]) {
    if (check === null) continue;
    for (let i = 0; i < check.length; i++) {
      const minutes = check[i] as number;
      if (minutes > 0 && shares.nearest(i) * periodMinutes < lowAverage * minutes) return true;
    }
  }
  return false;
}

// The rows.

/** Of a volume: one row for each period that is not quiet. Shares are of the limits in force. */
export interface VolumeEvidence {
  /** Of each row its period in the load. */
  period: Int32Array;
  isHdd: boolean;
  isApproximate: boolean;
  periodMinutes: number;
  /** There is a metric of how much waits. */
  isQueueMeasured: boolean;
  checksSeeBursts: boolean;
  balanceSource: Balance['source'] | null;
  /** Averages; NaN where unknown. */
  iopsShare: Float64Array;
  mibpsShare: Float64Array;
  /** The same, as far as they prove something: on HDD operations count only where a queue shows that they wait. */
  provingIops: Float64Array;
  provingMiBps: Float64Array;
  /** So too, over the seconds in which the volume was not idle. */
  activeTimeIopsShare: Float64Array;
  activeTimeMiBpsShare: Float64Array;
  /** Of what the volume can do at its best, credits and all. */
  burstShare: Float64Array;
  /** What is in flight or waiting, NaN where unknown; and what this rate keeps in flight when nothing throttles it. */
  queue: Float64Array;
  calmQueue: Float64Array;
  /** 1 where calm periods showed that, 0 where it is what is typical. */
  isCalmLearned: Uint8Array;
  /** Minutes; NaN where a check has no figure. */
  iopsCheck: Float64Array;
  throughputCheck: Float64Array;
  stalledCheck: Float64Array;
  /** 1 where a check has a figure. */
  isChecked: Uint8Array;
  /** 1 where the balance is next to nothing. */
  isEmpty: Uint8Array;
  /** 1 where more waits than the rate needs, and so does at least one I/O all the time. */
  isLong: Uint8Array;
  /** Of those only, 1 where the load is so much more than beside it, than usual, or steady below the nominal limit. */
  isSudden: Uint8Array;
  isMoreThanUsual: Uint8Array;
  isPlateau: Uint8Array;
}

const column = (rows: number): Float64Array => new Float64Array(rows);
const bits = (rows: number): Uint8Array => new Uint8Array(rows);

/** Nothing is known yet. */
const emptyRows = (rows: number) => ({
  ...{ iopsShare: column(rows), mibpsShare: column(rows), provingIops: column(rows) },
  ...{ provingMiBps: column(rows), activeTimeIopsShare: column(rows), activeTimeMiBpsShare: column(rows) },
  ...{ burstShare: column(rows), queue: column(rows), calmQueue: column(rows) },
  ...{ iopsCheck: column(rows), throughputCheck: column(rows), stalledCheck: column(rows) },
  ...{ isChecked: bits(rows), isCalmLearned: bits(rows), isEmpty: bits(rows), isLong: bits(rows) },
  ...{ isSudden: bits(rows), isMoreThanUsual: bits(rows), isPlateau: bits(rows) },
});

const noRows = emptyRows(0);

/** AWS's checks of a volume: minutes of each period; null where it does not publish one. */
export interface VolumeChecks {
  iops: Float64Array | null;
  throughput: Float64Array | null;
  stalled: Float64Array | null;
}

/** Nothing points at a limit in any period, and nothing waits: so it is with most volumes. */
function isQuietThroughout(
  { limits, load, balance, instances, checks }: WhatPoints,
  waiting: Waiting,
): boolean {
  const { iops: nearIops, mibps: nearMiBps } = nearRates(limits);
  const { topActiveTimeIops, topBusyMiBps, isAnyUnknown } = summaryOf(load);
  if (topOf(load.iops) >= nearIops || topOf(load.mibps) >= nearMiBps) return false;
  if (!isHdd(limits.volumeType) && (topActiveTimeIops ?? 0) >= nearIops) return false;
  if ((topBusyMiBps ?? 0) >= nearMiBps) return false;
  if (instances.some(({ isAnyThrottled }) => isAnyThrottled)) return false;
  if (checks.some((check) => check !== null && topOf(check) > 0)) return false;
  if (balance !== null && (minimum(balance.percent) ?? 100) <= balance.emptyPercent) return false;
  return !isAnyUnknown && waiting.isNeverSeen();
}

const noPeriods = new Int32Array(0);

/** Where nothing points at a limit and nothing waits, there is no row: most periods of most volumes. */
function notQuiet(asked: WhatPoints, waiting: Waiting): Int32Array {
  if (isQuietThroughout(asked, waiting)) return noPeriods;
  const far = farFromLimits(asked);
  const hdd = isHdd(asked.limits.volumeType);
  const { isLong } = waiting;
  const periods: number[] = [];
  for (let i = 0; i < far.length; i++) {
    const isQuiet = far[i] === 1 && isLong[i] === 0 && !(hdd && waiting.at(i) === true);
    if (!isQuiet) periods.push(i);
  }
  return Int32Array.from(periods);
}

export interface AskedVolume extends Omit<WhatPoints, 'checks'> {
  shares: LimitShares;
  checks: VolumeChecks;
}

/** What waits while something throttles the load says nothing of calm periods. */
function waitingOf({ limits, load, shares, instances, checks }: AskedVolume, below: number): Waiting {
  const isCalm = (i: number): boolean => {
    if (!shares.isBelow(below, i)) return false;
    if (checkMinutes(checks.iops, i) > 0 || checkMinutes(checks.throughput, i) > 0) return false;
    for (const { cause } of instances) if (cause[i] !== 0) return false;
    return true;
  };
  return new Waiting(load, isCalm, isHdd(limits.volumeType) || limits.approximate !== undefined);
}

/** All evidence of what throttled a volume, in the periods in which something can have. */
export function volumeEvidence(asked: AskedVolume, { microBurstAverageShare }: Thresholds): VolumeEvidence {
  const { load, shares, balance, checks } = asked;
  const { hdd, isApproximate } = shares;
  const waiting = waitingOf(asked, microBurstAverageShare);
  const period = notQuiet({ ...asked, checks: [checks.stalled, checks.iops, checks.throughput] }, waiting);
  const periodMinutes = load.periodSeconds / secondsPerMinute;
  const rows = period.length === 0 ? noRows : emptyRows(period.length);
  let usual: number | null = null;
  for (let row = 0; row < period.length; row++) {
    const i = period[row] as number;
    const [iops, mibps] = [shares.iops(i), shares.mibps(i)];
    const [activeTimeRate, busyMiB] = [
      load.activeTimeIops?.[i] ?? Number.NaN,
      load.busyMiBps?.[i] ?? Number.NaN,
    ];
    const waits = waiting.at(i) === true;
    const proving = (share: number): number => (!hdd || (waits && !mergesForSure(share)) ? share : 0);
    const activeTimeIops =
      (hdd ? activeTimeRate : countedSsdIops(activeTimeRate, busyMiB)) / shares.limitIops(i);
    rows.iopsShare[row] = iops;
    rows.mibpsShare[row] = mibps;
    rows.provingIops[row] = proving(iops);
    rows.provingMiBps[row] = Number.isNaN(mibps) ? 0 : mibps;
    rows.activeTimeIopsShare[row] = proving(activeTimeIops);
    rows.activeTimeMiBpsShare[row] = Number.isNaN(busyMiB) ? 0 : busyMiB / shares.limitMiBps(i);
    rows.burstShare[row] = shares.ofBurst(i);
    rows.queue[row] = waiting.queueOf(i);
    rows.calmQueue[row] = waiting.inFlightWhenCalm(i);
    rows.isCalmLearned[row] = waiting.isCalmLearned(i) ? 1 : 0;
    rows.iopsCheck[row] = checks.iops?.[i] ?? Number.NaN;
    rows.throughputCheck[row] = checks.throughput?.[i] ?? Number.NaN;
    rows.stalledCheck[row] = checks.stalled?.[i] ?? Number.NaN;
    rows.isChecked[row] = Number.isNaN(checks.iops?.[i] ?? checks.throughput?.[i] ?? Number.NaN) ? 0 : 1;
    rows.isEmpty[row] = isEmptyAt(balance, i) ? 1 : 0;
    if (!waiting.isLongAt(i)) continue;
    rows.isLong[row] = 1;
    if (hdd || isApproximate) continue;
    usual ??= usualShare(load, shares, waiting);
    const isBelowUsual = shares.nearest(i) < fixedThresholds.burstTimesBeside * usual;
    rows.isSudden[row] = isSudden(load, shares, waiting, i) ? 1 : 0;
    rows.isMoreThanUsual[row] = isBelowUsual ? 0 : 1;
    rows.isPlateau[row] = isPlateau(shares, waiting, i) ? 1 : 0;
  }
  return {
    ...{ period, isHdd: hdd, isApproximate, periodMinutes, ...rows },
    isQueueMeasured: waiting.isMeasured,
    checksSeeBursts: checksSeeBursts(checks, shares, periodMinutes),
    balanceSource: balance?.source ?? null,
  };
}
