import { z } from 'zod';
import { originVariables } from '../shared/host-origin.ts';

export const envSchema = z.object({
  /** The bucket that campaigns are kept in. */
  BUCKET: z.string().min(1),
  /** What volumes are encrypted with; empty: the default EBS key. */
  KMS_KEY_ARN: z.string(),
  ...originVariables,
});
export type Env = z.infer<typeof envSchema>;
