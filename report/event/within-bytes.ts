/** A document for machines that stays below a number of bytes: what is too long in it is cut, and its form is kept. */
import { sanitizeJson } from '../../core/sanitize.ts';

interface Most {
  characters: number;
  items: number;
  /** Of an object; each of ours has fewer. */
  keys: number;
}

/** Ever shorter, until it fits. */
const attempts: readonly Most[] = [
  { characters: Number.POSITIVE_INFINITY, items: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY },
  { characters: 4_000, items: 50, keys: 30 },
  { characters: 500, items: 10, keys: 30 },
  { characters: 100, items: 3, keys: 30 },
];

const shortText = (text: string, { characters }: Most): string =>
  // Half a character is none: what reads it could refuse all of it.
  (text.length <= characters ? text : `${text.slice(0, characters - 1)}…`).toWellFormed();

function short(value: unknown, most: Most): unknown {
  if (typeof value === 'string') return shortText(value, most);
  if (Array.isArray(value)) return value.slice(0, most.items).map((one) => short(one, most));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most.keys)
      .map(([key, inner]) => [shortText(key, most), short(inner, most)]),
  );
}

/** @returns JSON; null where even the shortest form is too long. */
export function jsonWithin(value: unknown, maxBytes: number): string | null {
  for (const most of attempts) {
    const shortened = short(value, most);
    // Escapes make it longer still: megabytes are not escaped to be thrown away.
    if (JSON.stringify(shortened).length > maxBytes) continue;
    const json = sanitizeJson(shortened);
    if (Buffer.byteLength(json, 'utf8') <= maxBytes) return json;
  }
  return null;
}
