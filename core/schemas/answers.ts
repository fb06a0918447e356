/** What the small commands answer with `--json`. */
import { z } from 'zod';
import { limitNoteSchema } from '../limits/limit-note.ts';
import { deployments, volumeTypes } from '../limits/volume-limits.ts';
import { priceSourceSchema } from '../prices/prices.ts';
import { hostDemandSchema } from './host-demand.ts';
import { priceReasonSchema } from './unknown-reasons.ts';

const deliveredSchema = z.object({
  iops: z.number(),
  mibps: z.number(),
  binding: z.enum(['iops', 'throughput', 'iops+throughput']),
});

export const limitsAnswerSchema = z.object({
  volumeType: z.enum(volumeTypes),
  sizeGiB: z.number(),
  deployment: z.enum(deployments),
  baselineIops: z.number(),
  burstIops: z.number(),
  baselineMiBps: z.number(),
  burstMiBps: z.number(),
  bucket: z.object({ unit: z.enum(['io', 'mib']), capacity: z.number() }).nullable(),
  atIoSize: z
    .object({ ioSizeKiB: z.number(), baseline: deliveredSchema, burst: deliveredSchema })
    .optional()
    .meta({ description: 'random I/O of that size' }),
  monthlyUsd: z.number().nullable(),
  monthlyUsdParts: z.object({ storage: z.number(), iops: z.number(), throughput: z.number() }).nullable(),
  priceRegion: z.string(),
  priceSource: priceSourceSchema.nullable(),
  priceUnknownReason: priceReasonSchema.nullable(),
  perMillionIoUsd: z
    .number()
    .nullable()
    .meta({ description: 'of standard, on top of the price a month; null of other types' }),
  notes: z.array(limitNoteSchema),
});
export type LimitsAnswer = z.infer<typeof limitsAnswerSchema>;

const burstTimesSchema = z.object({
  creditBalance: z.number().nullable(),
  burstDurationSeconds: z.number().nullable(),
  secondsToEmpty: z.number().nullable(),
  secondsToFull: z.number().nullable(),
  rateLimitedTo: z
    .number()
    .nullable()
    .meta({ description: 'the limit, where more was asked: what is computed is at this rate; else null' }),
});

export const burstAnswerSchema = z.union([
  burstTimesSchema.extend({ baselineIops: z.number(), burstIops: z.number() }),
  burstTimesSchema.extend({ baselineMiBps: z.number(), burstMiBps: z.number() }),
]);
export type BurstAnswer = z.infer<typeof burstAnswerSchema>;

export const demandAnswerSchema = z.union([
  z.object({
    requiredIops: z.number(),
    parts: z.object({ reads: z.number(), writes: z.number(), redoWrites: z.number() }),
  }),
  hostDemandSchema.meta({ description: 'of --from' }),
]);
