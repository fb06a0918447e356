import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that campaigns are kept in. */
  BUCKET: z.string().min(1),
  /** Who waits for which command. */
  WAITING_TABLE: z.string().min(1),
  /** Names of the deployed documents, as JSON by the names of ours. */
  DOCUMENTS: z.string().min(2),
});
export type Env = z.infer<typeof envSchema>;
