/** A Region's prices out of the Price List Query API. What is not there is unknown: never zero, never guessed. */

import { type PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing';
import {
  ebsFamilies,
  isOfRegion,
  metal,
  type PriceRow,
  type PricesRead,
  type ProductFilter,
  priceRowOf,
  pricesOfRows,
  virtual,
} from '../price-list.ts';
import { reading } from './failure.ts';
import { pagesWithEnd } from './pages.ts';

async function getProducts(
  client: PricingClient,
  region: string,
  filter: ProductFilter,
): Promise<PriceRow[]> {
  const Filters = Object.entries({ regionCode: region, ...filter }).map(([Field, Value]) => ({
    Type: 'TERM_MATCH' as const,
    Field,
    Value,
  }));
  const request = { ServiceCode: 'AmazonEC2', FormatVersion: 'aws_v1', Filters };
  const texts = new Set<string>();
  for await (const { PriceList } of pagesWithEnd(paginateGetProducts({ client, pageSize: 100 }, request))) {
    for (const text of PriceList ?? []) texts.add(String(text));
  }
  return [...texts].map((text) => priceRowOf(JSON.parse(text))).filter((row) => isOfRegion(row, region));
}

/**
 * The prices of a Region. A type of volume of which a figure is missing has no price, and a part is null where nothing of
 * it has one: a notice says which figures.
 * @throws Unreadable where the Price List does not answer.
 */
export const getPrices = (client: PricingClient, region: string): Promise<PricesRead> =>
  reading(`pricing:GetProducts of ${region}`, async () => {
    // One after the other: the Price List takes ten calls at once and five a second (its Quotas, read 2026-11-21).
    const virtualRows = await getProducts(client, region, virtual);
    const metalRows = await getProducts(client, region, metal);
    const ebsRows: PriceRow[] = [];
    for (const productFamily of ebsFamilies)
      ebsRows.push(...(await getProducts(client, region, { productFamily })));
    return pricesOfRows(region, { virtualRows, metalRows, ebsRows });
  });
