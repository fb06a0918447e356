/** What the archive has of a target: what a run need not read again, and from when on there can be figures. */
import { limitAsync } from 'es-toolkit/promise';
import { dayOf } from '../../core/archive/keys.ts';
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

export interface ArchivedReadsFrom {
  /** Days that have a manifest, in any order. */
  listDays(): Promise<string[]>;
  /** Null where it cannot be read: what it said is read again, as far as CloudWatch has it. */
  readManifest(day: string): Promise<Manifest | null>;
}

export async function archivedReads(
  { listDays, readManifest }: ArchivedReadsFrom,
  { startEpochSeconds: start }: ReadingPlan,
  now: Date,
): Promise<ArchivedReads> {
  const readableSeconds = readableFrom(now.getTime() / msPerSecond);
  const days = (await listDays()).sort();
  const ofDay = limitAsync(readManifest, manifestsAtOnce);
  const recent = days.filter((day) => day >= dayOf(readableSeconds));
  const manifests = await Promise.all(recent.map(ofDay));
  const reads = manifests.flatMap((manifest) => manifest?.reads ?? []);
  let begins = readableSeconds;
  // The first that says what was read: one that cannot be read, or was begun and not written, says nothing.
  for (const day of days.filter((one) => one >= dayOf(start) && one < dayOf(readableSeconds))) {
    const read = (await ofDay(day))?.reads ?? [];
    if (read.length === 0) continue;
    begins = Math.min(...read.map(({ fromSeconds }) => fromSeconds));
    break;
  }
  return { reads, startEpochSeconds: Math.max(start, begins) };
}
