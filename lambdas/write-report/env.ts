import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** Stands on every report; empty: nothing does. */
  LABEL: z.string(),
});
export type Env = z.infer<typeof envSchema>;
