/** Burst credits of volumes and instances: replayed against what is published, and when they run out. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { BadInput } from '../errors.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { Series, TimeAxis } from '../load/series.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';

// How far a replayed balance is from the published one.

export interface Deviation {
  /** Median of the absolute differences in percentage points, to a tenth of a point. */
  medianPoints: number;
  largestPoints: number;
  /** Published points that were compared. */
  comparedPoints: number;
}

const binsPerPoint = 10;
const mostPoints = 100;

/** Absolute differences by tenths of a point: a median without sorting. */
export class DeviationTally {
  private readonly bins = new Uint32Array(mostPoints * binsPerPoint + 1);
  private largest = 0;
  private count = 0;

  /** Both in percent; where either is unknown (NaN) there is nothing to compare. */
  add(replayed: number, published: number): void {
    const points = Math.abs(replayed - published);
    if (!(points <= mostPoints)) return;
    const bin = Math.round(points * binsPerPoint);
    this.bins[bin] = (this.bins[bin] as number) + 1;
    if (points > this.largest) this.largest = points;
    this.count++;
  }

  /** Null where nothing was compared. Of an even number the lower of the two in the middle. */
  result(): Deviation | null {
    if (this.count === 0) return null;
    let bin = 0;
    for (let seen = this.bins[0] as number; seen * 2 < this.count; seen += this.bins[bin] as number) bin++;
    const largestPoints = Math.round(this.largest * binsPerPoint) / binsPerPoint;
    return { medianPoints: bin / binsPerPoint, largestPoints, comparedPoints: this.count };
  }
}

// A bucket replayed from the rate that spends it, known as one mean a period. What a period earns and spends in turns is
// exact but where the bucket is full or empty for a part of it: the replay is off by at most half a period at the burst's
// rate, period / 2 x burst / capacity, however long it runs. On gp2 3,000 x 30 s / 5.4 million = 1.7 points from sums of a
// minute and 8.4 from sums of five. Tested against the truth of every second in test/core/credits.

/** Credits at the start of a period: the whole replay passes through them. */
export interface Start {
  period: number;
  credits: number;
}

export const fullAtFirst = ({ capacity }: CreditBucket): Start => ({ period: 0, credits: capacity });

/**
 * Credits that each period earns (positive) or spends, were the bucket neither full nor empty.
 * @param ratePerSecond one mean rate a period in the bucket's unit; an unknown one (NaN) neither spends nor earns.
 */
export function creditChanges(
  { baselinePerSecond, burstPerSecond, refillFactor }: CreditBucket,
  ratePerSecond: Float64Array,
  periodSeconds: number,
): Float64Array {
  const changes = new Float64Array(ratePerSecond.length);
  const earned = refillFactor * periodSeconds;
  const mostSpent = baselinePerSecond - burstPerSecond;
  for (let i = 0; i < changes.length; i++) {
    const unused = baselinePerSecond - (ratePerSecond[i] as number);
    if (unused > 0) changes[i] = unused * earned;
    else if (unused < 0) changes[i] = Math.max(mostSpent, unused) * periodSeconds;
  }
  return changes;
}

/**
 * The start at which the balance comes as low as was published over some periods.
 * @param lowestPercent the Minimum over all of them.
 */
export function startFromLowest(
  { capacity }: CreditBucket,
  changes: Float64Array,
  { period, periods, lowestPercent }: { period: number; periods: number; lowestPercent: number },
): Start {
  let change = 0;
  let lowest = 0;
  for (let i = period; i < period + periods; i++) {
    change += changes[i] as number;
    if (change < lowest) lowest = change;
  }
  return { period, credits: Math.min(capacity, (lowestPercent / 100) * capacity - lowest) };
}

/**
 * The lowest balance of each period in percent, as the statistic Minimum of a published one: that of its start where it
 * earned, of its end where it spent. Before the start what was spent is added back and nothing that was earned is taken
 * off, since a bucket that is full earns in vain: there the balance was at most so high.
 */
export function replayPercent({ capacity }: CreditBucket, changes: Float64Array, start: Start): Float64Array {
  const percent = new Float64Array(changes.length);
  const percentPerCredit = 100 / capacity;
  let { credits } = start;
  for (let i = start.period; i < changes.length; i++) {
    const change = changes[i] as number;
    if (change < 0) credits = Math.max(0, credits + change);
    percent[i] = credits * percentPerCredit;
    if (change > 0) credits = Math.min(capacity, credits + change);
  }
  credits = start.credits;
  for (let i = start.period - 1; i >= 0; i--) {
    percent[i] = credits * percentPerCredit;
    const change = changes[i] as number;
    if (change < 0) credits = Math.min(capacity, credits - change);
  }
  return percent;
}

/**
 * What was published, and in between the replay from the last published point on.
 * @param published the Minimum of each period in percent, NaN where nothing was published.
 * @param replayed up to the start, which is the first published point, it is taken as it is.
 */
export function replayBetween(
  { capacity }: CreditBucket,
  changes: Float64Array,
  published: Float64Array,
  { replayed, start }: { replayed: Float64Array; start: Start },
): Float64Array {
  const percent = replayed.slice();
  const percentPerCredit = 100 / capacity;
  let { credits } = start;
  for (let i = start.period; i < percent.length; i++) {
    const change = changes[i] as number;
    const notified = published[i] as number;
    if (!Number.isNaN(notified)) credits = notified / percentPerCredit;
    else if (change < 0) credits = Math.max(0, credits + change);
    percent[i] = Number.isNaN(notified) ? credits * percentPerCredit : notified;
    if (change > 0) credits = Math.min(capacity, credits + change);
  }
  return percent;
}

// Burst credits of gp2 (I/O operations), st1 and sc1 (MiB).
// Credits are spent at (rate - baseline) and earned back at (baseline - rate) per second, within the bucket.
// Source: EBS user guide, general-purpose and hdd-vols. Its gp2 prose says "3 credits per GiB per second", its table
// refills at the baseline (100 a second up to 33 GiB): the table is followed.

/** A bucket with its rates in its own unit: I/O and IOPS, or MiB and MiB/s. */
export interface CreditBucket {
  unit: 'io' | 'mib';
  capacity: number;
  baselinePerSecond: number;
  burstPerSecond: number;
  /** Credits earned for each unit of the baseline that is not used: 1 on volumes. */
  refillFactor: number;
}

/** The bucket of a volume, or null where it has none (on a large st1 or sc1 the two rates can be equal). */
export function creditBucket(limits: VolumeLimits): CreditBucket | null {
  if (limits.bucket === null) return null;
  const bucket = { ...limits.bucket, refillFactor: 1 };
  return bucket.unit === 'io'
    ? { ...bucket, baselinePerSecond: limits.baselineIops, burstPerSecond: limits.burstIops }
    : { ...bucket, baselinePerSecond: limits.baselineMiBps, burstPerSecond: limits.burstMiBps };
}

/** Credits earned (positive) or spent (negative) in a second at a rate; unknown (NaN) at an unknown rate. */
export function changePerSecond(bucket: CreditBucket, ratePerSecond: number): number {
  const unused = bucket.baselinePerSecond - Math.min(ratePerSecond, bucket.burstPerSecond);
  return unused > 0 ? unused * bucket.refillFactor : unused;
}

/** Seconds until the credits are gone at a rate per second; null when the rate does not drain them. */
export function secondsToEmpty(bucket: CreditBucket, credits: number, ratePerSecond: number): number | null {
  const change = changePerSecond(bucket, ratePerSecond);
  return change < 0 ? credits / -change : null;
}

/** Seconds until the bucket is full at a rate per second: 0 when full, null when it never fills. */
function secondsToFull(bucket: CreditBucket, credits: number, ratePerSecond: number): number | null {
  if (credits >= bucket.capacity) return 0;
  const change = changePerSecond(bucket, ratePerSecond);
  return change > 0 ? (bucket.capacity - credits) / change : null;
}

/** Credits after a time at a rate, never below nothing or above the bucket. */
export function creditsAfter(
  bucket: CreditBucket,
  credits: number,
  ratePerSecond: number,
  seconds: number,
): number {
  const change = changePerSecond(bucket, ratePerSecond) * seconds;
  return Math.min(bucket.capacity, Math.max(0, credits + change));
}

export interface BurstTimes {
  creditBalance: number | null;
  burstDurationSeconds: number | null;
  secondsToEmpty: number | null;
  secondsToFull: number | null;
}

/**
 * How long a bucket lasts from a balance at its burst, and how long the balance lasts and takes to refill at a rate.
 * @param balancePercent 0 to 100, as BurstBalance reports it.
 * @param ratePerSecond in the bucket's unit; null means idle.
 * @returns creditBalance in I/O or MiB, the durations in seconds; null where there is no bucket or the event never comes.
 * @throws BadInput where the balance or the rate cannot be.
 */
export function bucketTimes(
  bucket: CreditBucket | null,
  balancePercent: number,
  ratePerSecond: number | null,
): BurstTimes {
  if (!(balancePercent >= 0 && balancePercent <= 100)) {
    throw new BadInput(`balance ${balancePercent} % cannot be: give 0 to 100, as BurstBalance reports it`);
  }
  if (ratePerSecond !== null && !(ratePerSecond >= 0)) {
    throw new BadInput(`rate ${ratePerSecond} cannot be: give 0 or more a second`);
  }
  if (bucket === null) {
    return { creditBalance: null, burstDurationSeconds: null, secondsToEmpty: null, secondsToFull: null };
  }
  const creditBalance = (bucket.capacity * balancePercent) / 100;
  return {
    creditBalance,
    burstDurationSeconds: secondsToEmpty(bucket, creditBalance, bucket.burstPerSecond),
    secondsToEmpty: ratePerSecond === null ? null : secondsToEmpty(bucket, creditBalance, ratePerSecond),
    secondsToFull: secondsToFull(bucket, creditBalance, ratePerSecond ?? 0),
  };
}

/** `bucketTimes` of a volume; the rate is IOPS on gp2, MiB/s on HDD. */
export const burst = (
  limits: VolumeLimits,
  balancePercent: number,
  ratePerSecond: number | null,
): BurstTimes => bucketTimes(creditBucket(limits), balancePercent, ratePerSecond);

// The two EBS credit buckets of an instance whose maximum is above its baseline, replayed from the sum over its volumes.
// AWS documents "30 minutes at maximum at least once in 24 h" and not the refill, so this is a model and an assumption:
// capacity (maximum - baseline) x 1,800 s, earned back by what the baseline leaves, never slower than a full bucket in
// 24 h. What was published (EBSIOBalance%, EBSByteBalance%) stands against it: see `deviation`.

/** Sums over the volumes of an instance, one entry a period; NaN where unknown. */
export interface InstanceRates extends TimeAxis {
  iops: Float64Array;
  mibps: Float64Array;
}

export interface InstanceBuckets {
  io: CreditBucket | null;
  bytes: CreditBucket | null;
}

const fullBurstSeconds = 30 * secondsPerMinute;

function bucketOf(
  unit: CreditBucket['unit'],
  baselinePerSecond: number,
  burstPerSecond: number,
): CreditBucket | null {
  if (burstPerSecond <= baselinePerSecond) return null;
  const capacity = (burstPerSecond - baselinePerSecond) * fullBurstSeconds;
  const refillFactor = Math.max(1, capacity / (secondsPerDay * baselinePerSecond));
  return { unit, capacity, baselinePerSecond, burstPerSecond, refillFactor };
}

/** The buckets of an instance by its limits; null where its maximum is its baseline. */
export const instanceBuckets = (figures: EbsFigures): InstanceBuckets => ({
  io: bucketOf('io', figures.baselineIops, figures.maximumIops),
  bytes: bucketOf('mib', figures.baselineMiBps, figures.maximumMiBps),
});

/** One bucket over time. */
interface ReplayedBucket {
  bucket: CreditBucket;
  /** The lowest of each period. */
  percent: Float64Array;
  /** Against the published points; null where there are none. */
  deviation: Deviation | null;
}

export interface InstanceCredits {
  io: ReplayedBucket | null;
  bytes: ReplayedBucket | null;
}

/** What a replay starts from: the published points (each the Minimum of five minutes), or a balance in percent. */
export type BalanceStart = Series | number;

/** Where each point of a series begins on the axis, -1 where periods of it are missing. */
function periodsOfPoints(
  { epochSeconds, periodSeconds }: TimeAxis,
  series: Series,
  periods: number,
): Int32Array {
  const starts = new Int32Array(series.epochSeconds.length).fill(-1);
  for (let j = 0, i = 0; j < starts.length; j++) {
    const from = series.epochSeconds[j] as number;
    while (i < epochSeconds.length && (epochSeconds[i] as number) < from) i++;
    const last = epochSeconds[i + periods - 1];
    if (last !== undefined && last + periodSeconds <= from + series.periodSeconds) starts[j] = i;
  }
  return starts;
}

function lowestOf(percent: Float64Array, from: number, periods: number): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = from; i < from + periods; i++) lowest = Math.min(lowest, percent[i] as number);
  return lowest;
}

/** From the first published point on, compared with all of them. */
function replayAgainst(
  bucket: CreditBucket,
  changes: Float64Array,
  axis: TimeAxis,
  published: Series,
): ReplayedBucket {
  const periods = Math.max(1, Math.round(published.periodSeconds / axis.periodSeconds));
  const starts = periodsOfPoints(axis, published, periods);
  const first = starts.findIndex((period) => period >= 0);
  const start =
    first < 0
      ? fullAtFirst(bucket)
      : startFromLowest(bucket, changes, {
          period: starts[first] as number,
          periods,
          lowestPercent: published.values[first] as number,
        });
  const percent = replayPercent(bucket, changes, start);
  const tally = new DeviationTally();
  for (let j = 0; j < starts.length; j++) {
    const from = starts[j] as number;
    if (from >= 0) tally.add(lowestOf(percent, from, periods), published.values[j] as number);
  }
  return { bucket, percent, deviation: tally.result() };
}

function replayed(
  bucket: CreditBucket | null,
  ratePerSecond: Float64Array,
  axis: TimeAxis,
  from: BalanceStart,
): ReplayedBucket | null {
  if (bucket === null) return null;
  const changes = creditChanges(bucket, ratePerSecond, axis.periodSeconds);
  if (typeof from !== 'number') return replayAgainst(bucket, changes, axis, from);
  const start: Start = { period: 0, credits: (from / 100) * bucket.capacity };
  return { bucket, percent: replayPercent(bucket, changes, start), deviation: null };
}

/**
 * The balances of an instance in percent, one entry a period of its load; null where its maximum is its baseline.
 *
 * As of every replay from means the error is at most period / 2 x maximum / capacity: 1.7 x maximum / (maximum - baseline)
 * points from sums of a minute, five times that from sums of five. Not where the maximum is above 49 times the baseline (the
 * smallest of the t families), so that a bucket earns more than the baseline leaves: within a period of bursts it earns
 * more than their mean shows, and the replay is too low.
 * @param rates sums over all its volumes: what a volume that is not in them does is not seen.
 */
export function instanceCredits(
  figures: EbsFigures,
  rates: InstanceRates,
  from: { io: BalanceStart; bytes: BalanceStart },
): InstanceCredits {
  const { io, bytes } = instanceBuckets(figures);
  return {
    io: replayed(io, rates.iops, rates, from.io),
    bytes: replayed(bytes, rates.mibps, rates, from.bytes),
  };
}
