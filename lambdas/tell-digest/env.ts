import { z } from 'zod';

const hours = 3_600;
const minutes = 60;

export const envSchema = z.object({
  /** The records of findings, and what was sent. */
  FINDINGS_TABLE: z.string().min(1),
  TOPIC_ARN: z.string().min(1),
  DIGEST: z.enum(['daily', 'weekly']),
  /** UTC, like 07:00; in seconds of the day. That of a week comes on Mondays. */
  DIGEST_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .transform((at) => Number(at.slice(0, 2)) * hours + Number(at.slice(3)) * minutes),
});
export type Env = z.infer<typeof envSchema>;
