/** Which accounts and Regions an archive is of, and up to when. */
import {
  type ArchiveTarget,
  manifestPlace,
  manifestPrefixOf,
  manifestsPrefix,
} from '../../core/archive/keys.ts';
import type { Manifest } from '../../core/archive/manifest.ts';
import { isOfOneFile } from './open-metrics.ts';
import { readManifest } from './read-manifest.ts';
import type { ArchiveStore } from './store.ts';

export interface ArchivedTarget extends ArchiveTarget {
  /** In order. */
  days: string[];
}

export async function archivedTargets(store: ArchiveStore): Promise<ArchivedTarget[]> {
  const targets = new Map<string, ArchivedTarget>();
  for (const key of await store.list(manifestsPrefix)) {
    const place = manifestPlace(key);
    if (place === null) continue;
    const { day, account, region } = place;
    const name = `${account} ${region}`;
    const target = targets.get(name) ?? { account, region, days: [] };
    targets.set(name, target);
    target.days.push(day);
  }
  for (const { days } of targets.values()) days.sort();
  return [...targets.values()];
}

/** The days of one target, and what each says. A manifest that cannot be read says nothing. */
export const manifestsOf = (store: ArchiveStore, target: ArchiveTarget) => ({
  listDays: async (): Promise<string[]> =>
    (await store.list(manifestPrefixOf(target))).flatMap((key) => manifestPlace(key)?.day ?? []),
  readManifest: async (day: string): Promise<Manifest | null> => {
    try {
      return await readManifest(store, day, target);
    } catch (error) {
      if (isOfOneFile(error)) return null;
      throw error;
    }
  },
});

/** The end of what was read; null where none of the manifests says it. */
export async function endOfArchive(
  store: ArchiveStore,
  targets: readonly ArchivedTarget[],
): Promise<number | null> {
  let end: number | null = null;
  for (const target of targets) {
    for (const day of target.days.toReversed()) {
      try {
        const watermark = (await readManifest(store, day, target))?.watermarkSeconds ?? null;
        if (watermark === null) continue;
        end = Math.max(end ?? watermark, watermark);
        break;
      } catch (error) {
        // It is named where it is read for its minutes.
        if (!isOfOneFile(error)) throw error;
      }
    }
  }
  return end;
}
