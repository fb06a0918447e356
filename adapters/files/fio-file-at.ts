/** Files in the directory of another, of this machine. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FioFile } from './fio-logs.ts';
import { fileAt, readText } from './read-file.ts';

/** Names of the files of a directory: no links, which may lead elsewhere. */
function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((one) => (one.isFile() ? one.name : []));
  } catch {
    return [];
  }
}

/** A result of fio, and the logs that may lie beside it. */
export function fioFileAt(path: string): FioFile {
  const directory = dirname(path);
  return {
    file: fileAt(path),
    fileName: basename(path),
    beside: {
      names: () => filesIn(directory),
      bytes: (name) => statSync(join(directory, name)).size,
      text: (name) => readText(join(directory, name)),
    },
  };
}
