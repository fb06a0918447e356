import { z } from 'zod';
import { secondsOfDay, timeOfDayPattern } from '../../core/wall-clock.ts';

export const envSchema = z.object({
  /** The records of findings, and what was sent. */
  FINDINGS_TABLE: z.string().min(1),
  /** Where the fleet by day is kept; absent: there is no archive. */
  BUCKET: z.string().min(1).optional(),
  /** The ledger of changes of volumes; absent: changes are not turned on. */
  CHANGES_TABLE: z.string().min(1).optional(),
  TOPIC_ARN: z.string().min(1),
  DIGEST: z.enum(['daily', 'weekly']),
  /** UTC, like 07:00; in seconds of the day. That of a week comes on Mondays. */
  DIGEST_AT: z.string().regex(timeOfDayPattern).transform(secondsOfDay),
});
export type Env = z.infer<typeof envSchema>;
