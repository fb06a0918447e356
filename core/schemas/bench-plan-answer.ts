/** What `bench plan` answers with `--json`. */
import { z } from 'zod';
import { benchRequestSchema } from '../benchmark/campaign/request.ts';

const usdSchema = z.number().nullable();

export const benchPlanAnswerSchema = z.object({
  region: z.string(),
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
