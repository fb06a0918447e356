/** CloudWatch for the pulse's fleet: each minute is there some time after its end, and not before. */
import type { MetricSet } from '../../core/load/fleet-metrics.ts';
import type { MetricQuery } from '../../core/load/metric-queries.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import type { Series } from '../../core/load/series.ts';
import { bytesPerMiB, secondsPerMinute } from '../../core/units.ts';
import type { WatchedVolume } from './pulse-fleet.ts';
import { heldByIops, heldByThroughput, type VolumeHistory } from './pulse-minutes.ts';
import { startEpochSeconds } from './two-pass-series.ts';

const readShare = 0.6;

function pointOf(history: VolumeHistory, metric: MetricName, i: number): number {
  const { iops, mibps, inFlight, balance, held } = history;
  switch (metric) {
    case 'VolumeReadOps':
      return Math.round((iops[i] as number) * secondsPerMinute * readShare);
    case 'VolumeWriteOps':
      return Math.round((iops[i] as number) * secondsPerMinute * (1 - readShare));
    case 'VolumeReadBytes':
      return (mibps[i] as number) * bytesPerMiB * secondsPerMinute * readShare;
    case 'VolumeWriteBytes':
      return (mibps[i] as number) * bytesPerMiB * secondsPerMinute * (1 - readShare);
    case 'VolumeQueueLength':
      return inFlight[i] as number;
    case 'BurstBalance':
      return balance?.[i] as number;
    case 'VolumeIOPSExceededCheck':
      return ((held[i] as number) & heldByIops) > 0 ? 1 : 0;
    case 'VolumeThroughputExceededCheck':
      return ((held[i] as number) & heldByThroughput) > 0 ? 1 : 0;
    default:
      throw new Error(`${metric} is not published here`);
  }
}

/** Volumes without checks are on instances that publish a minute only where something was done; a balance is so everywhere. */
const isPublished = ({ history, checks }: WatchedVolume, metric: MetricName, i: number): boolean =>
  (history.iops[i] as number) > 0 || (checks.length > 0 && metric !== 'BurstBalance');

function seriesOf(
  watched: WatchedVolume,
  metric: MetricName,
  there: Int32Array,
  count: number,
): Series | null {
  if (metric === 'BurstBalance' && watched.history.balance === null) return null;
  if (metric.endsWith('Check') && watched.checks.length === 0) return null;
  const epochSeconds = new Float64Array(count);
  const values = new Float64Array(count);
  let points = 0;
  for (let at = 0; at < count; at++) {
    const i = there[at] as number;
    if (!isPublished(watched, metric, i)) continue;
    epochSeconds[points] = startEpochSeconds + i * secondsPerMinute;
    values[points++] = pointOf(watched.history, metric, i);
  }
  if (points === 0) return null;
  return {
    periodSeconds: secondsPerMinute,
    epochSeconds: epochSeconds.subarray(0, points),
    values: values.subarray(0, points),
  };
}

const there = new Int32Array(2 * 24 * 60);

/** What is there at a time of the minutes from another on. */
export function answer(
  watched: WatchedVolume,
  queries: readonly MetricQuery[],
  fromEpochSeconds: number,
  nowEpochSeconds: number,
): MetricSet {
  const { published } = watched.history;
  const now = nowEpochSeconds - startEpochSeconds;
  const first = Math.max(0, Math.ceil((fromEpochSeconds - startEpochSeconds) / secondsPerMinute));
  const end = Math.min(published.length, Math.floor(now / secondsPerMinute));
  let count = 0;
  for (let i = first; i < end; i++) {
    if ((i + 1) * secondsPerMinute + (published[i] as number) <= now) there[count++] = i;
  }
  const set = new Map<MetricName, Series>();
  for (const { metric } of queries) {
    const series = seriesOf(watched, metric, there, count);
    if (series !== null) set.set(metric, series);
  }
  return set;
}
