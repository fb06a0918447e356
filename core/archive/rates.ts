/** What a volume did in each of its minutes: rates of both directions together. */
import type { MetricName } from '../load/metrics.ts';
import { periodOf } from '../load/series.ts';
import { mibFromBytes, secondsPerMinute } from '../units.ts';
import type { ResourceMinutes } from './resource-minutes.ts';

export interface MinuteRates {
  /** Of its points. */
  periodSeconds: number;
  /** NaN where it is not known. */
  iops: Float64Array;
  mibps: Float64Array;
}

/** NaN where one of both has no point: a part is no sum. */
const sums = (
  { metrics, epochSeconds }: ResourceMinutes,
  [first, second]: readonly [MetricName, MetricName],
  divisor: number,
): Float64Array => {
  const [a, b] = [metrics.get(first), metrics.get(second)];
  return epochSeconds.map((_, i) => ((a?.[i] ?? Number.NaN) + (b?.[i] ?? Number.NaN)) / divisor);
};

/** @param minutes null where no row of it is there. */
export function ratesOf(minutes: ResourceMinutes | null): MinuteRates {
  const none = new Float64Array();
  if (minutes === null) return { periodSeconds: secondsPerMinute, iops: none, mibps: none };
  const periodSeconds = periodOf(minutes.epochSeconds) ?? secondsPerMinute;
  return {
    periodSeconds,
    iops: sums(minutes, ['VolumeReadOps', 'VolumeWriteOps'], periodSeconds),
    mibps: sums(minutes, ['VolumeReadBytes', 'VolumeWriteBytes'], periodSeconds).map(mibFromBytes),
  };
}

/** Where in ascending times each part of a length begins and ends, from midnight UTC on. */
export function placesOf(
  times: Float64Array,
  lengthSeconds: number,
): { start: number; from: number; end: number }[] {
  const places: { start: number; from: number; end: number }[] = [];
  for (let from = 0, end = 0; from < times.length; from = end) {
    const start = Math.floor((times[from] as number) / lengthSeconds) * lengthSeconds;
    while (end < times.length && (times[end] as number) < start + lengthSeconds) end++;
    places.push({ start, from, end });
  }
  return places;
}
