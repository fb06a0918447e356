/**
 * Period by period: was this volume's load throttled, and by what? Two questions in this order: throttled (a check of 1,
 * an empty balance under load, the instance, a rate at the limit with a queue, an active-time rate at the limit)? By what
 * (balance before limit, the larger share of IOPS and MiB/s, the volume before its instance)? What else throttled it stands beside the cause. Why the queue is asked: docs/contribute/decisions/0003.
 */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { MetricSet } from '../load/fleet-metrics.ts';
import { columnsOf, type VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { type Balance, volumeBalance } from './balance.ts';
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
import { farFromLimits } from './far-from-limits.ts';
import type { InstanceOnAxis } from './instance-on-axis.ts';
import { OwnLimits } from './own-limits.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { VolumeShares } from './volume-shares.ts';

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
