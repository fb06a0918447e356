import { z } from 'zod';
import {
  archiveVariable,
  batchPointRatesVariable,
  compareWithVariable,
  memberRoleVariable,
  tagKeysVariable,
  tagsVariable,
  thresholdsVariable,
} from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  ARCHIVE: archiveVariable,
  /** JSON: values by key; a volume with one of them is left alone. */
  EXCLUDE_TAGS: tagsVariable,
  /** JSON: the keys of the tags that are kept of volumes and instances. */
  TAG_KEYS: tagKeysVariable,
  /** JSON: figures for words of the audit that are not the documented ones. */
  THRESHOLDS: thresholdsVariable,
  /** JSON: points a second that a batch may ask CloudWatch for, which say how large one may be; null: no bound. */
  POINT_RATES: batchPointRatesVariable,
  /** JSON: the role in the accounts of an organization, and its external id; without it one account is read. */
  MEMBER_ROLE: memberRoleVariable.optional(),
});
export type Env = z.infer<typeof envSchema>;

/** Where other services are asked there is one more. */
export const envWithOpinionsSchema = envSchema.extend({
  /** JSON: the services whose recommendations are read. */
  COMPARE_WITH: compareWithVariable,
});
