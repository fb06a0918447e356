/** Minutes of some resources out of the archive: of each object the footer, and the row groups and columns that are asked for. */

import { limitAsync } from 'es-toolkit/promise';
import { type ArchiveTarget, type MetricsPlace, metricsPlace, slotsOf } from '../../core/archive/keys.ts';
import { daysOf, type Manifest } from '../../core/archive/manifest.ts';
import { between, joined, type ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { groupBy } from '../../core/group-by.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { daysAndTargets, type Part } from './archived-files.ts';
import { BrokenFile, isOfOneFile, openMetrics } from './open-metrics.ts';
import { readManifest } from './read-manifest.ts';
import type { ArchiveStore } from './store.ts';

/** Of 2026-11. */
const monthLength = 7;
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

const missingFile = (key: string): BrokenFile =>
  new BrokenFile(key, 'a manifest names it, and it is not there', undefined, { advice: 'put it back' });

/** The first day, or month, of a target of which an object is there; null: none is. What is older is not kept any more. */
export function keptSince(places: readonly MetricsPlace[], target: ArchiveTarget): string | null {
  const own = places.filter(({ account, region }) => account === target.account && region === target.region);
  return own.reduce<string | null>(
    (first, { time }) => (first === null || time < first ? time : first),
    null,
  );
}

/** A month is kept where any of its days is. */
export const isKept = (day: string, since: string | null): boolean =>
  since === null || day.slice(0, since.length) >= since;

/**
 * Objects that a manifest says rows of and that are not there: their points were there. Manifests are kept longer than objects: of
 * days before all that is there none is missed.
 * @param resource those alone that may hold it
 */
export function missingOf(
  manifests: readonly Manifest[],
  there: readonly MetricsPlace[],
  resource?: { target: ArchiveTarget; id: string },
): ReadFiles['broken'] {
  const keys = new Set(there.map(({ key }) => key));
  const since = new Map<string, string | null>();
  const missing = new Set<string>();
  for (const { account, region, day, objects } of manifests) {
    const name = `${account} ${region}`;
    if (!since.has(name)) since.set(name, keptSince(there, { account, region }));
    if (!isKept(day, since.get(name) ?? null)) continue;
    for (const { key, rows } of objects) if (rows > 0 && !keys.has(key)) missing.add(key);
  }
  const asked = resource && new Set(keysOf(manifests, resource.target, [resource.id]));
  return [...missing]
    .filter((key) => asked?.has(key) !== false)
    .sort()
    .map((key) => ({ key, reason: missingFile(key).message }));
}

/**
 * What of a part is missing, as its manifests say; and manifests that cannot be read.
 * @param reads `each`: the manifest of each day, as a folder allows. `empty`: those of days without any object; S3 charges for each.
 */
export async function missingFiles(
  store: ArchiveStore,
  part: Part,
  listed: readonly MetricsPlace[],
  reads: 'each' | 'empty',
): Promise<ReadFiles['broken']> {
  const nameOf = ({ account, region }: ArchiveTarget, time: string): string => `${account} ${region} ${time}`;
  const held = new Set(listed.map((place) => nameOf(place, place.time)));
  const days = (await daysAndTargets(store, part)).filter(
    ({ day, ...target }) =>
      reads === 'each' || ![day, day.slice(0, monthLength)].some((time) => held.has(nameOf(target, time))),
  );
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

/** What some files hold, and which of them are there. All of it is in memory together: a year of one volume with all metrics is 50 MB. */
export async function readFiles(
  store: ArchiveStore,
  keys: readonly string[],
  { fromSeconds, endSeconds, resourceIds, metrics, evaluation }: MinutesAsked,
): Promise<ReadFiles & { absent: string[] }> {
  const absent: string[] = [];
  const listedIds = [...new Set(resourceIds)].sort();
  const asked = { firstId: '', endId: null, listedIds, metrics, evaluation };
  // All of a file, or none of it.
  const { found, broken } = await orNamed(keys, async (key) => {
    const object = await store.open(key);
    if (object === null) {
      absent.push(key);
      return null;
    }
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
  return { minutes, broken, absent };
}

/** Which objects there are is said by the manifests of the window. */
export async function readMinutes(
  store: ArchiveStore,
  target: ArchiveTarget,
  asked: MinutesAsked,
): Promise<ArchivedMinutes> {
  const ofDays = await readManifests(store, target, daysOf(asked.fromSeconds, asked.endSeconds));
  const { manifests } = ofDays;
  const keys = keysOf(manifests, target, asked.resourceIds);
  const { minutes, broken, absent } = await readFiles(store, keys, asked);
  const isAbsent = new Set(absent);
  const there = keys
    .filter((key) => !isAbsent.has(key))
    .map(metricsPlace)
    .filter((place) => place !== null);
  const missing = missingOf(manifests, there).filter(({ key }) => isAbsent.has(key));
  return {
    minutes,
    manifests,
    broken: [...ofDays.broken, ...broken, ...missing].sort((a, b) => (a.key < b.key ? -1 : 1)),
  };
}
