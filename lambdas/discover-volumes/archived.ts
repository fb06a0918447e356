/** What the archive has of a target: what a run need not read again, and from when on there can be figures. */
import { limitAsync } from 'es-toolkit/promise';
import { readManifest } from '../../adapters/archive/commit.ts';
import { isOfOneFile } from '../../adapters/archive/open-metrics.ts';
import type { ArchiveStore } from '../../adapters/archive/store.ts';
import { type ArchiveTarget, dayOf, manifestPlace, manifestPrefixOf } from '../../core/archive/keys.ts';
import type { Manifest, Read } from '../../core/archive/manifest.ts';
import { readableFrom } from '../../core/archive/reading-plan.ts';
import type { ReadingPlan } from '../../core/audit/batches.ts';
import { msPerSecond } from '../../core/units.ts';

export interface ArchivedReads {
  /** Of the time that CloudWatch still has minutes of. */
  reads: Read[];
  /** Not before the window of the run. */
  startEpochSeconds: number;
}

const manifestsAtOnce = 8;

/** A manifest that is broken says nothing: what it said is read again, as far as CloudWatch has it. */
async function manifestOrNull(
  store: ArchiveStore,
  day: string,
  target: ArchiveTarget,
): Promise<Manifest | null> {
  try {
    return await readManifest(store, day, target);
  } catch (error) {
    if (isOfOneFile(error)) return null;
    throw error;
  }
}

export async function archivedReads(
  store: ArchiveStore,
  target: ArchiveTarget,
  { startEpochSeconds: start }: ReadingPlan,
  now: Date,
): Promise<ArchivedReads> {
  const readableSeconds = readableFrom(now.getTime() / msPerSecond);
  const keys = await store.list(manifestPrefixOf(target));
  const days = keys.flatMap((key) => manifestPlace(key)?.day ?? []).sort();
  const ofDay = limitAsync((day: string) => manifestOrNull(store, day, target), manifestsAtOnce);
  const recent = days.filter((day) => day >= dayOf(readableSeconds));
  const manifests = await Promise.all(recent.map(ofDay));
  const reads = manifests.flatMap((manifest) => manifest?.reads ?? []);
  const oldest = days.find((day) => day >= dayOf(start));
  const ofOldest = oldest === undefined ? null : await ofDay(oldest);
  const begins = Math.min(readableSeconds, ...(ofOldest?.reads ?? []).map(({ fromSeconds }) => fromSeconds));
  return { reads, startEpochSeconds: Math.max(start, begins) };
}
