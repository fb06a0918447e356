import { z } from 'zod';
import { originVariables } from '../shared/host-origin.ts';

export const envSchema = z.object({
  ...originVariables,
});
export type Env = z.infer<typeof envSchema>;
