/** Minutes of some resources out of the archive: of each object the footer, and the row groups and columns that are asked for. */

import { limitAsync } from 'es-toolkit/promise';
import { type ArchiveTarget, slotsOf } from '../../core/archive/keys.ts';
import { daysOf, type Manifest } from '../../core/archive/manifest.ts';
import { between, joined, type ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { groupBy } from '../../core/group-by.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { daysAndTargets, type Part } from './archived-files.ts';
import { readManifest } from './commit.ts';
import { BrokenFile, isOfOneFile, openMetrics } from './open-metrics.ts';
import type { ArchiveStore } from './store.ts';

/** Objects that are read at once. */
const atOnce = 16;

export interface MinutesAsked {
  fromSeconds: number;
  /** Not included. */
  endSeconds: number;
  resourceIds: readonly string[];
  metrics: readonly MetricName[];
  /** Whether what evaluation said of each minute is wanted. */
  evaluation: boolean;
}

export interface ReadFiles {
  /** In the order of ids; who has no row is missing. */
  minutes: ResourceMinutes[];
  /** Files that could not be read; the rest was. */
  broken: { key: string; reason: string }[];
}

export interface ArchivedMinutes extends ReadFiles {
  /** Of each day that has one. */
  manifests: Manifest[];
}

/** Several at once. What a file that cannot be read would have given is missing, and the file is named. */
async function orNamed<T, R>(
  all: readonly T[],
  read: (one: T) => Promise<R | null>,
): Promise<{ found: R[]; broken: ReadFiles['broken'] }> {
  const broken: ReadFiles['broken'] = [];
  const limited = limitAsync(async (one: T): Promise<R | null> => {
    try {
      return await read(one);
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      broken.push({ key: error.key, reason: error.message });
      return null;
    }
  }, atOnce);
  const found = (await Promise.all(all.map((one) => limited(one)))).filter((one) => one !== null);
  return { found, broken: broken.sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

export async function readManifests(
  store: ArchiveStore,
  target: ArchiveTarget,
  days: readonly string[],
): Promise<{ manifests: Manifest[]; broken: ReadFiles['broken'] }> {
  const { found, broken } = await orNamed(days, (day) => readManifest(store, day, target));
  return { manifests: found, broken };
}

/** Objects that hold rows, as manifests say. */
const namedBy = (manifests: readonly Manifest[]): Set<string> =>
  new Set(manifests.flatMap(({ objects }) => objects.flatMap(({ key, rows }) => (rows > 0 ? [key] : []))));

/** What a manifest names and is not there is a file that cannot be read: its points were there. */
const isMissing = (key: string): BrokenFile =>
  new BrokenFile(key, 'a manifest names it, and it is not there', undefined, {
    ...{ format: 'Parquet of the archive', advice: 'put it back' },
  });

/** Of the objects that manifests name those that a listing does not have; of one resource: those that may hold it. */
export function missingOf(
  manifests: readonly Manifest[],
  listed: readonly { key: string }[],
  resource?: { target: ArchiveTarget; id: string },
): ReadFiles['broken'] {
  const there = new Set(listed.map(({ key }) => key));
  const named = namedBy(manifests);
  const asked = resource === undefined ? [...named] : keysOf(manifests, resource.target, [resource.id]);
  return asked
    .filter((key) => named.has(key) && !there.has(key))
    .sort()
    .map((key) => ({ key, reason: isMissing(key).message }));
}

/** What of a part is missing, as its manifests say; and manifests that cannot be read. */
export async function missingFiles(
  store: ArchiveStore,
  part: Part,
  listed: readonly { key: string }[],
): Promise<ReadFiles['broken']> {
  const days = await daysAndTargets(store, part);
  const { found, broken } = await orNamed(days, ({ day, ...target }) => readManifest(store, day, target));
  return [...broken, ...missingOf(found, listed)];
}

/** Objects of the window that may hold one of the resources, each once. */
function keysOf(
  manifests: readonly Manifest[],
  target: ArchiveTarget,
  resourceIds: readonly string[],
): string[] {
  const keys = new Set<string>();
  for (const { day, layout } of manifests) {
    for (const { key, firstId, endId } of slotsOf(day, target, layout)) {
      if (resourceIds.some((id) => id >= firstId && (endId === null || id < endId))) keys.add(key);
    }
  }
  return [...keys];
}

/** What some files hold; of those that are not there only the named ones are missed. All of it is in memory together: a year of one volume with all metrics is 50 MB. */
export async function readFiles(
  store: ArchiveStore,
  keys: readonly string[],
  { fromSeconds, endSeconds, resourceIds, metrics, evaluation }: MinutesAsked,
  named: ReadonlySet<string> = new Set(),
): Promise<ReadFiles> {
  const listedIds = [...new Set(resourceIds)].sort();
  const asked = { firstId: '', endId: null, listedIds, metrics, evaluation };
  // All of a file, or none of it.
  const { found, broken } = await orNamed(keys, async (key) => {
    const object = await store.open(key);
    if (object === null && named.has(key)) throw isMissing(key);
    if (object === null) return null;
    const own: ResourceMinutes[] = [];
    for await (const one of (await openMetrics(object)).resources(asked)) {
      const part = between(one, fromSeconds, endSeconds);
      if (part.epochSeconds.length > 0) own.push(part);
    }
    return own;
  });
  const pieces = groupBy(found.flat(), ({ resourceId }) => resourceId);
  const minutes = listedIds.flatMap((id) => {
    const own = pieces.get(id);
    return own === undefined ? [] : [joined(own)];
  });
  return { minutes, broken };
}

/** Which objects there are is said by the manifests of the window. */
export async function readMinutes(
  store: ArchiveStore,
  target: ArchiveTarget,
  asked: MinutesAsked,
): Promise<ArchivedMinutes> {
  const ofDays = await readManifests(store, target, daysOf(asked.fromSeconds, asked.endSeconds));
  const { manifests } = ofDays;
  const { minutes, broken } = await readFiles(
    store,
    keysOf(manifests, target, asked.resourceIds),
    asked,
    namedBy(manifests),
  );
  return {
    minutes,
    manifests,
    broken: [...ofDays.broken, ...broken].sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}
