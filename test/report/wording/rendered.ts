/** Words of a subject against the file that was read in a review, and the codes of a schema. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** UPDATE_LINES=1 writes the file anew. */
export function expectToRead(name: string, lines: readonly string[]): void {
  const file = join(__dirname, name);
  const text = `${lines.join('\n')}\n`;
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}

const maxWords = 25;

/** Sentences that are too long, and texts in which something is missing. */
export const unreadable = (texts: readonly string[]): string[] => [
  ...texts
    .flatMap((text) => text.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.split(/\s+/).length > maxWords),
  ...texts.filter((text) => /undefined|NaN|\bnull\b|\[object|\bInfinity\b|\.\.$/.test(text)),
];

/** All codes of a union, of the unions within it too; of what all of them have beside it, on the left. */
export function codesOf(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(codesOf);
  if (schema instanceof z.ZodIntersection) return codesOf(schema.def.left);
  if (!(schema instanceof z.ZodObject)) return [];
  const { code } = schema.shape;
  return code instanceof z.ZodLiteral ? [...code.values].map(String) : [];
}
