/** What clients format, link or mention with, what people read in its place, and texts that are cut without breaking either. */

const lookAlikes: Record<string, string> = {
  ...{ '<': '‹', '>': '›', '&': '＆', '*': '∗', _: '＿', '~': '∼', '`': 'ˋ' },
  ...{ '[': '［', ']': '］', '\\': '＼', '@': '＠', '|': '｜' },
};

export const withLookAlikes = (text: string, marks: RegExp): string =>
  text.replaceAll(marks, (mark) => lookAlikes[mark] ?? '');

/** Breaks a word for a client, and not for a reader. */
export const zeroWidthSpace = '\u200b';

/** Source of a pattern: `_` within a word formats nothing, it stays. */
export const outerUnderscore = '(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])';

/** Source of a pattern: `:name:` is an emoji in Slack, such as one of our own icons. */
export const emojiColon = ":(?=[a-z0-9_+'-]+:)";

/** Never within a character or one of Slack's escapes, nor after a `_`, which would be at the end of a word then. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .replace(/[\ud800-\udbff]$/, '')
        .replace(/&[a-z]*$/, '')
        .replace(/_+$/, '')}…`;
