/**
 * Before a command uses a Region's prices: what is missing or old is read anew, where there are credentials. Nothing that
 * fails here ends the command.
 */
import { cachedCatalogFile, cachedStoredCatalog } from '../adapters/files/cached-catalog.ts';
import { forgetNotRefreshed, noteNotRefreshed, notRefreshedAt } from '../adapters/files/not-refreshed.ts';
import { builtInCatalog } from '../core/catalog/instance-types.ts';
import type { StoredCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput, DiskFull } from '../core/errors.ts';
import { isRegionName } from '../core/ids.ts';
import { builtInPrices } from '../core/prices/prices.ts';
import { msPerSecond, secondsPerDay, secondsPerHour } from '../core/units.ts';
import { sanitize } from '../report/terminal/text.ts';
import { type CatalogThere, notReadAnewText, readAnewText } from '../report/wording/catalog-refresh.ts';
import type { Io } from './io.ts';

/** By Region, of those that were read just now. */
export type StoredCatalogs = ReadonlyMap<string, StoredCatalog>;

const refreshAfterDays = 30;
const retryAfterMs = secondsPerHour * msPerSecond;
/** Reading takes about 35 calls, five a second. */
const patience = { seconds: 30, maxAttempts: 2 } as const;

/** Clocks differ by less. */
const maxAheadDays = 1;

const daysSince = (moment: string, now: Date): number =>
  (now.getTime() - Date.parse(moment)) / (secondsPerDay * msPerSecond);

/** What there is of a Region, and how old. */
function catalogThere(region: string, stored: StoredCatalog | null, now: Date): CatalogThere {
  if (stored !== null) return { from: 'this-machine', days: daysSince(stored.refreshedAt, now) };
  if (builtInPrices(region).ebs === null) return { from: 'nowhere', days: null };
  return { from: 'built-in', days: daysSince(builtInCatalog().asOf, now) };
}

/** A date in the future is none: it would be young for ever. */
const isOld = ({ days }: CatalogThere): boolean =>
  days === null || days >= refreshAfterDays || days < -maxAheadDays;

/** Others may work where these did not. */
function credentialsName(profile: string | undefined): string {
  const { AWS_PROFILE = '', AWS_ACCESS_KEY_ID } = process.env;
  return `${profile ?? AWS_PROFILE}${AWS_ACCESS_KEY_ID === undefined ? '' : ' and keys'}`;
}

interface Refreshing {
  region: string;
  profile: string | undefined;
  stored: StoredCatalog | null;
  there: CatalogThere;
}

/** Null where it cannot be read. */
async function refreshed(
  { region, profile, stored, there }: Refreshing,
  io: Io,
): Promise<StoredCatalog | null> {
  const say = (text: string): void => io.err(`stripewise: ${sanitize(text, 700)}`);
  // Loaded only when needed: the AWS SDK takes long to load.
  const { readCatalog, writeCatalog } = await import('./catalog-refresh.ts');
  const whose = { region, ...(profile === undefined ? {} : { profile }) };
  try {
    const { regionCatalog, apiCalls } = await readCatalog(whose, stored, io, patience);
    const file = cachedCatalogFile(region);
    try {
      writeCatalog(file, regionCatalog);
      forgetNotRefreshed(region);
      say(readAnewText({ region, there, apiCalls, file, notKept: null }));
    } catch (error) {
      if (!(error instanceof BadInput || error instanceof DiskFull)) throw error;
      say(readAnewText({ region, there, apiCalls, file, notKept: error.message }));
    }
    return regionCatalog;
  } catch (error) {
    noteNotRefreshed(region, credentialsName(profile), io.now());
    say(notReadAnewText({ region, there, reason: error instanceof Error ? error.message : String(error) }));
    return null;
  }
}

/**
 * Reads Regions anew whose catalog is missing or 30 days old, says so in a line each, and keeps them. One that could not be
 * read is not asked for again for an hour. `STRIPEWISE_CATALOG_REFRESH=off` switches it off.
 * @throws BadInput where what is kept of a Region cannot be used.
 */
export async function freshCatalogs(
  regions: readonly string[],
  profile: string | undefined,
  io: Io,
): Promise<StoredCatalogs> {
  const fresh = new Map<string, StoredCatalog>();
  if (process.env['STRIPEWISE_CATALOG_REFRESH'] === 'off') return fresh;
  for (const region of new Set(regions.filter(isRegionName))) {
    const now = io.now();
    const stored = cachedStoredCatalog(region);
    const there = catalogThere(region, stored, now);
    if (!isOld(there)) continue;
    const failedAt = notRefreshedAt(region, credentialsName(profile));
    const sinceFailedMs = failedAt === null ? retryAfterMs : Math.abs(now.getTime() - failedAt.getTime());
    if (sinceFailedMs < retryAfterMs) continue;
    const read = await refreshed({ region, profile, stored, there }, io);
    if (read !== null) fresh.set(region, read);
  }
  return fresh;
}
