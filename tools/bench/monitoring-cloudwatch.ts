/** CloudWatch for monitoring's fleet: each minute is there some time after its end, and not before. */
import type { MetricCollector, MetricName } from '../../core/load/metrics.ts';
import type { MonitoringCall } from '../../core/monitoring/plan-tick.ts';
import { bytesPerMiB, secondsPerMinute } from '../../core/units.ts';
import type { WatchedVolume } from './monitoring-fleet.ts';
import {
  neverPublished,
  throttledByIops,
  throttledByThroughput,
  type VolumeHistory,
} from './monitoring-minutes.ts';
import { startEpochSeconds } from './two-pass-series.ts';

const readShare = 0.6;

function pointOf(history: VolumeHistory, metric: MetricName, i: number): number {
  const { iops, mibps, inFlight, balance, checked } = history;
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
      return ((checked[i] as number) & throttledByIops) > 0 ? 1 : 0;
    case 'VolumeThroughputExceededCheck':
      return ((checked[i] as number) & throttledByThroughput) > 0 ? 1 : 0;
    default:
      throw new Error(`${metric} is not published here`);
  }
}

/** Volumes without checks are on instances that publish a minute only where something was done; a balance is so everywhere. */
const isPublished = ({ history, checks }: WatchedVolume, metric: MetricName, i: number): boolean =>
  (history.iops[i] as number) > 0 || (checks.length > 0 && metric !== 'BurstBalance');

const isOfMetric = ({ history, checks }: WatchedVolume, metric: MetricName): boolean =>
  metric === 'BurstBalance' ? history.balance !== null : !metric.endsWith('Check') || checks.length > 0;

/** Minutes of the run whose points are there at a time, from another time on. */
function minutesThere(
  { history }: WatchedVolume,
  fromEpochSeconds: number,
  nowEpochSeconds: number,
  laterSeconds: number,
): number[] {
  const { published } = history;
  const now = nowEpochSeconds - startEpochSeconds;
  const first = Math.max(0, Math.ceil((fromEpochSeconds - startEpochSeconds) / secondsPerMinute));
  const end = Math.min(published.length, Math.floor(now / secondsPerMinute));
  const there: number[] = [];
  for (let i = first; i < end; i++) {
    const delay = published[i] as number;
    if (delay !== neverPublished && (i + 1) * secondsPerMinute + delay + laterSeconds <= now) there.push(i);
  }
  return there;
}

/** Adds to the collector what a call brings now. @returns the metrics that are billed. */
export function answer(
  fleet: ReadonlyMap<string, WatchedVolume>,
  { startEpochSeconds: fromEpochSeconds, queries }: MonitoringCall,
  nowEpochSeconds: number,
  collector: MetricCollector,
): number {
  let there: number[] = [];
  let last: WatchedVolume | undefined;
  for (const { resourceId, metric } of queries) {
    const watched = fleet.get(resourceId);
    if (watched === undefined) throw new Error(`${resourceId} is not of the fleet`);
    // The queries of a volume follow one another.
    if (watched !== last) there = minutesThere(watched, fromEpochSeconds, nowEpochSeconds, 0);
    last = watched;
    if (!isOfMetric(watched, metric)) continue;
    const { checkDelaySeconds } = watched.history;
    const isLater = checkDelaySeconds > 0 && metric.endsWith('Check');
    const minutes = isLater
      ? minutesThere(watched, fromEpochSeconds, nowEpochSeconds, checkDelaySeconds)
      : there;
    const points = minutes.filter((i) => isPublished(watched, metric, i));
    const times = points.map((i) => startEpochSeconds + i * secondsPerMinute);
    const values = points.map((i) => pointOf(watched.history, metric, i));
    collector.add(resourceId, metric, times, values);
  }
  return queries.length;
}
