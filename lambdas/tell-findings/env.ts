import { z } from 'zod';
import { severities } from '../../core/schemas/finding.ts';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** The records of findings, and the messages that tell of them. */
  FINDINGS_TABLE: z.string().min(1),
  TOPIC_ARN: z.string().min(1),
  /** The queue that listens to the topic for all channels, */
  DELIVERIES_QUEUE_ARN: z.string().min(1),
  /** how many of them need nothing to be put into the secret, and the secret without which the others are told nothing. */
  CHANNELS_WITHOUT_SECRET: z.coerce.number().int().min(0),
  CHANNEL_SECRETS_ARN: z.string().min(1),
  LEAST_SEVERITY: z.enum(severities),
  REMEMBER_DAYS: z.coerce.number().positive(),
  AUDIT_EVERY_HOURS: z.coerce.number().positive(),
  /** The endpoint that opens reports, and the secret that its links are signed with; empty where there is none. */
  REPORT_URL: z.string(),
  LINK_KEY_SECRET_ARN: z.string(),
  LINK_DAYS: z.coerce.number().positive(),
});
export type Env = z.infer<typeof envSchema>;
