import { z } from 'zod';
import { accountBudgetsVariable, thresholdsVariable } from '../../core/config/variables.ts';

const ownSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** What reading cost in each month. */
  SPEND_TABLE: z.string().min(1),
  /** How often monitoring ticks; empty: it is off. */
  EVERY_MINUTES: z.string(),
  /** The budget for audits and monitoring together; empty: no bound. */
  API_USD_PER_MONTH: z.string(),
  AUDIT_EVERY_HOURS: z.coerce.number().positive(),
  /** JSON: figures for words of the audit that are not the documented ones. */
  THRESHOLDS: thresholdsVariable,
});
export type Env = z.infer<typeof ownSchema>;

/** Where several accounts are read there may be one more. */
export const envSchema = ownSchema.extend({
  /** JSON: what some of them may cost. */
  ACCOUNT_BUDGETS: accountBudgetsVariable,
});
