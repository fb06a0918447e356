import { z } from 'zod';
import {
  accountBudgetsVariable,
  lifecycleVariables,
  memberRoleVariable,
  pointRatesVariable,
  tagKeysVariable,
  tagsVariable,
  thresholdsVariable,
} from '../../core/config/variables.ts';

const ownSchema = z.object({
  ACCOUNT: z.string().min(1),
  /** Regions to watch, separated by commas. */
  REGIONS: z.string().min(1),
  EVERY_MINUTES: z.coerce.number().int().positive(),
  /** For audits and monitoring together; empty: no bound. */
  API_USD_PER_MONTH: z.string(),
  /** Where the inventory is kept for an hour, and prices are. */
  BUCKET: z.string().min(1),
  WATCHES_TABLE: z.string().min(1),
  FINDINGS_TABLE: z.string().min(1),
  SPEND_TABLE: z.string().min(1),
  NOTIFY_FUNCTION_ARN: z.string().min(1),
  ...lifecycleVariables,
  /** JSON: values by key; a volume with one of them is left alone. */
  EXCLUDE_TAGS: tagsVariable,
  /** JSON: the keys of the tags that are kept of volumes. */
  TAG_KEYS: tagKeysVariable,
  /** JSON: figures for words of the audit that are not the documented ones. */
  THRESHOLDS: thresholdsVariable,
  /** JSON: points a second that a tick may ask CloudWatch for. */
  POINT_RATES: pointRatesVariable,
});
export type Env = z.infer<typeof ownSchema>;

/** Where several accounts are watched there are more. */
export const envSchema = ownSchema.extend({
  /** JSON: as whom they are entered. */
  MEMBER_ROLE: memberRoleVariable.default(null),
  /** JSON: what some of them may cost. */
  ACCOUNT_BUDGETS: accountBudgetsVariable,
});
