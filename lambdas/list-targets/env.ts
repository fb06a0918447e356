import { z } from 'zod';

export const envSchema = z.object({
  /** Regions to audit, separated by commas. */
  REGIONS: z.string().min(1),
  LOOKBACK_DAYS: z.coerce.number().positive(),
  PERIOD_SECONDS: z.coerce.number().int().positive(),
});
export type Env = z.infer<typeof envSchema>;
