import { z } from 'zod';
import { severities } from '../../core/schemas/finding.ts';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** What was told, one item a finding. */
  TOLD_TABLE: z.string().min(1),
  TOPIC_ARN: z.string().min(1),
  /** The function that listens to the topic for Slack, and the secret without which it posts nothing. */
  SLACK_FUNCTION_ARN: z.string().min(1),
  WEBHOOK_SECRET_ARN: z.string().min(1),
  LEAST_SEVERITY: z.enum(severities),
  FORGET_AFTER_DAYS: z.coerce.number().positive(),
  /** The endpoint that opens reports, and the secret that its links are signed with; empty where there is none. */
  REPORT_URL: z.string(),
  LINK_KEY_SECRET_ARN: z.string(),
  LINK_DAYS: z.coerce.number().positive(),
});
export type Env = z.infer<typeof envSchema>;
