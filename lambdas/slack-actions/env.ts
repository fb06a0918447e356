import { z } from 'zod';
import { severities } from '../../core/schemas/finding.ts';

export const envSchema = z.object({
  /** Holds the signing secrets of the Slack apps. */
  CHANNEL_SECRETS_ARN: z.string().min(1),
  /** Which requests came before. */
  POSTED_TABLE: z.string().min(1),
  FINDINGS_TABLE: z.string().min(1),
  LEAST_SEVERITY: z.enum(severities),
  REMEMBER_DAYS: z.coerce.number().positive(),
  AUDIT_EVERY_HOURS: z.coerce.number().positive(),
});
export type Env = z.infer<typeof envSchema>;
