/** Prices in a file: what `aws pricing get-products --service-code AmazonEC2` prints, one page or several one after the other. */
import { z } from 'zod';
import type { GivenPrices } from '../../core/catalog/given-prices.ts';
import { BadInput } from '../../core/errors.ts';
import { fewOf } from '../../core/few.ts';
import { jsonDocuments } from '../json-documents.ts';
import { type PriceRow, priceRowOf, pricesAmong } from '../price-list.ts';
import { place, type TextFile } from './text-file.ts';

const expected = '`aws pricing get-products --service-code AmazonEC2 --output json`';

/** The CLI prints each row as a text of JSON. */
const pageSchema = z.object({ PriceList: z.array(z.union([z.string(), z.looseObject({})])) });

export interface PriceListFile {
  name: string;
  /** Of which it has a price that can be used. */
  regions: string[];
  /** Null where it has no price of the Region. */
  pricesOf(region: string): GivenPrices | null;
}

function unusable(name: string, where: string, error: unknown): BadInput {
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  const inside = issue === undefined || issue.path.length === 0 ? '' : place(issue.path);
  const at = [where, inside].filter((part) => part !== '').join('.') || 'the document';
  const why = issue?.message ?? (error instanceof Error ? error.message : String(error));
  return new BadInput(`${name}: ${at} is not as expected: ${why}; expected what ${expected} prints`, {
    cause: error,
  });
}

function documentsIn(file: TextFile): unknown[] {
  const text = file.text().replace(/^\uFEFF/, '');
  try {
    return jsonDocuments(text);
  } catch (error) {
    throw new BadInput(
      `${file.name}: not whole JSON (${(error as Error).message}); expected the whole of what ${expected} prints`,
      { cause: error },
    );
  }
}

function rowsOf(name: string, document: unknown, page: string): PriceRow[] {
  const { data, error } = pageSchema.safeParse(document);
  if (error !== undefined) throw unusable(name, page, error);
  return data.PriceList.map((row, index) => {
    try {
      return priceRowOf(typeof row === 'string' ? JSON.parse(row) : row);
    } catch (error) {
      throw unusable(name, `${page === '' ? '' : `${page}: `}PriceList[${index}]`, error);
    }
  });
}

/**
 * Reads rows of the Price List from a file; rows of other products are passed over.
 * @throws BadInput where it cannot be read, is not what the AWS CLI prints, or has no price of EBS or of instances.
 */
export function readPriceList(file: TextFile): PriceListFile {
  const { name } = file;
  const documents = documentsIn(file);
  const rows = documents.flatMap((document, index) =>
    rowsOf(name, document, documents.length === 1 ? '' : `page ${index + 1}`),
  );
  const named = [...new Set(rows.map(({ attributes }) => attributes['regionCode'] ?? ''))].sort();
  const read = new Map(named.map((region) => [region, pricesAmong(rows, region)]));
  const priced = [...read].filter(([, { prices }]) => prices.ebs !== null || prices.instances !== null);
  const prices = new Map(priced);
  if (prices.size === 0) {
    const of = named.filter((region) => region !== '');
    const among = of.length === 0 ? '' : ` among its rows of ${fewOf(of)}`;
    throw new BadInput(
      `${name}: it has no price of EBS or of Linux instances${among}; expected what ${expected} prints`,
    );
  }
  return {
    ...{ name, regions: [...prices.keys()] },
    pricesOf: (region) => {
      const found = prices.get(region);
      return found === undefined ? null : { name, ...found };
    },
  };
}
