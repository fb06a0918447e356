/**
 * Period by period: was this volume's load held back, and by what? A first attribution from the volume's own metrics
 * and its instance's checks. Two questions in this order: held back (a check of 1, an empty balance under load, the
 * instance's check, a rate at the limit with a queue, a busy rate at the limit)? By what (balance before limit, the larger
 * share of IOPS and MiB/s)? Why the queue is asked: docs/decisions/0003.
 */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { MetricSet } from '../load/fleet-metrics.ts';
import { columnsOf, countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, isEmptyAt, volumeBalance } from './balance.ts';
import { type Cause, causeCode, checkMinutes, type Proof, proofs } from './causes.ts';
import { thresholds } from './thresholds.ts';
import { Waiting } from './waiting.ts';

/** What the instance's own metrics say at each period of the volume; null where they are not there. */
export type InstanceCauseAt = (period: number) => { cause: Cause; minutes: number } | null;

/** One entry a period of the load. */
export interface Attribution {
  /** `causeCode` of what held the load back. */
  cause: Uint8Array;
  /** Minutes of the period in which load was held back (more than one only in periods longer than a minute). */
  heldBackMinutes: Float64Array;
  /** 1 where load was held back although the average stayed far below the limit. */
  microBurst: Uint8Array;
  /** What proved it: the position in `proofs`; meaningless where the cause is none or unknown. */
  proof: Uint8Array;
  /** What else held the load back in that period: bits as `alsoBit` says. */
  also: Uint16Array;
  /** `confidenceCode` of the cause, `none` too. */
  confidence: Uint8Array;
  /** 1 where IOPS and throughput were both at their limit. */
  bothLimits: Uint8Array;
  balance: Balance | null;
}

interface Decision {
  cause: Cause;
  minutes: number;
  proof: Proof;
}

interface Shares {
  iops: number;
  mibps: number;
}

class VolumePeriods {
  readonly balance: Balance | null;
  private readonly limits: VolumeLimits;
  private readonly load: VolumeLoad;
  private readonly hdd: boolean;
  private readonly periodMinutes: number;
  private readonly waiting: Waiting;
  private readonly stalledCheck: Float64Array | null;
  private readonly iopsCheck: Float64Array | null;
  private readonly throughputCheck: Float64Array | null;

  constructor(limits: VolumeLimits, load: VolumeLoad, metrics: MetricSet) {
    const column = columnsOf(metrics, load, load.ops);
    this.limits = limits;
    this.load = load;
    this.hdd = isHdd(limits.volumeType);
    this.periodMinutes = load.periodSeconds / secondsPerMinute;
    this.balance = volumeBalance(limits, load, column('BurstBalance'));
    const slowDevice = this.hdd || limits.approximate !== undefined;
    this.waiting = new Waiting(load, (i) => this.isCalm(i), slowDevice);
    this.stalledCheck = column('VolumeStalledIOCheck');
    this.iopsCheck = column('VolumeIOPSExceededCheck');
    this.throughputCheck = column('VolumeThroughputExceededCheck');
  }

  /** IOPS and MiB/s in force: those of the empty bucket, of the burst, or what AWS says of `standard` on average. */
  private limitAt(i: number): { iops: number; mibps: number } {
    const { limits } = this;
    const baseline = isEmptyAt(this.balance, i) || limits.approximate !== undefined;
    return baseline
      ? { iops: limits.baselineIops, mibps: limits.baselineMiBps }
      : { iops: limits.burstIops, mibps: limits.burstMiBps };
  }

  /** Average shares of the limits in force; NaN where unknown. On HDD an operation counts as one, merged or not. */
  private averageShares(i: number): Shares {
    const limit = this.limitAt(i);
    const iops = this.load.iops[i] as number;
    const mibps = this.load.mibps[i] as number;
    const counted = this.hdd ? iops : countedSsdIops(iops, mibps);
    return { iops: counted / limit.iops, mibps: mibps / limit.mibps };
  }

  /** Well below the limit: by both figures on SSD; on HDD by bytes, and not where the number of I/O is the limit. */
  private isCalm(i: number): boolean {
    const { iops, mibps } = this.averageShares(i);
    const below = thresholds.microBurstAverageShare;
    return this.hdd
      ? mibps < below && !(iops >= below && !this.mergesForSure(iops))
      : Math.max(iops, mibps) < below;
  }

  /** More I/O than the limit on HDD: they must have merged. */
  private mergesForSure(iopsShare: number): boolean {
    return iopsShare > thresholds.mergedShare;
  }

  /** Shares that can prove something: on HDD operations count only where a queue shows that they wait. */
  private shares(i: number, iops: number, mibps: number): Shares {
    const limit = this.limitAt(i);
    const byNumber = this.waiting.at(i) === true && !this.mergesForSure(iops / limit.iops);
    const counted = this.hdd ? (byNumber ? iops : 0) : countedSsdIops(iops, mibps);
    return { iops: counted / limit.iops, mibps: Number.isNaN(mibps) ? 0 : mibps / limit.mibps };
  }

  /** Without a queue nothing contradicts the rate, unless the limit itself is approximate. */
  private queueAgrees(i: number): boolean {
    return this.waiting.at(i) ?? this.limits.approximate === undefined;
  }

  /** Which of its two limits a volume is nearer to; on HDD bytes are the surer figure. */
  private nearerLimit(share: Shares): Cause {
    const byBytes = this.hdd ? share.mibps >= thresholds.atLimitShare : share.mibps > share.iops;
    return byBytes ? 'volume-throughput' : 'volume-iops';
  }

  /** What AWS's checks of the volume say. */
  private byCheck(i: number, share: Shares): Decision | null {
    const stalled = checkMinutes(this.stalledCheck, i);
    if (stalled > 0)
      return { cause: 'stalled', minutes: Math.min(stalled, this.periodMinutes), proof: 'check' };
    const iops = checkMinutes(this.iopsCheck, i);
    const throughput = checkMinutes(this.throughputCheck, i);
    const minutes = Math.min(this.periodMinutes, Math.max(iops, throughput));
    if (minutes <= 0) return null;
    const checked: Cause = iops > 0 ? 'volume-iops' : 'volume-throughput';
    const limit = iops > 0 && throughput > 0 ? this.nearerLimit(share) : checked;
    return { cause: isEmptyAt(this.balance, i) ? 'volume-credits' : limit, minutes, proof: 'check' };
  }

  /** The average is the limit itself. Not where the limit is approximate, or on HDD by number. */
  private isSaturated(i: number): boolean {
    if (this.limits.approximate !== undefined) return false;
    const { iops, mibps } = this.averageShares(i);
    return Math.max(this.hdd ? 0 : iops, mibps) >= thresholds.saturatedShare;
  }

  /** Both checks have a figure, and it is 0: no proof that nothing was held back, but more than a busy rate is. */
  private checksSayNo(i: number): boolean {
    return this.iopsCheck?.[i] === 0 && this.throughputCheck?.[i] === 0;
  }

  /** What held the load back in period i, or null. */
  decide(i: number, instanceCauseAt: InstanceCauseAt): Decision | null {
    const { load, periodMinutes } = this;
    const share = this.shares(i, load.iops[i] as number, load.mibps[i] as number);
    const checked = this.byCheck(i, share);
    if (checked !== null) return checked;
    const rateAtLimit = Math.max(share.iops, share.mibps) >= thresholds.atLimitShare;
    const empty = isEmptyAt(this.balance, i);
    // An empty HDD bucket shows that the operations did not merge: then their number is load enough.
    const { iops } = this.averageShares(i);
    const countAtLimit = this.hdd && iops >= thresholds.atLimitShare && !this.mergesForSure(iops);
    if (empty && (rateAtLimit || countAtLimit))
      return { cause: 'volume-credits', minutes: periodMinutes, proof: 'balance' };
    const byInstance = (load.ops[i] as number) > 0 ? instanceCauseAt(i) : null;
    if (byInstance !== null) return { ...byInstance, proof: 'check' };
    if (this.isSaturated(i)) return { cause: this.nearerLimit(share), minutes: periodMinutes, proof: 'rate' };
    if (!this.queueAgrees(i)) return null;
    if (rateAtLimit) return { cause: this.nearerLimit(share), minutes: periodMinutes, proof: 'rate' };
    if (this.checksSayNo(i)) return null;
    const busy = this.shares(i, load.busyIops?.[i] ?? Number.NaN, load.busyMiBps?.[i] ?? Number.NaN);
    if (!(Math.max(busy.iops, busy.mibps) >= thresholds.atLimitShare)) return null;
    const cause = empty ? 'volume-credits' : this.nearerLimit(busy);
    return { cause, minutes: Math.min(1, periodMinutes), proof: 'busy-rate' };
  }

  /** Do both limits bind at once? Then raising one of them alone changes nothing. */
  isAtBothLimits(i: number): boolean {
    const { iops, mibps } = this.averageShares(i);
    return !this.hdd && Math.min(iops, mibps) >= thresholds.atLimitShare;
  }

  /** Even with all the period's load in its held-back minutes, was their average far below the limit? */
  isMicroBurst(i: number, { cause, minutes }: Decision): boolean {
    if (cause !== 'volume-iops' && cause !== 'volume-throughput') return false;
    const average = this.averageShares(i);
    const share = cause === 'volume-iops' ? average.iops : average.mibps;
    return (share * this.periodMinutes) / minutes < thresholds.microBurstAverageShare;
  }
}

/** Attributes every period of a volume's load. */
export function attribute(
  limits: VolumeLimits,
  load: VolumeLoad,
  metrics: MetricSet,
  instanceCauseAt: InstanceCauseAt,
): Attribution {
  const periods = new VolumePeriods(limits, load, metrics);
  const attribution: Attribution = {
    cause: new Uint8Array(load.ops.length),
    heldBackMinutes: new Float64Array(load.ops.length),
    microBurst: new Uint8Array(load.ops.length),
    proof: new Uint8Array(load.ops.length),
    also: new Uint16Array(load.ops.length),
    confidence: new Uint8Array(load.ops.length),
    bothLimits: new Uint8Array(load.ops.length),
    balance: periods.balance,
  };
  for (let i = 0; i < load.ops.length; i++) {
    const decision = periods.decide(i, instanceCauseAt);
    if (decision === null) {
      attribution.cause[i] = Number.isNaN(load.ops[i]) ? causeCode.unknown : causeCode.none;
      continue;
    }
    attribution.cause[i] = causeCode[decision.cause];
    attribution.heldBackMinutes[i] = decision.minutes;
    attribution.microBurst[i] = periods.isMicroBurst(i, decision) ? 1 : 0;
    attribution.bothLimits[i] = periods.isAtBothLimits(i) ? 1 : 0;
    attribution.proof[i] = proofs.indexOf(decision.proof);
  }
  return attribution;
}
