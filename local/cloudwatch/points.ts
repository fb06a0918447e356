/**
 * The datapoints of one series for one query: samples put into period-aligned buckets [bucket, bucket + period), each
 * stamped with its start. A bucket is returned when StartTime <= bucket < EndTime, and whole: samples at or after an
 * EndTime within it still count. Rounding and retention: CloudWatch API reference of GetMetricData, read 2026-11-21.
 */
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../core/units.ts';
import type { StoredSeries } from './series-store.ts';

export const statistics = ['Sum', 'Average', 'Minimum', 'Maximum', 'SampleCount'] as const;
export type ServedStatistic = (typeof statistics)[number];

export interface PointsAsked {
  startSeconds: number;
  endSeconds: number;
  periodSeconds: number;
  statistic: ServedStatistic;
  /** The server's clock: it decides what is too old. */
  nowSeconds: number;
}

/** Ascending. */
export interface Points {
  epochSeconds: Float64Array;
  values: Float64Array;
}

const subMinutePeriods = [1, 5, 10, 20, 30];
export const isPeriod = (seconds: number): boolean =>
  subMinutePeriods.includes(seconds) ||
  (Number.isInteger(seconds) && seconds > 0 && seconds % secondsPerMinute === 0);

const days15 = 15 * secondsPerDay;
const days63 = 63 * secondsPerDay;
const days455 = 455 * secondsPerDay;

/** How long points can be read in this period. */
function retentionSeconds(periodSeconds: number): number {
  if (periodSeconds % secondsPerHour === 0) return days455;
  if (periodSeconds % 300 === 0) return days63;
  return periodSeconds % secondsPerMinute === 0 ? days15 : 3 * secondsPerHour;
}

/** CloudWatch rounds StartTime down to a minute, 5 minutes or an hour, by its age. */
function roundedStart(startSeconds: number, nowSeconds: number): number {
  const age = nowSeconds - startSeconds;
  const step = age < days15 ? secondsPerMinute : age <= days63 ? 300 : secondsPerHour;
  return Math.floor(startSeconds / step) * step;
}

/** The first index whose value is not below the limit. */
function lowerBound(ascending: Float64Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const none: Points = { epochSeconds: new Float64Array(), values: new Float64Array() };

export function pointsOf(series: StoredSeries | undefined, asked: PointsAsked): Points {
  if (series === undefined) return none;
  const { startSeconds, endSeconds, periodSeconds, statistic, nowSeconds } = asked;
  const oldest = Math.max(
    roundedStart(startSeconds, nowSeconds),
    nowSeconds - retentionSeconds(periodSeconds),
  );
  const firstBucket = Math.ceil(oldest / periodSeconds) * periodSeconds;
  const from = lowerBound(series.epochSeconds, firstBucket);
  const to = lowerBound(series.epochSeconds, Math.ceil(endSeconds / periodSeconds) * periodSeconds);
  if (from >= to) return none;
  const epochSeconds = series.epochSeconds.subarray(from, to);
  const values = series.values.subarray(from, to);
  // Samples are a minute apart at least: in such a period each is a bucket of its own.
  if (periodSeconds <= secondsPerMinute && statistic !== 'SampleCount') return { epochSeconds, values };
  return inBuckets(epochSeconds, values, periodSeconds, statistic);
}

function inBuckets(
  times: Float64Array,
  samples: Float64Array,
  periodSeconds: number,
  statistic: ServedStatistic,
): Points {
  const epochSeconds = new Float64Array(times.length);
  const values = new Float64Array(times.length);
  const counts = new Uint32Array(times.length);
  let last = -1;
  for (let i = 0; i < times.length; i++) {
    const bucket = Math.floor((times[i] as number) / periodSeconds) * periodSeconds;
    const sample = samples[i] as number;
    if (last < 0 || epochSeconds[last] !== bucket) {
      last++;
      epochSeconds[last] = bucket;
      values[last] = sample;
      counts[last] = 1;
      continue;
    }
    const before = values[last] as number;
    if (statistic === 'Minimum') values[last] = Math.min(before, sample);
    else if (statistic === 'Maximum') values[last] = Math.max(before, sample);
    else values[last] = before + sample;
    counts[last] = (counts[last] as number) + 1;
  }
  const length = last + 1;
  if (statistic === 'SampleCount') values.set(counts.subarray(0, length));
  if (statistic === 'Average') {
    for (let i = 0; i < length; i++) values[i] = (values[i] as number) / (counts[i] as number);
  }
  return { epochSeconds: epochSeconds.subarray(0, length), values: values.subarray(0, length) };
}
