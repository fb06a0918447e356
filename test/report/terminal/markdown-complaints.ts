/** What is wrong with a table of findings in Markdown, whatever an account holds: a few words each, none where all is well. */
import { complaintsIf, restless } from '../../untrusted/complaints.ts';

const gap = '\u200b';

/**
 * @param lines as they are printed.
 * @param rows how many findings are in the table.
 * @param notRead of several accounts how many have a line above it; null: there is one account.
 */
export function markdownComplaints(
  lines: readonly string[],
  rows: number,
  notRead: number | null = null,
): string[] {
  const linesAbove = 4 + 2 * (notRead ?? 0);
  const below = lines.slice(linesAbove);
  const table = below.slice(0, rows);
  const texts = [...lines.slice(1, linesAbove - 2), ...table.map((row) => row.slice(2, -2))];
  const cells = notRead === null ? 4 : 5;
  const some = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  return complaintsIf(
    [lines.some((line) => restless.test(line.replaceAll(gap, ''))), 'a character that moves, hides or turns'],
    [table.length !== rows || table.some((row) => !/^\| .* \|$/.test(row)), 'not a row for each finding'],
    [table.some((row) => row.split('|').length !== cells + 2), `not ${cells} cells`],
    [some(/[<>&[\]\\@]|https?:\/\/|www\./), 'a mention, a link or an escape'],
    [some(/[*~`]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/), 'formatting'],
    [some(/[#!$][^\s\u200b|]|\bGH-\d/i), 'a reference or mathematics'],
    [lines.length !== linesAbove + rows, 'a line of its own'],
  );
}
