/**
 * A Region's prices out of rows of the Price List, as GetProducts and bulk files of the AWS CLI give them. What is not there
 * is unknown: never zero, never guessed.
 */

import { z } from 'zod';
import { instanceTypeNameSchema } from '../core/catalog/instance-types.ts';
import type { PricePart } from '../core/catalog/region-catalog.ts';
import { fewOf, firstFew } from '../core/few.ts';
import { type Known, known, unknown } from '../core/known.ts';
import { volumeTypes } from '../core/limits/volume-limits.ts';
import { type EbsPrices, isSaneUsd, type RegionPrices, unpricedTypes } from '../core/prices/prices.ts';
import type { AuditNotice } from '../core/schemas/audit-notice.ts';
import { mibFromGiB } from '../core/units.ts';

// One row of the Price List: a product and its On-Demand price, as GetProducts gives it (FormatVersion aws_v1).

const dimensionSchema = z.object({
  unit: z.string(),
  endRange: z.string().optional(),
  /** By currency; a decimal as text. */
  pricePerUnit: z.record(z.string(), z.string()),
});

const rowSchema = z.object({
  product: z.object({
    productFamily: z.string().optional(),
    attributes: z.record(z.string(), z.string()),
  }),
  terms: z.object({
    OnDemand: z
      .record(z.string(), z.object({ priceDimensions: z.record(z.string(), dimensionSchema) }))
      .optional(),
  }),
  version: z.string().min(1),
  publicationDate: z.iso.datetime(),
});

export interface PriceRow {
  /** Empty where it has none. */
  productFamily: string;
  attributes: Record<string, string>;
  price: Known<{ usd: number; unit: string }>;
  version: string;
  publicationDate: string;
}

/** As AWS writes a price: digits and up to ten decimals; other spellings of a number are not understood. */
const plainDecimal = /^\d{1,6}(?:\.\d{1,15})?$/;

const longestQuoted = 40;
const quoted = (text: string): string => `"${text.slice(0, longestQuoted)}"`;

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

/** @throws ZodError where it is of another shape. */
export function priceRowOf(document: unknown): PriceRow {
  const { product, terms, version, publicationDate } = rowSchema.parse(document);
  return {
    productFamily: product.productFamily ?? '',
    attributes: product.attributes,
    price: priceOf(terms),
    version,
    publicationDate,
  };
}

/** Local zones and Wavelength zones are listed beside the Region that they belong to. */
export const isOfRegion = ({ attributes }: PriceRow, region: string): boolean =>
  attributes['locationType'] === 'AWS Region' && attributes['regionCode'] === region;

/** Of which publication rows are: the newest, should a page of the next one have come already. */
function publicationOf(rows: readonly PriceRow[]): { asOf: string; source: string } | null {
  const [first, ...rest] = rows;
  if (first === undefined) return null;
  const newest = rest.reduce((a, b) => (b.publicationDate > a.publicationDate ? b : a), first);
  return {
    asOf: newest.publicationDate.slice(0, 10),
    source: `AWS Price List, AmazonEC2, version ${newest.version}`,
  };
}

// EBS prices out of rows of the Price List: each figure by its usage type. A type that lacks one of its figures has no
// price, other types keep theirs.

/** By the unit in lower case, what a price is divided by; other units are not understood. */
type Units = ReadonlyMap<string, number>;
/** Spelled "GB-Mo" for most types, "GB-month" for io2; a GB of EBS is 2^30 bytes. */
const perGiBMonth: Units = new Map([
  ['gb-mo', 1],
  ['gb-month', 1],
]);
const perIopsMonth: Units = new Map([
  ['iops-mo', 1],
  ['iops-month', 1],
]);
/** Quoted per GiB/s (40.96), provisioned and paid per MiB/s (0.04). */
const perMiBpsMonth: Units = new Map([
  ['gibps-mo', mibFromGiB(1)],
  ['mibps-mo', 1],
]);
const perMillion: Units = new Map([['ios', 1e-6]]);

/** A usage type without the prefix of its Region: USE2-EBS:VolumeUsage.gp3. A zone's has two: USE1-BOS1-EBS:... */
const withoutPrefix = (usageType: string): string => usageType.replace(/^[A-Z0-9]+-(?=EBS:)/, '');

/** A price divided has digits that nobody published. */
const publishedDigits = (usd: number): number => Number(usd.toPrecision(12));

class Rows {
  private readonly byUsage = new Map<string, PriceRow[]>();
  readonly missing: string[] = [];

  constructor(rows: readonly PriceRow[]) {
    for (const row of rows) {
      const usage = withoutPrefix(row.attributes['usagetype'] ?? '');
      this.byUsage.set(usage, [...(this.byUsage.get(usage) ?? []), row]);
    }
  }

  /** USD per unit; null where it is not known, which is noted. */
  usd(usage: string, units: Units): number | null {
    const price = this.price(usage, units);
    if (price.known) return price.value;
    this.missing.push(`${usage} (${price.reason})`);
    return null;
  }

  private price(usage: string, units: Units): Known<number> {
    const [row, ...others] = this.byUsage.get(usage) ?? [];
    if (row === undefined) return unknown('there is no such row');
    const { price } = row;
    if (!price.known) return price;
    const divisor = units.get(price.value.unit.toLowerCase());
    if (divisor === undefined) return unknown(`its unit is ${quoted(price.value.unit)}`);
    const same = (other: PriceRow): boolean => JSON.stringify(other.price) === JSON.stringify(price);
    if (!others.every(same)) return unknown('there are several prices');
    const usd = publishedDigits(price.value.usd / divisor);
    return isSaneUsd(usd) ? known(usd) : unknown(`its price is ${usd} USD`);
  }
}

interface EbsRead {
  /** Null: no type has a price. */
  ebs: EbsPrices | null;
  /** What is not known, and why; null: nothing. */
  missing: string | null;
}

/** Where the tiers end is not in the rows. Source: EBS pricing page, read 2026-11-21. */
const io2TierEnds = [32_000, 64_000, null] as const;

function io2Tiers(usd: readonly (number | null)[]): EbsPrices['io2PerIops'] {
  const known = usd.filter((one) => one !== null);
  return known.length < usd.length
    ? null
    : known.map((one, i) => ({ upTo: io2TierEnds[i] ?? null, usd: one }));
}

function ebsPrices(all: readonly PriceRow[]): EbsRead {
  const publication = publicationOf(all);
  if (publication === null) return { ebs: null, missing: 'there are no rows' };
  const rows = new Rows(all);
  const storage = (suffix: string): number | null => rows.usd(`EBS:VolumeUsage${suffix}`, perGiBMonth);
  const iops = (suffix: string): number | null => rows.usd(`EBS:VolumeP-IOPS.${suffix}`, perIopsMonth);
  const prices: EbsPrices = {
    ...publication,
    storagePerGiB: {
      gp2: storage('.gp2'),
      gp3: storage('.gp3'),
      io1: storage('.piops'),
      io2: storage('.io2'),
      st1: storage('.st1'),
      sc1: storage('.sc1'),
      standard: storage(''),
    },
    gp3PerIops: iops('gp3'),
    gp3PerMiBps: rows.usd('EBS:VolumeP-Throughput.gp3', perMiBpsMonth),
    io1PerIops: iops('piops'),
    io2PerIops: io2Tiers([iops('io2'), iops('io2.tier2'), iops('io2.tier3')]),
    standardPerMillionIo: rows.usd('EBS:VolumeIOUsage', perMillion),
  };
  if (rows.missing.length === 0) return { ebs: prices, missing: null };
  const isAnyPriced = unpricedTypes(prices).length < volumeTypes.length;
  return { ebs: isAnyPriced ? prices : null, missing: `not known: ${rows.missing.join('; ')}` };
}

export interface PricesRead {
  prices: RegionPrices;
  /** What is not known. */
  notices: AuditNotice[];
}

/** Attributes that a product must have. */
export type ProductFilter = Readonly<Record<string, string>>;

/** Linux without software, paid by the hour; Used leaves out what is reserved, OnDemand what is sold in blocks. */
const plainLinux: ProductFilter = {
  operatingSystem: 'Linux',
  preInstalledSw: 'NA',
  capacitystatus: 'Used',
  marketoption: 'OnDemand',
};
export const virtual: ProductFilter = { productFamily: 'Compute Instance', tenancy: 'Shared', ...plainLinux };
/** Of either tenancy: a metal instance has its host to itself, and some are listed as Dedicated alone. */
export const metal: ProductFilter = { productFamily: 'Compute Instance (bare metal)', ...plainLinux };

export const ebsFamilies: readonly string[] = ['Storage', 'System Operation', 'Provisioned Throughput'];

/** Does a row have what the Price List would be asked for? */
function isAsAsked({ productFamily, attributes }: PriceRow, filter: ProductFilter): boolean {
  const all: Record<string, string> = { ...attributes, productFamily };
  return Object.entries(filter).every(([name, value]) => all[name] === value);
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
 * The prices of a Region out of its rows. A type of volume of which a figure is missing has no price, and a part is null where
 * nothing of it has one: a notice says which figures.
 */
export function pricesOfRows(
  region: string,
  { virtualRows, metalRows, ebsRows }: Readonly<Record<'virtualRows' | 'metalRows' | 'ebsRows', PriceRow[]>>,
): PricesRead {
  const { ebs, missing: missingOfEbs } = ebsPrices(ebsRows);
  const { instances, unclear } = instancePrices(virtualRows, metalRows);
  const missing = (part: PricePart, reason: string): AuditNotice => ({
    code: 'price-list-incomplete',
    ...{ region, part, reason, usedInstead: [] },
    ...(part === 'ebs' && ebs !== null ? { volumeTypes: unpricedTypes(ebs) } : {}),
  });
  const notices: AuditNotice[] = [
    ...(missingOfEbs === null ? [] : [missing('ebs', missingOfEbs)]),
    ...(instances.known ? [] : [missing('instances', instances.reason)]),
  ];
  if (instances.known && unclear.length > 0) {
    const some = { instanceTypes: firstFew(unclear), count: unclear.length };
    notices.push({ code: 'instance-prices-unclear', region, ...some, usedInstead: [] });
  }
  const prices = {
    region,
    ebs,
    instances: instances.known ? instances.value : null,
  };
  return { prices, notices };
}

/** A Region out of rows that were asked for by nobody of ours: those that it would have asked for, by the same rules. */
export function pricesAmong(rows: readonly PriceRow[], region: string): PricesRead {
  const here = rows.filter((row) => isOfRegion(row, region));
  return pricesOfRows(region, {
    virtualRows: here.filter((row) => isAsAsked(row, virtual)),
    metalRows: here.filter((row) => isAsAsked(row, metal)),
    ebsRows: here.filter(({ productFamily }) => ebsFamilies.includes(productFamily)),
  });
}
