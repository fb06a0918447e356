/** Text of an account, a host or an error of AWS: it is shown, and nothing acts on it. */

/** Control characters, direction marks, what is invisible, half a character: they move or hide what is beside them. */
const restless = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

const codeOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16);

/** Whatever is restless becomes \u{..}. */
export const escaped = (text: string): string =>
  text.replace(restless, (character) => `\\u{${codeOf(character)}}`);

/**
 * Sanitized for a terminal, a log or a message: what is restless becomes \u{..}, and what is too long is cut, never
 * within a character.
 */
export function sanitize(text: string, maxLength = 60): string {
  // A character has two units at most: of a text without end no more is looked at than can be shown.
  const characters = [...text.slice(0, 2 * (maxLength + 1))];
  const cut =
    characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : characters.join('');
  return cut.replace(restless, (character) => `\\u{${codeOf(character)}}`);
}

/** The first line of an error of somebody else, whatever they end lines with, sanitized. */
export const sanitizeFirstLine = (text: string, maxLength: number): string =>
  sanitize((text.trimStart().split(/[\n\r\v\f\u0085\u2028\u2029]/, 1)[0] ?? '').trimEnd(), maxLength);

/**
 * JSON that is the same document to whoever parses it, and sanitized to whoever prints it or splits it into lines:
 * JSON.stringify leaves U+0085, U+009B, U+2028, U+202E and their like as they are.
 */
export const sanitizeJson = (document: unknown, indent?: number): string =>
  JSON.stringify(document, null, indent)
    .split('\n')
    .map((line) =>
      line.replace(restless, (character) =>
        // By its units, as JSON has them.
        character
          .split('')
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .join(''),
      ),
    )
    .join('\n');
