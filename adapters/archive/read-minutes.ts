/** Minutes of some resources out of the archive: of each object the footer, and the row groups and columns that are asked for. */

import { limitAsync } from 'es-toolkit/promise';
import { type ArchiveTarget, slotsOf } from '../../core/archive/keys.ts';
import { daysOf, type Manifest } from '../../core/archive/manifest.ts';
import { between, joined, type ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { readManifest } from './commit.ts';
import { isOfOneFile, openMetrics } from './open-metrics.ts';
import type { ArchiveStore } from './store.ts';

/** Objects that are read at once. */
const atOnce = 8;

export interface MinutesAsked {
  fromSeconds: number;
  /** Not included. */
  endSeconds: number;
  resourceIds: readonly string[];
  metrics: readonly MetricName[];
  /** Whether what evaluation said of each minute is wanted. */
  evaluation: boolean;
}

export interface ArchivedMinutes {
  /** In the order of ids; who has no row is missing. */
  minutes: ResourceMinutes[];
  /** Of each day that has one. */
  manifests: Manifest[];
  /** Files that could not be read; the rest was. */
  broken: { key: string; reason: string }[];
}

/** Objects of the window that may hold one of the resources, each once. */
function keysOf(
  manifests: readonly Manifest[],
  target: ArchiveTarget,
  sortedIds: readonly string[],
): string[] {
  const keys = new Set<string>();
  for (const { day, layout } of manifests) {
    for (const { key, firstId, endId } of slotsOf(day, target, layout)) {
      if (sortedIds.some((id) => id >= firstId && (endId === null || id < endId))) keys.add(key);
    }
  }
  return [...keys];
}

/** All of it is in memory together: a year of one volume with all metrics is 50 MB. */
export async function readMinutes(
  store: ArchiveStore,
  target: ArchiveTarget,
  { fromSeconds, endSeconds, resourceIds, metrics, evaluation }: MinutesAsked,
): Promise<ArchivedMinutes> {
  const broken: ArchivedMinutes['broken'] = [];
  /** What a file that cannot be read would have given is missing. */
  const orNamed = limitAsync(async <T>(read: () => Promise<T | null>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      broken.push({ key: error.key, reason: error.message });
      return null;
    }
  }, atOnce) as <T>(read: () => Promise<T | null>) => Promise<T | null>;
  const days = daysOf(fromSeconds, endSeconds);
  const found = await Promise.all(days.map((day) => orNamed(() => readManifest(store, day, target))));
  const manifests = found.filter((manifest) => manifest !== null);
  const listedIds = [...new Set(resourceIds)].sort();
  const pieces = new Map<string, ResourceMinutes[]>(listedIds.map((id) => [id, []]));
  await Promise.all(
    keysOf(manifests, target, listedIds).map((key) =>
      orNamed(async () => {
        const object = await store.open(key);
        if (object === null) return null;
        const file = await openMetrics(object);
        const own: ResourceMinutes[] = [];
        for await (const one of file.resources({
          firstId: '',
          endId: null,
          listedIds,
          metrics,
          evaluation,
        })) {
          const part = between(one, fromSeconds, endSeconds);
          if (part.epochSeconds.length > 0) own.push(part);
        }
        // All of a file, or none of it.
        for (const part of own) pieces.get(part.resourceId)?.push(part);
        return null;
      }),
    ),
  );
  const minutes = [...pieces.values()].filter(({ length }) => length > 0).map(joined);
  return { minutes, manifests, broken: broken.sort((a, b) => (a.key < b.key ? -1 : 1)) };
}
