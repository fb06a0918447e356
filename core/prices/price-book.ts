/** What EBS volumes and instances cost in a Region: a dated table, built in or read from the Price List. */
import { z } from 'zod';
import { instanceTypeNameSchema } from '../catalogue/instance-type.ts';
import { type Known, known, unknown } from '../known.ts';
import { isRegionName } from '../region.ts';
import { hoursPerMonth } from '../units.ts';
import usEast1 from './us-east-1.json' with { type: 'json' };

/** Nothing that is paid for costs nothing, and nothing here costs a million. */
const usdSchema = z.number().positive().lt(1_000_000);
export const isSaneUsd = (usd: number): boolean => usdSchema.safeParse(usd).success;

/** USD a month: per GiB, per provisioned IOPS (io2 in tiers of one volume), per provisioned MiB/s. */
const ebsPricesSchema = z.object({
  /** The day the figures were published or, where the source has no date, read. */
  asOf: z.iso.date(),
  source: z.string().min(1),
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
      /** Linux, On-Demand, shared tenancy, without software, by instance type. */
      usdPerHour: z.record(instanceTypeNameSchema, usdSchema),
    })
    .nullable(),
});
export type RegionPrices = z.infer<typeof regionPricesSchema>;

export interface PriceBook {
  region: string;
  ebs: Known<EbsPrices>;
  /** USD a month, running all the time. */
  instanceMonthlyUsd(instanceType: string): Known<number>;
  /** Where the figures are from and of which day, in a sentence each. */
  sources: string[];
}

export function priceBook({ region, ebs, instances }: RegionPrices): PriceBook {
  return {
    region,
    ebs: ebs === null ? unknown(`EBS prices of ${region} are not known`) : known(ebs),
    instanceMonthlyUsd: (instanceType) => {
      if (instances === null) return unknown(`instance prices of ${region} are not known`);
      const { usdPerHour } = instances;
      const usd = Object.hasOwn(usdPerHour, instanceType) ? usdPerHour[instanceType] : undefined;
      return usd === undefined
        ? unknown(`no price of ${instanceType} in ${region} (${instances.asOf})`)
        : known(usd * hoursPerMonth);
    },
    sources: [
      ...(ebs === null ? [] : [`EBS prices of ${region}, ${ebs.asOf}: ${ebs.source}`]),
      ...(instances === null ? [] : [`instance prices of ${region}, ${instances.asOf}: ${instances.source}`]),
    ],
  };
}

const builtIn: ReadonlyMap<string, RegionPrices> = new Map([[usEast1.region, usEast1]]);

/** The table that comes with stripewise; without one, prices that are all unknown. */
export const builtInPrices = (region: string): RegionPrices =>
  builtIn.get(region) ?? { region, ebs: null, instances: null };

export const builtInRegions: readonly string[] = [...builtIn.keys()];
