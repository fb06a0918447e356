/** Prices that somebody gives in files, before those that are known without them. */
import { groupBy } from '../group-by.ts';
import {
  builtInPrices,
  type EbsPrices,
  priceBook,
  priceDayOf,
  type RegionPrices,
  unpricedTypes,
  withGivenPrices,
} from '../prices/prices.ts';
import type { AuditNotice, UsedInstead } from '../schemas/audit-notice.ts';
import {
  builtInRegionCatalog,
  priceParts,
  pricesInUse,
  type RegionCatalog,
  regionCatalogOf,
  type StoredCatalog,
} from './region-catalog.ts';

/** What a file has of one Region. */
export interface GivenPrices {
  /** Of the file. */
  name: string;
  prices: RegionPrices;
  notices: readonly AuditNotice[];
}

/** What is to be said of a file. */
export interface GivenNotice {
  name: string;
  notice: AuditNotice;
}

/** Of types that were not read: whose prices are used instead, and which have none. */
export function typesInstead(fresh: EbsPrices, inUse: EbsPrices | null): UsedInstead[] {
  const unread = unpricedTypes(fresh);
  const byDay = groupBy(unread, (volumeType) => priceDayOf(volumeType, inUse ?? fresh));
  return [...byDay].map(([asOf, volumeTypes]) => ({ part: 'ebs', asOf, volumeTypes }));
}

/** What is used in place of prices that a file lacks. */
function withInstead(notice: AuditNotice, given: RegionPrices, used: RegionPrices): AuditNotice {
  if (!('usedInstead' in notice)) return notice;
  const gone: UsedInstead[] = priceParts
    .filter((part) => given[part] === null)
    .map((part) => ({ part, asOf: used[part]?.asOf ?? null }));
  const isOfEbs = notice.code === 'price-list-incomplete' && notice.part === 'ebs';
  const ofTypes = isOfEbs && given.ebs !== null ? typesInstead(given.ebs, used.ebs) : [];
  return { ...notice, usedInstead: [...gone, ...ofTypes] };
}

const named = (prices: RegionPrices, fromFile: string): RegionPrices => ({
  ...prices,
  ebs: prices.ebs && { ...prices.ebs, fromFile },
  instances: prices.instances && { ...prices.instances, fromFile },
});

/**
 * A Region's catalog with the prices of files before those that are known, the first file first; what one lacks is noted.
 * @param stored null: nobody read the Region, and there is what comes with stripewise.
 */
export function catalogWithGiven(
  region: string,
  stored: StoredCatalog | null,
  given: readonly GivenPrices[],
): { regionCatalog: RegionCatalog; notices: GivenNotice[] } {
  const known = stored === null ? builtInRegionCatalog(region) : regionCatalogOf(stored);
  if (given.length === 0) return { regionCatalog: known, notices: [] };
  const notices: GivenNotice[] = [];
  let used = stored === null ? builtInPrices(region) : pricesInUse(stored);
  for (const { name, prices, notices: own } of given.toReversed()) {
    const merged = withGivenPrices(named(prices, name), used);
    notices.push(...own.map((notice) => ({ name, notice: withInstead(notice, prices, merged) })));
    used = merged;
  }
  return { regionCatalog: { ...known, prices: priceBook(used) }, notices };
}
