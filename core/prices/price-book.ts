/** What EBS volumes and instances cost in a Region: a dated table, built in or read from the Price List. */
import { z } from 'zod';
import { instanceTypeNameSchema } from '../catalog/instance-type.ts';
import { type Known, known, unknown } from '../known.ts';
import { isRegionName } from '../region.ts';
import { hoursPerMonth } from '../units.ts';
import type { PriceReason } from './price-reason.ts';
import usEast1 from './us-east-1.json' with { type: 'json' };

/** Nothing that is paid for costs nothing, and nothing here costs a million. */
const usdSchema = z.number().positive().lt(1_000_000);
export const isSaneUsd = (usd: number): boolean => usdSchema.safeParse(usd).success;

/** A table that comes with stripewise, used instead of what was read. */
const insteadOfSchema = z.object({
  readAsOf: z.iso
    .date()
    .nullable()
    .meta({ description: 'the older day of what was read; null: nothing was' }),
});

/** USD a month: per GiB, per provisioned IOPS (io2 in tiers of one volume), per provisioned MiB/s. */
const ebsPricesSchema = z.object({
  /** The day the figures were published or, where the source has no date, read. */
  asOf: z.iso.date(),
  source: z.string().min(1),
  insteadOf: insteadOfSchema.optional(),
  storagePerGiB: z.object({
    gp2: usdSchema,
    gp3: usdSchema,
    io1: usdSchema,
    io2: usdSchema,
    st1: usdSchema,
    sc1: usdSchema,
    standard: usdSchema,
  }),
  gp3PerIops: usdSchema,
  gp3PerMiBps: usdSchema,
  io1PerIops: usdSchema,
  /** Tiers of one io2 volume's IOPS, each up to and with `upTo`; null: without end. */
  io2PerIops: z.array(z.object({ upTo: z.number().positive().nullable(), usd: usdSchema })).min(1),
  standardPerMillionIo: usdSchema,
});
export type EbsPrices = z.infer<typeof ebsPricesSchema>;

/** One Region's prices, as they are stored. Null: that Region's price is not known. */
export const regionPricesSchema = z.object({
  region: z.string().refine(isRegionName, 'not a Region'),
  ebs: ebsPricesSchema.nullable(),
  instances: z
    .object({
      asOf: z.iso.date(),
      source: z.string().min(1),
      insteadOf: insteadOfSchema.optional(),
      /** Linux, On-Demand, shared tenancy, without software, by instance type. */
      usdPerHour: z.record(instanceTypeNameSchema, usdSchema),
    })
    .nullable(),
});
export type RegionPrices = z.infer<typeof regionPricesSchema>;

/** Where figures are from, and of which day. */
export const priceSourceSchema = z.object({
  part: z.enum(['ebs', 'instances']),
  region: z.string(),
  asOf: z.string(),
  source: z.string().meta({ description: 'as the publisher names it' }),
  insteadOf: insteadOfSchema
    .nullable()
    .meta({ description: 'they come with stripewise, and are used instead of what was read' }),
});
export type PriceSource = z.infer<typeof priceSourceSchema>;

export interface PriceBook {
  region: string;
  ebs: Known<EbsPrices, PriceReason>;
  /** USD a month, running all the time. */
  instanceMonthlyUsd(instanceType: string): Known<number, PriceReason>;
  sources: PriceSource[];
}

export function priceBook({ region, ebs, instances }: RegionPrices): PriceBook {
  const sourceOf = (part: PriceSource['part'], table: RegionPrices[PriceSource['part']]): PriceSource[] => {
    if (table === null) return [];
    const { asOf, source, insteadOf = null } = table;
    return [{ part, region, asOf, source, insteadOf }];
  };
  const noPrice = (instanceType: string, asOf: string | null): PriceReason => ({
    code: 'no-instance-price',
    ...{ instanceType, region, asOf },
  });
  return {
    region,
    ebs: ebs === null ? unknown({ code: 'no-ebs-prices', region }) : known(ebs),
    instanceMonthlyUsd: (instanceType) => {
      if (instances === null) return unknown(noPrice(instanceType, null));
      const { usdPerHour } = instances;
      const usd = Object.hasOwn(usdPerHour, instanceType) ? usdPerHour[instanceType] : undefined;
      return usd === undefined ? unknown(noPrice(instanceType, instances.asOf)) : known(usd * hoursPerMonth);
    },
    sources: [...sourceOf('ebs', ebs), ...sourceOf('instances', instances)],
  };
}

const builtIn: ReadonlyMap<string, RegionPrices> = new Map([[usEast1.region, usEast1]]);

/** The table that comes with stripewise; without one, prices that are all unknown. */
export const builtInPrices = (region: string): RegionPrices =>
  builtIn.get(region) ?? { region, ebs: null, instances: null };

export const builtInRegions: readonly string[] = [...builtIn.keys()];
