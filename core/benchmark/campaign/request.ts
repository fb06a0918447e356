/** What a campaign is asked to measure: layouts by instance types, under one load, within a price. */
import { z } from 'zod';
import { instanceTypeNameSchema } from '../../catalog/instance-types.ts';
import { volumeTypes } from '../../limits/volume-limits.ts';
import { minMembers as minKindMembers } from '../../plan/layout.ts';
import { accesses } from '../../report-card/job-options.ts';
import { profileNames } from '../profiles.ts';
import { maxLimitMs, percentiles } from '../search.ts';

/** As build-stripe calls them. */
export const benchKinds = ['single', 'linear', 'stripe', 'raid0', 'raid5', 'raid10', 'raid10-far2'] as const;
export type BenchKind = (typeof benchKinds)[number];

/** Volumes that a kind has at least. */
const minMembers: { readonly [K in BenchKind]: number } = {
  ...minKindMembers,
  ...{ raid0: 2, 'raid10-far2': 4 },
};

/** As many names of devices as EC2 takes beside that of the root volume. */
export const maxMembers = 24;

export const benchLayoutSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,23}$/, 'small letters, digits and hyphens, a letter first, 24 at most'),
    kind: z.enum(benchKinds),
    members: z.int().min(1).max(maxMembers),
    volumeType: z.enum(volumeTypes),
    // EBS has bounds for each type; beyond these it is mistyped.
    sizeGiB: z.int().positive().max(999_999),
    iops: z.int().positive().max(9_999_999).optional(),
    throughputMiBps: z.int().positive().max(99_999).optional(),
    chunkKiB: z.literal([4, 8, 16, 32, 64, 128, 256, 512, 1024]).default(128),
    fileSystem: z.enum(['xfs', 'ext4']).default('xfs'),
  })
  .superRefine(({ kind, members }, { addIssue }) => {
    const wrong = (message: string): void => addIssue({ code: 'custom', path: ['members'], message });
    if (kind === 'single' && members !== 1) wrong('single is one volume');
    if (members < minMembers[kind]) wrong(`${kind} has ${minMembers[kind]} volumes or more`);
    if (kind.startsWith('raid10') && members % 2 === 1) wrong(`${kind} has an even number of volumes`);
  });
export type BenchLayout = z.infer<typeof benchLayoutSchema>;

/** A load that is no profile: as somebody observed it. */
const loadSchema = z.strictObject({
  access: z.enum(accesses),
  blockKiB: z.int().min(1).max(4_096),
  /** Of mixed access. */
  readPercent: z.int().min(0).max(100).default(50),
  users: z.int().min(1).max(64),
  /** Of each user. */
  ioDepth: z.int().min(1).max(1_024).default(1),
  /** Operations a second of all together, one of each user or more; without it as many as go. */
  iops: z.int().positive().max(1_000_000).optional(),
});
const isOneEach = ({ iops, users }: { iops?: number | undefined; users: number }): boolean =>
  iops === undefined || iops >= users;
export type Load = z.infer<typeof loadSchema>;

const fileSizeMiB = z.int().min(64).max(9_999_999).optional();

const workSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('profile'),
    profile: z.enum(profileNames),
    variant: z.enum(['full', 'short']).default('full'),
    fileSizeMiB,
  }),
  z.strictObject({
    kind: z.literal('load'),
    load: loadSchema.refine(isOneEach, { path: ['iops'], message: 'must be as many as users or more' }),
    seconds: z.int().min(1).max(7_200).default(300),
    fileSizeMiB,
  }),
  z.strictObject({
    kind: z.literal('search'),
    goal: z.strictObject({
      percentile: z.enum(percentiles),
      limitMs: z.number().positive().max(maxLimitMs),
    }),
    /** How many ask is what is searched for. */
    load: loadSchema.omit({ users: true, ioDepth: true, iops: true }),
    seconds: z.int().min(1).max(600).default(20),
    fileSizeMiB,
  }),
]);
export type Work = z.infer<typeof workSchema>;

export const benchRequestSchema = z
  .strictObject({
    layouts: z.array(benchLayoutSchema).min(1).max(12),
    instanceTypes: z.array(instanceTypeNameSchema).min(1).max(6),
    work: workSchema,
    /** Of the work, on the same hosts. */
    repeats: z.int().min(1).max(10).default(1),
    /** Before it: nothing; every block is read once (volumes of a campaign are new and need it not); burst credits are spent. */
    prepare: z.enum(['nothing', 'initialize', 'drain-credits']).default('nothing'),
    /** USD that the campaign may cost in all. */
    ceilingUsd: z.number().positive().max(1e9),
    /** When all that is left of it is removed, whatever became of it. */
    hoursAtMost: z.number().positive().max(48).default(12),
    hostsAtOnce: z.int().min(1).max(10).default(4),
    /** Of the finding that it is to prove something for. */
    findingId: z
      .string()
      .regex(/^[0-9a-f]{8,64}$/, 'the id of a finding')
      .optional(),
  })
  .superRefine(({ layouts, instanceTypes, work, repeats }, { addIssue }) => {
    if (work.kind === 'search' && repeats > 1)
      addIssue({ code: 'custom', path: ['repeats'], message: 'a search repeats what it finds by itself' });
    const names = layouts.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      addIssue({ code: 'custom', path: ['layouts'], message: `two layouts are called ${twice}` });
    const again = instanceTypes.find((type, index) => instanceTypes.indexOf(type) !== index);
    if (again !== undefined)
      addIssue({ code: 'custom', path: ['instanceTypes'], message: `${again} is there twice` });
  });
export type BenchRequest = z.infer<typeof benchRequestSchema>;
