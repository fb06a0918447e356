/** `stripewise history volume`: one volume out of the archive, by range; needs no DuckDB. */
import {
  type DayAndTarget,
  daysAndTargets,
  filesOfResource,
  metricsFilesOf,
  nothingThere,
} from '../adapters/archive/archived-files.ts';
import { isOfOneFile } from '../adapters/archive/open-metrics.ts';
import { readManifest } from '../adapters/archive/read-manifest.ts';
import { isKept, keptSince, missingOf, readFiles, readManifests } from '../adapters/archive/read-minutes.ts';
import { readTable, type TableRow } from '../adapters/archive/read-tables.ts';
import type { ArchiveStore } from '../adapters/archive/store.ts';
import { dayStart, manifestPlace, manifestsPrefix } from '../core/archive/keys.ts';
import { daysOf } from '../core/archive/manifest.ts';
import { type Interval, united } from '../core/archive/reading-plan.ts';
import type { ResourceMinutes } from '../core/archive/resource-minutes.ts';
import { gapsOf, metricsOfHistory, readingsOf, volumeHistory } from '../core/archive/volume-history.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { nearest } from '../core/nearest.ts';
import { sanitize } from '../core/sanitize.ts';
import type { VolumeHistory } from '../core/schemas/history-answers.ts';
import { secondsPerDay } from '../core/units.ts';
import { type ArchiveOptions, asking, openArchive, partOf } from './history-archive.ts';

/** The newest day has one, where audits keep any. */
const mostInventories = 7;

/** Manifests that are looked into at once. */
const atOnce = 16;

/**
 * The account and Region that read a volume: by its manifests, the newest day first.
 * @throws BadInput where none did: with the id that may have been meant.
 */
async function targetOf(
  store: ArchiveStore,
  volumeId: string,
  newestFirst: readonly DayAndTarget[],
): Promise<DayAndTarget> {
  const ids = new Set<string>();
  // The newest day says it of all volumes that there are today.
  const ofNewest = newestFirst.filter(({ day }) => day === newestFirst[0]?.day).length;
  for (let i = 0, count = Math.min(ofNewest, atOnce); i < newestFirst.length; i += count, count = atOnce) {
    const some = newestFirst.slice(i, i + count);
    const manifests = await Promise.all(
      some.map(async ({ day, account, region }) => {
        try {
          return await readManifest(store, day, { account, region });
        } catch (error) {
          // Another day says it, too; which files cannot be read is said of those that are needed.
          if (isOfOneFile(error)) return null;
          throw error;
        }
      }),
    );
    for (const [place, manifest] of manifests.entries()) {
      for (const { resourceIds } of manifest?.reads ?? []) for (const id of resourceIds) ids.add(id);
      if (ids.has(volumeId)) return some[place] as DayAndTarget;
    }
  }
  throw new BadInput(notThere(store, volumeId, [...ids].filter((id) => id.startsWith('vol-')).sort()));
}

function notThere({ name }: ArchiveStore, volumeId: string, ids: readonly string[]): string {
  const asked = sanitize(volumeId);
  if (ids.length === 0) return `${name}: ${asked} is not in it, nor is any volume of these days`;
  const like = nearest(volumeId, ids);
  const right =
    like === null
      ? `it has ${fewOf(ids.map((id) => sanitize(id)))}`
      : `the nearest id of ${ids.length} is ${sanitize(like)}`;
  return `${name}: ${asked} is not in it in these days, accounts and Regions: ${right}`;
}

/** A volume's minutes out of the archive, and what was read of it. */
export interface ReadVolume {
  volumeId: string;
  target: { account: string; region: string };
  /** Null where no row of it is there. */
  minutes: ResourceMinutes | null;
  /** When it was read, whatever of it. */
  read: Interval[];
  /** What of it lies in files that cannot be read; of a manifest that cannot be read its whole day. */
  unreadable: Interval[];
  window: Interval;
  unreadFiles: { file: string; reason: string }[];
  /** Its row in the newest inventory of these days; null where there is none. */
  inventory(): Promise<TableRow<'inventory'> | null>;
}

export async function readVolume(
  options: ArchiveOptions,
  volumeId: string,
  metrics = metricsOfHistory,
): Promise<ReadVolume> {
  const part = partOf(options);
  const { store } = await openArchive(options);
  return asking(options, async () => {
    const newestFirst = await daysAndTargets(store, part);
    if (newestFirst.length === 0) await nothingThere(store, manifestsPrefix);
    // Listed at once, they are not listed one by one, and what is listed is known without the manifests of a year.
    const files = await metricsFilesOf(store, part);
    const { account, region } = await targetOf(store, volumeId, newestFirst);
    const target = { account, region };
    const own = newestFirst.filter((one) => one.account === account && one.region === region);
    const since = keptSince(files, target);
    const kept = own.filter(({ day }) => isKept(day, since));
    const days = (kept.length === 0 ? own : kept).map(({ day }) => dayStart(day));
    const asked = {
      from: part.fromSeconds ?? Math.min(...days),
      end: part.endSeconds ?? Math.max(...days) + secondsPerDay,
    };
    const found = await readFiles(store, filesOfResource(files, target, volumeId), {
      ...{ fromSeconds: asked.from, endSeconds: asked.end, resourceIds: [volumeId] },
      ...{ metrics, evaluation: true },
    });
    const minutes = found.minutes[0] ?? null;
    // What was read is asked for where there is no row, and for both ends.
    const unknown = new Set(gapsOf(minutes, asked).flatMap(({ from, end }) => daysOf(from, end)));
    const { manifests, broken } = await readManifests(
      store,
      target,
      own.flatMap(({ day }, i) => (i === 0 || i === own.length - 1 || unknown.has(day) ? [day] : [])),
    );
    const read = readingsOf(manifests, volumeId);
    const unread = [...broken, ...found.broken, ...missingOf(manifests, files, { target, id: volumeId })];
    const unreadKeys = new Set(unread.map(({ key }) => key));
    const unreadable = united([
      ...readingsOf(
        manifests.filter(
          ({ day, objects }) => !isKept(day, since) || objects.some(({ key }) => unreadKeys.has(key)),
        ),
        volumeId,
      ),
      ...broken.flatMap(({ key }) => {
        const day = manifestPlace(key)?.day;
        return day === undefined ? [] : [{ from: dayStart(day), end: dayStart(day) + secondsPerDay }];
      }),
    ]);
    const window = {
      from: part.fromSeconds ?? Math.max(asked.from, read.find(({ end }) => end > asked.from)?.from ?? 0),
      end: part.endSeconds ?? read.at(-1)?.end ?? asked.end,
    };
    const unreadFiles = unread.map(({ key, reason }) => ({ file: key, reason }));
    const inventory = () =>
      asking(options, async () => {
        for (const { day } of own.slice(0, mostInventories)) {
          try {
            const rows = await readTable(store, { ...target, day }, 'inventory');
            const row = rows?.find((one) => one.volume_id === volumeId);
            if (row !== undefined) return row;
          } catch (error) {
            // An older one says it too.
            if (!isOfOneFile(error)) throw error;
            unreadFiles.push({ file: error.key, reason: error.message });
          }
        }
        return null;
      });
    return { volumeId, target, minutes, read, unreadable, window, unreadFiles, inventory };
  });
}

export async function volumeOf(options: ArchiveOptions, volumeId: string): Promise<VolumeHistory> {
  const { minutes, target, window, read, unreadable, unreadFiles } = await readVolume(options, volumeId);
  return { ...volumeHistory(minutes, { volumeId, target, window, read, unreadable }), unreadFiles };
}
