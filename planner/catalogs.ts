/** Prices and instance types of the planner: those that come with it, and those of files that somebody gave it. */
import { type PriceListFile, readPriceList } from '../adapters/files/price-list-file.ts';
import { parseJson, type TextFile } from '../adapters/files/text-file.ts';
import { catalogWithGiven, type GivenNotice, type GivenPrices } from '../core/catalog/given-prices.ts';
import {
  builtInRegionCatalog,
  madeOnce,
  type RegionCatalogs,
  type StoredCatalog,
  storedCatalogSchema,
} from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import { rankingRegion } from '../core/prices/prices.ts';

/** What `catalog refresh` writes is below 1 MiB; a price list of one Region has some 10 MiB. */
export const maxPricesMiB = 50;

const refreshed = 'what `stripewise catalog refresh --region REGION --out FILE` writes';
const printed = 'what `aws pricing get-products --service-code AmazonEC2 --output json` prints';

export type PricesFile =
  | { kind: 'catalog'; name: string; regions: readonly string[]; stored: StoredCatalog }
  | { kind: 'price-list'; name: string; regions: readonly string[]; prices: PriceListFile };

/** Undefined: it is no whole document, or several. */
function documentOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

const isObject = (document: unknown): document is object =>
  typeof document === 'object' && document !== null && !Array.isArray(document);

/** @throws BadInput in one line where it is neither of the two, or not whole. */
export function readPricesFile(file: TextFile): PricesFile {
  const { name } = file;
  const document = documentOf(file.text());
  if (isObject(document) && ('instanceTypes' in document || 'refreshedAt' in document)) {
    const stored = parseJson(file, storedCatalogSchema, refreshed);
    return { kind: 'catalog', name, regions: [stored.region], stored };
  }
  if (document !== undefined && !(isObject(document) && 'PriceList' in document))
    throw new BadInput(`${name}: it has no prices; give ${refreshed}, or ${printed}`);
  const prices = readPriceList(file);
  return { kind: 'price-list', name, regions: prices.regions, prices };
}

/** What is known of a Region from files: figures and texts alone, so that a worker can be given it. */
export interface CatalogSource {
  region: string;
  stored: StoredCatalog | null;
  /** The first goes before the others. */
  given: readonly GivenPrices[];
}

export interface Catalogs {
  /** In the order in which they were given: of two with the same the later one is used. */
  files: readonly PricesFile[];
  /** Those with prices, sorted; what comes with the page first. */
  regions: readonly string[];
  regionCatalogs: RegionCatalogs;
  /** Of files: what they lack, and what is used instead. */
  notices: readonly GivenNotice[];
  /** Of each Region that files have. */
  sources: readonly CatalogSource[];
}

const isOf = (region: string) => (file: PricesFile) => file.regions.includes(region);

function sourceOf(region: string, files: readonly PricesFile[]): CatalogSource {
  const latestFirst = files.filter(isOf(region)).toReversed();
  const stored = latestFirst.find((file) => file.kind === 'catalog')?.stored ?? null;
  const given = latestFirst.flatMap((file) =>
    file.kind === 'price-list' ? (file.prices.pricesOf(region) ?? []) : [],
  );
  return { region, stored, given };
}

/** The catalogs of files with what they lack, and for other Regions those that come with the page. */
function ofSources(sources: readonly CatalogSource[]): Pick<Catalogs, 'regionCatalogs' | 'notices'> {
  const found = sources.map(({ region, stored, given }) => catalogWithGiven(region, stored, given));
  const byRegion = new Map(found.map(({ regionCatalog }) => [regionCatalog.region, regionCatalog]));
  return {
    regionCatalogs: madeOnce((region) => byRegion.get(region) ?? builtInRegionCatalog(region)),
    notices: found.flatMap(({ notices }) => notices),
  };
}

export const catalogsOfSources = (sources: readonly CatalogSource[]): RegionCatalogs =>
  ofSources(sources).regionCatalogs;

export function catalogsOf(files: readonly PricesFile[]): Catalogs {
  const named = new Set(files.flatMap(({ regions }) => regions));
  const sources = [...named].map((region) => sourceOf(region, files));
  return {
    files,
    regions: [rankingRegion, ...[...named].filter((region) => region !== rankingRegion).sort()],
    sources,
    ...ofSources(sources),
  };
}

/** With a file more; one of the same name and kind is replaced. */
export const withFile = (files: readonly PricesFile[], file: PricesFile): PricesFile[] => [
  ...files.filter(({ name, kind }) => name !== file.name || kind !== file.kind),
  file,
];
