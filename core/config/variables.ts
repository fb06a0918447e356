/** What functions get of the configuration: JSON in variables of their environment. */
import { z } from 'zod';
import { jsonOrNull } from '../json.ts';
import type { Config } from './config.ts';
import { keptTagKeys } from './tags.ts';
import { thresholdsSchema } from './thresholds.ts';

const json = <T extends z.ZodType>(schema: T) => z.string().transform(jsonOrNull).pipe(schema);

export const tagsVariable = json(z.record(z.string(), z.union([z.string(), z.array(z.string())])));
export const tagKeysVariable = json(z.array(z.string()));
export const thresholdsVariable = json(thresholdsSchema);

type OfAudit = 'EXCLUDE_TAGS' | 'TAG_KEYS' | 'THRESHOLDS';

/** The variables of a function that describes volumes and judges them. */
export const variablesOf = (
  config: Pick<Config, 'exclude' | 'routes' | 'thresholds'>,
): Record<OfAudit, string> => ({
  EXCLUDE_TAGS: JSON.stringify(config.exclude.tags),
  TAG_KEYS: JSON.stringify(keptTagKeys(config)),
  THRESHOLDS: JSON.stringify(config.thresholds),
});
