import { z } from 'zod';

export const envSchema = z.object({
  /** Of the stack: what its hosts are launched from, and with. */
  LAUNCH_TEMPLATE_ID: z.string().min(1),
  INSTANCE_PROFILE_ARN: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
