/** What can be had in a Region and what it costs: its instance types and its prices. */

import { z } from 'zod';
import { BadInput } from '../errors.ts';
import { isRegionName } from '../ids.ts';
import {
  builtInPrices,
  type PriceBook,
  priceBook,
  type RegionPrices,
  regionPricesSchema,
  withTypesOf,
} from '../prices/prices.ts';
import {
  builtInCatalog,
  familyOf,
  InstanceCatalog,
  type InstanceType,
  instanceTypesSchema,
} from './instance-types.ts';

// An instance type that somebody names.

/** @throws BadInput, with the sizes of its family where there are some, where the Region's catalog has no such type. */
export function knownType(instanceType: string, { instanceTypes, region }: RegionCatalog): InstanceType {
  const type = instanceTypes.get(instanceType);
  if (type !== undefined) return type;
  const family = familyOf(instanceType);
  const sizes = instanceTypes.types.filter((other) => familyOf(other.instanceType) === family);
  const hint =
    sizes.length > 0
      ? `of ${family} there are ${sizes.map((other) => other.instanceType).join(', ')}`
      : 'give one like m7i.2xlarge';
  throw new BadInput(`instance type "${instanceType}" is not in the catalog of ${region}: ${hint}`);
}

export const priceParts = ['ebs', 'instances'] as const;
export type PricePart = (typeof priceParts)[number];

/** A Region's catalog as it is stored after a refresh. */
export const storedCatalogSchema = z
  .object({
    region: z.string().refine(isRegionName, 'not a Region'),
    /** ISO 8601 UTC: when the Region was last read. */
    refreshedAt: z.iso.datetime(),
    prices: regionPricesSchema,
    /** When each part of the prices was read; before `refreshedAt` where it was kept, null where it is not known. */
    pricesReadAt: z.object({ ebs: z.iso.datetime().nullable(), instances: z.iso.datetime().nullable() }),
    instanceTypes: instanceTypesSchema,
  })
  .refine(({ region, prices }) => prices.region === region, 'its prices are of another Region')
  .refine(
    ({ prices, pricesReadAt }) =>
      priceParts.every((part) => (prices[part] === null) === (pricesReadAt[part] === null)),
    'prices without the time when they were read',
  );
export type StoredCatalog = z.infer<typeof storedCatalogSchema>;

export interface RegionCatalog {
  region: string;
  instanceTypes: InstanceCatalog;
  prices: PriceBook;
  /**
   * When its prices were read, of parts read at different times the older one. Null where they, or a part of them, come
   * with stripewise; where nobody refreshed the Region at all, an instance type may not be offered.
   */
  refreshedAt: string | null;
}

/** By Region. */
export type RegionCatalogs = (region: string) => RegionCatalog;

/** The same, each made once, when it is first asked for. */
export function madeOnce(make: RegionCatalogs): RegionCatalogs {
  const made = new Map<string, RegionCatalog>();
  return (region) => {
    const regionCatalog = made.get(region) ?? make(region);
    made.set(region, regionCatalog);
    return regionCatalog;
  };
}

interface Dated {
  asOf: string;
  source: string;
}

/** Of what was read and what comes with stripewise the newer one; of the same day, what was read. */
function newer<Part extends Dated>(read: Part | null, builtIn: Part | null): Part | null {
  if (builtIn === null || (read !== null && read.asOf >= builtIn.asOf)) return read;
  return { ...builtIn, insteadOf: { readAsOf: read?.asOf ?? null } };
}

/** The prices that a stored catalog is used with. */
export function pricesInUse({ region, prices }: Pick<StoredCatalog, 'region' | 'prices'>): RegionPrices {
  const builtIn = builtInPrices(region);
  const ebs = newer(prices.ebs, builtIn.ebs);
  return {
    region,
    ebs: ebs === null || builtIn.ebs === null ? ebs : withTypesOf(ebs, builtIn.ebs),
    instances: newer(prices.instances, builtIn.instances),
  };
}

function oldest({ prices, pricesReadAt, refreshedAt }: StoredCatalog, inUse: RegionPrices): string | null {
  const moments = priceParts
    .filter((part) => inUse[part] !== null)
    .map((part) => (inUse[part] === prices[part] ? pricesReadAt[part] : null));
  return [refreshedAt, ...moments].reduce((a, b) =>
    a === null || b === null ? null : Date.parse(b) < Date.parse(a) ? b : a,
  );
}

export function regionCatalogOf(stored: StoredCatalog): RegionCatalog {
  const inUse = pricesInUse(stored);
  return {
    region: stored.region,
    refreshedAt: oldest(stored, inUse),
    prices: priceBook(inUse),
    instanceTypes: new InstanceCatalog(stored.instanceTypes),
  };
}

export const builtInRegionCatalog: RegionCatalogs = (region) => ({
  region,
  refreshedAt: null,
  prices: priceBook(builtInPrices(region)),
  instanceTypes: builtInCatalog(),
});
