/** Reading files that a person named: every failure is one line that says which file, why, and what would be right. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { BadInput } from '../../core/errors.ts';

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file; give the path of one',
  EISDIR: 'it is a directory; give the path of a file',
  EACCES: 'it may not be read; check its permissions',
  ERR_STRING_TOO_LONG: 'it is larger than 512 MiB; give it in smaller files',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB; give it in smaller files',
};

/** The code of an error of the system, such as ENOENT; empty where it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** The text of a file; one that ends in .gz is unpacked. */
export function readText(path: string): string {
  try {
    const bytes = readFileSync(path);
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    const why = reasons[codeOf(error)] ?? String(error);
    throw new BadInput(`${path}: cannot be read: ${why}`, { cause: error });
  }
}

/** Where in the document, as a person would write it: Volumes[3].Size. */
export const place = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'the document';

/** Parses and checks a JSON file against a schema. */
export function readJson<T>(path: string, schema: z.ZodType<T>, expected: string): T {
  let document: unknown;
  try {
    document = JSON.parse(readText(path).replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof BadInput) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${path}: not whole JSON (${why}); expected the whole of ${expected}`, {
      cause: error,
    });
  }
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? 'the document' : place(issue.path);
  throw new BadInput(
    `${path}: ${where} is not as expected: ${issue?.message ?? 'unreadable'}; expected ${expected}`,
  );
}
