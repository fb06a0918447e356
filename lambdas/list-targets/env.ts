import { z } from 'zod';

export const envSchema = z.object({
  /** Regions to audit, separated by commas. */
  REGIONS: z.string().min(1),
  LOOKBACK_DAYS: z.coerce.number().positive(),
  /** How long a run may read metrics, from its beginning. */
  READ_MINUTES: z.coerce.number().positive(),
  /** Of one pass that reads everything; or two passes. */
  PERIOD_SECONDS: z.union([z.literal('two-passes'), z.coerce.number().int().positive()]),
});
export type Env = z.infer<typeof envSchema>;
