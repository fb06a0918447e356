/** Prices: of volumes and instances by Region, and what a configuration costs a month. */
import { z } from 'zod';
import { instanceTypeNameSchema } from '../catalog/instance-types.ts';
import { isRegionName } from '../ids.ts';
import { type Known, known, unknown } from '../known.ts';
import { gp3Figures, type VolumeConfiguration } from '../limits/volume-limits.ts';
import type { PriceReason } from '../schemas/unknown-reasons.ts';
import { hoursPerMonth } from '../units.ts';
import usEast1 from './us-east-1.json' with { type: 'json' };

// What a volume costs a month.

export interface MonthlyUsd {
  storage: number;
  iops: number;
  throughput: number;
  total: number;
}

/** USD with cents, the precision of a bill. */
export const roundUsd = (usd: number): number => Math.round((usd + Number.EPSILON) * 100) / 100;

function tieredIops(iops: number, tiers: EbsPrices['io2PerIops']): number {
  let charged = 0;
  let usd = 0;
  for (const tier of tiers) {
    const inTier = Math.max(0, Math.min(iops, tier.upTo ?? Number.POSITIVE_INFINITY) - charged);
    usd += inTier * tier.usd;
    charged += inTier;
  }
  return usd;
}

function iopsUsd({ volumeType, iops }: VolumeConfiguration, prices: EbsPrices): number {
  if (volumeType === 'gp3')
    return Math.max(0, (iops ?? gp3Figures.freeIops) - gp3Figures.freeIops) * prices.gp3PerIops;
  if (volumeType === 'io1') return (iops ?? 0) * prices.io1PerIops;
  if (volumeType === 'io2') return tieredIops(iops ?? 0, prices.io2PerIops);
  return 0;
}

/**
 * The price of one volume in USD a month, by part, not rounded. The configuration is taken as legal (`volumeLimits`
 * checks it). standard also pays per I/O (`standardPerMillionIo`), which a configuration does not tell: storage only.
 */
export function exactMonthlyUsd(config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd {
  const storage = config.sizeGiB * prices.storagePerGiB[config.volumeType];
  const iops = iopsUsd(config, prices);
  const paidMiBps =
    config.volumeType === 'gp3'
      ? Math.max(0, (config.throughputMiBps ?? gp3Figures.freeMiBps) - gp3Figures.freeMiBps)
      : 0;
  const throughput = paidMiBps * prices.gp3PerMiBps;
  return { storage, iops, throughput, total: storage + iops + throughput };
}

/** The same with cents. */
export function monthlyUsd(config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd {
  const { storage, iops, throughput, total } = exactMonthlyUsd(config, prices);
  return {
    storage: roundUsd(storage),
    iops: roundUsd(iops),
    throughput: roundUsd(throughput),
    total: roundUsd(total),
  };
}

// What EBS volumes and instances cost in a Region: a dated table, built in or read from the Price List.

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
