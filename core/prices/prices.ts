/** Prices: of volumes and instances by Region, and what a configuration costs a month. */
import { z } from 'zod';
import { instanceTypeNameSchema } from '../catalog/instance-types.ts';
import { groupBy } from '../group-by.ts';
import { isRegionName } from '../ids.ts';
import { type Known, known, unknown } from '../known.ts';
import {
  gp3Figures,
  type VolumeConfiguration,
  type VolumeType,
  volumeTypes,
} from '../limits/volume-limits.ts';
import type { EbsPriceReason, PriceReason } from '../schemas/unknown-reasons.ts';
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

function tieredIops(iops: number, tiers: NonNullable<EbsPrices['io2PerIops']>): number {
  let charged = 0;
  let usd = 0;
  for (const tier of tiers) {
    const inTier = Math.max(0, Math.min(iops, tier.upTo ?? Number.POSITIVE_INFINITY) - charged);
    usd += inTier * tier.usd;
    charged += inTier;
  }
  return usd;
}

/** Null where a figure is not known that the type is charged by. */
function iopsUsd({ volumeType, iops }: VolumeConfiguration, prices: EbsPrices): number | null {
  const { gp3PerIops, io1PerIops, io2PerIops, standardPerMillionIo } = prices;
  if (volumeType === 'gp3')
    return gp3PerIops === null
      ? null
      : Math.max(0, (iops ?? gp3Figures.freeIops) - gp3Figures.freeIops) * gp3PerIops;
  if (volumeType === 'io1') return io1PerIops === null ? null : (iops ?? 0) * io1PerIops;
  if (volumeType === 'io2') return io2PerIops === null ? null : tieredIops(iops ?? 0, io2PerIops);
  return volumeType === 'standard' && standardPerMillionIo === null ? null : 0;
}

function throughputUsd(
  { volumeType, throughputMiBps }: VolumeConfiguration,
  { gp3PerMiBps }: EbsPrices,
): number | null {
  if (volumeType !== 'gp3') return 0;
  const paidMiBps = Math.max(0, (throughputMiBps ?? gp3Figures.freeMiBps) - gp3Figures.freeMiBps);
  return gp3PerMiBps === null ? null : paidMiBps * gp3PerMiBps;
}

/** Null where a figure of its type is not known, needed or not. */
function usdOrNull(config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd | null {
  const perGiB = prices.storagePerGiB[config.volumeType];
  const [iops, throughput] = [iopsUsd(config, prices), throughputUsd(config, prices)];
  if (perGiB === null || iops === null || throughput === null) return null;
  const storage = config.sizeGiB * perGiB;
  return { storage, iops, throughput, total: storage + iops + throughput };
}

/** Does a volume type have a price: is each figure known that it is charged by? */
export const isPriced = (volumeType: VolumeType, prices: EbsPrices): boolean =>
  usdOrNull({ volumeType, sizeGiB: 1, deployment: 'region' }, prices) !== null;

export const unpricedTypes = (prices: EbsPrices): VolumeType[] =>
  volumeTypes.filter((volumeType) => !isPriced(volumeType, prices));

/**
 * The price of one volume in USD a month, by part, not rounded. The configuration is taken as legal (`volumeLimits`
 * checks it). standard also pays per I/O (`standardPerMillionIo`), which a configuration does not tell: storage only.
 * @throws Error where its type has no price (`isPriced`).
 */
export function exactMonthlyUsd(config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd {
  const usd = usdOrNull(config, prices);
  if (usd === null) throw new Error(`asked for a price of ${config.volumeType}, which has none`);
  return usd;
}

/** With cents. */
export const roundedUsd = ({ storage, iops, throughput, total }: MonthlyUsd): MonthlyUsd => ({
  storage: roundUsd(storage),
  iops: roundUsd(iops),
  throughput: roundUsd(throughput),
  total: roundUsd(total),
});

/** `exactMonthlyUsd` with cents. */
export const monthlyUsd = (config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd =>
  roundedUsd(exactMonthlyUsd(config, prices));

/** Why a volume of one of these types has no price in a Region; null where each of them has one. */
export function ebsPriceUnknown(
  prices: PriceBook['ebs'],
  region: string,
  types: readonly VolumeType[],
): EbsPriceReason | null {
  if (!prices.known) return prices.reason;
  const volumeType = types.find((type) => !isPriced(type, prices.value));
  return volumeType === undefined ? null : { code: 'no-ebs-price', volumeType, region };
}

/** `exactMonthlyUsd`, or why it is not known. */
export function knownMonthlyUsd(
  config: VolumeConfiguration,
  { ebs, region }: Pick<PriceBook, 'ebs' | 'region'>,
): Known<MonthlyUsd, EbsPriceReason> {
  if (!ebs.known) return ebs;
  const reason = ebsPriceUnknown(ebs, region, [config.volumeType]);
  return reason === null ? known(exactMonthlyUsd(config, ebs.value)) : unknown(reason);
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

const fromFileSchema = z.string().min(1).meta({ description: 'the file that gave them (--prices)' });

const figureSchema = usdSchema.nullable();
const volumeTypesSchema = z.array(z.enum(volumeTypes)).min(1);

/**
 * USD a month: per GiB, per provisioned IOPS (io2 in tiers of one volume), per provisioned MiB/s. Null: not known; a type
 * of which a figure is not known has no price.
 */
const ebsPricesSchema = z.object({
  /** The day the figures were published or, where the source has no date, read. */
  asOf: z.iso.date(),
  source: z.string().min(1),
  insteadOf: insteadOfSchema.optional(),
  fromFile: fromFileSchema.optional(),
  fromOtherTables: z
    .array(z.object({ volumeTypes: volumeTypesSchema, asOf: z.iso.date(), source: z.string().min(1) }))
    .optional()
    .meta({ description: 'types that this table lacks, with the figures of another table' }),
  storagePerGiB: z.object({
    gp2: figureSchema,
    gp3: figureSchema,
    io1: figureSchema,
    io2: figureSchema,
    st1: figureSchema,
    sc1: figureSchema,
    standard: figureSchema,
  }),
  gp3PerIops: figureSchema,
  gp3PerMiBps: figureSchema,
  io1PerIops: figureSchema,
  /** Tiers of one io2 volume's IOPS, each up to and with `upTo`; null: without end. */
  io2PerIops: z
    .array(z.object({ upTo: z.number().positive().nullable(), usd: usdSchema }))
    .min(1)
    .nullable(),
  standardPerMillionIo: figureSchema,
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
      fromFile: fromFileSchema.optional(),
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
  fromFile: fromFileSchema.optional(),
  volumeTypes: volumeTypesSchema
    .optional()
    .meta({ description: 'of these types alone: another table of the Region lacks them' }),
});
export type PriceSource = z.infer<typeof priceSourceSchema>;

export interface PriceBook {
  region: string;
  /** Known where there is a table; a type may have no price in it. */
  ebs: Known<EbsPrices, EbsPriceReason>;
  /** USD a month, running all the time. */
  instanceMonthlyUsd(instanceType: string): Known<number, PriceReason>;
  sources: PriceSource[];
}

export function priceBook({ region, ebs, instances }: RegionPrices): PriceBook {
  const sourceOf = (part: PriceSource['part'], table: RegionPrices[PriceSource['part']]): PriceSource[] => {
    if (table === null) return [];
    const { asOf, source, insteadOf = null, fromFile } = table;
    return [{ part, region, asOf, source, insteadOf, ...(fromFile === undefined ? {} : { fromFile }) }];
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
    sources: [
      ...sourceOf('ebs', ebs),
      ...(ebs?.fromOtherTables ?? []).map((one) => ({
        ...{ part: 'ebs' as const, region, insteadOf: null, ...one },
      })),
      ...sourceOf('instances', instances),
    ],
  };
}

const builtIn: ReadonlyMap<string, RegionPrices> = new Map([[usEast1.region, usEast1]]);

/** The table that comes with stripewise; without one, prices that are all unknown. */
export const builtInPrices = (region: string): RegionPrices =>
  builtIn.get(region) ?? { region, ebs: null, instances: null };

/** Whose prices rank options where those of a Region are not known. */
export const rankingRegion = usEast1.region;

// Types that a table has no price of, with the figures of another table.

type OtherTables = NonNullable<EbsPrices['fromOtherTables']>;

/** Which table a type's figures are of. */
const tableOf = (volumeType: VolumeType, { asOf, source, fromOtherTables = [] }: EbsPrices) =>
  fromOtherTables.find((one) => one.volumeTypes.includes(volumeType)) ?? { asOf, source };

/** Of which day a type's price is; null where it has none. */
export const priceDayOf = (volumeType: VolumeType, prices: EbsPrices): string | null =>
  isPriced(volumeType, prices) ? tableOf(volumeType, prices).asOf : null;

/** The same table where it lacks no type that the other one has. */
export function withTypesOf(prices: EbsPrices, other: EbsPrices): EbsPrices {
  const taken = unpricedTypes(prices).filter((volumeType) => isPriced(volumeType, other));
  if (taken.length === 0) return prices;
  const from = (volumeType: VolumeType): EbsPrices => (taken.includes(volumeType) ? other : prices);
  const storage = (volumeType: VolumeType) => from(volumeType).storagePerGiB[volumeType];
  const byTable = groupBy(taken, (volumeType) => tableOf(volumeType, other).asOf);
  const tables: OtherTables = [...byTable.values()].map((ofTable) => {
    const { asOf, source } = tableOf(ofTable[0] as VolumeType, other);
    return { volumeTypes: ofTable, asOf, source };
  });
  return {
    ...prices,
    fromOtherTables: [...(prices.fromOtherTables ?? []), ...tables],
    storagePerGiB: {
      ...{ gp2: storage('gp2'), gp3: storage('gp3'), io1: storage('io1'), io2: storage('io2') },
      ...{ st1: storage('st1'), sc1: storage('sc1'), standard: storage('standard') },
    },
    gp3PerIops: from('gp3').gp3PerIops,
    gp3PerMiBps: from('gp3').gp3PerMiBps,
    io1PerIops: from('io1').io1PerIops,
    io2PerIops: from('io2').io2PerIops,
    standardPerMillionIo: from('standard').standardPerMillionIo,
  };
}

/**
 * Prices to rank options by: where a Region has none of a type, those that come with stripewise, as the relations are much
 * the same. Nobody is shown them as the price of that Region.
 */
export function rankingPrices(prices: PriceBook['ebs']): EbsPrices {
  const { ebs } = builtInPrices(rankingRegion);
  if (ebs === null) throw new Error('no EBS prices come with stripewise');
  return prices.known ? withTypesOf(prices.value, ebs) : ebs;
}

/**
 * The prices that somebody gives, whatever their day: what they lack is what is known without them.
 * @param given of the same Region; each part or type that is not there is taken from `known`.
 */
export function withGivenPrices(given: RegionPrices, known: RegionPrices): RegionPrices {
  const { ebs, instances } = given;
  const others = Object.entries(known.instances?.usdPerHour ?? {}).filter(
    ([type]) => instances !== null && !Object.hasOwn(instances.usdPerHour, type),
  );
  return {
    region: given.region,
    ebs: ebs === null || known.ebs === null ? (ebs ?? known.ebs) : withTypesOf(ebs, known.ebs),
    instances:
      instances === null || known.instances === null || others.length === 0
        ? (instances ?? known.instances)
        : {
            ...instances,
            source: `${instances.source}; ${others.length} other types: ${known.instances.source}`,
            usdPerHour: { ...Object.fromEntries(others), ...instances.usdPerHour },
          },
  };
}
