/** What `bench plan` answers with `--json`. */
import { z } from 'zod';
import { preflightNotes } from '../benchmark/campaign/preflight.ts';
import { benchLayoutSchema, benchRequestSchema } from '../benchmark/campaign/request.ts';
import { demandUnknownSchema, inFlightSources } from '../benchmark/from-finding/observed-load.ts';
import { validationNotes } from '../benchmark/from-finding/request.ts';
import { findingSchema } from './finding.ts';

const usdSchema = z.number().nullable();

const observedSchema = z.object({
  during: z.enum(['throttled', 'busiest']).meta({
    description: 'the periods in which it was throttled, or the busiest ones, a twentieth of all at most',
  }),
  minutes: z.number(),
  ioKiB: z.number(),
  readShare: z.number(),
  servedIops: z.number(),
  demandIops: z.number().nullable(),
  demandUnknownReason: demandUnknownSchema.nullable(),
  underWay: z.number().nullable().meta({ description: 'operations at the same time; null: not known' }),
  underWayBy: z.enum(inFlightSources).nullable(),
});

const configurationSchema = z.object({ layout: benchLayoutSchema, instanceType: z.string() });

const benchedFindingSchema = z.object({
  finding: findingSchema,
  observed: observedSchema,
  current: configurationSchema,
  recommended: configurationSchema,
  cost: z
    .object({ apiCalls: z.number(), metricsRequested: z.number(), usd: z.number() })
    .meta({ description: 'of reading its load again' }),
});
export type BenchedFinding = z.infer<typeof benchedFindingSchema>;

const planNoteSchema = z.discriminatedUnion('code', [
  ...preflightNotes,
  ...validationNotes,
  z
    .object({ code: z.literal('other-region'), region: z.string(), findingRegion: z.string() })
    .meta({ description: 'it is measured in another Region than the finding is in' }),
]);
export type PlanNote = z.infer<typeof planNoteSchema>;

export const benchPlanAnswerSchema = z.object({
  region: z.string(),
  validates: benchedFindingSchema.optional().meta({ description: 'the finding that the campaign is for' }),
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
  notes: z.array(planNoteSchema).meta({ description: 'what its result cannot show' }),
});
export type BenchPlanAnswer = z.infer<typeof benchPlanAnswerSchema>;
