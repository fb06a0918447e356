/** Reading files that a person named: every failure is one line that says which file, why, and what would be right. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { bytesPerMiB } from '../../core/units.ts';
import { parseJson, type TextFile } from './text-file.ts';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file; give the path of one',
  EISDIR: 'it is a directory; give the path of a file',
  EACCES: 'it may not be read; check its permissions',
  Z_DATA_ERROR: 'it is called .gz and is no gzip file; pack it again, or give it without .gz',
  Z_BUF_ERROR: 'it is cut short; give the whole gzip file',
};

/** The code of an error of the system, such as ENOENT; empty where it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

interface ReadOptions {
  /** What the text may take, unpacked. No text is longer than 512 MiB. */
  maxMiB?: number;
}

const maxTextMiB = 512;
/** The longest text that there can be ends a little before. */
const bytesOfMiB = (mib: number): number => mib * bytesPerMiB - 64;

const chunkBytes = bytesPerMiB;

/** What can be waited for without end, or never ends, is refused before it is read; what grows while it is read, then. */
function bytesOf(path: string, { maxMiB = maxTextMiB }: ReadOptions): Buffer {
  const refuse = (why: string): never => {
    throw new BadInput(`${path}: cannot be read: ${why}`);
  };
  const tooLarge = (): never => refuse(`it is larger than ${maxMiB} MiB; give it in smaller files`);
  // A pipe that nobody writes to would be waited for as soon as it is opened.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (found.isDirectory()) return refuse(reasons['EISDIR'] as string);
    if (!found.isFile()) return refuse('it is a pipe or a device; save it to a file, and give that');
    if (found.size > bytesOfMiB(maxMiB)) return tooLarge();
    const chunks: Buffer[] = [];
    for (let total = 0; ; ) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = readSync(file, chunk);
      if (count === 0) return Buffer.concat(chunks);
      total += count;
      if (total > bytesOfMiB(maxMiB)) return tooLarge();
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(file);
  }
}

function unpacked(path: string, bytes: Buffer, { maxMiB = maxTextMiB }: ReadOptions): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesOfMiB(maxMiB) });
  } catch (error) {
    if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new BadInput(
      `${path}: cannot be read: unpacked it is larger than ${maxMiB} MiB; give it in smaller files`,
      { cause: error },
    );
  }
}

/**
 * The text of a regular file; one that ends in .gz is unpacked.
 * @throws BadInput where it cannot be read, is no regular file or is too large.
 */
export function readText(path: string, options: ReadOptions = {}): string {
  try {
    const bytes = bytesOf(path, options);
    return (path.endsWith('.gz') ? unpacked(path, bytes, options) : bytes).toString('utf8');
  } catch (error) {
    if (error instanceof BadInput) throw error;
    const why = reasons[codeOf(error)] ?? String(error);
    throw new BadInput(`${path}: cannot be read: ${why}`, { cause: error });
  }
}

/** Names of the regular files of a directory, sorted; null where the path is none. @throws BadInput where it may not be read. */
export function filesInDirectory(path: string): string[] | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
    return readdirSync(path, { withFileTypes: true })
      .flatMap((one) => (one.isFile() ? one.name : []))
      .sort();
  } catch (error) {
    const why = reasons[codeOf(error)] ?? String(error);
    throw new BadInput(`${path}: cannot be read: ${why}`, { cause: error });
  }
}

/** A file of this machine. */
export const fileAt = (path: string): TextFile => ({ name: path, text: () => readText(path) });

/** Parses and checks a JSON file against a schema. */
export const readJson = <T>(path: string, schema: z.ZodType<T>, expected: string): T =>
  parseJson(fileAt(path), schema, expected);

/** Where a path is read later: that it is there is said now. @throws BadInput, in one line, where there is nothing at it. */
export function requireThere(option: string, path: string): void {
  if (path === '' || statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new BadInput(
      `${option} ${path === '' ? '""' : path}: there is no such file or directory; give the path of one`,
    );
}
