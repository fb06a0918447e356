import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs and the archive are kept in. */
  BUCKET: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
