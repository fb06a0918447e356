import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** The secret that holds the key of links. */
  LINK_KEY_SECRET_ARN: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
