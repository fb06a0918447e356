/** A file that somebody picked or dropped: refused before it is read where it is too large. */
import type { TextFile } from '../adapters/files/text-file.ts';
import { BadInput } from '../core/errors.ts';
import { figure } from '../core/figures.ts';
import { sanitizeFirstLine } from '../core/sanitize.ts';
import { mibFromBytes } from '../core/units.ts';

/** What a browser gives of a file. */
export type PickedFile = Pick<File, 'name' | 'size' | 'text'>;

const maxShown = 300;

/** One line of anything that was thrown, in which nothing acts. */
export const lineOf = (error: unknown): string =>
  sanitizeFirstLine(error instanceof Error ? error.message : String(error), maxShown);

/**
 * @param instead what takes larger ones: "stripewise grade FILE".
 * @throws BadInput where it is larger, or cannot be read (a directory, or a file that was changed or removed meanwhile).
 */
export async function readPicked(file: PickedFile, maxMiB: number, instead: string): Promise<TextFile> {
  const { name } = file;
  const sizeMiB = mibFromBytes(file.size);
  if (sizeMiB > maxMiB)
    throw new BadInput(
      `${name}: it is ${figure(sizeMiB, 0)} MiB, and this page takes ${maxMiB} MiB of it at most; use ${instead}`,
    );
  try {
    const text = await file.text();
    return { name, text: () => text };
  } catch (cause) {
    throw new BadInput(`${name}: cannot be read (${lineOf(cause)}); pick the file again`, { cause });
  }
}
