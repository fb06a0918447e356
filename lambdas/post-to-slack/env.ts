import { z } from 'zod';

export const envSchema = z.object({
  /** Holds {"webhookUrl": "https://hooks.slack.com/..."}; null in it while none is configured. */
  WEBHOOK_SECRET_ARN: z.string().min(1),
  /** Which messages were posted, so that a repeated delivery posts nothing. */
  POSTED_TABLE: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
