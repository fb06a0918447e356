/**
 * What an instance's own limits held back, period by period: by AWS's checks where it publishes them, else by the sum over
 * its volumes against its limits (Xen, bare metal, Outposts), else by a credit balance that stays empty. The balances
 * decide between its provisioned limit and its credits.
 */
import type { EbsFigures } from '../catalogue/instance-type.ts';
import { type InstanceCredits, instanceCredits } from '../credits/instance-credits.ts';
import type { MetricSet } from '../load/fleet-metrics.ts';
import { type MetricName, metricDefinitions } from '../load/metrics.ts';
import { alignTo, maximum, type Series, type TimeAxis, unionOfTimes } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { secondsPerMinute } from '../units.ts';
import { alsoBit, type Cause, causeCode, checkMinutes, type Proof, proofs } from './causes.ts';
import { type InstanceLoad, instanceLoad } from './instance-load.ts';
import { thresholds } from './thresholds.ts';

export interface InstanceSeen {
  metrics: MetricSet;
  /** Of its type, as its bandwidth is weighted; null where they are not known. */
  figures: EbsFigures | null;
  /** Of its volumes, as far as they are known. */
  loads: readonly VolumeLoad[];
  /** Volumes attached to it. */
  volumes: number;
}

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
  /** 1 where the sum is the limit itself: then it holds back even where nobody can tell whether a volume waits. */
  saturated: Uint8Array;
  load: InstanceLoad;
  balance: InstanceBalance;
  hasChecks: boolean;
  /** Nothing of what passes through it is unseen: it has checks or balances, or the load of each volume is known. */
  isWhole: boolean;
}

/** Percent of its two buckets; null where it has none, or where they are not known. */
interface InstanceBalance {
  io: Float64Array | null;
  bytes: Float64Array | null;
  /** 'modelled': none is published, so they are replayed from the sum over all its volumes, full at first. */
  source: 'published' | 'modelled' | 'none';
  /** Half of the published points are within so many of a replay from the load; null where there was none to compare. */
  replayDeviationPoints: number | null;
}

const present = (metrics: MetricSet, names: readonly MetricName[]): Series[] =>
  names.map((name) => metrics.get(name)).filter((series) => series !== undefined);

/** The axis that an instance is judged on: its checks', else its volumes' where they tell, else its balances'. */
function axisOf({ metrics, figures, loads }: InstanceSeen): TimeAxis | null {
  const checks = present(metrics, ['InstanceEBSIOPSExceededCheck', 'InstanceEBSThroughputExceededCheck']);
  const [load] = loads.toSorted((a, b) => a.periodSeconds - b.periodSeconds);
  if (checks.length === 0 && figures !== null && load !== undefined) return load;
  const judgedOn = checks.length > 0 ? checks : present(metrics, ['EBSIOBalance%', 'EBSByteBalance%']);
  const [first] = judgedOn;
  return first === undefined
    ? null
    : { epochSeconds: unionOfTimes(judgedOn), periodSeconds: first.periodSeconds };
}

const full = 100;
const balanceNames = ['EBSIOBalance%', 'EBSByteBalance%'] as const;

/** Both buckets replayed from what passed; null where that is not known of all its volumes, or never was above the baseline. */
function replayOf(
  { metrics, figures, volumes }: InstanceSeen,
  axis: TimeAxis,
  load: InstanceLoad,
): InstanceCredits | null {
  if (figures === null || load.volumes !== volumes) return null;
  const spends =
    (maximum(load.iops) ?? 0) > figures.baselineIops || (maximum(load.mibps) ?? 0) > figures.baselineMiBps;
  if (!spends) return null;
  const rates = { ...axis, iops: load.iops, mibps: load.mibps };
  const [io = full, bytes = full] = balanceNames.map((name) => metrics.get(name) ?? full);
  return instanceCredits(figures, rates, { io, bytes });
}

function balanceOf(seen: InstanceSeen, axis: TimeAxis, load: InstanceLoad): InstanceBalance {
  const [io = null, bytes = null] = balanceNames.map((name) => {
    const series = seen.metrics.get(name);
    return series === undefined ? null : alignTo(axis, series, metricDefinitions[name].statistic);
  });
  const replayed = replayOf(seen, axis, load);
  const deviations = [replayed?.io?.deviation, replayed?.bytes?.deviation].flatMap(
    (one) => one?.medianPoints ?? [],
  );
  const replayDeviationPoints = deviations.length === 0 ? null : Math.max(...deviations);
  if (io !== null || bytes !== null) return { io, bytes, source: 'published', replayDeviationPoints };
  if (replayed === null) return { io: null, bytes: null, source: 'none', replayDeviationPoints: null };
  return {
    io: replayed.io?.percent ?? null,
    bytes: replayed.bytes?.percent ?? null,
    source: 'modelled',
    replayDeviationPoints: null,
  };
}

const isEmpty = (balance: Float64Array | null, i: number): boolean =>
  balance !== null && (balance[i] as number) <= thresholds.emptyBalancePercent;

/** A balance that stays empty at the next point too, so many periods later, is being used up as fast as it refills. */
const staysEmpty = (balance: Float64Array | null, i: number, step: number): boolean =>
  balance !== null && isEmpty(balance, i) && (i + step >= balance.length || isEmpty(balance, i + step));

interface Decision {
  cause: Cause;
  also: number;
  minutes: number;
  proof: Proof;
}

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

  constructor(seen: InstanceSeen, axis: TimeAxis) {
    const { metrics, figures, loads } = seen;
    const column = (name: MetricName): Float64Array | null => {
      const series = metrics.get(name);
      return series === undefined ? null : alignTo(axis, series, metricDefinitions[name].statistic);
    };
    this.periodMinutes = axis.periodSeconds / secondsPerMinute;
    const balances = balanceNames.map((name) => metrics.get(name)?.periodSeconds ?? 0);
    this.balanceStep = Math.max(1, Math.round(Math.max(...balances) / axis.periodSeconds));
    this.load = instanceLoad(axis, metrics, loads);
    this.balance = balanceOf(seen, axis, this.load);
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
    return (rate[i] as number) / (isEmpty(balance, i) ? baseline : maximum);
  }

  /** Its credits, where they are gone and it does not do its maximum all the same; else the limit itself. */
  private causeOf(figure: Figure, i: number): Cause {
    const { rate, baseline, maximum, limitCause } = figure;
    const passes = rate[i] as number;
    const { atLimitShare, mostLimitShare } = thresholds;
    if (passes >= atLimitShare * maximum) return limitCause;
    // Held at its baseline: that is what is left without credits, whatever is known of the balance.
    const isAtBaseline = passes >= atLimitShare * baseline && passes <= mostLimitShare * baseline;
    const isUnpublished = this.balance.source !== 'published' && isAtBaseline;
    return isEmpty(figure.balance, i) || isUnpublished ? 'instance-credits' : limitCause;
  }

  private decision(bound: readonly Figure[], i: number, minutes: number, proof: Proof): Decision | null {
    const [first, second] = bound;
    if (first === undefined) return null;
    const isSecond = second !== undefined && this.shareAt(second, i) > this.shareAt(first, i);
    const cause = this.causeOf(isSecond ? second : first, i);
    const other = second && this.causeOf(isSecond ? first : second, i);
    const also = other === undefined || other === cause ? 0 : alsoBit(other);
    return { cause, also, minutes, proof };
  }

  private byCheck(i: number): Decision | null {
    const iops = checkMinutes(this.iops.check, i);
    const throughput = checkMinutes(this.throughput.check, i);
    const minutes = Math.min(this.periodMinutes, Math.max(iops, throughput));
    const bound = [...(iops > 0 ? [this.iops] : []), ...(throughput > 0 ? [this.throughput] : [])];
    return this.decision(throughput > iops ? bound.reverse() : bound, i, minutes, 'check');
  }

  /** Does the sum reach such a share of the limit in force or of the maximum, and is not above what a limit lets pass? */
  private isFrom(least: number, figure: Figure, i: number): boolean {
    const isNear = (share: number): boolean => share >= least && share <= thresholds.mostLimitShare;
    return isNear(this.shareAt(figure, i)) || isNear((figure.rate[i] as number) / figure.maximum);
  }

  isSaturated(i: number): boolean {
    const { saturatedShare } = thresholds;
    return this.isFrom(saturatedShare, this.iops, i) || this.isFrom(saturatedShare, this.throughput, i);
  }

  private bySum(i: number): Decision | null {
    const { atLimitShare } = thresholds;
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
    const { atLimitShare } = thresholds;
    if (this.shareAt(this.iops, i) >= atLimitShare || this.shareAt(this.throughput, i) >= atLimitShare)
      return false;
    return this.hasChecks || !(isEmpty(this.balance.io, i) || isEmpty(this.balance.bytes, i));
  }

  decide(i: number): Decision | null {
    if (this.isCheckedAt(i)) return this.byCheck(i);
    const found = this.byCheck(i) ?? this.bySum(i);
    const { io, bytes, source } = this.balance;
    if (found !== null || this.hasChecks || source !== 'published') return found;
    if (!staysEmpty(io, i, this.balanceStep) && !staysEmpty(bytes, i, this.balanceStep)) return null;
    return { cause: 'instance-credits', also: 0, minutes: this.periodMinutes, proof: 'balance' };
  }
}

const isWhole = ({ volumes }: InstanceSeen, { hasChecks, balance, load }: InstancePeriods): boolean =>
  hasChecks || balance.source === 'published' || load.volumes === volumes;

/** Null where nothing is known of it that tells. */
export function instanceEvidence(seen: InstanceSeen): InstanceEvidence | null {
  const axis = axisOf(seen);
  if (axis === null) return null;
  const periods = new InstancePeriods(seen, axis);
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
