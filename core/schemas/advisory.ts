/** What is told about a run: the findings that are new, worse, back or proved. One message a run, or none. */
import { z } from 'zod';
import { auditResultSchema } from './audit-result.ts';
import { findingSchema } from './finding.ts';

/** proved: told before, and benchmarked since. */
export const changes = ['new', 'worse', 'back', 'proved'] as const;

export const advisorySchema = z.object({
  type: z.literal('stripewise.advisory'),
  version: z.literal(1),
  id: z.string().meta({ description: 'the same when the same news of the same run is sent again' }),
  runId: z.string(),
  window: auditResultSchema.shape.window,
  partial: z.boolean().meta({ description: 'true where something could not be read' }),
  volumes: z.number(),
  unknownVolumes: z.number(),
  openFindings: z.number().meta({ description: 'all findings of the run, told before or not' }),
  cost: auditResultSchema.shape.cost,
  told: z.array(
    findingSchema.omit({ evidence: true }).extend({
      change: z.enum(changes),
      volumeText: z.string().nullable(),
      priceUnknownBecause: z.string().nullable(),
      proof: z
        .string()
        .nullable()
        .default(null)
        .meta({ description: 'what a benchmark of it showed, in a line; null: there is none' }),
      url: z
        .string()
        .nullable()
        .default(null)
        .meta({ description: 'what the report of the run says of it; null: there is no link' }),
    }),
  ),
  notShown: z.number().meta({ description: 'told too, but left out here for length' }),
  location: z.string().meta({ description: 'where the whole run is' }),
  reportUrl: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'opens the report of the run, for some days; null: there is no link' }),
});
export type Advisory = z.infer<typeof advisorySchema>;
export type ToldFinding = Advisory['told'][number];
