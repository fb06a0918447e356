import { z } from 'zod';
import { tagKeysVariable, tagsVariable, thresholdsVariable } from '../../core/config/variables.ts';

export const envSchema = z.object({
  /** The bucket that runs are kept in. */
  BUCKET: z.string().min(1),
  /** JSON: values by key; a volume with one of them is left alone. */
  EXCLUDE_TAGS: tagsVariable,
  /** JSON: the keys of the tags that are kept of volumes and instances. */
  TAG_KEYS: tagKeysVariable,
  /** JSON: figures for words of the audit that are not the documented ones. */
  THRESHOLDS: thresholdsVariable,
});
export type Env = z.infer<typeof envSchema>;
