/** What clients format, link or mention with, what people read in its place, and texts that are cut without breaking either. */

const lookAlikes: Record<string, string> = {
  ...{ '<': '‹', '>': '›', '&': '＆', '*': '∗', _: '＿', '~': '∼', '`': "'" },
  ...{ '[': '［', ']': '］', '\\': '＼', '@': '＠', '|': '｜' },
};

export const withLookAlikes = (text: string, marks: RegExp): string =>
  text.replaceAll(marks, (mark) => lookAlikes[mark] ?? '');

/** Breaks a word for a client, and not for a reader. */
export const zeroWidthSpace = '\u200b';

/** Source of a pattern: `_` within a word formats nothing, it stays. */
export const outerUnderscore = '(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])';

/** Source of a pattern: `:name:` is an emoji in Slack, such as one of our own icons. A backtick becomes an apostrophe later. */
export const emojiColon = ":(?=[a-z0-9_+'`-]+:)";

/** Without the word or the number that the end is in; where the last word is half of the text and more, in it. */
function toWordEnd(head: string, next: string): string {
  const end = /\s/.test(next) ? head.length : head.search(/\s\S*$/);
  return end < head.length / 2 ? head : head.slice(0, end).trimEnd();
}

/**
 * At the end of a word. Never within a character or one of Slack's escapes, nor after a `_`, which would be at the end of a word
 * then.
 */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${toWordEnd(text.slice(0, length - 1), text.charAt(length - 1))
        .replace(/[\ud800-\udbff]$/, '')
        .replace(/&[a-z]*$/, '')
        .replace(/_+$/, '')}…`;
