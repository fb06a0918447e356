import { z } from 'zod';
import { changesVariable, memberRoleVariable } from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** The ledger. */
  CHANGES_TABLE: z.string().min(1),
  /** `changes:` of the configuration. */
  CHANGES: changesVariable,
  /** The parameter that says whether changes may begin. */
  KILL_SWITCH: z.string().min(1),
  FINDINGS_TABLE: z.string().min(1),
  /** That carries changes out. */
  STATE_MACHINE_ARN: z.string().min(1),
  /** JSON: the role that changes volumes in the accounts of an organization. */
  MEMBER_ROLE: memberRoleVariable.optional(),
});
export type Env = z.infer<typeof envSchema>;
