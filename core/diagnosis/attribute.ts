/**
 * Period by period: was this volume's load held back, and by what? Two questions in this order: held back (a check of 1,
 * an empty balance under load, the instance, a rate at the limit with a queue, a busy rate at the limit)? By what
 * (balance before limit, the larger share of IOPS and MiB/s, the volume before its instance)? What else held it back stands beside the cause. Why the queue is asked: docs/decisions/0003.
 */
import { median } from 'simple-statistics';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { MetricSet } from '../load/fleet-metrics.ts';
import { columnsOf, type VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, isEmptyAt, volumeBalance } from './balance.ts';
import {
  alsoBit,
  type Cause,
  type Confidence,
  causeCode,
  causes,
  checkMinutes,
  confidenceCode,
  type Proof,
  proofs,
} from './causes.ts';
import type { InstanceOnAxis } from './instance-on-axis.ts';
import { thresholds } from './thresholds.ts';
import { type Shares, VolumeShares } from './volume-shares.ts';

/** One entry a period of the load. */
export interface Attribution {
  /** `causeCode` of what held the load back. */
  cause: Uint8Array;
  /** What else held the load back in that period: bits as `alsoBit` says. */
  also: Uint16Array;
  /** Minutes of the period in which load was held back (more than one only in periods longer than a minute). */
  heldBackMinutes: Float64Array;
  /** 1 where load was held back although the average stayed far below the limit. */
  microBurst: Uint8Array;
  /** What proved it: the position in `proofs`; meaningless where the cause is none or unknown. */
  proof: Uint8Array;
  /** `confidenceCode` of the cause, `none` too; meaningless where it is unknown. */
  confidence: Uint8Array;
  balance: Balance | null;
}

interface Decision {
  cause: Cause;
  also: number;
  minutes: number;
  proof: Proof;
  confidence: Confidence;
}

const ownLimits = { iops: 'volume-iops', throughput: 'volume-throughput' } as const;
/** A burst over several periods is compared with what is beside all of them, if it is no longer than this to either side. */
const mostBurstPeriods = 5;
/** So much more than in both of two periods. */
const isPeak = (rates: Float64Array, i: number, before: number, after: number): boolean => {
  const least = (rates[i] as number) / thresholds.burstTimesBeside;
  return least >= (rates[before] as number) && least >= (rates[after] as number);
};

const otherLimit = (cause: Cause): Cause =>
  cause === ownLimits.iops ? ownLimits.throughput : ownLimits.iops;

class VolumePeriods {
  readonly balance: Balance | null;
  private readonly load: VolumeLoad;
  private readonly shares: VolumeShares;
  private readonly periodMinutes: number;
  private readonly instances: readonly InstanceOnAxis[];
  /** Made when it is asked for. */
  private usual: number | null = null;
  private readonly stalledCheck: Float64Array | null;
  private readonly iopsCheck: Float64Array | null;
  private readonly throughputCheck: Float64Array | null;

  constructor(
    limits: VolumeLimits,
    load: VolumeLoad,
    metrics: MetricSet,
    instances: readonly InstanceOnAxis[],
  ) {
    const column = columnsOf(metrics, load, () => load.ops);
    this.load = load;
    this.instances = instances;
    this.periodMinutes = load.periodSeconds / secondsPerMinute;
    this.balance = volumeBalance(limits, load, column('BurstBalance'));
    const isHeldByInstance = (i: number): boolean =>
      instances.some(({ cause }) => cause[i] !== causeCode.none);
    this.shares = new VolumeShares(limits, load, this.balance, isHeldByInstance);
    this.stalledCheck = column('VolumeStalledIOCheck');
    this.iopsCheck = column('VolumeIOPSExceededCheck');
    this.throughputCheck = column('VolumeThroughputExceededCheck');
  }

  /** Which of its two limits a volume is nearer to; on HDD bytes are the surer figure. */
  private nearerLimit(share: Shares): Cause {
    const byBytes = this.shares.hdd ? share.mibps >= thresholds.atLimitShare : share.mibps > share.iops;
    return byBytes ? ownLimits.throughput : ownLimits.iops;
  }

  /** The other limit binds at once: raising one of them alone changes nothing. */
  private alsoOther(cause: Cause, share: Shares): number {
    const [lower, higher] = [Math.min(share.iops, share.mibps), Math.max(share.iops, share.mibps)];
    // Of a recorded load that is more than the volume can do, the larger share leaves the other limit unreached.
    const { atLimitShare } = thresholds;
    const both = !this.shares.hdd && lower >= atLimitShare && lower >= atLimitShare * higher;
    return both ? alsoBit(otherLimit(cause)) : 0;
  }

  /** What AWS's checks of the volume's limits say. */
  private byCheck(i: number, share: Shares): Decision | null {
    const iops = checkMinutes(this.iopsCheck, i);
    const throughput = checkMinutes(this.throughputCheck, i);
    const minutes = Math.min(this.periodMinutes, Math.max(iops, throughput));
    if (minutes <= 0) return null;
    const both = iops > 0 && throughput > 0;
    const limit: Cause = both ? this.nearerLimit(share) : iops > 0 ? ownLimits.iops : ownLimits.throughput;
    const bothBits = both ? alsoBit(otherLimit(limit)) : this.alsoOther(limit, share);
    const found = { minutes, proof: 'check', confidence: 'high' } as const;
    if (!isEmptyAt(this.balance, i)) return { ...found, cause: limit, also: bothBits };
    // Who does the burst's rate on average has credits left: it is the limit, if soon no more.
    return this.shares.ofBurst(i) >= thresholds.saturatedShare
      ? { ...found, cause: limit, also: bothBits | alsoBit('volume-credits') }
      : { ...found, cause: 'volume-credits', also: 0 };
  }

  /** Both checks have a figure, and it is 0: no proof that nothing was held back, but more than a busy rate is. */
  private checksSayNo(i: number): boolean {
    return this.iopsCheck?.[i] === 0 && this.throughputCheck?.[i] === 0;
  }

  private checksSpeak(i: number): boolean {
    return !Number.isNaN(this.iopsCheck?.[i] ?? this.throughputCheck?.[i] ?? Number.NaN);
  }

  /** An empty HDD bucket shows that the operations did not merge: then their number is load enough. */
  private isCountAtLimit(i: number): boolean {
    const { iops } = this.shares.average(i);
    return this.shares.hdd && iops >= thresholds.atLimitShare && !this.shares.mergesForSure(iops);
  }

  /** At the baseline or above with next to nothing left: held back where the load waits, or where nobody can tell. */
  private byEmptyBalance(i: number): Decision | null {
    const waits = this.shares.waiting.whereKnown(i);
    if (waits === false || (waits === null && this.checksSayNo(i))) return null;
    const confidence = this.balance?.source === 'published' ? 'high' : 'low';
    return { cause: 'volume-credits', also: 0, minutes: this.periodMinutes, proof: 'balance', confidence };
  }

  /** What its rate says where AWS's checks do not. */
  private byRate(i: number, share: Shares): Decision | null {
    const { shares, periodMinutes, balance } = this;
    const rateAtLimit = Math.max(share.iops, share.mibps) >= thresholds.atLimitShare;
    const nearer = this.nearerLimit(share);
    const withCredits = isEmptyAt(balance, i) ? alsoBit('volume-credits') : 0;
    const also = this.alsoOther(nearer, share) | withCredits;
    const whole = {
      minutes: periodMinutes,
      confidence: shares.waiting.isMeasured ? 'medium' : 'low',
    } as const;
    if (isEmptyAt(balance, i) && shares.ofBurst(i) < thresholds.saturatedShare)
      return rateAtLimit || this.isCountAtLimit(i) ? this.byEmptyBalance(i) : null;
    if (shares.isSaturated(i)) return { ...whole, cause: nearer, also, proof: 'rate' };
    if (!rateAtLimit) return null;
    // Without a queue nothing contradicts the rate, unless the limit itself is approximate.
    const queueAgrees = shares.waiting.at(i) ?? (!shares.isApproximate && !this.checksSayNo(i));
    return queueAgrees ? { ...whole, cause: nearer, also, proof: 'rate' } : null;
  }

  /** Part of a minute: a rate over the busy seconds that is the limit, with a queue, or a burst that left one. */
  private byShortBurst(i: number): Decision | null {
    if (this.checksSayNo(i)) return null;
    const { shares } = this;
    const busy = shares.ofBusySeconds(i);
    const isBusyAtLimit = Math.max(busy.iops, busy.mibps) >= thresholds.atLimitShare;
    const waits = shares.waiting.at(i) ?? !shares.isApproximate;
    const isBurst = (isBusyAtLimit && waits) || (!this.checksSpeak(i) && this.isBurstWithQueue(i));
    if (!isBurst) return null;
    const nearer = this.nearerLimit(isBusyAtLimit ? busy : shares.ofAverage(i));
    const cause = isEmptyAt(this.balance, i) ? 'volume-credits' : nearer;
    const minutes = Math.min(1, this.periodMinutes);
    return { cause, also: 0, minutes, proof: 'busy-rate', confidence: 'low' };
  }

  /** The next period on one side in which I/O does not wait long: a burst can go on for several. */
  private beside(i: number, step: 1 | -1): number {
    let at = i + step;
    for (let n = 1; n < mostBurstPeriods && this.shares.waiting.isLongAt(at); n++) at += step;
    return at;
  }

  /** On either side, as far as a burst can go on, a period with so much less: without it nothing is sudden. */
  private hasLessBeside(i: number): boolean {
    const { iops, mibps } = this.load;
    const hasLess = (rates: Float64Array, step: 1 | -1): boolean => {
      const most = (rates[i] as number) / thresholds.burstTimesBeside;
      for (let n = 1; n <= mostBurstPeriods; n++) if ((rates[i + n * step] as number) <= most) return true;
      return false;
    };
    return (hasLess(iops, 1) && hasLess(iops, -1)) || (hasLess(mibps, 1) && hasLess(mibps, -1));
  }

  /** More than beside it, and what is more fills a second at the limit at least. */
  private isSudden(i: number): boolean {
    const { shares, load } = this;
    const [before, after] = [this.beside(i, -1), this.beside(i, 1)];
    // Most periods are like those beside them: nothing needs to be divided by a limit to see that.
    if (!isPeak(load.iops, i, before, after) && !isPeak(load.mibps, i, before, after)) return false;
    const here = shares.nearestLimit(i);
    const beside = Math.max(shares.nearestLimit(before), shares.nearestLimit(after));
    const secondsAtLimit = (load.periodSeconds * (here - beside)) / (1 - beside);
    return here >= thresholds.burstTimesBeside * beside && secondsAtLimit >= 1;
  }

  /**
   * A sudden load with a queue that its rate does not explain: it waited. A volume that is slow for another reason does
   * less than before, not more.
   */
  private isBurstWithQueue(i: number): boolean {
    const { shares } = this;
    if (shares.hdd || shares.isApproximate || !shares.waiting.mayBeLongAt(i)) return false;
    return this.hasLessBeside(i) && shares.waiting.isLongAt(i) && this.isSudden(i);
  }

  /** What its instance held back of it: the volume must have had I/O, and must not have gone without waiting. */
  private byInstance(i: number, own: Decision | null): Decision | null {
    if (!((this.load.ops[i] as number) > 0)) return null;
    for (const { cause, also, minutes, proof, saturated, isCoarse, feel } of this.instances) {
      if ((cause[i] as number) === causeCode.none) continue;
      const isProved = proofs[proof[i] as number] === 'check';
      const times = isProved ? thresholds.queueTimesProved : thresholds.queueTimesUnthrottled;
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

  /** Nothing of it points at a limit: most periods of most volumes end here. */
  isQuiet(i: number): boolean {
    for (const { cause } of this.instances) if (cause[i] !== causeCode.none) return false;
    if (checkMinutes(this.stalledCheck, i) > 0) return false;
    if (checkMinutes(this.iopsCheck, i) > 0 || checkMinutes(this.throughputCheck, i) > 0) return false;
    if (!(this.shares.nearestLimit(i) < thresholds.atLimitShare)) return false;
    if (this.checksSayNo(i)) return true;
    if (!(this.shares.nearestLimitWhileBusy(i) < thresholds.atLimitShare)) return false;
    return this.checksSpeak(i) || !this.isBurstWithQueue(i);
  }

  /** What held the load back in period i, or null. */
  decide(i: number): Decision | null {
    const share = this.shares.ofAverage(i);
    // The volume before its instance: of what it cannot do itself no instance could have had more.
    const own = this.byCheck(i, share) ?? this.byRate(i, share);
    const found = [this.stalled(i), own, this.byInstance(i, own)].filter((one) => one !== null);
    const [first, ...others] = found.length > 0 ? found : [this.byShortBurst(i)];
    if (!first) return null;
    let { also } = first;
    for (const other of others) if (other !== null) also |= other.also | alsoBit(other.cause);
    return { ...first, also: also & ~alsoBit(first.cause) };
  }

  /** I/O waits, and what would tell why is not there: all of what its instance does, or checks and the load by bytes. */
  isUnexplained(i: number): boolean {
    const { instances, load, shares } = this;
    const isInstanceUnseen = instances.length === 0 || instances.some(({ isWhole }) => !isWhole);
    if (!isInstanceUnseen && this.checksSpeak(i)) return false;
    if (!((load.ops[i] as number) > 0 && shares.waiting.isLongAt(i))) return false;
    return isInstanceUnseen || Number.isNaN(load.mibps[i]) || this.isMoreThanUsual(i);
  }

  /** As much more than usual as a burst is: what is slow for another reason does less than before, not more. */
  private isMoreThanUsual(i: number): boolean {
    const { shares } = this;
    if (shares.hdd || shares.isApproximate) return false;
    return !(shares.nearestLimit(i) < thresholds.burstTimesBeside * this.usualShare());
  }

  /** Share of the nearer limit in half of the periods with load whose I/O does not wait long; NaN where there is none. */
  private usualShare(): number {
    if (this.usual === null) {
      const { ops } = this.load;
      const calm: number[] = [];
      for (let i = 0; i < ops.length; i++)
        if ((ops[i] as number) > 0 && !this.shares.waiting.isLongAt(i))
          calm.push(this.shares.nearestLimit(i));
      this.usual = calm.length === 0 ? Number.NaN : median(calm);
    }
    return this.usual;
  }

  /** How sure it is that nothing was held back. */
  confidenceOfNone(i: number): Confidence {
    if (this.checksSpeak(i)) return 'high';
    return this.shares.waiting.isMeasured ? 'medium' : 'low';
  }

  /** Even with all the period's load in its held-back minutes, was their average far below the limit? */
  isMicroBurst(i: number, { cause, minutes }: Decision): boolean {
    if (cause !== 'volume-iops' && cause !== 'volume-throughput') return false;
    const average = this.shares.average(i);
    const share = cause === 'volume-iops' ? average.iops : average.mibps;
    return (share * this.periodMinutes) / minutes < thresholds.microBurstAverageShare;
  }
}

/**
 * Attributes every period of a volume's load.
 * @param instances what the instances it is attached to held back, on the axis of the load; a Multi-Attach volume has
 * several, of which the first that says something counts.
 */
export function attribute(
  limits: VolumeLimits,
  load: VolumeLoad,
  metrics: MetricSet,
  instances: readonly InstanceOnAxis[],
): Attribution {
  const periods = new VolumePeriods(limits, load, metrics, instances);
  const { length } = load.ops;
  const attribution: Attribution = {
    cause: new Uint8Array(length),
    also: new Uint16Array(length),
    heldBackMinutes: new Float64Array(length),
    microBurst: new Uint8Array(length),
    proof: new Uint8Array(length),
    confidence: new Uint8Array(length),
    balance: periods.balance,
  };
  for (let i = 0; i < length; i++) {
    const decision = periods.isQuiet(i) ? null : periods.decide(i);
    if (decision === null) {
      const isUnknown = Number.isNaN(load.ops[i]) || periods.isUnexplained(i);
      attribution.cause[i] = isUnknown ? causeCode.unknown : causeCode.none;
      attribution.confidence[i] = confidenceCode[periods.confidenceOfNone(i)];
      continue;
    }
    attribution.cause[i] = causeCode[decision.cause];
    attribution.also[i] = decision.also;
    attribution.heldBackMinutes[i] = decision.minutes;
    attribution.microBurst[i] = periods.isMicroBurst(i, decision) ? 1 : 0;
    attribution.proof[i] = proofs.indexOf(decision.proof);
    attribution.confidence[i] = confidenceCode[decision.confidence];
  }
  return attribution;
}
