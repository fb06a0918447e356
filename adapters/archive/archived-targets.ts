/** Which accounts and Regions an archive is of, and up to when. */
import { type ArchiveTarget, manifestPlace, manifestsPrefix } from '../../core/archive/keys.ts';
import { readManifest } from './commit.ts';
import { isOfOneFile } from './open-metrics.ts';
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
