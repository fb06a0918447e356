/**
 * Text of an account for clients whose mark-up has no escapes that each of them knows: Teams on a desk and on a telephone,
 * and whatever Amazon Q Developer writes to. What formats, links or mentions becomes a look-alike.
 */

const lookAlikes: Record<string, string> = {
  ...{ '<': '‹', '>': '›', '&': '＆', '*': '∗', _: '＿', '~': '∼', '`': 'ˋ' },
  ...{ '[': '［', ']': '］', '\\': '＼', '@': '＠', '|': '｜' },
};

/** Breaks a word for a client, and not for a reader. */
const zeroWidthSpace = '\u200b';

/** `_` within a word formats nothing: it stays. */
const marks = /(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])|[<>&*~`[\]\\@|]/g;
/** `:name:` is an emoji in Slack, `{{DATE(..)}}` a time in an Adaptive Card, `https://..` and `www.` addresses anywhere. */
const joints = /:(?=[a-z0-9_+'-]+:)|(?<!\bs3):(?=\/\/)|(?<=\bmailto):|(?<=\bwww)(?=\.)|\{(?=\{)/gi;
/** At the beginning of a line: a heading, a list, a quotation, code. */
const lineMark = /^(?=[-+#=\s]|\d+[.)])/;

/** @param text of one line, made inert already. */
export const inertMarkdown = (text: string): string =>
  text
    .replaceAll(marks, (mark) => lookAlikes[mark] ?? '')
    .replaceAll(joints, (joint) => `${joint}${zeroWidthSpace}`)
    .replace(lineMark, zeroWidthSpace);
