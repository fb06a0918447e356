/**
 * The instance types and prices that a command works with: given in files, refreshed on this machine, or those that come with
 * it.
 */
import { cachedStoredCatalog } from '../adapters/files/cached-catalog.ts';
import { type PriceListFile, readPriceList } from '../adapters/files/price-list-file.ts';
import {
  builtInRegionCatalog,
  priceParts,
  pricesInUse,
  type RegionCatalog,
  type RegionCatalogs,
  regionCatalogOf,
  type StoredCatalog,
} from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { builtInPrices, priceBook, type RegionPrices, withGivenPrices } from '../core/prices/prices.ts';
import type { AuditNotice, UsedInstead } from '../core/schemas/audit-notice.ts';
import { typesInstead } from '../lambdas/refresh-catalog/refresh-catalog.ts';
import { sanitize } from '../report/terminal/text.ts';
import { noticeText } from '../report/wording/audit-notices.ts';
import { freshCatalogs, type StoredCatalogs } from './fresh-catalogs.ts';
import type { Io } from './io.ts';

const catalogOf = (region: string, stored: StoredCatalog | null): RegionCatalog =>
  stored === null ? builtInRegionCatalog(region) : regionCatalogOf(stored);

/** As each is made, when a Region is first asked for. */
function once(make: RegionCatalogs): RegionCatalogs {
  const made = new Map<string, RegionCatalog>();
  return (region) => {
    const regionCatalog = made.get(region) ?? make(region);
    made.set(region, regionCatalog);
    return regionCatalog;
  };
}

/** Of what is on this machine, without a call. */
export const regionCatalogsHere = (): RegionCatalogs =>
  once((region) => catalogOf(region, cachedStoredCatalog(region)));

/** What a command says of the Regions whose prices it uses. */
export interface PricesAsked {
  /** Files of `--prices`. */
  prices?: readonly string[];
  profile?: string;
}

/** @throws BadInput where files are given and none has a price of any of these Regions. */
function pricesGiven(paths: readonly string[], regions: readonly string[]): PriceListFile[] {
  const files = paths.map((path) => readPriceList(path));
  const has = (region: string): boolean => files.some((file) => file.pricesOf(region) !== null);
  if (files.length === 0 || regions.length === 0 || regions.some(has)) return files;
  const there = [...new Set(files.flatMap((file) => file.regions))].sort();
  throw new BadInput(
    `--prices ${paths.join(' ')}: there are no prices of ${fewOf(regions)}, but of ${fewOf(there)}; filter by Type=TERM_MATCH,Field=regionCode,Value=${regions[0]}`,
  );
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

/** The prices of a Region with those of the files before them, the first file first; what one lacks is said. */
function withFiles(
  region: string,
  known: RegionPrices,
  files: readonly PriceListFile[],
  io: Io,
): RegionPrices {
  return files.toReversed().reduce((used, file) => {
    const read = file.pricesOf(region);
    if (read === null) return used;
    const merged = withGivenPrices(named(read.prices, file.path), used);
    for (const notice of read.notices) {
      const text = noticeText(withInstead(notice, read.prices, merged));
      io.err(`stripewise: ${sanitize(`${file.path}: ${text}`, 600)}`);
    }
    return merged;
  }, known);
}

/**
 * Of Regions whose prices a command uses: read anew where they are old, and with the prices that files give.
 * @param regions those that are asked for; of another one there is what is on this machine.
 * @throws BadInput where a file cannot be used, or the files have nothing of these Regions.
 */
export async function regionCatalogsFor(
  regions: readonly string[],
  { prices = [], profile }: PricesAsked,
  io: Io,
): Promise<RegionCatalogs> {
  const files = pricesGiven(prices, regions);
  const isGiven = (region: string): boolean => files.some((file) => file.pricesOf(region) !== null);
  const others = files.length === 0 ? [] : regions.filter((region) => !isGiven(region));
  if (others.length > 0)
    io.err(
      `stripewise: --prices has nothing of ${sanitize(fewOf(others), 300)}: there the prices of this machine are used`,
    );
  const stored: StoredCatalogs = await freshCatalogs(
    regions.filter((region) => !isGiven(region)),
    profile,
    io,
  );
  return once((region) => {
    const there = stored.get(region) ?? cachedStoredCatalog(region);
    const known = catalogOf(region, there);
    if (!isGiven(region)) return known;
    const before = there === null ? builtInPrices(region) : pricesInUse(there);
    return { ...known, prices: priceBook(withFiles(region, before, files, io)) };
  });
}
