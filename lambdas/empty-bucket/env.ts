import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs are kept in: this one is emptied and no other, whatever a request says. */
  BUCKET: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
