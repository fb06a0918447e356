/**
 * The two EBS credit buckets of an instance whose maximum is above its baseline, replayed from the sum over its volumes.
 * AWS documents "30 minutes at maximum at least once in 24 h" and not the refill, so this is a model and an assumption:
 * capacity (maximum - baseline) x 1,800 s, earned back by what the baseline leaves, never slower than a full bucket in
 * 24 h. What was published (EBSIOBalance%, EBSByteBalance%) stands against it: see `deviation`.
 */
import type { EbsFigures } from '../catalog/instance-type.ts';
import type { Series, TimeAxis } from '../load/series.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';
import { type Deviation, DeviationTally } from './deviation.ts';
import { creditChanges, fullAtFirst, replayPercent, type Start, startFromLowest } from './replay.ts';
import type { CreditBucket } from './volume-credits.ts';

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
