import { z } from 'zod';
import {
  archiveVariable,
  batchPointRatesVariable,
  memberRoleVariable,
  thresholdsVariable,
} from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  ARCHIVE: archiveVariable,
  /** The document that asks hosts how their volumes are joined, and the Region that it is in; empty: nobody is asked. */
  STRIPES_DOCUMENT: z.string(),
  STRIPES_REGION: z.string(),
  /** JSON: figures for words of the audit that are not the documented ones. */
  THRESHOLDS: thresholdsVariable,
  /** JSON: points a second that a batch may ask CloudWatch for; null: no bound. */
  POINT_RATES: batchPointRatesVariable,
  /** JSON: the role in the accounts of an organization, and its external id; without it one account is read. */
  MEMBER_ROLE: memberRoleVariable.optional(),
});
export type Env = z.infer<typeof envSchema>;
