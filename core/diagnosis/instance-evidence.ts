/**
 * What an instance's own limits throttled, period by period: by AWS's checks where it publishes them, else by the sum over
 * its volumes against its limits (Xen, bare metal, Outposts), else by a credit balance that stays empty. The balances
 * decide between its provisioned limit and its credits.
 */
import type { MetricSet } from '../load/fleet-metrics.ts';
import { type MetricName, metricDefinitions } from '../load/metrics.ts';
import { alignTo, type Series, type TimeAxis, unionOfTimes } from '../load/series.ts';
import { secondsPerMinute } from '../units.ts';
import { alsoBit, type Cause, causeCode, checkMinutes, type Decision, type Proof, proofs } from './causes.ts';
import {
  balanceNames,
  type InstanceBalance,
  instanceBalance,
  isEmpty,
  staysEmpty,
} from './instance-balance.ts';
import { type InstanceLoad, instanceLoad } from './instance-load.ts';
import type { InstanceSeen } from './instance-seen.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';

/** One entry a period of its own axis. */
export interface InstanceEvidence extends TimeAxis {
  /** `causeCode`: none, or one of the instance's causes. */
  cause: Uint8Array;
  /** Bits as `alsoBit` says. */
  also: Uint16Array;
  minutes: Float64Array;
  /** The position in `proofs`. */
  proof: Uint8Array;
  /** 1 where one of its volumes was seen to wait for it. */
  felt: Uint8Array;
  /** 1 where the sum is the limit itself: then it throttles even where nobody can tell whether a volume waits. */
  saturated: Uint8Array;
  load: InstanceLoad;
  balance: InstanceBalance;
  hasChecks: boolean;
  /** Nothing of what passes through it is unseen: it has checks or balances, or the load of each volume is known. */
  isWhole: boolean;
}

const present = (metrics: MetricSet, names: readonly MetricName[]): Series[] =>
  names.map((name) => metrics.get(name)).filter((series) => series !== undefined);

/** The axis that an instance is evaluated on: its checks', else its volumes' where they tell, else its balances'. */
function axisOf({ metrics, figures, loads }: InstanceSeen): TimeAxis | null {
  const checks = present(metrics, ['InstanceEBSIOPSExceededCheck', 'InstanceEBSThroughputExceededCheck']);
  const [load] = loads.toSorted((a, b) => a.periodSeconds - b.periodSeconds);
  if (checks.length === 0 && figures !== null && load !== undefined) return load;
  const evaluatedOn = checks.length > 0 ? checks : present(metrics, ['EBSIOBalance%', 'EBSByteBalance%']);
  const [first] = evaluatedOn;
  return first === undefined
    ? null
    : { epochSeconds: unionOfTimes(evaluatedOn), periodSeconds: first.periodSeconds };
}

/** What a period shows; how sure it is depends on the volume that asks. */
type Found = Omit<Decision, 'confidence'>;

/** One of the two figures that an instance limits. */
interface Figure {
  limitCause: Cause;
  check: Float64Array | null;
  balance: Float64Array | null;
  rate: Float64Array;
  baseline: number;
  maximum: number;
}

class InstancePeriods {
  readonly balance: InstanceEvidence['balance'];
  readonly load: InstanceLoad;
  readonly hasChecks: boolean;
  private readonly periodMinutes: number;
  /** Periods from one published point of a balance to the next. */
  private readonly balanceStep: number;
  private readonly iops: Figure;
  private readonly throughput: Figure;
  private readonly emptyPercent: number;

  constructor(seen: InstanceSeen, axis: TimeAxis, { emptyBalancePercent }: Thresholds) {
    const { metrics, figures, loads } = seen;
    const column = (name: MetricName): Float64Array | null => {
      const series = metrics.get(name);
      return series === undefined ? null : alignTo(axis, series, metricDefinitions[name].statistic);
    };
    this.emptyPercent = emptyBalancePercent;
    this.periodMinutes = axis.periodSeconds / secondsPerMinute;
    const balances = balanceNames.map((name) => metrics.get(name)?.periodSeconds ?? 0);
    this.balanceStep = Math.max(1, Math.round(Math.max(...balances) / axis.periodSeconds));
    this.load = instanceLoad(axis, metrics, loads);
    this.balance = instanceBalance(seen, axis, this.load);
    this.iops = {
      limitCause: 'instance-iops',
      check: column('InstanceEBSIOPSExceededCheck'),
      balance: this.balance.io,
      rate: this.load.iops,
      baseline: figures?.baselineIops ?? Number.NaN,
      maximum: figures?.maximumIops ?? Number.NaN,
    };
    this.throughput = {
      limitCause: 'instance-throughput',
      check: column('InstanceEBSThroughputExceededCheck'),
      balance: this.balance.bytes,
      rate: this.load.mibps,
      baseline: figures?.baselineMiBps ?? Number.NaN,
      maximum: figures?.maximumMiBps ?? Number.NaN,
    };
    this.hasChecks = this.iops.check !== null || this.throughput.check !== null;
  }

  /** Share of the limit in force; NaN where the limit or the load is not known. */
  private shareAt({ balance, rate, baseline, maximum }: Figure, i: number): number {
    return (rate[i] as number) / (isEmpty(balance, i, this.emptyPercent) ? baseline : maximum);
  }

  /** Its credits, where they are gone and it does not do its maximum all the same; else the limit itself. */
  private causeOf(figure: Figure, i: number): Cause {
    const { rate, baseline, maximum, limitCause } = figure;
    const passes = rate[i] as number;
    const { atLimitShare, mostLimitShare } = fixedThresholds;
    if (passes >= atLimitShare * maximum) return limitCause;
    // Held at its baseline: that is what is left without credits, whatever is known of the balance.
    const isAtBaseline = passes >= atLimitShare * baseline && passes <= mostLimitShare * baseline;
    const isUnpublished = this.balance.source !== 'published' && isAtBaseline;
    return isEmpty(figure.balance, i, this.emptyPercent) || isUnpublished ? 'instance-credits' : limitCause;
  }

  private decision(bound: readonly Figure[], i: number, minutes: number, proof: Proof): Found | null {
    const [first, second] = bound;
    if (first === undefined) return null;
    const isSecond = second !== undefined && this.shareAt(second, i) > this.shareAt(first, i);
    const cause = this.causeOf(isSecond ? second : first, i);
    const other = second && this.causeOf(isSecond ? first : second, i);
    const also = other === undefined || other === cause ? 0 : alsoBit(other);
    return { cause, also, minutes, proof };
  }

  private byCheck(i: number): Found | null {
    const iops = checkMinutes(this.iops.check, i);
    const throughput = checkMinutes(this.throughput.check, i);
    const minutes = Math.min(this.periodMinutes, Math.max(iops, throughput));
    const bound = [...(iops > 0 ? [this.iops] : []), ...(throughput > 0 ? [this.throughput] : [])];
    return this.decision(throughput > iops ? bound.reverse() : bound, i, minutes, 'check');
  }

  /** Does the sum reach such a share of the limit in force or of the maximum, and is not above what a limit lets pass? */
  private isFrom(least: number, figure: Figure, i: number): boolean {
    const isNear = (share: number): boolean => share >= least && share <= fixedThresholds.mostLimitShare;
    return isNear(this.shareAt(figure, i)) || isNear((figure.rate[i] as number) / figure.maximum);
  }

  isSaturated(i: number): boolean {
    const { saturatedShare } = fixedThresholds;
    return this.isFrom(saturatedShare, this.iops, i) || this.isFrom(saturatedShare, this.throughput, i);
  }

  private bySum(i: number): Found | null {
    const { atLimitShare } = fixedThresholds;
    const bound = [this.iops, this.throughput].filter((figure) => this.isFrom(atLimitShare, figure, i));
    return this.decision(bound, i, this.periodMinutes, 'rate');
  }

  private isCheckedAt(i: number): boolean {
    const { check } = this.iops;
    return check !== null && !Number.isNaN(check[i]) && this.throughput.check !== null;
  }

  /** Nothing of it points at a limit: most periods end here. */
  isQuiet(i: number): boolean {
    if (checkMinutes(this.iops.check, i) > 0 || checkMinutes(this.throughput.check, i) > 0) return false;
    if (this.isCheckedAt(i)) return true;
    const { atLimitShare } = fixedThresholds;
    if (this.shareAt(this.iops, i) >= atLimitShare || this.shareAt(this.throughput, i) >= atLimitShare)
      return false;
    const { io, bytes } = this.balance;
    return this.hasChecks || !(isEmpty(io, i, this.emptyPercent) || isEmpty(bytes, i, this.emptyPercent));
  }

  decide(i: number): Found | null {
    if (this.isCheckedAt(i)) return this.byCheck(i);
    const found = this.byCheck(i) ?? this.bySum(i);
    const { io, bytes, source } = this.balance;
    if (found !== null || this.hasChecks || source !== 'published') return found;
    const stays = (balance: Float64Array | null): boolean =>
      staysEmpty(balance, i, this.balanceStep, this.emptyPercent);
    if (!stays(io) && !stays(bytes)) return null;
    return { cause: 'instance-credits', also: 0, minutes: this.periodMinutes, proof: 'balance' };
  }
}

const isWhole = ({ volumes }: InstanceSeen, { hasChecks, balance, load }: InstancePeriods): boolean =>
  hasChecks || balance.source === 'published' || load.volumes === volumes;

/** Null where nothing is known of it that tells. */
export function instanceEvidence(seen: InstanceSeen, thresholds: Thresholds): InstanceEvidence | null {
  const axis = axisOf(seen);
  if (axis === null) return null;
  const periods = new InstancePeriods(seen, axis, thresholds);
  const { length } = axis.epochSeconds;
  const evidence: InstanceEvidence = {
    periodSeconds: axis.periodSeconds,
    epochSeconds: axis.epochSeconds,
    cause: new Uint8Array(length),
    also: new Uint16Array(length),
    minutes: new Float64Array(length),
    proof: new Uint8Array(length),
    felt: new Uint8Array(length),
    saturated: new Uint8Array(length),
    load: periods.load,
    balance: periods.balance,
    hasChecks: periods.hasChecks,
    isWhole: isWhole(seen, periods),
  };
  for (let i = 0; i < length; i++) {
    const found = periods.isQuiet(i) ? null : periods.decide(i);
    if (found === null) continue;
    evidence.cause[i] = causeCode[found.cause];
    evidence.also[i] = found.also;
    evidence.minutes[i] = found.minutes;
    evidence.proof[i] = proofs.indexOf(found.proof);
    evidence.saturated[i] = periods.isSaturated(i) ? 1 : 0;
  }
  return evidence;
}
