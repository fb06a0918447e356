/**
 * Period by period: was this volume's load throttled, and by what? Two questions in this order: throttled (a check of 1,
 * an empty balance under load, the instance, a rate at the limit with a queue, an active-time rate at the limit)? By what
 * (balance before limit, the larger share of IOPS and MiB/s, the volume before its instance)? What else throttled it stands beside the cause. Why the queue is asked: docs/contribute/decisions/0003.
 */
import { isHdd, ssdMiBPerIo, type VolumeLimits } from '../limits/volume-limits.ts';
import type { MetricSet } from '../load/metrics.ts';
import { columnsOf, type VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, isEmptyAt, volumeBalance } from './balance.ts';
import {
  alsoBit,
  type Cause,
  causeCode,
  causes,
  checkMinutes,
  confidenceCode,
  type Decision,
  type Proof,
  proofs,
} from './causes.ts';
import type { InstanceOnAxis } from './instance-evidence.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { type Shares, SuddenLoad, VolumeShares } from './volume-shares.ts';

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
  const { iops, mibps, activeTimeIops, busyMiBps } = load;
  const near = nearRates(limits);
  const far = new Uint8Array(iops.length);
  for (let i = 0; i < far.length; i++)
    if ((iops[i] as number) < near.iops && !((mibps[i] as number) >= near.mibps)) far[i] = 1;
  // On HDD operations merge: their number over the busy seconds points at a limit only where they wait.
  const nearWhileBusy = isHdd(limits.volumeType) ? Number.POSITIVE_INFINITY : near.iops;
  if (activeTimeIops !== null && busyMiBps !== null)
    for (let i = 0; i < far.length; i++)
      if ((activeTimeIops[i] as number) >= nearWhileBusy || (busyMiBps[i] as number) >= near.mibps)
        far[i] = 0;
  for (const check of checks)
    if (check !== null) for (let i = 0; i < far.length; i++) if ((check[i] as number) > 0) far[i] = 0;
  for (const { cause } of instances) for (let i = 0; i < far.length; i++) if (cause[i] !== 0) far[i] = 0;
  if (balance !== null) {
    const { percent, emptyPercent } = balance;
    for (let i = 0; i < far.length; i++) if ((percent[i] as number) <= emptyPercent) far[i] = 0;
  }
  return far;
}

// What a volume's own limits and credits throttled: by AWS's checks, else by its rate with its queue, else by a burst.

const ownLimits = { iops: 'volume-iops', throughput: 'volume-throughput' } as const;

const otherLimit = (cause: Cause): Cause =>
  cause === ownLimits.iops ? ownLimits.throughput : ownLimits.iops;

/** Minutes of each period in which AWS saw the limit exceeded; null where it does not publish it. */
interface OwnChecks {
  iops: Float64Array | null;
  throughput: Float64Array | null;
}

class OwnLimits {
  readonly sudden: SuddenLoad;
  private readonly shares: VolumeShares;
  private readonly balance: Balance | null;
  private readonly checks: OwnChecks;
  private readonly periodMinutes: number;

  constructor(load: VolumeLoad, shares: VolumeShares, balance: Balance | null, checks: OwnChecks) {
    this.sudden = new SuddenLoad(load, shares);
    this.shares = shares;
    this.balance = balance;
    this.checks = checks;
    this.periodMinutes = load.periodSeconds / secondsPerMinute;
  }

  /** Which of its two limits a volume is nearer to; on HDD bytes are the surer figure. */
  private nearerLimit(share: Shares): Cause {
    const byBytes = this.shares.hdd ? share.mibps >= fixedThresholds.atLimitShare : share.mibps > share.iops;
    return byBytes ? ownLimits.throughput : ownLimits.iops;
  }

  /** The other limit binds at once: raising one of them alone changes nothing. */
  private alsoOther(cause: Cause, share: Shares): number {
    const [lower, higher] = [Math.min(share.iops, share.mibps), Math.max(share.iops, share.mibps)];
    // Of a recorded load that is more than the volume can do, the larger share leaves the other limit unreached.
    const { atLimitShare } = fixedThresholds;
    const both = !this.shares.hdd && lower >= atLimitShare && lower >= atLimitShare * higher;
    return both ? alsoBit(otherLimit(cause)) : 0;
  }

  /** What AWS's checks of the volume's limits say. */
  private byCheck(i: number, share: Shares): Decision | null {
    const iops = checkMinutes(this.checks.iops, i);
    const throughput = checkMinutes(this.checks.throughput, i);
    const minutes = Math.min(this.periodMinutes, Math.max(iops, throughput));
    if (minutes <= 0) return null;
    const both = iops > 0 && throughput > 0;
    const limit: Cause = both ? this.nearerLimit(share) : iops > 0 ? ownLimits.iops : ownLimits.throughput;
    const bothBits = both ? alsoBit(otherLimit(limit)) : this.alsoOther(limit, share);
    const found = { minutes, proof: 'check', confidence: 'high' } as const;
    if (!isEmptyAt(this.balance, i)) return { ...found, cause: limit, also: bothBits };
    // Who does the burst's rate on average has credits left: it is the limit, if soon no more.
    return this.shares.ofBurst(i) >= fixedThresholds.saturatedShare
      ? { ...found, cause: limit, also: bothBits | alsoBit('volume-credits') }
      : { ...found, cause: 'volume-credits', also: 0 };
  }

  /** Both checks have a figure, and it is 0: no proof that nothing was throttled, but more than an active-time rate is. */
  private checksSayNo(i: number): boolean {
    return this.checks.iops?.[i] === 0 && this.checks.throughput?.[i] === 0;
  }

  checksSpeak(i: number): boolean {
    return !Number.isNaN(this.checks.iops?.[i] ?? this.checks.throughput?.[i] ?? Number.NaN);
  }

  /** An empty HDD bucket shows that the operations did not merge: then their number is load enough. */
  private isCountAtLimit(i: number): boolean {
    const { iops } = this.shares.average(i);
    return this.shares.hdd && iops >= fixedThresholds.atLimitShare && !this.shares.mergesForSure(iops);
  }

  /** At the baseline or above with next to nothing left: throttled where the load waits, or where nobody can tell. */
  private byEmptyBalance(i: number): Decision | null {
    const waits = this.shares.waiting.whereKnown(i);
    if (waits === false || (waits === null && this.checksSayNo(i))) return null;
    const confidence = this.balance?.source === 'published' ? 'high' : 'low';
    return { cause: 'volume-credits', also: 0, minutes: this.periodMinutes, proof: 'balance', confidence };
  }

  /** What its rate says where AWS's checks do not. */
  private byRate(i: number, share: Shares): Decision | null {
    const { shares, periodMinutes, balance } = this;
    const rateAtLimit = Math.max(share.iops, share.mibps) >= fixedThresholds.atLimitShare;
    const nearer = this.nearerLimit(share);
    const withCredits = isEmptyAt(balance, i) ? alsoBit('volume-credits') : 0;
    const also = this.alsoOther(nearer, share) | withCredits;
    const whole = {
      minutes: periodMinutes,
      confidence: shares.waiting.isMeasured ? 'medium' : 'low',
    } as const;
    if (isEmptyAt(balance, i) && shares.ofBurst(i) < fixedThresholds.saturatedShare)
      return rateAtLimit || this.isCountAtLimit(i) ? this.byEmptyBalance(i) : null;
    if (shares.isSaturated(i)) return { ...whole, cause: nearer, also, proof: 'rate' };
    if (!rateAtLimit) return null;
    // Without a queue nothing contradicts the rate, unless the limit itself is approximate.
    const queueAgrees = shares.waiting.at(i) ?? (!shares.isApproximate && !this.checksSayNo(i));
    return queueAgrees ? { ...whole, cause: nearer, also, proof: 'rate' } : null;
  }

  /** Throttled on average, by its limits or for want of credits; null where it was not, or for less than a minute. */
  held(i: number): Decision | null {
    const share = this.shares.ofAverage(i);
    return this.byCheck(i, share) ?? this.byRate(i, share);
  }

  /** Part of a minute: a rate over the busy seconds that is the limit, with a queue, or a burst that left one. */
  byShortBurst(i: number): Decision | null {
    if (this.checksSayNo(i)) return null;
    const { shares } = this;
    const busy = shares.ofActiveSeconds(i);
    const isBusyAtLimit = Math.max(busy.iops, busy.mibps) >= fixedThresholds.atLimitShare;
    const waits = shares.waiting.at(i) ?? !shares.isApproximate;
    const isBurst = (isBusyAtLimit && waits) || (!this.checksSpeak(i) && this.sudden.isBurst(i));
    if (!isBurst) return null;
    const nearer = this.nearerLimit(isBusyAtLimit ? busy : shares.ofAverage(i));
    const cause = isEmptyAt(this.balance, i) ? 'volume-credits' : nearer;
    const minutes = Math.min(1, this.periodMinutes);
    return { cause, also: 0, minutes, proof: 'active-time-rate', confidence: 'low' };
  }
}

/** One entry a period of the load. */
export interface Attribution {
  /** `causeCode` of what throttled the load. */
  cause: Uint8Array;
  /** What else throttled the load in that period: bits as `alsoBit` says. */
  also: Uint16Array;
  /** Minutes of the period in which load was throttled (more than one only in periods longer than a minute). */
  throttledMinutes: Float64Array;
  /** Periods in which it was throttled at all: of most volumes none. */
  throttledPeriods: number;
  /** 1 where load was throttled although the average stayed far below the limit. */
  microBurst: Uint8Array;
  /** What proved it: the position in `proofs`; meaningless where the cause is none or unknown. */
  proof: Uint8Array;
  /** `confidenceCode` of the cause, `none` too; meaningless where it is unknown. */
  confidence: Uint8Array;
  balance: Balance | null;
  /** 1 where its credits were gone and its baseline was the limit; null where it has no bucket. */
  atBaseline: Uint8Array | null;
}

class VolumePeriods {
  readonly balance: Balance | null;
  private readonly load: VolumeLoad;
  private readonly shares: VolumeShares;
  private readonly periodMinutes: number;
  private readonly instances: readonly InstanceOnAxis[];
  private readonly own: OwnLimits;
  private readonly far: Uint8Array;
  private readonly stalledCheck: Float64Array | null;
  private readonly thresholds: Thresholds;

  constructor(
    limits: VolumeLimits,
    load: VolumeLoad,
    metrics: MetricSet,
    instances: readonly InstanceOnAxis[],
    thresholds: Thresholds,
  ) {
    const column = columnsOf(metrics, load, () => load.ops);
    this.load = load;
    this.instances = instances;
    this.thresholds = thresholds;
    this.periodMinutes = load.periodSeconds / secondsPerMinute;
    this.balance = volumeBalance(limits, load, column('BurstBalance'), thresholds);
    const isThrottledByInstance = (i: number): boolean =>
      instances.some(({ cause }) => cause[i] !== causeCode.none);
    this.shares = new VolumeShares(limits, load, this.balance, isThrottledByInstance, thresholds);
    const ownChecks = {
      iops: column('VolumeIOPSExceededCheck'),
      throughput: column('VolumeThroughputExceededCheck'),
    };
    this.own = new OwnLimits(load, this.shares, this.balance, ownChecks);
    this.stalledCheck = column('VolumeStalledIOCheck');
    const checks = [this.stalledCheck, ownChecks.iops, ownChecks.throughput];
    this.far = farFromLimits({ limits, load, balance: this.balance, instances, checks });
  }

  /** What its instance throttled of it: the volume must have had I/O, and must not have gone without waiting. */
  private byInstance(i: number, own: Decision | null): Decision | null {
    if (!((this.load.ops[i] as number) > 0)) return null;
    for (const { cause, also, minutes, proof, saturated, isCoarse, feel } of this.instances) {
      if ((cause[i] as number) === causeCode.none) continue;
      const isProved = proofs[proof[i] as number] === 'check';
      const times = isProved ? fixedThresholds.queueTimesProved : fixedThresholds.queueTimesUnthrottled;
      // The volume's own check shows that it waited, whatever its queue is.
      const waits = own?.proof === 'check' || this.shares.waiting.whereLearned(i, times);
      if (waits === false) continue;
      if (waits === null && (isProved ? isCoarse : saturated[i] !== 1)) continue;
      feel(i);
      return {
        cause: causes[cause[i] as number] as Cause,
        also: also[i] as number,
        minutes: minutes[i] as number,
        proof: proofs[proof[i] as number] as Proof,
        confidence: isProved && waits === true ? 'high' : 'medium',
      };
    }
    return null;
  }

  private stalled(i: number): Decision | null {
    const minutes = Math.min(checkMinutes(this.stalledCheck, i), this.periodMinutes);
    return minutes > 0 ? { cause: 'stalled', also: 0, minutes, proof: 'check', confidence: 'high' } : null;
  }

  /** Far from every limit, and nothing waits: most periods of most volumes end here. */
  isQuiet(i: number): boolean {
    const { waiting, hdd } = this.shares;
    return this.far[i] === 1 && !waiting.isLongAt(i) && !(hdd && waiting.at(i) === true);
  }

  /** Where the bucket was empty under a load that it would have spent it on. */
  atBaseline(): Uint8Array | null {
    if (this.balance === null) return null;
    const atBaseline = new Uint8Array(this.load.ops.length);
    for (let i = 0; i < atBaseline.length; i++) if (this.shares.isAtBaseline(i)) atBaseline[i] = 1;
    return atBaseline;
  }

  /** What throttled the load in period i, or null. */
  decide(i: number): Decision | null {
    // The volume before its instance: of what it cannot do itself no instance could have had more.
    const own = this.own.held(i);
    const found = [this.stalled(i), own, this.byInstance(i, own)].filter((one) => one !== null);
    const [first, ...others] = found.length > 0 ? found : [this.own.byShortBurst(i)];
    if (!first) return null;
    let { also } = first;
    for (const other of others) if (other !== null) also |= other.also | alsoBit(other.cause);
    return { ...first, also: also & ~alsoBit(first.cause) };
  }

  /** I/O waits, and what would tell why is not there: all of what its instance does, or checks and the load by bytes. */
  isUnexplained(i: number): boolean {
    const { instances, load, shares } = this;
    const isInstanceUnseen = instances.length === 0 || instances.some(({ isWhole }) => !isWhole);
    if (!isInstanceUnseen && this.own.checksSpeak(i)) return false;
    if (!((load.ops[i] as number) > 0 && shares.waiting.isLongAt(i))) return false;
    return isInstanceUnseen || Number.isNaN(load.mibps[i]) || this.own.sudden.isMoreThanUsual(i);
  }

  /** `confidenceCode`: how sure it is that nothing was throttled. */
  confidenceOfNone(i: number): number {
    if (this.own.checksSpeak(i)) return confidenceCode.high;
    return this.shares.waiting.isMeasured ? confidenceCode.medium : confidenceCode.low;
  }

  /** Even with all the period's load in its throttled minutes, was their average far below the limit? */
  isMicroBurst(i: number, { cause, minutes }: Decision): boolean {
    if (cause !== 'volume-iops' && cause !== 'volume-throughput') return false;
    const average = this.shares.average(i);
    const share = cause === 'volume-iops' ? average.iops : average.mibps;
    return (share * this.periodMinutes) / minutes < this.thresholds.microBurstAverageShare;
  }
}

/**
 * Attributes every period of a volume's load.
 * @param instances what the instances it is attached to throttled, on the axis of the load; a Multi-Attach volume has
 * several, of which the first that says something counts.
 */
export function attribute(
  limits: VolumeLimits,
  load: VolumeLoad,
  metrics: MetricSet,
  instances: readonly InstanceOnAxis[],
  thresholds: Thresholds,
): Attribution {
  const periods = new VolumePeriods(limits, load, metrics, instances, thresholds);
  const { length } = load.ops;
  const attribution: Attribution = {
    cause: new Uint8Array(length),
    also: new Uint16Array(length),
    throttledMinutes: new Float64Array(length),
    throttledPeriods: 0,
    microBurst: new Uint8Array(length),
    proof: new Uint8Array(length),
    confidence: new Uint8Array(length),
    balance: periods.balance,
    atBaseline: periods.atBaseline(),
  };
  const { cause, confidence } = attribution;
  for (let i = 0; i < length; i++) {
    if (periods.isQuiet(i)) {
      confidence[i] = periods.confidenceOfNone(i);
      continue;
    }
    const decision = periods.decide(i);
    if (decision === null) {
      const isUnknown = Number.isNaN(load.ops[i]) || periods.isUnexplained(i);
      cause[i] = isUnknown ? causeCode.unknown : causeCode.none;
      confidence[i] = periods.confidenceOfNone(i);
      continue;
    }
    cause[i] = causeCode[decision.cause];
    attribution.also[i] = decision.also;
    attribution.throttledMinutes[i] = decision.minutes;
    attribution.throttledPeriods++;
    attribution.microBurst[i] = periods.isMicroBurst(i, decision) ? 1 : 0;
    attribution.proof[i] = proofs.indexOf(decision.proof);
    confidence[i] = confidenceCode[decision.confidence];
  }
  return attribution;
}
