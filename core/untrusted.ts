/** Text of an account for a reader that follows instructions, such as an assistant: it is data, and nothing in it can pose as more. */
import { isInstanceId, isVolumeId } from './ids.ts';

/** A name longer than this is no name. */
export const untrustedCharacters = 64;

/** What a tag may be made of by the rules of AWS; nothing that is invisible, moves text or is markup in any notation. */
const odd = /(?:\p{DI}|[^\p{L}\p{M}\p{N} ._:/=+@,-])+/gu;

/** "ebs_block_device[0].volume_type": an index would lose its brackets. */
const index = /\[(\d+)\]/g;

/**
 * Marked as untrusted, on one line and bounded: "[untrusted: orders]". Letters, digits, spaces and `._:/=+@,-` stay; all else
 * is `?`, and no address is left whole. An index `[0]` is `.0`.
 */
export function untrusted(text: string): string {
  // A character has two units at most: of a text without end no more is looked at than can be shown.
  const start = text
    .slice(0, 4 * untrustedCharacters)
    .normalize('NFC')
    .replace(index, '.$1');
  const characters = [...start.replace(odd, '?').replaceAll('//', '/?')];
  const isCut = characters.length > untrustedCharacters || text.length > 4 * untrustedCharacters;
  const shown = isCut ? `${characters.slice(0, untrustedCharacters - 1).join('')}…` : characters.join('');
  return `[untrusted: ${shown.trim()}]`;
}

/** A text that is marked as a whole: it is bounded already, and cut once more it would lose the end of its mark. */
export const isUntrusted = (text: string): boolean =>
  text.length <= 3 * untrustedCharacters && /^\[untrusted: [^[\]\r\n]{0,128}\]$/.test(text);

/** An id that EC2 gave is as it is; that of a stripe has a name in it that somebody chose. */
export const idOrUntrusted = (id: string): string =>
  isVolumeId(id) || isInstanceId(id) ? id : untrusted(id);
