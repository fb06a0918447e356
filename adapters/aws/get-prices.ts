/** A Region's prices out of the Price List Query API. What is not there is unknown: never zero, never guessed. */
import { type PricingClient, paginateGetProducts } from '@aws-sdk/client-pricing';
import { instanceTypeNameSchema } from '../../core/catalog/instance-types.ts';
import type { PricePart } from '../../core/catalog/region-catalog.ts';
import { firstFew } from '../../core/few.ts';
import { type Known, known, unknown } from '../../core/known.ts';
import type { RegionPrices } from '../../core/prices/prices.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import { ebsPrices } from './ebs-price-rows.ts';
import { reading } from './failure.ts';
import { pagesWithEnd } from './pages.ts';
import { isOfRegion, type PriceRow, priceRow, publicationOf, quoted } from './price-list-row.ts';

export interface PricesRead {
  prices: RegionPrices;
  /** What is not known. */
  notices: AuditNotice[];
}

/** Attributes that a product must have. */
type ProductFilter = Readonly<Record<string, string>>;

/** Linux without software, paid by the hour; Used leaves out what is reserved, OnDemand what is sold in blocks. */
const plainLinux: ProductFilter = {
  operatingSystem: 'Linux',
  preInstalledSw: 'NA',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
};
const virtual: ProductFilter = { productFamily: 'Compute Instance', tenancy: 'Shared', ...plainLinux };
/** Of either tenancy: a metal instance has its host to itself, and some are listed as Dedicated alone. */
const metal: ProductFilter = { productFamily: 'Compute Instance (bare metal)', ...plainLinux };

const ebsFamilies = ['Storage', 'System Operation', 'Provisioned Throughput'] as const;

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
  return [...texts].map(priceRow).filter((row) => isOfRegion(row, region));
}

interface InstancePrices {
  usdPerHour: Record<string, number>;
  /** Types of which rows do not agree, or whose price cannot be used. */
  unclear: string[];
}

/** A type that the rows do not agree on is left out. */
function usdPerHour(rows: readonly PriceRow[]): InstancePrices {
  const known = new Map<string, number>();
  const unclear = new Set<string>();
  for (const { attributes, price } of rows) {
    const { instanceType = '' } = attributes;
    if (!instanceTypeNameSchema.safeParse(instanceType).success) unclear.add(quoted(instanceType));
    else if (!price.known || price.value.unit !== 'Hrs') unclear.add(instanceType);
    else if ((known.get(instanceType) ?? price.value.usd) !== price.value.usd) unclear.add(instanceType);
    else known.set(instanceType, price.value.usd);
  }
  const clear = [...known].filter(([type]) => !unclear.has(type)).sort(([a], [b]) => a.localeCompare(b));
  return { usdPerHour: Object.fromEntries(clear), unclear: [...unclear].sort() };
}

const tenancyIs =
  (tenancy: string) =>
  ({ attributes }: PriceRow): boolean =>
    attributes['tenancy'] === tenancy;

interface InstancesRead {
  instances: Known<NonNullable<RegionPrices['instances']>>;
  unclear: string[];
}

function instancePrices(virtualRows: readonly PriceRow[], metalRows: readonly PriceRow[]): InstancesRead {
  const shared = [...virtualRows, ...metalRows].filter(tenancyIs('Shared'));
  const names = new Set(shared.map(({ attributes }) => attributes['instanceType']));
  const dedicated = metalRows
    .filter(tenancyIs('Dedicated'))
    .filter(({ attributes }) => !names.has(attributes['instanceType']));
  const rows = [...shared, ...dedicated];
  const publication = publicationOf(rows);
  const { usdPerHour: usd, unclear } = usdPerHour(rows);
  const isAny = publication !== null && Object.keys(usd).length > 0;
  return {
    instances: isAny ? known({ ...publication, usdPerHour: usd }) : unknown('no price can be used'),
    unclear,
  };
}

/**
 * The prices of a Region; a part is null where a figure of it is missing, and a notice says which.
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
    const ebs = ebsPrices(ebsRows);
    const { instances, unclear } = instancePrices(virtualRows, metalRows);
    const missing = (part: PricePart, { reason }: { reason: string }): AuditNotice => ({
      code: 'price-list-incomplete',
      ...{ region, part, reason, usedInstead: [] },
    });
    const notices: AuditNotice[] = [
      ...(ebs.known ? [] : [missing('ebs', ebs)]),
      ...(instances.known ? [] : [missing('instances', instances)]),
    ];
    if (instances.known && unclear.length > 0) {
      const some = { instanceTypes: firstFew(unclear), count: unclear.length };
      notices.push({ code: 'instance-prices-unclear', region, ...some, usedInstead: [] });
    }
    const prices = {
      region,
      ebs: ebs.known ? ebs.value : null,
      instances: instances.known ? instances.value : null,
    };
    return { prices, notices };
  });
