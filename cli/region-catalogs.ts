/**
 * The instance types and prices that a command works with: given in files, refreshed on this machine, or those that come with
 * it.
 */
import { cachedStoredCatalog } from '../adapters/files/cached-catalog.ts';
import { type PriceListFile, readPriceList } from '../adapters/files/price-list-file.ts';
import { fileAt } from '../adapters/files/read-file.ts';
import { catalogWithGiven } from '../core/catalog/given-prices.ts';
import { madeOnce, type RegionCatalogs } from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { sanitize } from '../report/terminal/text.ts';
import { noticeText } from '../report/wording/audit-notices.ts';
import { freshCatalogs, type StoredCatalogs } from './fresh-catalogs.ts';
import type { Io } from './io.ts';

/** Of what is on this machine, without a call. */
export const regionCatalogsHere = (): RegionCatalogs =>
  madeOnce((region) => catalogWithGiven(region, cachedStoredCatalog(region), []).regionCatalog);

/** What a command says of the Regions whose prices it uses. */
export interface PricesAsked {
  /** Files of `--prices`. */
  prices?: readonly string[];
  profile?: string;
}

/** @throws BadInput where files are given and none has a price of any of these Regions. */
function pricesGiven(paths: readonly string[], regions: readonly string[]): PriceListFile[] {
  const files = paths.map((path) => readPriceList(fileAt(path)));
  const has = (region: string): boolean => files.some((file) => file.pricesOf(region) !== null);
  if (files.length === 0 || regions.length === 0 || regions.some(has)) return files;
  const there = [...new Set(files.flatMap((file) => file.regions))].sort();
  throw new BadInput(
    `--prices ${paths.join(' ')}: there are no prices of ${fewOf(regions)}, but of ${fewOf(there)}; filter by Type=TERM_MATCH,Field=regionCode,Value=${regions[0]}`,
  );
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
  return madeOnce((region) => {
    const there = stored.get(region) ?? cachedStoredCatalog(region);
    const given = files.flatMap((file) => file.pricesOf(region) ?? []);
    const { regionCatalog, notices } = catalogWithGiven(region, there, given);
    for (const { name, notice } of notices)
      io.err(`stripewise: ${sanitize(`${name}: ${noticeText(notice)}`, 600)}`);
    return regionCatalog;
  });
}
