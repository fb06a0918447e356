/** Files that the user alone may read, among their caches. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from './cache-directory.ts';
import { wholeFile } from './whole-file.ts';
import { writing } from './write-file.ts';

/** What is neither a letter nor a digit means something to some system. */
const safeName = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]/g, '_');

/** @returns where it is. */
export function writePrivateFile(name: string, content: string): string {
  const directory = join(cacheDirectory(), 'reports');
  writing(directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  const file = wholeFile(join(directory, safeName(name)), 0o600);
  file.write(content);
  file.keep();
  return file.path;
}
