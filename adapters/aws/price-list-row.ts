/** One row of the Price List: a product and its On-Demand price, as GetProducts gives it (FormatVersion aws_v1). */
import { z } from 'zod';
import { fewOf } from '../../core/few.ts';
import { type Known, known, unknown } from '../../core/known.ts';

const dimensionSchema = z.object({
  unit: z.string(),
  endRange: z.string().optional(),
  /** By currency; a decimal as text. */
  pricePerUnit: z.record(z.string(), z.string()),
});

const rowSchema = z.object({
  product: z.object({ attributes: z.record(z.string(), z.string()) }),
  terms: z.object({
    OnDemand: z
      .record(z.string(), z.object({ priceDimensions: z.record(z.string(), dimensionSchema) }))
      .optional(),
  }),
  version: z.string().min(1),
  publicationDate: z.iso.datetime(),
});

export interface PriceRow {
  attributes: Record<string, string>;
  price: Known<{ usd: number; unit: string }>;
  version: string;
  publicationDate: string;
}

/** As AWS writes a price: digits and up to ten decimals; other spellings of a number are not understood. */
const plainDecimal = /^\d{1,6}(?:\.\d{1,15})?$/;

const longestQuoted = 40;
export const quoted = (text: string): string => `"${text.slice(0, longestQuoted)}"`;

function priceOf({ OnDemand = {} }: z.infer<typeof rowSchema>['terms']): PriceRow['price'] {
  const dimensions = Object.values(OnDemand).flatMap(({ priceDimensions }) => Object.values(priceDimensions));
  // Where a first part is free it is a dimension of its own: the price is that of the part without end.
  const [dimension, ...others] = dimensions.filter(({ endRange }) => (endRange ?? 'Inf') === 'Inf');
  if (dimension === undefined) return unknown('it has no On-Demand price');
  if (others.length > 0) return unknown('it has several On-Demand prices');
  const { USD: text } = dimension.pricePerUnit;
  if (text === undefined)
    return unknown(`it is quoted in ${fewOf(Object.keys(dimension.pricePerUnit))}, not in USD`);
  const usd = Number(text);
  // Rows of reserved capacity are there at zero: nothing that is paid for costs nothing.
  if (!plainDecimal.test(text) || !(usd > 0)) return unknown(`its price is ${quoted(text)}`);
  return known({ usd, unit: dimension.unit });
}

/** @throws where it is no JSON, or of another shape. */
export function priceRow(text: string): PriceRow {
  const { product, terms, version, publicationDate } = rowSchema.parse(JSON.parse(text));
  return { attributes: product.attributes, price: priceOf(terms), version, publicationDate };
}

/** Local zones and Wavelength zones are listed beside the Region that they belong to. */
export const isOfRegion = ({ attributes }: PriceRow, region: string): boolean =>
  attributes['locationType'] === 'AWS Region' && attributes['regionCode'] === region;

/** Of which publication rows are: the newest, should a page of the next one have come already. */
export function publicationOf(rows: readonly PriceRow[]): { asOf: string; source: string } | null {
  const [first, ...rest] = rows;
  if (first === undefined) return null;
  const newest = rest.reduce((a, b) => (b.publicationDate > a.publicationDate ? b : a), first);
  return {
    asOf: newest.publicationDate.slice(0, 10),
    source: `AWS Price List, AmazonEC2, version ${newest.version}`,
  };
}
