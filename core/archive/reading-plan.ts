/** What a run reads for the archive: of each metric from its first minute that is not settled there, as far as CloudWatch has it. */

import { type AuditBatch, queriesOfBatch, type ReadingPlan } from '../audit/batches.ts';
import { groupBy } from '../group-by.ts';
import type { Volume } from '../inventory.ts';
import {
  finestEbsPeriodSeconds,
  type MetricName,
  type MetricQuery,
  metricNames,
  metricsOfVolume,
  queriesOfInstance,
  queriesOfVolume,
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

/** What is kept of a volume that is no suspect. */
export function archivedOfVolume(volume: Volume, metrics: ArchivedMetrics): MetricName[] {
  const published = metricsOfVolume(volume);
  return metrics === 'all' ? published : published.filter((metric) => defaultMetrics.has(metric));
}

/** All that the archive keeps of a batch whoever is in trouble in it, in points of a minute. */
export function archivedQueries(
  { volumes, instances, published }: AuditBatch,
  metrics: ArchivedMetrics,
): MetricQuery[] {
  const attachedTo = new Set(
    volumes.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId)),
  );
  return [
    ...volumes.flatMap((volume) => {
      const kept = archivedOfVolume(volume, metrics);
      const checks = published === null ? undefined : (published[volume.volumeId] ?? []);
      return queriesOfVolume(volume, finestEbsPeriodSeconds, checks).filter(({ metric }) =>
        kept.includes(metric),
      );
    }),
    ...(metrics === 'default'
      ? []
      : instances
          .filter(({ instanceId }) => attachedTo.has(instanceId))
          .flatMap((instance) => queriesOfInstance(instance, finestEbsPeriodSeconds))),
  ];
}

/** A metric of a resource, whichever of its instances reports it. */
export const queryName = ({ resourceId, metric }: Pick<MetricQuery, 'resourceId' | 'metric'>): string =>
  `${resourceId} ${metric}`;

/** Each once; a check that several instances report is a query of each. */
export const distinctQueries = (queries: readonly MetricQuery[]): MetricQuery[] => [
  ...new Map(
    queries.map((query) => [JSON.stringify([query.resourceId, query.metric, query.dimensions]), query]),
  ).values(),
];

/**
 * What the last reading of each resource has. It is asked for again at once: a suspect of yesterday mostly is one today, and
 * what is asked for later, of a few volumes, leaves calls half empty.
 */
export function continuedQueries(reads: readonly Read[]): (batch: AuditBatch) => MetricQuery[] {
  const last = new Map<string, { endSeconds: number; metrics: Set<string> }>();
  for (const { resourceIds, endSeconds, metrics } of reads)
    for (const id of resourceIds) {
      const known = last.get(id);
      if (known === undefined || known.endSeconds < endSeconds)
        last.set(id, { endSeconds, metrics: new Set(metrics) });
      else if (known.endSeconds === endSeconds) for (const metric of metrics) known.metrics.add(metric);
    }
  return (batch) =>
    queriesOfBatch(batch, finestEbsPeriodSeconds).filter(({ resourceId, metric }) =>
      last.get(resourceId)?.metrics.has(metric),
    );
}

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

const minute = (seconds: number): number => Math.floor(seconds / secondsPerMinute) * secondsPerMinute;

/** The first whole minute that CloudWatch still has. */
export const readableFrom = (nowSeconds: number): number =>
  minute(nowSeconds - keptSeconds) + secondsPerMinute;

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
 * @param evaluated by the run: a minute that is read after it would be settled without a status. So would one before it, where a
 *   usual run would still evaluate it.
 */
export function planReading(
  wanted: readonly Wanted[],
  reads: readonly Read[],
  nowSeconds: number,
  evaluated: Pick<ReadingPlan, 'startEpochSeconds' | 'endEpochSeconds' | 'isOfOwnWindow'> | null = null,
): PlannedWindow[] {
  const readable = readableFrom(nowSeconds);
  const startSeconds =
    evaluated?.isOfOwnWindow === true ? Math.max(readable, evaluated.startEpochSeconds) : readable;
  const endSeconds = Math.min(
    minute(nowSeconds - settleSeconds),
    evaluated?.endEpochSeconds ?? Number.POSITIVE_INFINITY,
  );
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
