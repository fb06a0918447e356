/** What `bench plan` answers with `--json`. */
import { z } from 'zod';
import { benchRequestSchema } from '../benchmark/campaign/request.ts';

const usdSchema = z.number().nullable();

const observedSchema = z.object({
  during: z.enum(['held-back', 'busiest']).meta({
    description: 'the periods in which it was held back, or the busiest ones, a twentieth of all at most',
  }),
  minutes: z.number(),
  ioKiB: z.number(),
  readShare: z.number(),
  servedIops: z.number(),
  wantedIops: z.number().nullable(),
  wantedUnknownBecause: z.string().nullable(),
  underWay: z.number().nullable().meta({ description: 'operations at the same time; null: not known' }),
  underWayBy: z.string().nullable(),
});

const provenSchema = z.object({
  id: z.string(),
  what: z.string(),
  problem: z.string().meta({ description: 'what is wrong, in a sentence' }),
  observed: observedSchema,
  present: z.string(),
  advised: z.string(),
  cost: z
    .object({ apiCalls: z.number(), metricsRequested: z.number(), usd: z.number() })
    .meta({ description: 'of reading its load again' }),
});
export type Proven = z.infer<typeof provenSchema>;

export const benchPlanAnswerSchema = z.object({
  region: z.string(),
  finding: provenSchema.optional().meta({ description: 'that the campaign is to prove' }),
  request: benchRequestSchema.meta({ description: 'what `bench start` takes' }),
  cells: z.array(
    z.object({
      id: z.string(),
      hours: z.number(),
      instanceUsd: usdSchema,
      volumesUsd: usdSchema,
      addressUsd: z.number(),
      totalUsd: usdSchema,
    }),
  ),
  hours: z.number().meta({ description: 'from the first host to the last' }),
  totalUsd: z.number(),
  notes: z.array(z.string()).meta({ description: 'what its result cannot show' }),
});
export type BenchPlanAnswer = z.infer<typeof benchPlanAnswerSchema>;
