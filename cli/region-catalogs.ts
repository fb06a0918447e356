/** The instance types and prices that a command works with: refreshed on this machine, or those that come with it. */
import { cachedCatalog } from '../adapters/files/cached-catalog.ts';
import {
  builtInRegionCatalog,
  type RegionCatalog,
  type RegionCatalogs,
} from '../core/catalog/region-catalog.ts';

/** Each Region is read once, when it is first asked for. */
export function regionCatalogsHere(): RegionCatalogs {
  const read = new Map<string, RegionCatalog>();
  return (region) => {
    const regionCatalog = read.get(region) ?? cachedCatalog(region) ?? builtInRegionCatalog(region);
    read.set(region, regionCatalog);
    return regionCatalog;
  };
}
