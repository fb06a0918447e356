/** Instance types and prices of a Region as `stripewise catalog refresh` left them on this machine. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Market, marketOf, storedMarketSchema } from '../../core/catalogue/market.ts';
import { BadInput } from '../../core/errors.ts';
import { readJson } from './read-file.ts';

/** Source: XDG Base Directory Specification: a path that is not absolute is ignored. */
export function cachedMarketFile(region: string): string {
  const { XDG_CACHE_HOME: configured = '' } = process.env;
  const directory = configured.startsWith('/') ? configured : join(homedir(), '.cache');
  return join(directory, 'stripewise', `catalogue-${region}.json`);
}

/**
 * Null where there is none.
 * @throws BadInput where there is one that cannot be used.
 */
export function cachedMarket(region: string): Market | null {
  const file = cachedMarketFile(region);
  if (!existsSync(file)) return null;
  const stored = readJson(file, storedMarketSchema, refreshAgain(region));
  if (stored.region !== region)
    throw new BadInput(
      `${file}: it is of ${stored.region}, not of ${region}; expected ${refreshAgain(region)}`,
    );
  return marketOf(stored);
}

const refreshAgain = (region: string): string =>
  `what \`stripewise catalog refresh --region ${region}\` writes: run it again, or remove the file`;
