import { z } from 'zod';
import { originVariables } from '../shared/host-origin.ts';

export const envSchema = z.object({
  /** Of campaigns: whether one runs is asked of it. */
  STATE_MACHINE_ARN: z.string().min(1),
  ...originVariables,
});
export type Env = z.infer<typeof envSchema>;
