/** What passes through an instance: the sum over its volumes, and what it publishes of all of them together. */

import { type InstanceCredits, instanceCredits } from '../credits/credits.ts';
import { type MetricName, type MetricSet, metricDefinitions } from '../load/metrics.ts';
import { alignTo, maximum, type Series, sameTimes, type TimeAxis, unionOfTimes } from '../load/series.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { mibFromBytes, secondsPerMinute } from '../units.ts';
import { alsoBit, type Cause, causeCode, checkMinutes, type Decision, type Proof, proofs } from './causes.ts';
import type { InstanceSeen } from './instance-seen.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';

/** One entry a period, per second: at least this passed; 0 where nothing is known of any volume. */
export interface InstanceLoad {
  iops: Float64Array;
  mibps: Float64Array;
  /** Volumes that are in the sums: those of another period are not. */
  volumes: number;
}

/** Where the periods of a load stand on the axis: every entry of both is visited once. */
function eachShared(axis: TimeAxis, load: TimeAxis, visit: (onAxis: number, ofLoad: number) => void): void {
  const [own, other] = [axis.epochSeconds, load.epochSeconds];
  for (let i = 0, j = 0; i < own.length && j < other.length; ) {
    const apart = (own[i] as number) - (other[j] as number);
    if (apart === 0) visit(i++, j++);
    else if (apart < 0) i++;
    else j++;
  }
}

/** Adds the volumes of the same period: longer ones say nothing of a minute. */
function addVolumes(axis: TimeAxis, loads: readonly VolumeLoad[], to: InstanceLoad): void {
  for (const load of loads) {
    if (load.periodSeconds !== axis.periodSeconds) continue;
    to.volumes++;
    const { iops, mibps } = load;
    const [sumIops, sumMiBps] = [to.iops, to.mibps];
    const add = (i: number, j: number): void => {
      const mib = mibps[j] as number;
      const counted = countedSsdIops(iops[j] as number, mib);
      if (counted > 0) sumIops[i] = (sumIops[i] as number) + counted;
      if (mib > 0) sumMiBps[i] = (sumMiBps[i] as number) + mib;
    };
    if (sameTimes(axis.epochSeconds, load.epochSeconds)) for (let i = 0; i < iops.length; i++) add(i, i);
    else eachShared(axis, load, add);
  }
}

/** Raises each period to what two counters of the instance say together, as an average over their own period. */
function raiseTo(
  axis: TimeAxis,
  series: readonly (Series | undefined)[],
  rates: Float64Array,
  unit: (value: number) => number,
): void {
  const [reads, writes] = series;
  if (reads === undefined || writes === undefined) return;
  // One point alone does not tell how long it stands for.
  if (reads.values.length < 2 || !sameTimes(reads.epochSeconds, writes.epochSeconds)) return;
  const { epochSeconds, values, periodSeconds } = reads;
  for (let i = 0, j = 0; i < rates.length && j < values.length; i++) {
    const from = axis.epochSeconds[i] as number;
    while (j + 1 < values.length && (epochSeconds[j + 1] as number) <= from) j++;
    const since = from - (epochSeconds[j] as number);
    if (since < 0 || since >= periodSeconds) continue;
    const rate = unit((values[j] as number) + (writes.values[j] as number)) / periodSeconds;
    if (rate > (rates[i] as number)) rates[i] = rate;
  }
}

/** @param metrics of the instance: EBSReadOps and the like, in points of its monitoring (one or five minutes). */
export function instanceLoad(axis: TimeAxis, metrics: MetricSet, loads: readonly VolumeLoad[]): InstanceLoad {
  const { length } = axis.epochSeconds;
  const load: InstanceLoad = { iops: new Float64Array(length), mibps: new Float64Array(length), volumes: 0 };
  addVolumes(axis, loads, load);
  const of = (...names: MetricName[]): (Series | undefined)[] => names.map((name) => metrics.get(name));
  raiseTo(axis, of('EBSReadOps', 'EBSWriteOps'), load.iops, (ops) => ops);
  raiseTo(axis, of('EBSReadBytes', 'EBSWriteBytes'), load.mibps, mibFromBytes);
  return load;
}

// The two EBS credit buckets of an instance: as published, else replayed from what passed.

/** Percent of its two buckets; null where it has none, or where they are not known. */
interface InstanceBalance {
  io: Float64Array | null;
  bytes: Float64Array | null;
  /** 'modelled': none is published, so they are replayed from the sum over all its volumes, full at first. */
  source: 'published' | 'modelled' | 'none';
  /** Half of the published points are within so many of a replay from the load; null where there was none to compare. */
  replayDeviationPoints: number | null;
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

function instanceBalance(seen: InstanceSeen, axis: TimeAxis, load: InstanceLoad): InstanceBalance {
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

/** @param emptyPercent at or below so much it counts as empty. */
const isEmpty = (balance: Float64Array | null, i: number, emptyPercent: number): boolean =>
  balance !== null && (balance[i] as number) <= emptyPercent;

/** A balance that stays empty at the next point too, so many periods later, is being used up as fast as it refills. */
const staysEmpty = (balance: Float64Array | null, i: number, step: number, emptyPercent: number): boolean =>
  balance !== null &&
  isEmpty(balance, i, emptyPercent) &&
  (i + step >= balance.length || isEmpty(balance, i + step, emptyPercent));

// What an instance's own limits throttled, period by period: by AWS's checks where it publishes them, else by the sum over
// its volumes against its limits (Xen, bare metal, Outposts), else by a credit balance that stays empty. The balances
// decide between its provisioned limit and its credits.

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
    const { atLimitShare, maxLimitShare } = fixedThresholds;
    if (passes >= atLimitShare * maximum) return limitCause;
    // Held at its baseline: that is what is left without credits, whatever is known of the balance.
    const isAtBaseline = passes >= atLimitShare * baseline && passes <= maxLimitShare * baseline;
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
    const isNear = (share: number): boolean => share >= least && share <= fixedThresholds.maxLimitShare;
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

// What an instance throttled, on the time axis of one of its volumes.

/** One entry a period of the volume; as in `InstanceEvidence`. */
export interface InstanceOnAxis {
  cause: Uint8Array;
  also: Uint16Array;
  minutes: Float64Array;
  proof: Uint8Array;
  /** 1 where the sum over the volumes is the limit itself, all the time that the cause throttled. */
  saturated: Uint8Array;
  /** False: some of what passes through the instance is unseen, so that it says nothing is no proof. */
  isWhole: boolean;
  /** Its figures stand for longer than a period of the volume: which of the periods it was, only the volume can tell. */
  isCoarse: boolean;
  /** The volume was seen to wait for the instance in this period. */
  feel: (period: number) => void;
}

/** Of the periods [from, to) of the evidence: the cause of the most minutes with its proof, all else beside it. */
function mostOf(evidence: InstanceEvidence, from: number, to: number) {
  const minutesOf = new Map<number, number>();
  const proofOf = new Map<number, number>();
  const found = { code: 0, also: 0, proof: 0, minutes: 0, saturated: 1 };
  for (let j = from; j < to; j++) {
    const code = evidence.cause[j] as number;
    if (code === 0) continue;
    minutesOf.set(code, (minutesOf.get(code) ?? 0) + (evidence.minutes[j] as number));
    proofOf.set(code, evidence.proof[j] as number);
    found.saturated &= evidence.saturated[j] as number;
    found.also |= (evidence.also[j] as number) | (1 << code);
  }
  let most = 0;
  for (const [code, minutes] of minutesOf) {
    if (minutes > most) found.code = code;
    most = Math.max(most, minutes);
    found.minutes += minutes;
  }
  found.also &= ~(1 << found.code);
  found.proof = proofOf.get(found.code) ?? 0;
  return found;
}

const nothingThrottled = (length: number) => ({
  cause: new Uint8Array(length),
  also: new Uint16Array(length),
  minutes: new Float64Array(length),
  proof: new Uint8Array(length),
  saturated: new Uint8Array(length),
});

/** The periods of the evidence inside each of the volume's. */
function gather(evidence: InstanceEvidence, axis: TimeAxis): InstanceOnAxis {
  const { length } = axis.epochSeconds;
  const periodMinutes = axis.periodSeconds / secondsPerMinute;
  const view = nothingThrottled(length);
  const first = new Int32Array(length);
  const after = new Int32Array(length);
  for (let i = 0, j = 0; i < length; i++) {
    const from = axis.epochSeconds[i] as number;
    while (j < evidence.cause.length && (evidence.epochSeconds[j] as number) < from) j++;
    first[i] = j;
    const to = from + axis.periodSeconds;
    while (j < evidence.cause.length && (evidence.epochSeconds[j] as number) < to) j++;
    after[i] = j;
    const found = mostOf(evidence, first[i] as number, j);
    view.cause[i] = found.code;
    view.also[i] = found.also;
    view.proof[i] = found.proof;
    view.saturated[i] = found.code === 0 ? 0 : found.saturated;
    view.minutes[i] = Math.min(periodMinutes, found.minutes);
  }
  const feel = (i: number): void => {
    evidence.felt.fill(1, first[i] as number, after[i] as number);
  };
  return { ...view, isWhole: evidence.isWhole, isCoarse: false, feel };
}

/** Each period of the volume gets what the longer one of the evidence says. */
function spread(evidence: InstanceEvidence, axis: TimeAxis): InstanceOnAxis {
  const { length } = axis.epochSeconds;
  const periodMinutes = axis.periodSeconds / secondsPerMinute;
  const view = nothingThrottled(length);
  const at = new Int32Array(length).fill(-1);
  for (let i = 0, j = 0; i < length && evidence.cause.length > 0; i++) {
    const from = axis.epochSeconds[i] as number;
    while (j + 1 < evidence.cause.length && (evidence.epochSeconds[j + 1] as number) <= from) j++;
    const since = from - (evidence.epochSeconds[j] as number);
    if (since < 0 || since >= evidence.periodSeconds || evidence.cause[j] === 0) continue;
    at[i] = j;
    view.cause[i] = evidence.cause[j] as number;
    view.also[i] = evidence.also[j] as number;
    view.minutes[i] = Math.min(periodMinutes, evidence.minutes[j] as number);
    view.proof[i] = evidence.proof[j] as number;
    view.saturated[i] = evidence.saturated[j] as number;
  }
  const feel = (i: number): void => {
    if ((at[i] as number) >= 0) evidence.felt[at[i] as number] = 1;
  };
  return { ...view, isWhole: evidence.isWhole, isCoarse: true, feel };
}

export function instanceOnAxis(evidence: InstanceEvidence, axis: TimeAxis): InstanceOnAxis {
  if (evidence.periodSeconds > axis.periodSeconds) return spread(evidence, axis);
  if (evidence.periodSeconds < axis.periodSeconds || !sameTimes(evidence.epochSeconds, axis.epochSeconds))
    return gather(evidence, axis);
  const { cause, also, minutes, proof, felt, saturated, isWhole } = evidence;
  const feel = (i: number): void => {
    felt[i] = 1;
  };
  return { cause, also, minutes, proof, saturated, isWhole, isCoarse: false, feel };
}
