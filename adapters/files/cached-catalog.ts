/** Instance types and prices of a Region as `stripewise catalog refresh` left them on this machine. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type RegionCatalog,
  regionCatalogOf,
  type StoredCatalog,
  storedCatalogSchema,
} from '../../core/catalog/region-catalog.ts';
import { BadInput } from '../../core/errors.ts';
import { isRegionName } from '../../core/ids.ts';
import { bytesPerMiB } from '../../core/units.ts';
import { cacheDirectory } from './cache-directory.ts';
import { readJson } from './read-file.ts';

export const cachedCatalogFile = (region: string): string => join(cacheDirectory(), `catalog-${region}.json`);

/** Twenty times what a Region with every instance type takes. */
const maxMiB = 16;

/**
 * Null where there is none; a text that is no Region has none, whatever file it would lead to.
 * @throws BadInput where there is one that cannot be used.
 */
export function cachedStoredCatalog(region: string): StoredCatalog | null {
  if (!isRegionName(region)) return null;
  const file = cachedCatalogFile(region);
  if (!existsSync(file)) return null;
  const unusable = (why: string): BadInput =>
    new BadInput(`${file}: ${why}; expected ${refreshAgain(region)}`);
  const found = statSync(file);
  // A named pipe would be waited for without end.
  if (!found.isFile()) throw unusable('it is not a regular file');
  if (found.size > maxMiB * bytesPerMiB) throw unusable(`it is larger than ${maxMiB} MiB`);
  const stored = readJson(file, storedCatalogSchema, refreshAgain(region));
  if (stored.region !== region) throw unusable(`it is of ${stored.region}, not of ${region}`);
  return stored;
}

/** As cachedStoredCatalog, to be used. */
export function cachedCatalog(region: string): RegionCatalog | null {
  const stored = cachedStoredCatalog(region);
  return stored === null ? null : regionCatalogOf(stored);
}

const refreshAgain = (region: string): string =>
  `what \`stripewise catalog refresh --region ${region}\` writes: run it again, or remove the file`;
