/** The region catalog of a Region as a run before, or a step before, stored it. */
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { type Remarks, remarkOn } from '../../core/audit/remarks.ts';
import { storedCatalogKey } from '../../core/audit/run-keys.ts';
import {
  builtInRegionCatalog,
  type RegionCatalog,
  regionCatalogOf,
  type StoredCatalog,
  storedCatalogSchema,
} from '../../core/catalog/region-catalog.ts';
import { Unreadable } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';

/**
 * Null where there is none; a text that is no Region has none, whatever key it would lead to. It is looked for first: S3 answers a GetObject of what is not there with 403 to who may not
 * list the whole bucket, the same as where it may not be read.
 * @throws Unreadable where it is there and cannot be read, or is of another Region.
 */
export async function storedCatalog(store: RunStore, region: string): Promise<StoredCatalog | null> {
  const key = storedCatalogKey(region);
  if (!isRegionName(region) || !(await store.list(key)).includes(key)) return null;
  const stored = await store.getJson(key, storedCatalogSchema);
  if (stored.region === region) return stored;
  throw new Unreadable(`${key} is of ${stored.region}, not of ${region}`);
}

export interface RegionCatalogToEvaluate extends Remarks {
  regionCatalog: RegionCatalog;
}

/** What to evaluate with: the stored one, or the one that comes with stripewise. Nothing is left unjudged for prices. */
export async function regionCatalogToEvaluate(
  store: RunStore,
  region: string,
): Promise<RegionCatalogToEvaluate> {
  try {
    const stored = await storedCatalog(store, region);
    const regionCatalog = stored === null ? builtInRegionCatalog(region) : regionCatalogOf(stored);
    return { regionCatalog, notices: [], incomplete: [] };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const notice = { code: 'stored-prices-unreadable', region, reason: error.message } as const;
    return { regionCatalog: builtInRegionCatalog(region), ...remarkOn(error, notice) };
  }
}
