/** Instance types: what each can do with EBS, as EC2 tells it; the catalog that comes with the project, and what a Region changes of it. */
import { z } from 'zod';
import { type Known, known, unknown } from '../known.ts';
import type { TypeReason, WeightingReason } from '../schemas/unknown-reasons.ts';
import instanceTypes from './instance-types.json' with { type: 'json' };

// What an instance type is, and what it can do with EBS: as EC2 tells it, in the units of this house.

const ebsFiguresSchema = z.object({
  /** All the time. */
  baselineIops: z.number().positive(),
  /** For 30 minutes at least once in 24 h, where it is above the baseline. */
  maximumIops: z.number().positive(),
  baselineMiBps: z.number().positive(),
  maximumMiBps: z.number().positive(),
});
/** IOPS at 16 KiB, MiB/s at 128 KiB I/O. */
export type EbsFigures = z.infer<typeof ebsFiguresSchema>;

export const architectures = ['x86_64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** A type, or the beginning of families with their generation and `*`: m5.large, m5.*, m5*. */
export const instanceTypePattern = /^[a-z-]{1,9}[0-9][a-z0-9-]{0,19}(\.[a-z0-9-]{1,20}|\.?\*)$/;
export const matchesType = (instanceType: string, pattern: string): boolean =>
  pattern.endsWith('*') ? instanceType.startsWith(pattern.slice(0, -1)) : instanceType === pattern;

export const instanceTypeNameSchema = z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, 'not the name of a type');

/** One row of the catalog. Null: EC2 does not tell. */
export const instanceTypeSchema = z.object({
  instanceType: instanceTypeNameSchema,
  vcpus: z.int().positive(),
  memoryMiB: z.int().positive(),
  /** Also i386, x86_64_mac and arm64_mac. */
  architectures: z.array(z.string().min(1)).min(1),
  currentGeneration: z.boolean(),
  nitro: z.boolean(),
  /** Its CPU runs on credits beyond a baseline (the t families). */
  burstableCpu: z.boolean(),
  ebs: ebsFiguresSchema.nullable(),
  /** The limits of each EBS card, where the type has several; a volume is on one of them. */
  cards: z.array(ebsFiguresSchema),
  /** Volumes, the root volume too; where the limit is shared, each network interface beyond the first takes one. */
  attachments: z.object({ most: z.int().positive(), shared: z.boolean() }).nullable(),
  /** Ways to share bandwidth between network and EBS; the figures are of `default`. */
  bandwidthWeightings: z.array(z.string()),
  instanceStore: z
    .object({ disks: z.int().positive(), totalGB: z.number().positive(), ssd: z.boolean() })
    .nullable(),
});
export type InstanceType = z.infer<typeof instanceTypeSchema>;

export const instanceTypesSchema = z.object({
  /** The day that it was written; what a stand-in answered it may have recorded before. */
  asOf: z.iso.date(),
  source: z.string().min(1),
  types: z.array(instanceTypeSchema),
});
/** The catalog as it is stored. */
export type InstanceTypes = z.infer<typeof instanceTypesSchema>;

export const familyOf = (instanceType: string): string => instanceType.split('.')[0] as string;

/** By family, the small before the large. */
export const byFamilyAndSize = (a: InstanceType, b: InstanceType): number =>
  familyOf(a.instanceType).localeCompare(familyOf(b.instanceType)) ||
  a.vcpus - b.vcpus ||
  a.memoryMiB - b.memoryMiB ||
  a.instanceType.localeCompare(b.instanceType);

/** What the instance can do with EBS; unknown where EC2 tells nothing (old types without EBS optimisation). */
export const ebsFiguresOf = ({ instanceType, ebs }: InstanceType): Known<EbsFigures, TypeReason> =>
  ebs === null ? unknown({ code: 'no-ebs-limits', instanceType }) : known(ebs);

/** Volumes that it takes beside its root volume, with one network interface. */
export const dataVolumesAtMost = ({ instanceType, attachments }: InstanceType): Known<number, TypeReason> =>
  attachments === null ? unknown({ code: 'no-attachment-limit', instanceType }) : known(attachments.most - 1);

// What an instance can do with EBS under its bandwidth weighting; EC2 tells the figures of `default`.
// Source: EC2 user guide (configure-bandwidth-weighting) and EBS user guide (instance-bandwidth-configuration), read
// 2026-11-28: `ebs-1` raises the baseline bandwidth by 25 % and leaves the burst bandwidth (on Flex types of 8xlarge and
// larger it rises by as much), and the network loses as many MiB/s; `vpc-1` takes from EBS what it gives to the network.
// IOPS do not change. It is changed of a stopped instance, and costs nothing.

const raised = 1.25;

/** Flex types whose burst rises too: 8xlarge and larger. */
const isLargeFlex = (instanceType: string): boolean => {
  const size = /-flex\.(\d+)xlarge$/.exec(instanceType)?.[1];
  return size !== undefined && Number(size) >= 8;
};

export interface WeightedFigures {
  figures: EbsFigures;
  /** Why the MiB/s cannot be known; null where they can. */
  mibpsUnknownReason: WeightingReason | null;
}

/** @param figures of the instance or of one of its EBS cards, with `default`. */
export function weightedFigures(
  figures: EbsFigures,
  instanceType: string,
  weighting: string | null,
): WeightedFigures {
  if (weighting === null || weighting === 'default') return { figures, mibpsUnknownReason: null };
  if (weighting !== 'ebs-1') {
    return { figures, mibpsUnknownReason: { code: 'bandwidth-weighting', weighting } };
  }
  const { baselineMiBps, maximumMiBps } = figures;
  const baseline = baselineMiBps * raised;
  const maximum = isLargeFlex(instanceType)
    ? maximumMiBps + baseline - baselineMiBps
    : Math.max(maximumMiBps, baseline);
  return {
    figures: { ...figures, baselineMiBps: baseline, maximumMiBps: maximum },
    mibpsUnknownReason: null,
  };
}

/** The type as it is with `ebs-1`. */
export const withEbsWeighting = (type: InstanceType): InstanceType => ({
  ...type,
  ebs: type.ebs === null ? null : weightedFigures(type.ebs, type.instanceType, 'ebs-1').figures,
  cards: type.cards.map((card) => weightedFigures(card, type.instanceType, 'ebs-1').figures),
});

// Corrections of what EC2 tells, each with its reason and the day from which it must be looked at again.

export interface Override {
  instanceType: string;
  set: Partial<Omit<InstanceType, 'instanceType'>>;
  reason: string;
  /** ISO date: the check of the catalog fails from then on. */
  recheckBy: string;
}

/** None is known to be needed (2026-11-21): where documentation and API differ, the API was right. */
export const overrides: readonly Override[] = [];

/** @throws where an override names a type that is not in the catalog: it is of no use any more. */
export function withOverrides(catalog: InstanceTypes, corrections: readonly Override[]): InstanceTypes {
  const byType = new Map(corrections.map((correction) => [correction.instanceType, correction]));
  const types = catalog.types.map((row) => ({ ...row, ...byType.get(row.instanceType)?.set }));
  const names = new Set(types.map(({ instanceType }) => instanceType));
  const stray = corrections.find(({ instanceType }) => !names.has(instanceType));
  if (stray !== undefined) throw new Error(`override of ${stray.instanceType}: the catalog has no such type`);
  return corrections.length === 0 ? catalog : { ...catalog, types };
}

// The catalog that comes with stripewise: generated, see tools/generate-catalog.ts.

/** Every type by its name; the first call takes some milliseconds, the others none. */
export class InstanceCatalog {
  readonly asOf: string;
  readonly source: string;
  readonly types: InstanceTypes['types'];
  private readonly byName: ReadonlyMap<string, InstanceTypes['types'][number]>;

  constructor({ asOf, source, types }: InstanceTypes) {
    this.asOf = asOf;
    this.source = source;
    this.types = types;
    this.byName = new Map(types.map((row) => [row.instanceType, row]));
  }

  /** Undefined: no such type is known. */
  get(instanceType: string): InstanceTypes['types'][number] | undefined {
    return this.byName.get(instanceType);
  }
}

let builtIn: InstanceCatalog | undefined;

export function builtInCatalog(): InstanceCatalog {
  builtIn ??= new InstanceCatalog(withOverrides(instanceTypes, overrides));
  return builtIn;
}
