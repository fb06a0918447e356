import { z } from 'zod';
import { lifecycleVariables } from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** Holds the signing secrets of the Slack apps. */
  CHANNEL_SECRETS_ARN: z.string().min(1),
  /** Which requests came before. */
  POSTED_TABLE: z.string().min(1),
  FINDINGS_TABLE: z.string().min(1),
  /** What is asked to request or decide a change of a volume; absent: changes are not turned on. */
  DECIDE_CHANGE_FUNCTION_ARN: z.string().min(1).optional(),
  ...lifecycleVariables,
});
export type Env = z.infer<typeof envSchema>;
