/** What a volume's own limits and credits throttled: by AWS's checks, else by its rate with its queue, else by a burst. */
import type { VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, isEmptyAt } from './balance.ts';
import { alsoBit, type Cause, checkMinutes, type Decision } from './causes.ts';
import { SuddenLoad } from './sudden-load.ts';
import { fixedThresholds } from './thresholds.ts';
import type { Shares, VolumeShares } from './volume-shares.ts';

const ownLimits = { iops: 'volume-iops', throughput: 'volume-throughput' } as const;

const otherLimit = (cause: Cause): Cause =>
  cause === ownLimits.iops ? ownLimits.throughput : ownLimits.iops;

/** Minutes of each period in which AWS saw the limit exceeded; null where it does not publish it. */
interface OwnChecks {
  iops: Float64Array | null;
  throughput: Float64Array | null;
}

export class OwnLimits {
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
