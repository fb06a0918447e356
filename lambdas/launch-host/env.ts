import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that campaigns are kept in. */
  BUCKET: z.string().min(1),
  /** The launch template of the stack. */
  LAUNCH_TEMPLATE_ID: z.string().min(1),
});
export type Env = z.infer<typeof envSchema>;
