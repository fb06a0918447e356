import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** Stands on every report; empty: nothing does. */
  LABEL: z.string(),
  /** For how long runs are kept in the bucket. */
  RUNS_DAYS: z.coerce.number().int().min(1),
});
export type Env = z.infer<typeof envSchema>;
