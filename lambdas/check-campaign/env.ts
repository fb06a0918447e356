import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that campaigns are kept in. */
  BUCKET: z.string().min(1),
  /** Subnets for hosts, comma-separated. */
  SUBNET_IDS: z.string().min(1),
  /** What a campaign may cost at most, whatever its request says. */
  MAX_COST_USD: z.coerce.number().positive(),
  /** What `benchmark.instanceTypes` says, comma-separated. */
  INSTANCE_TYPES: z.string().min(1),
  /** What results are labelled with; empty: nothing. */
  LABEL: z.string(),
});
export type Env = z.infer<typeof envSchema>;
