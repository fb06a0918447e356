import { homedir } from 'node:os';
import { join } from 'node:path';

/** Ours among the user's caches. Source: XDG Base Directory Specification: a path that is not absolute is ignored. */
export function cacheDirectory(): string {
  const { XDG_CACHE_HOME: configured = '' } = process.env;
  const directory = configured.startsWith('/') ? configured : join(homedir(), '.cache');
  return join(directory, 'stripewise');
}
