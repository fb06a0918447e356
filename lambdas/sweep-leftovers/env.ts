import { z } from 'zod';

export const envSchema = z.object({
  /** Of campaigns: whether one runs is asked of it. */
  STATE_MACHINE_ARN: z.string().min(1),
  /** Of the stack: what its hosts are launched from, and with. */
  LAUNCH_TEMPLATE_ID: z.string().min(1),
  INSTANCE_PROFILE_ARN: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
