import { z } from 'zod';

export const envSchema = z.object({
  /** Who waits for which command. */
  WAITING_TABLE: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
