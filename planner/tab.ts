/** What each tab of the planner is given. */
import type { RegionCatalogs } from '../core/catalog/region-catalog.ts';
import type { CatalogSource } from './catalogs.ts';

export interface TabProps<State> {
  state: State;
  change: (part: Partial<State>) => void;
  /** Prices and instance types: those that come with the page, or of files that were given. */
  regionCatalogs: RegionCatalogs;
  /** What files say of Regions, for a worker, which makes its own catalogs of it. */
  catalogSources: readonly CatalogSource[];
  /** Those with prices, for `RegionField`. */
  regions: readonly string[];
}
