/** What a run reads for the archive: of each metric from its first minute that is not settled there, as far as CloudWatch has it. */

import { groupBy } from '../group-by.ts';
import type { Volume } from '../inventory.ts';
import {
  type MetricName,
  metricNames,
  metricsOfInstance,
  metricsOfVolume,
  settleSeconds,
} from '../load/metrics.ts';
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import type { ArchivedMetrics } from './columns.ts';
import { compacted, type Read } from './manifest.ts';

/** CloudWatch keeps minutes for 15 days; an hour less, since at 15 days it rounds start times to five minutes. */
const keptSeconds = 15 * secondsPerDay - secondsPerHour;
/** So long before its end a reading may lack points that came late: they are asked for again. */
const overlapSeconds = 3 * secondsPerHour;

/** What trends, sizes and throttling of a volume are told by. */
const defaultMetrics: ReadonlySet<MetricName> = new Set<MetricName>([
  'VolumeReadOps',
  'VolumeWriteOps',
  'VolumeReadBytes',
  'VolumeWriteBytes',
  'VolumeQueueLength',
  'VolumeIOPSExceededCheck',
  'VolumeThroughputExceededCheck',
  'BurstBalance',
]);

/** @param isSuspect a volume whose findings need more than the default. */
export function archivedOfVolume(volume: Volume, isSuspect: boolean, metrics: ArchivedMetrics): MetricName[] {
  const published = metricsOfVolume(volume);
  return isSuspect || metrics === 'all'
    ? published
    : published.filter((metric) => defaultMetrics.has(metric));
}

/** @param isSuspect one of its volumes is. */
export const archivedOfInstance = (isSuspect: boolean, metrics: ArchivedMetrics): MetricName[] =>
  isSuspect || metrics === 'all' ? metricsOfInstance() : [];

export interface Interval {
  from: number;
  end: number;
}

/** Intervals in order, those that meet as one. */
export function united(intervals: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  for (const { from, end } of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.end) last.end = Math.max(last.end, end);
    else all.push({ from, end });
  }
  return all;
}

/** The first moment from a start on that is not settled: not read, or at the end of a reading. */
function firstOpen(read: readonly Interval[], startSeconds: number): number {
  const around = united(read).find(({ from, end }) => from <= startSeconds && startSeconds < end);
  return around === undefined ? startSeconds : Math.max(startSeconds, around.end - overlapSeconds);
}

export interface Wanted {
  resourceId: string;
  metrics: readonly MetricName[];
}

/** What is asked with one start and end. */
export interface PlannedWindow {
  fromSeconds: number;
  endSeconds: number;
  wanted: Wanted[];
}

/**
 * One window a metric: CloudWatch charges for metrics, not for points, so a hole and what follows it are asked for together.
 * @param reads what the manifests of these days say.
 */
export function planReading(
  wanted: readonly Wanted[],
  reads: readonly Read[],
  nowSeconds: number,
): PlannedWindow[] {
  const minute = (seconds: number): number => Math.floor(seconds / secondsPerMinute) * secondsPerMinute;
  const endSeconds = minute(nowSeconds - settleSeconds);
  const startSeconds = minute(nowSeconds - keptSeconds) + secondsPerMinute;
  const readOf = new Map<string, Read[]>(wanted.map(({ resourceId }) => [resourceId, []]));
  for (const read of reads) for (const id of read.resourceIds) readOf.get(id)?.push(read);
  const windows = new Map<number, Wanted[]>();
  for (const { resourceId, metrics } of wanted) {
    const own = readOf.get(resourceId) as Read[];
    const opens = groupBy(metrics, (metric) => {
      const ofMetric = own.filter((read) => read.metrics.includes(metric));
      return firstOpen(
        ofMetric.map(({ fromSeconds, endSeconds: end }) => ({ from: fromSeconds, end })),
        startSeconds,
      );
    });
    for (const [fromSeconds, same] of opens) {
      if (fromSeconds >= endSeconds) continue;
      windows.set(fromSeconds, [...(windows.get(fromSeconds) ?? []), { resourceId, metrics: same }]);
    }
  }
  return [...windows]
    .map(([fromSeconds, ofWindow]) => ({ fromSeconds, endSeconds, wanted: ofWindow }))
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
}

/** What is said of windows that were read. @param unread those that were asked for and not answered. */
export const readsOfWindows = (
  windows: readonly PlannedWindow[],
  unread: (resourceId: string, metric: MetricName) => boolean,
): Read[] =>
  compacted(
    windows.flatMap(({ fromSeconds, endSeconds, wanted }) =>
      wanted.flatMap(({ resourceId, metrics }) => {
        const read = metricNames.filter((metric) => metrics.includes(metric) && !unread(resourceId, metric));
        return read.length === 0
          ? []
          : [{ fromSeconds, endSeconds, metrics: read, resourceIds: [resourceId] }];
      }),
    ),
  );
