/** What passes through an instance: the sum over its volumes, and what it publishes of all of them together. */

import { type InstanceCredits, instanceCredits } from '../credits/credits.ts';
import { ssdMiBPerIo } from '../limits/volume-limits.ts';
import { type MetricName, type MetricSet, metricDefinitions } from '../load/metrics.ts';
import {
  alignTo,
  minimum,
  type Series,
  sameTimes,
  type TimeAxis,
  topOf,
  unionOfTimes,
} from '../load/series.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { mibFromBytes, secondsPerMinute } from '../units.ts';
import { alsoBit, type Cause, causeCode, checkMinutes, type Decision, type Proof, proofs } from './causes.ts';
import type { InstanceSeen } from './instance-seen.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';

/** One entry a period, per second: at least this passed; 0 where nothing is known of any volume. */
export interface InstanceLoad {
  /** Added up where somebody asks for them: most instances are far from their limits. */
  readonly iops: Float64Array;
  readonly mibps: Float64Array;
  /** Volumes that are in the sums: those of another period are not. */
  volumes: number;
  /** It is never above these: known without the sums. */
  atMost: { iops: number; mibps: number };
}

type Sums = Pick<InstanceLoad, 'iops' | 'mibps'>;

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

/** A quarter of a MiB counts as one operation: exact, as it is a power of two. */
const unitsPerMiB = 1 / ssdMiBPerIo;

function addVolumes(axis: TimeAxis, loads: readonly VolumeLoad[], to: Sums): void {
  for (const load of loads) {
    if (sameTimes(axis.epochSeconds, load.epochSeconds)) addAligned(load, to);
    else eachShared(axis, load, (i, j) => addPeriod(load, j, to, i));
  }
}

function addPeriod({ iops, mibps }: VolumeLoad, j: number, to: Sums, i: number): void {
  const mib = mibps[j] as number;
  const counted = countedSsdIops(iops[j] as number, mib);
  if (counted > 0) to.iops[i] = (to.iops[i] as number) + counted;
  if (mib > 0) to.mibps[i] = (to.mibps[i] as number) + mib;
}

/** The same of all periods, where they are those of the axis: most loads are, and there are tens of millions of periods. */
function addAligned({ iops, mibps }: VolumeLoad, to: Sums): void {
  const { iops: sumIops, mibps: sumMiBps } = to;
  for (let i = 0; i < iops.length; i++) {
    const rate = iops[i] as number;
    const mib = mibps[i] as number;
    const byBytes = mib * unitsPerMiB;
    const counted = byBytes > rate ? byBytes : rate;
    if (counted > 0) sumIops[i] = (sumIops[i] as number) + counted;
    if (mib > 0) sumMiBps[i] = (sumMiBps[i] as number) + mib;
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

/** Of a load the highest, as an SSD counts it: no period has more. */
const topCounted = ({ iops, mibps }: VolumeLoad): number => Math.max(topOf(iops), topOf(mibps) * unitsPerMiB);

const totalOf = (loads: readonly VolumeLoad[], of: (load: VolumeLoad) => number): number =>
  loads.reduce((total, load) => total + Math.max(0, of(load)), 0);

/** @param metrics of the instance: EBSReadOps and the like, in points of its monitoring (one or five minutes). */
export function instanceLoad(axis: TimeAxis, metrics: MetricSet, loads: readonly VolumeLoad[]): InstanceLoad {
  // Longer periods say nothing of a minute.
  const added = loads.filter(({ periodSeconds }) => periodSeconds === axis.periodSeconds);
  const counters = (...names: MetricName[]): (Series | undefined)[] => names.map((name) => metrics.get(name));
  const [ofOps, ofBytes] = [counters('EBSReadOps', 'EBSWriteOps'), counters('EBSReadBytes', 'EBSWriteBytes')];
  const sum = (): Sums => {
    const { length } = axis.epochSeconds;
    const sums = { iops: new Float64Array(length), mibps: new Float64Array(length) };
    addVolumes(axis, added, sums);
    raiseTo(axis, ofOps, sums.iops, (ops) => ops);
    raiseTo(axis, ofBytes, sums.mibps, mibFromBytes);
    return sums;
  };
  let sums: Sums | undefined;
  const summed = (): Sums => {
    sums ??= sum();
    return sums;
  };
  const isCounted = [...ofOps, ...ofBytes].some((series) => series !== undefined);
  return {
    volumes: added.length,
    get iops() {
      return summed().iops;
    },
    get mibps() {
      return summed().mibps;
    },
    atMost: isCounted
      ? { iops: topOf(summed().iops), mibps: topOf(summed().mibps) }
      : { iops: totalOf(added, topCounted), mibps: totalOf(added, ({ mibps }) => topOf(mibps)) },
  };
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
  const { atMost } = load;
  if (atMost.iops <= figures.baselineIops && atMost.mibps <= figures.baselineMiBps) return null;
  const spends = topOf(load.iops) > figures.baselineIops || topOf(load.mibps) > figures.baselineMiBps;
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

/** What passed in a period, as shares of the limits in force; NaN where those are not known. */
export interface InstanceShares {
  iops(period: number): number;
  throughput(period: number): number;
}

/** One entry a period of its own axis. */
export interface InstanceEvidence extends TimeAxis {
  /** `causeCode`: none, or one of the instance's causes. */
  cause: Uint8Array;
  /** Any cause is one. */
  isAnyThrottled: boolean;
  /** Bits as `alsoBit` says. */
  also: Uint16Array;
  minutes: Float64Array;
  /** The position in `proofs`. */
  proof: Uint8Array;
  /** 1 where one of its volumes was seen to wait for it. */
  felt: Uint8Array;
  /** 1 where the sum is the limit itself: then it throttles even where nobody can tell whether a volume waits. */
  saturated: Uint8Array;
  /** 1 where what passed in the throttled minutes stayed far below the limit: throttled for seconds. */
  microBurst: Uint8Array;
  /** Of its limits in force; null where not all of its volumes are in the sums. */
  readonly shares: InstanceShares | null;
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
  readonly rate: Float64Array;
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
    const load = instanceLoad(axis, metrics, loads);
    this.load = load;
    this.balance = instanceBalance(seen, axis, load);
    this.iops = {
      limitCause: 'instance-iops',
      check: column('InstanceEBSIOPSExceededCheck'),
      balance: this.balance.io,
      get rate() {
        return load.iops;
      },
      baseline: figures?.baselineIops ?? Number.NaN,
      maximum: figures?.maximumIops ?? Number.NaN,
    };
    this.throughput = {
      limitCause: 'instance-throughput',
      check: column('InstanceEBSThroughputExceededCheck'),
      balance: this.balance.bytes,
      get rate() {
        return load.mibps;
      },
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
    const { rate, maximum, limitCause } = figure;
    const passes = rate[i] as number;
    if (passes >= fixedThresholds.atLimitShare * maximum) return limitCause;
    const isOut = isEmpty(figure.balance, i, this.emptyPercent) || this.isHeldAtBaseline(figure, i);
    return isOut ? 'instance-credits' : limitCause;
  }

  /** That is what is left without credits, whatever is known of the balance. */
  private isHeldAtBaseline({ rate, baseline }: Figure, i: number): boolean {
    const passes = rate[i] as number;
    const { atLimitShare, maxLimitShare } = fixedThresholds;
    const isAtBaseline = passes >= atLimitShare * baseline && passes <= maxLimitShare * baseline;
    return this.balance.source !== 'published' && isAtBaseline;
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
    const bound = [this.iops, this.throughput].filter(
      (figure) => this.isFrom(atLimitShare, figure, i) || this.isHeldAtBaseline(figure, i),
    );
    return this.decision(bound, i, this.periodMinutes, 'rate');
  }

  private isCheckedAt(i: number): boolean {
    const { check } = this.iops;
    return check !== null && !Number.isNaN(check[i]) && this.throughput.check !== null;
  }

  shares(): InstanceShares {
    return { iops: (i) => this.shareAt(this.iops, i), throughput: (i) => this.shareAt(this.throughput, i) };
  }

  /** Most instances never come near a limit, and then no period needs a look: no check, no empty balance, never near a limit. */
  get isQuietThroughout(): boolean {
    const { iops, throughput, load } = this;
    const isQuietBeside = ({ check, balance }: Figure): boolean =>
      (check === null || topOf(check) <= 0) &&
      (balance === null || (minimum(balance) ?? full) > this.emptyPercent);
    // Below the lower of both limits it is neither, whatever is left of its credits.
    const lowestOf = ({ baseline, maximum }: Figure): number =>
      fixedThresholds.atLimitShare * Math.min(baseline, maximum);
    const isNeverNear = load.atMost.iops < lowestOf(iops) && load.atMost.mibps < lowestOf(throughput);
    return isNeverNear && isQuietBeside(iops) && isQuietBeside(throughput);
  }

  /** Can nothing of it point at a limit? */
  isQuiet(i: number): boolean {
    if (checkMinutes(this.iops.check, i) > 0 || checkMinutes(this.throughput.check, i) > 0) return false;
    if (this.isCheckedAt(i)) return !this.isOut(this.iops, i) && !this.isOut(this.throughput, i);
    const { atLimitShare } = fixedThresholds;
    if (this.shareAt(this.iops, i) >= atLimitShare || this.shareAt(this.throughput, i) >= atLimitShare)
      return false;
    if (this.isHeldAtBaseline(this.iops, i) || this.isHeldAtBaseline(this.throughput, i)) return false;
    const { io, bytes } = this.balance;
    return this.hasChecks || !(isEmpty(io, i, this.emptyPercent) || isEmpty(bytes, i, this.emptyPercent));
  }

  /** A published balance is empty, and stays so, at the baseline: AWS does not say how much of a minute a check of 1 needs. */
  private isOut(figure: Figure, i: number): boolean {
    return (
      this.balance.source === 'published' &&
      staysEmpty(figure.balance, i, this.balanceStep, this.emptyPercent) &&
      this.isFrom(fixedThresholds.atLimitShare, figure, i)
    );
  }

  /** Where checks of 0 say no: it counts where a volume waits. */
  private byEmptyBalance(i: number): Found | null {
    const out = [this.iops, this.throughput].filter((figure) => this.isOut(figure, i));
    return this.decision(out, i, this.periodMinutes, 'rate');
  }

  decide(i: number): Found | null {
    if (this.isCheckedAt(i)) return this.byCheck(i) ?? this.byEmptyBalance(i);
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

/** Even with all that passed in its throttled minutes, was their average far below the limit? */
function isMicroBurst(
  { cause, minutes }: Found,
  { shares, periodSeconds }: Pick<InstanceEvidence, 'shares' | 'periodSeconds'>,
  i: number,
  { microBurstAverageShare }: Thresholds,
): boolean {
  if (shares === null || (cause !== 'instance-iops' && cause !== 'instance-throughput')) return false;
  const share = cause === 'instance-iops' ? shares.iops(i) : shares.throughput(i);
  return (share * (periodSeconds / secondsPerMinute)) / minutes < microBurstAverageShare;
}

const nothingThrottled = (length: number) => ({
  cause: new Uint8Array(length),
  isAnyThrottled: false,
  also: new Uint16Array(length),
  minutes: new Float64Array(length),
  proof: new Uint8Array(length),
  felt: new Uint8Array(length),
  saturated: new Uint8Array(length),
  microBurst: new Uint8Array(length),
});

/** Of an instance that throttled nothing: all of one length have the same columns, which nobody writes. */
let sharedNothing = nothingThrottled(0);

/** Null where nothing is known of it that tells. */
export function instanceEvidence(seen: InstanceSeen, thresholds: Thresholds): InstanceEvidence | null {
  const axis = axisOf(seen);
  if (axis === null) return null;
  const periods = new InstancePeriods(seen, axis, thresholds);
  const { length } = axis.epochSeconds;
  const { isQuietThroughout } = periods;
  if (isQuietThroughout && sharedNothing.cause.length !== length) sharedNothing = nothingThrottled(length);
  const evidence: InstanceEvidence = {
    periodSeconds: axis.periodSeconds,
    epochSeconds: axis.epochSeconds,
    ...(isQuietThroughout ? sharedNothing : nothingThrottled(length)),
    shares: periods.load.volumes === seen.volumes ? periods.shares() : null,
    load: periods.load,
    balance: periods.balance,
    hasChecks: periods.hasChecks,
    isWhole: isWhole(seen, periods),
  };
  for (let i = 0; i < length && !isQuietThroughout; i++) {
    const found = periods.isQuiet(i) ? null : periods.decide(i);
    if (found === null) continue;
    evidence.isAnyThrottled = true;
    evidence.cause[i] = causeCode[found.cause];
    evidence.also[i] = found.also;
    evidence.minutes[i] = found.minutes;
    evidence.proof[i] = proofs.indexOf(found.proof);
    evidence.saturated[i] = periods.isSaturated(i) ? 1 : 0;
    evidence.microBurst[i] = isMicroBurst(found, evidence, i, thresholds) ? 1 : 0;
  }
  return evidence;
}
