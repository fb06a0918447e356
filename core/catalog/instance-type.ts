/** What an instance type is, and what it can do with EBS: as EC2 tells it, in the units of this house. */
import { z } from 'zod';
import { type Known, known, unknown } from '../known.ts';
import type { TypeReason } from './type-reason.ts';

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
