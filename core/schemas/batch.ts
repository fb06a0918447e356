/** What the steps of a run hand to each other. */
import { z } from 'zod';
import { readSchema } from '../archive/manifest.ts';
import type { AuditBatch, ReadingPlan } from '../audit/batches.ts';
import { isRegionName } from '../ids.ts';
import type { Instance, Volume } from '../inventory.ts';
import { isMetricName, type PublishedCheck } from '../load/metrics.ts';
import { modificationStates, type VolumeModification } from '../recommendations/modifications.ts';
import { kubernetesVolumeSchema } from './kubernetes-volume.ts';
import { givenOpinionsSchema } from './volume-recommendation.ts';

/** It becomes part of keys. */
const regionSchema = z.string().refine(isRegionName, 'not a Region');

/** What one step after the other reads; both become parts of keys. */
export const placeSchema = z.object({
  account: z.string().regex(/^\d{12}$/, 'not an account'),
  region: regionSchema,
});

export const readingPlanSchema = z.object({
  startEpochSeconds: z.number().int(),
  endEpochSeconds: z.number().int(),
  periodSeconds: z.number().int().positive(),
  coarsePeriodSeconds: z.number().int().positive().optional(),
  isArchived: z.boolean().optional(),
  isOfOwnWindow: z.boolean().optional(),
}) satisfies z.ZodType<ReadingPlan>;

export const volumeSchema = z.object({
  volumeId: z.string(),
  volumeType: z.string(),
  sizeGiB: z.number(),
  iops: z.number().nullable(),
  throughputMiBps: z.number().nullable(),
  state: z.string(),
  region: regionSchema,
  account: z.string().nullable(),
  deployment: z.enum(['region', 'outposts']),
  multiAttach: z.boolean(),
  attachments: z.array(
    // A batch that an earlier version stored does not tell the card.
    z.object({ instanceId: z.string(), ebsCardIndex: z.number().nullable().default(null) }),
  ),
  name: z.string().nullable(),
  // Nor does it tell the tag.
  stripeTag: z.string().nullable().default(null),
  tags: z.record(z.string(), z.string()).default({}),
  kubernetes: kubernetesVolumeSchema.optional(),
  createdEpochSeconds: z.number().int().optional(),
  snapshotId: z.string().optional(),
  initializationRateMiBps: z.number().positive().optional(),
}) satisfies z.ZodType<Volume>;

const instanceSchema = z.object({
  instanceId: z.string(),
  instanceType: z.string().nullable(),
  state: z.string(),
  region: regionSchema,
  account: z.string().nullable(),
  name: z.string().nullable(),
  bandwidthWeighting: z.string().nullable().default(null),
  tags: z.record(z.string(), z.string()).optional(),
  availabilityZone: z.string().optional(),
  rootVolumeId: z.string().optional(),
  excludedVolumes: z.int().positive().optional(),
}) satisfies z.ZodType<Instance>;

const publishedCheckSchema = z.object({
  metric: z.custom<PublishedCheck['metric']>((name) => typeof name === 'string' && isMetricName(name)),
  instanceId: z.string().nullable(),
}) satisfies z.ZodType<PublishedCheck>;

/** By volume id; null: nobody listed them. */
export const publishedChecksSchema = z.record(z.string(), z.array(publishedCheckSchema)).nullable();

const modificationSchema = z.object({
  state: z.enum(modificationStates),
  startEpochSeconds: z.number(),
  endEpochSeconds: z.number().nullable(),
}) satisfies z.ZodType<VolumeModification>;

export const batchSchema = z.object({
  region: regionSchema,
  account: z.string(),
  volumes: z.array(volumeSchema),
  instances: z.array(instanceSchema),
  published: publishedChecksSchema,
  /** Of a run that is compared with other services: what they recommend for its volumes. */
  opinions: z.array(givenOpinionsSchema).optional(),
  /** Of a run that evaluates from the archive: by volume id the modification that EC2 still knows. */
  modifications: z.record(z.string(), z.array(modificationSchema)).optional(),
  /** Of a run that evaluates from the archive. */
  archived: z
    .object({
      /** What the archive has read of its resources. */
      reads: z.array(readSchema),
      /** Where the archive begins later than the window does: from here on there can be figures. */
      startEpochSeconds: z.number().int(),
    })
    .optional(),
}) satisfies z.ZodType<AuditBatch>;
export type StoredBatch = z.infer<typeof batchSchema>;
