/** A file that a person named, written whole or not at all: what was there before stays until then. */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BadInput } from '../../core/errors.ts';
import { writing } from './write-file.ts';

export interface WholeFile {
  readonly path: string;
  /** Adds to what will stand there. */
  write: (content: string | Uint8Array) => void;
  /** The file stands under its name from here on; what was there before is replaced. */
  keep: () => void;
  /** Nothing is written, and what was there before stays. */
  drop: () => void;
}

/** A pipe would be waited for without end, a device or a directory replaced by a file. A link is looked through. */
function requireReplaceable(path: string): void {
  const refuse = (reason: string): never => {
    throw new BadInput(`${path}: cannot be written: ${reason}; give the path of a file`);
  };
  if (path === '' || path.endsWith('/')) refuse('it names no file');
  const found = writing(path, () => {
    const itself = lstatSync(path, { throwIfNoEntry: false });
    return itself?.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : itself;
  });
  // Nothing is there, or a link that leads nowhere: the file takes its place.
  if (found === undefined || found.isFile()) return;
  refuse(found.isDirectory() ? 'it is a directory' : 'it is no regular file');
}

const maxNameCharacters = 50;

/** A name that nobody else has, in the same directory: a rename there is one step. Short enough for any file system. */
const partOf = (path: string): string =>
  join(dirname(path), `.${basename(path).slice(0, maxNameCharacters)}.${randomUUID()}.part`);

const signals = ['SIGINT', 'SIGTERM'] as const;
/** Those that are not kept yet. */
const openParts = new Set<string>();

/** Nothing is left behind; the process ends by the signal, as without us. */
function endBy(signal: NodeJS.Signals): void {
  for (const part of openParts) rmSync(part, { force: true });
  openParts.clear();
  for (const one of signals) process.off(one, endBy);
  process.kill(process.pid, signal);
}

function opened(part: string): void {
  if (openParts.size === 0) for (const one of signals) process.on(one, endBy);
  openParts.add(part);
}

function closed(part: string): void {
  if (openParts.delete(part) && openParts.size === 0) for (const one of signals) process.off(one, endBy);
}

/** Who may read what is there may read what replaces it. */
function keepMode(path: string, part: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) chmodSync(part, found.mode & 0o777);
}

/**
 * That it can be written is found out now, before an hour of reading, not after it; what is there is not touched.
 * @param mode who may read it; by default as it was before, else as the system says.
 * @throws BadInput where the path cannot be written.
 */
export function wholeFile(path: string, mode?: number): WholeFile {
  requireReplaceable(path);
  const part = partOf(path);
  const file = writing(path, () => openSync(part, 'wx', mode));
  opened(part);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    path,
    write: (content) => writing(path, () => writeFileSync(file, content)),
    keep: () => {
      writing(path, () => {
        close();
        if (mode === undefined) keepMode(path, part);
        renameSync(part, path);
        closed(part);
      });
    },
    drop: () => {
      close();
      rmSync(part, { force: true });
      closed(part);
    },
  };
}

/** Writes all of it at once: it is there whole, or what was there before is. */
export function writeWhole(path: string, content: string): void {
  const file = wholeFile(path);
  try {
    file.write(content);
    file.keep();
  } catch (error) {
    file.drop();
    throw error;
  }
}
