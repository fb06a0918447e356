import { z } from 'zod';
import { archiveVariable, memberRoleVariable } from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** Regions to audit, separated by commas. */
  REGIONS: z.string().min(1),
  LOOKBACK_DAYS: z.coerce.number().positive(),
  /** How long a run may read metrics, from its beginning. */
  READ_MINUTES: z.coerce.number().positive(),
  /** Of one pass that reads everything; or two passes. */
  PERIOD_SECONDS: z.union([z.literal('two-passes'), z.coerce.number().int().positive()]),
  ARCHIVE: archiveVariable,
  /** The bucket that runs are kept in; only where there are several accounts. */
  BUCKET: z.string().min(1).optional(),
  /** JSON: the role in the accounts of an organization, and its external id; without it one account is read. */
  MEMBER_ROLE: memberRoleVariable.optional(),
});
export type Env = z.infer<typeof envSchema>;
