import { z } from 'zod';
import { channelNeedsVariable, lifecycleVariables } from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** The records of findings, and the messages that tell of them. */
  FINDINGS_TABLE: z.string().min(1),
  TOPIC_ARN: z.string().min(1),
  /** The queue that listens to the topic for all channels, */
  DELIVERIES_QUEUE_ARN: z.string().min(1),
  /** what each of them needs of the secret, */
  CHANNEL_NEEDS: channelNeedsVariable,
  /** and the secret. */
  CHANNEL_SECRETS_ARN: z.string().min(1),
  ...lifecycleVariables,
  /** The endpoint that opens reports, and the secret that its links are signed with; empty where there is none. */
  REPORT_URL: z.string(),
  LINK_KEY_SECRET_ARN: z.string(),
  LINK_DAYS: z.coerce.number().positive(),
});
export type Env = z.infer<typeof envSchema>;
