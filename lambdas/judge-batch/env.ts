import { z } from 'zod';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** The document that asks hosts how their volumes are joined, and the Region that it is in; empty: nobody is asked. */
  STRIPES_DOCUMENT: z.string(),
  STRIPES_REGION: z.string(),
});
export type Env = z.infer<typeof envSchema>;
