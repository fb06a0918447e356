import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** What was read so many days ago is read again. */
  REFRESH_AFTER_DAYS: z.coerce.number().positive(),
});
export type Env = z.infer<typeof envSchema>;
