/** Text of an account for a reader that follows instructions, such as an assistant: it is data, and nothing in it can pose as more. */
import { isInstanceId, isVolumeId } from './ids.ts';

/** A name longer than this is no name. */
export const untrustedCharacters = 64;

/** What a tag may be made of by the rules of AWS; nothing that is invisible, moves text or is markup in any notation. */
const odd = /(?:\p{DI}|[^\p{L}\p{M}\p{N} ._:/=+@,-])+/gu;

/**
 * Marked as untrusted, on one line and bounded: "[untrusted: orders]". Letters, digits, spaces and `._:/=+@,-` stay; all else
 * is `?`, and no address is left whole.
 */
export function untrusted(text: string): string {
  // A character has two units at most: of a text without end no more is looked at than can be shown.
  const start = text.slice(0, 4 * untrustedCharacters).normalize('NFC');
  const characters = [...start.replace(odd, '?').replaceAll('//', '/?')];
  const isCut = characters.length > untrustedCharacters || text.length > 4 * untrustedCharacters;
  const shown = isCut ? `${characters.slice(0, untrustedCharacters - 1).join('')}…` : characters.join('');
  return `[untrusted: ${shown.trim()}]`;
}

/** An id that EC2 gave is as it is; that of a stripe has a name in it that somebody chose. */
export const idOrUntrusted = (id: string): string =>
  isVolumeId(id) || isInstanceId(id) ? id : untrusted(id);

/** What a figure, a code, a time, a type or a Region looks like: no blank, so no sentence. */
const plain = /^[A-Za-z0-9][A-Za-z0-9.:+_-]{0,39}$/;

/** The fields that hold what somebody in the account wrote, whatever it looks like. */
const chosen: ReadonlySet<string> = new Set([
  ...['name', 'accountName', 'accountUnits', 'mountPoints', 'label', 'stripeId', 'tags'],
  ...['claim', 'namespace', 'cluster', 'group', 'tag', 'principal', 'reason'],
]);

function marked(value: unknown, isChosen: boolean): unknown {
  if (typeof value === 'string') {
    const isPlain = plain.test(value) || isVolumeId(value) || isInstanceId(value);
    return isChosen || !isPlain ? untrusted(value) : value;
  }
  if (Array.isArray(value)) return value.map((one) => marked(one, isChosen));
  if (typeof value !== 'object' || value === null) return value;
  const isOfTags = isChosen && !('code' in value);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      isOfTags ? untrusted(key) : key,
      marked(one, isOfTags || chosen.has(key)),
    ]),
  );
}

/** The same document, in which each text that is no figure, code, time or id is marked. Objects keep their shape, and codes stay. */
export const withUntrusted = <T>(document: T): T => marked(document, false) as T; // each text is replaced by a text
