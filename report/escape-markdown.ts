/**
 * Text of an account for clients whose mark-up has no escapes that each of them knows: Teams on a desk and on a telephone,
 * and whatever Amazon Q Developer writes to. What formats, links or mentions becomes a look-alike.
 */
import { emojiColon, outerUnderscore, withLookAlikes, zeroWidthSpace } from './marks.ts';

const marks = new RegExp(`${outerUnderscore}|[<>&*~\`[\\]\\\\@|]`, 'g');
/** `{{DATE(..)}}` is a time in an Adaptive Card, `https://..` and `www.` are addresses anywhere. */
const joints = new RegExp(
  `${emojiColon}|(?<!\\bs3):(?=\\/\\/)|(?<=\\bmailto):|(?<=\\bwww)(?=\\.)|\\{(?=\\{)`,
  'gi',
);
/** At the beginning of a line: a heading, a list, a quotation, code. */
const lineMark = /^(?=[-+#=\s]|\d+[.)])/;

/** @param text of one line, sanitized already. */
export const escapeMarkdown = (text: string): string =>
  withLookAlikes(text, marks)
    .replaceAll(joints, (joint) => `${joint}${zeroWidthSpace}`)
    .replace(lineMark, zeroWidthSpace);
