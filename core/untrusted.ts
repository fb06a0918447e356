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

/** The same document, in which each text that is no figure, code, time or id is marked. Objects keep their shape, and codes stay. */
export function withUntrusted<T>(document: T, isChosen = false): T {
  if (typeof document === 'string') {
    const isPlain = plain.test(document) || isVolumeId(document) || isInstanceId(document);
    // A text is replaced by a text: the type stays, here and below.
    return (isChosen || !isPlain ? untrusted(document) : document) as unknown as T;
  }
  if (Array.isArray(document)) return document.map((one) => withUntrusted(one, isChosen)) as unknown as T;
  if (typeof document !== 'object' || document === null) return document;
  const isOfTags = isChosen && !('code' in document);
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [
      isOfTags ? untrusted(key) : key,
      withUntrusted(value, isOfTags || chosen.has(key)),
    ]),
  ) as T;
}
