import { z } from 'zod';
import { lifecycleVariables } from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** Holds the signing secrets of the Slack apps. */
  CHANNEL_SECRETS_ARN: z.string().min(1),
  /** Which requests came before. */
  POSTED_TABLE: z.string().min(1),
  FINDINGS_TABLE: z.string().min(1),
  ...lifecycleVariables,
});
export type Env = z.infer<typeof envSchema>;
