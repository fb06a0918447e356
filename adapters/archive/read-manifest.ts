/** What the manifest of a day says: which objects have its rows, and up to when it was read. */
import { type ArchiveTarget, manifestKey } from '../../core/archive/keys.ts';
import { type Manifest, manifestSchema } from '../../core/archive/manifest.ts';
import { BrokenFile } from './open-metrics.ts';
import type { ArchiveStore } from './store.ts';

interface KeptManifest {
  manifest: Manifest;
  etag: string;
}

/** Null where there is none. @throws BrokenFile where it is none of ours. */
export async function keptManifest(
  store: ArchiveStore,
  day: string,
  target: ArchiveTarget,
): Promise<KeptManifest | null> {
  const object = await store.open(manifestKey(day, target));
  if (object === null) return null;
  const text = new TextDecoder().decode(await object.slice(0));
  try {
    return { manifest: manifestSchema.parse(JSON.parse(text)), etag: object.etag };
  } catch (error) {
    // Without it rows of the day could come into other objects than those that have them.
    const advice = 'put it back whole; do not remove it';
    throw new BrokenFile(
      object.key,
      'it has not its fields',
      { cause: error },
      { format: 'a manifest', advice },
    );
  }
}

/** As `keptManifest`, without what a change of it needs. */
export async function readManifest(
  store: ArchiveStore,
  day: string,
  target: ArchiveTarget,
): Promise<Manifest | null> {
  return (await keptManifest(store, day, target))?.manifest ?? null;
}
