import { z } from 'zod';

export const envSchema = z.object({
  /** Channels and routes of the configuration: JSON, gzip, base64, since Lambda takes 4 KB of variables in all. */
  CHANNELS: z.string().min(1),
  /** Of channels that are topics: JSON, ARN by name of the channel. */
  TOPIC_ARNS: z.string().min(2),
  /** What the other channels need, by name: addresses of webhooks, tokens. */
  CHANNEL_SECRETS_ARN: z.string().min(1),
  /** Which messages were posted, and where the thread of a finding is. */
  POSTED_TABLE: z.string().min(1),
  /** The records of findings: what is muted or over by now. */
  FINDINGS_TABLE: z.string().min(1),
  QUEUE_URL: z.string().min(1),
  /** For what a channel refuses. */
  DEAD_LETTER_QUEUE_URL: z.string().min(1),
  /** Runs, with the pages that pictures are drawn from; and messages too large for a topic. */
  BUCKET: z.string().min(1),
  /** Stands on every picture, such as: a trial; empty: nothing does. */
  LABEL: z.string(),
  /** Whether changes of volumes can be requested by a button; absent: no. */
  CHANGES: z.enum(['', 'on']).optional(),
});
export type Env = z.infer<typeof envSchema>;
