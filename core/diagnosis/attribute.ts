/**
 * Period by period: was this volume's load held back, and by what? A first attribution from the volume's own metrics
 * and its instance's checks. Two questions in this order: held back (a check of 1, a rate at the limit with a queue, a
 * busy rate at the limit, an empty balance under load)? By what (balance before limit, the larger share of IOPS and
 * MiB/s)? The busy rate counts only where the queue does not contradict it: a steady light load of fast I/O looks busy.
 */
import { median } from 'simple-statistics';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import { alignTo } from '../load/series.ts';
import { countedSsdIops, type MetricSet, type VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, isEmptyAt, volumeBalance } from './balance.ts';
import { type Cause, causeCode, type Proof, proofs } from './causes.ts';
import { thresholds } from './thresholds.ts';

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
  /** 1 where IOPS and throughput were both at their limit. */
  bothLimits: Uint8Array;
  balance: Balance | null;
}

interface Decision {
  cause: Cause;
  minutes: number;
  proof: Proof;
}

const atLeastOne = (column: Float64Array | null, i: number): boolean =>
  column !== null && (column[i] as number) >= 1;

const minUnthrottledPeriods = 10;

/**
 * Seconds that an operation spends in the volume when nothing holds it back: the median of queue length / rate (Little)
 * over periods well below the limit; null with fewer than ten of them.
 */
function unthrottledSecondsPerIo(load: VolumeLoad, limits: VolumeLimits): number | null {
  const { queueLength } = load;
  if (queueLength === null) return null;
  const seconds: number[] = [];
  for (let i = 0; i < load.iops.length; i++) {
    const iops = load.iops[i] as number;
    const share = Math.max(iops / limits.baselineIops, (load.mibps[i] as number) / limits.baselineMiBps);
    const calm = iops > 0 && share < thresholds.microBurstAverageShare;
    if (calm && !Number.isNaN(queueLength[i] as number)) seconds.push((queueLength[i] as number) / iops);
  }
  return seconds.length < minUnthrottledPeriods ? null : median(seconds);
}

class VolumePeriods {
  readonly balance: Balance | null;
  private readonly limits: VolumeLimits;
  private readonly load: VolumeLoad;
  private readonly hdd: boolean;
  private readonly periodMinutes: number;
  private readonly secondsPerIo: number | null;
  private readonly stalledCheck: Float64Array | null;
  private readonly iopsCheck: Float64Array | null;
  private readonly throughputCheck: Float64Array | null;

  constructor(limits: VolumeLimits, load: VolumeLoad, metrics: MetricSet) {
    const column = (name: Parameters<MetricSet['get']>[0]): Float64Array | null => {
      const series = metrics.get(name);
      return series === undefined ? null : alignTo(load.epochSeconds, series);
    };
    this.limits = limits;
    this.load = load;
    this.hdd = isHdd(limits.volumeType);
    this.periodMinutes = load.periodSeconds / secondsPerMinute;
    this.balance = volumeBalance(limits, load, column('BurstBalance'));
    this.secondsPerIo = unthrottledSecondsPerIo(load, limits);
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

  /** Shares of the limits in force. Small sequential I/O merges on HDD, so there only bytes are sure. */
  private shares(i: number, iops: number, mibps: number): { iops: number; mibps: number } {
    const limit = this.limitAt(i);
    return {
      iops: this.hdd ? 0 : countedSsdIops(iops, mibps) / limit.iops,
      mibps: Number.isNaN(mibps) ? 0 : mibps / limit.mibps,
    };
  }

  /** Is more waiting than this rate needs? Without a queue metric nothing contradicts the rate. */
  private queueAgrees(i: number): boolean {
    const queue = this.load.queueLength?.[i];
    if (queue === undefined || Number.isNaN(queue)) return this.limits.approximate === undefined;
    const iops = this.load.iops[i] as number;
    return this.secondsPerIo === null
      ? queue >= Math.max(1, this.limitAt(i).iops / 1_000)
      : queue >= thresholds.queueTimesUnthrottled * this.secondsPerIo * iops;
  }

  /** Small random I/O on HDD costs 1 MiB each: at the limit by count, if a queue says that it did not merge. */
  private hddCountAtLimit(i: number): boolean {
    const iops = this.load.iops[i] as number;
    return (
      this.hdd &&
      this.load.queueLength !== null &&
      iops >= thresholds.atLimitShare * this.limitAt(i).iops &&
      this.queueAgrees(i)
    );
  }

  private checkedMinutes(i: number): number {
    const value = Math.max(this.iopsCheck?.[i] || 0, this.throughputCheck?.[i] || 0);
    return Math.min(value, this.periodMinutes);
  }

  /** What held the load back in period i, or null. */
  decide(i: number, instanceCauseAt: InstanceCauseAt): Decision | null {
    const { load, periodMinutes } = this;
    if (atLeastOne(this.stalledCheck, i)) {
      const minutes = Math.min(this.stalledCheck?.[i] ?? 1, periodMinutes);
      return { cause: 'stalled', minutes, proof: 'check' };
    }
    const share = this.shares(i, load.iops[i] as number, load.mibps[i] as number);
    const larger: Cause = share.mibps > share.iops ? 'volume-throughput' : 'volume-iops';
    const empty = isEmptyAt(this.balance, i);
    const iopsChecked = atLeastOne(this.iopsCheck, i);
    const throughputChecked = atLeastOne(this.throughputCheck, i);
    if (iopsChecked || throughputChecked) {
      const checked: Cause = iopsChecked ? 'volume-iops' : 'volume-throughput';
      const cause = empty ? 'volume-credits' : iopsChecked && throughputChecked ? larger : checked;
      return { cause, minutes: this.checkedMinutes(i), proof: 'check' };
    }
    const rateAtLimit = Math.max(share.iops, share.mibps) >= thresholds.atLimitShare;
    const hddCount = this.hddCountAtLimit(i);
    if (empty && (rateAtLimit || hddCount))
      return { cause: 'volume-credits', minutes: periodMinutes, proof: 'balance' };
    const byInstance = (load.ops[i] as number) > 0 ? instanceCauseAt(i) : null;
    if (byInstance !== null) return { ...byInstance, proof: 'check' };
    if ((rateAtLimit && this.queueAgrees(i)) || hddCount) {
      return { cause: hddCount ? 'volume-throughput' : larger, minutes: periodMinutes, proof: 'rate' };
    }
    const busy = this.shares(i, load.busyIops?.[i] ?? 0, load.busyMiBps?.[i] ?? 0);
    if (Math.max(busy.iops, busy.mibps) >= thresholds.atLimitShare && this.queueAgrees(i)) {
      const cause = empty ? 'volume-credits' : busy.mibps > busy.iops ? 'volume-throughput' : 'volume-iops';
      return { cause, minutes: Math.min(1, periodMinutes), proof: 'busy-rate' };
    }
    return null;
  }

  /** Do both limits bind at once? Then raising one of them alone changes nothing. */
  isAtBothLimits(i: number): boolean {
    const share = this.shares(i, this.load.iops[i] as number, this.load.mibps[i] as number);
    return Math.min(share.iops, share.mibps) >= thresholds.atLimitShare;
  }

  /** Even with all the period's load in its held-back minutes, was their average far below the limit? */
  isMicroBurst(i: number, { cause, minutes }: Decision): boolean {
    if (cause !== 'volume-iops' && cause !== 'volume-throughput') return false;
    const share = this.shares(i, this.load.iops[i] as number, this.load.mibps[i] as number);
    const average = cause === 'volume-iops' ? share.iops : share.mibps;
    return (average * this.periodMinutes) / minutes < thresholds.microBurstAverageShare;
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
