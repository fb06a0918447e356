/** What an audit read, as an archive keeps it: each minute as it came. Longer points would have to be stretched: they are left out. */
import { instanceResource, volumeResource } from '../diagnosis/draft.ts';
import { groupBy } from '../group-by.ts';
import type { Instance, Volume } from '../inventory.ts';
import {
  type FleetMetrics,
  finestEbsPeriodSeconds,
  type MetricName,
  type MetricSet,
  metricDefinitions,
} from '../load/metrics.ts';
import { rhythmOf, type Series } from '../load/series.ts';
import type { ArchiveTarget } from './keys.ts';
import { compacted, type Read } from './manifest.ts';
import { minutesOf, type ResourceMinutes } from './resource-minutes.ts';

/** Of one account and Region. */
export interface Saved {
  reads: Read[];
  minutes: ResourceMinutes[];
}

/** Whether CloudWatch has no finer points of it than these that were asked for. */
export const isFinest = (metric: MetricName, askedSeconds: number): boolean =>
  askedSeconds <= (metricDefinitions[metric].finestPeriodSeconds ?? finestEbsPeriodSeconds);

/** What an instance publishes without detailed monitoring is as long as this. */
const basicMonitoringSeconds = 300;

/**
 * Files do not say what was asked for: how long the points of a series are is told by the steps between them. A point alone is as long
 * as those of the same resource. Null where nothing shows it, and where points of two lengths are mixed.
 */
function periodTold({ epochSeconds }: Series, set: MetricSet): number | null {
  const own = rhythmOf(epochSeconds);
  if (own !== null) return own.secondSeconds === null ? own.periodSeconds : null;
  const others = [...set.values()].flatMap((series) => rhythmOf(series.epochSeconds)?.periodSeconds ?? []);
  return others.length === 0 ? null : Math.min(...others);
}

interface Fleet {
  volumes: readonly Volume[];
  instances: readonly Instance[];
}

type Resource = Pick<ResourceMinutes, 'resourceType' | 'resourceId' | 'arn'>;

export const archivedVolume = (volume: Volume): Resource => ({
  ...{ resourceType: 'volume', resourceId: volume.volumeId, arn: volumeResource(volume).arn },
});
export const archivedInstance = (instance: Instance): Resource => ({
  ...{ resourceType: 'instance', resourceId: instance.instanceId, arn: instanceResource(instance).arn },
});

const resourcesOf = ({ volumes, instances }: Fleet): Resource[] => [
  ...volumes.map(archivedVolume),
  ...instances.map(archivedInstance),
];

/** A query that was asked, and what came of all that were asked with it. */
export interface Asked {
  resourceId: string;
  metric: MetricName;
  metrics: FleetMetrics;
}

/** What one reading of the account gave; what could not be read in whole is not kept, so that it is read again. */
export function savedOfReading(
  fleet: Fleet,
  asked: readonly Asked[],
  { startEpochSeconds, endEpochSeconds }: { startEpochSeconds: number; endEpochSeconds: number },
): Saved {
  const byResource = groupBy(
    asked.filter(({ resourceId, metrics }) => metrics.unusableReason(resourceId) === null),
    ({ resourceId }) => resourceId,
  );
  const window = { fromSeconds: startEpochSeconds, endSeconds: endEpochSeconds };
  const saved: Saved = { reads: [], minutes: [] };
  for (const resource of resourcesOf(fleet)) {
    const { resourceId } = resource;
    const own = byResource.get(resourceId) ?? [];
    if (own.length === 0) continue;
    const set = new Map<MetricName, Series>();
    for (const { metric, metrics } of own) {
      const series = metrics.of(resourceId).get(metric);
      if (series !== undefined) set.set(metric, series);
    }
    saved.minutes.push(minutesOf(resource, set));
    saved.reads.push({
      ...window,
      metrics: [...new Set(own.map(({ metric }) => metric))],
      resourceIds: [resourceId],
    });
  }
  return { ...saved, reads: compacted(saved.reads) };
}

/** Of files nobody says which time was asked for: each series was read from its first point to its last. */
function readsOf(resourceId: string, set: MetricSet): Read[] {
  const alike = groupBy([...set], ([, { epochSeconds }]) => `${epochSeconds[0]} ${epochSeconds.at(-1)}`);
  return [...alike.values()].map((same) => {
    const [, { epochSeconds, periodSeconds }] = same[0] as [MetricName, Series];
    return {
      fromSeconds: epochSeconds[0] as number,
      endSeconds: (epochSeconds.at(-1) as number) + periodSeconds,
      metrics: same.map(([metric]) => metric),
      resourceIds: [resourceId],
    };
  });
}

export interface SavedOfFiles {
  targets: (ArchiveTarget & Saved)[];
  /** Whose series they are that are not known to be of points as short as CloudWatch has them: an id for each. */
  leftOut: string[];
  /** Resources with series whose account nobody told: an archive keeps by account. */
  withoutAccount: string[];
}

type OfTarget = ArchiveTarget & Saved & { hasMinutes: boolean };

export function savedOfFiles({ volumes, instances }: Fleet, metrics: FleetMetrics): SavedOfFiles {
  const targets = new Map<string, OfTarget>();
  const withoutAccount: string[] = [];
  const leftOut: string[] = [];
  const add = (resource: Resource, { account, region }: { account: string | null; region: string }): void => {
    const { resourceId } = resource;
    const all = metrics.of(resourceId);
    if (all.size === 0 || metrics.unusableReason(resourceId) !== null) return;
    if (account === null) {
      withoutAccount.push(resourceId);
      return;
    }
    const key = `${account} ${region}`;
    const target = targets.get(key) ?? { account, region, reads: [], minutes: [], hasMinutes: false };
    targets.set(key, target);
    const set = new Map<MetricName, Series>();
    for (const [metric, series] of all) {
      const seconds = periodTold(series, all);
      // Sums of five minutes are the finest of an instance where minutes were asked for, as those of volumes say.
      const isOfInstance = metricDefinitions[metric].dimensions === 'instance' && target.hasMinutes;
      if (
        seconds !== null &&
        (isFinest(metric, seconds) || (isOfInstance && seconds <= basicMonitoringSeconds))
      )
        set.set(metric, series);
      else leftOut.push(resourceId);
    }
    if (set.size === 0) return;
    if (resource.resourceType === 'volume') target.hasMinutes = true;
    target.minutes.push(minutesOf(resource, set));
    target.reads.push(...readsOf(resourceId, set));
  };
  for (const volume of volumes) add(archivedVolume(volume), volume);
  for (const instance of instances) add(archivedInstance(instance), instance);
  const each = [...targets.values()].flatMap(({ account, region, reads, minutes }) =>
    minutes.length === 0 ? [] : [{ account, region, reads: compacted(reads), minutes }],
  );
  return { targets: each, leftOut, withoutAccount };
}
