/** What can be had in a Region and what it costs: its instance types and its prices. */
import { z } from 'zod';
import { builtInPrices, type PriceBook, priceBook, regionPricesSchema } from '../prices/price-book.ts';
import { builtInCatalogue, InstanceCatalogue } from './built-in.ts';
import { instanceTypesSchema } from './instance-type.ts';

/** A Region's market as it is stored after a refresh. */
export const storedMarketSchema = z.object({
  region: z.string(),
  /** ISO 8601 UTC. */
  refreshedAt: z.iso.datetime(),
  prices: regionPricesSchema,
  instanceTypes: instanceTypesSchema,
});
export type StoredMarket = z.infer<typeof storedMarketSchema>;

export interface Market {
  region: string;
  instanceTypes: InstanceCatalogue;
  prices: PriceBook;
  /** Null where nobody refreshed it: the tables that come with stripewise, where an instance type may not be offered. */
  refreshedAt: string | null;
}

/** By Region. */
export type Markets = (region: string) => Market;

export const marketOf = ({ region, refreshedAt, prices, instanceTypes }: StoredMarket): Market => ({
  region,
  refreshedAt,
  prices: priceBook(prices),
  instanceTypes: new InstanceCatalogue(instanceTypes),
});

export const builtInMarket: Markets = (region) => ({
  region,
  refreshedAt: null,
  prices: priceBook(builtInPrices(region)),
  instanceTypes: builtInCatalogue(),
});
