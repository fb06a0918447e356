/** Files that the user alone may read, among their caches. */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from '../../core/errors.ts';
import { cacheDirectory } from './cache-directory.ts';
import { wholeFile } from './whole-file.ts';
import { writing } from './write-file.ts';

/** What is neither a letter nor a digit means something to some system. */
const safeName = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]/g, '_');

/** One that was there before may be open to others, or be theirs. */
function privateDirectory(): string {
  const directory = join(cacheDirectory(), 'reports');
  const found = writing(directory, () => {
    if (lstatSync(directory, { throwIfNoEntry: false }) === undefined)
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    return lstatSync(directory);
  });
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs) {
    const reason = found.isDirectory() ? 'it belongs to another user' : 'it is no directory, or a link';
    throw new BadInput(
      `${directory}: cannot be written: ${reason}; remove it, or let XDG_CACHE_HOME name a directory of yours`,
    );
  }
  writing(directory, () => chmodSync(directory, 0o700));
  return directory;
}

/** @returns where it is. */
export function writePrivateFile(name: string, content: string): string {
  const file = wholeFile(join(privateDirectory(), safeName(name)), 0o600);
  try {
    file.write(content);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
  return file.path;
}
