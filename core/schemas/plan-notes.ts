/** What is to be known of a plan as a whole: codes with figures. The words are in report/wording/plan-notes.ts. */
import { z } from 'zod';
import { limitNoteSchema } from '../limits/limit-note.ts';
import { volumeTypes } from '../limits/volume-limits.ts';
import { priceSourceSchema } from '../prices/prices.ts';
import { priceReasonSchema } from './unknown-reasons.ts';

const nullable = z.number().nullable();

export const planNoteSchema = z.discriminatedUnion('code', [
  z
    .object({ code: z.literal('no-capacity-asked') })
    .meta({ description: 'it is sized for performance alone' }),
  z.object({
    code: z.literal('no-instance-carries'),
    iops: z.number(),
    throughputMiBps: z.number(),
    instanceType: z.string().meta({ description: 'the type that carries most of it' }),
    baselineIops: z.number(),
    baselineMiBps: z.number(),
  }),
  z
    .object({ code: z.literal('instance-must-carry'), iops: z.number(), throughputMiBps: z.number() })
    .meta({ description: 'where no instance was asked about' }),
  z
    .object({
      code: z.literal('wider-limit'),
      maxMembers: nullable.meta({ description: 'null where this limit stays as it is' }),
      chunkKiB: nullable,
      maxAnnualFailureRate: nullable,
      members: z.number(),
      volumeType: z.enum(volumeTypes),
      annualFailureRate: z.number(),
      monthlyUsd: nullable.meta({ description: 'null where prices are not known' }),
      monthlyUsdLess: nullable.meta({ description: 'than the cheapest; null where nothing is good enough' }),
    })
    .meta({ description: 'what would be the cheapest with a wider limit' }),
  z.object({ code: z.literal('deployment'), note: limitNoteSchema }),
  z.object({ code: z.literal('price-source'), source: priceSourceSchema }),
  z.object({
    code: z.literal('prices-of-another-region'),
    region: z.string(),
    rankingRegion: z.string(),
    reason: priceReasonSchema,
  }),
  z.object({ code: z.literal('built-in-instance-types'), region: z.string() }),
  z.object({ code: z.literal('built-in-tables') }),
]);
export type PlanNote = z.infer<typeof planNoteSchema>;
