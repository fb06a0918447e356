/** Files that somebody gave, wherever their text comes from: a path of a machine, or a page that a file was dropped on. */
import type { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { readPieces } from './json-pieces.ts';

export interface TextFile {
  /** As who gave it knows it: messages begin with it. */
  readonly name: string;
  /** The whole of it. @throws BadInput where it cannot be read. */
  text(): string;
  /** Its bytes in order, of a file that may be too large for one text; absent: it is read as one. */
  chunks?(): Iterable<Uint8Array>;
}

/** Where in the document, as a person would write it: Volumes[3].Size. */
export const place = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'the document';

function orNotWhole<T>({ name }: TextFile, expected: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BadInput(`${name}: not whole JSON (${error.message}); expected the whole of ${expected}`, {
      cause: error,
    });
  }
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const kindText = (kind: string): string => kinds[kind] ?? `a ${kind}`;

/** What is wrong with a value, and what would be right; of what a schema says in its own words, those. */
export function issueText(issue: z.core.$ZodIssue): string {
  const { message } = issue;
  if (issue.code === 'invalid_type' && message.startsWith('Invalid input: ')) {
    const isMissing = message.endsWith('received undefined');
    return `${isMissing ? 'it is missing' : 'it is of another type'}, and should be ${kindText(issue.expected)}`;
  }
  if (issue.code === 'too_small' && issue.origin === 'number' && message.startsWith('Too small: '))
    return `it is too small, and should be ${issue.inclusive === true ? 'at least' : 'above'} ${issue.minimum}`;
  if (issue.code === 'too_big' && issue.origin === 'number' && message.startsWith('Too big: '))
    return `it is too large, and should be ${issue.inclusive === true ? 'at most' : 'below'} ${issue.maximum}`;
  return message;
}

/** @param at where in the document it stands. */
function checked<T>(
  { name }: TextFile,
  schema: z.ZodType<T>,
  document: unknown,
  expected: string,
  at: readonly PropertyKey[] = [],
): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? 'the document' : place([...at, ...issue.path]);
  throw new BadInput(
    `${name}: ${where} is not as expected: ${issue === undefined ? 'unreadable' : issueText(issue)}; expected ${expected}`,
  );
}

/** Parses and checks a JSON file against a schema. */
export function parseJson<T>(file: TextFile, schema: z.ZodType<T>, expected: string): T {
  const document: unknown = orNotWhole(file, expected, () =>
    file.chunks === undefined
      ? JSON.parse(file.text().replace(/^\uFEFF/, ''))
      : readPieces(file.chunks(), []),
  );
  return checked(file, schema, document, expected);
}

/** The shape of a document, of which one array has most of what is in it. */
interface LargeDocument<Name extends string, Element, T extends Record<Name, Element[]>> {
  schema: z.ZodType<T>;
  name: Name;
  element: z.ZodType<Element>;
}

/**
 * Parses and checks a JSON file of which one array is large. Its elements are handed on one by one; where the file gives its bytes
 * in chunks, none of them is kept.
 * @returns the document; of one that came in chunks the array is empty.
 */
export function parseElements<Name extends string, Element, T extends Record<Name, Element[]>>(
  file: TextFile,
  { schema, name, element: elementSchema }: LargeDocument<Name, Element, T>,
  expected: string,
  onElement: (element: Element) => void,
): T {
  const chunks = file.chunks?.();
  if (chunks === undefined) {
    const document = parseJson(file, schema, expected);
    for (const element of document[name]) onElement(element);
    return document;
  }
  const rest = orNotWhole(file, expected, () =>
    readPieces(chunks, [name], (_, element, index) =>
      onElement(checked(file, elementSchema, element, expected, [name, index])),
    ),
  );
  return checked(file, schema, rest, expected);
}
