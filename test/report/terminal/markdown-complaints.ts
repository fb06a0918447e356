/** What is wrong with a table of findings in Markdown, whatever an account holds: a few words each, none where all is well. */
import { complaintsIf, restless } from '../../untrusted/complaints.ts';

const gap = '\u200b';

/** @param lines as they are printed. @param rows how many findings are in the table. */
export function markdownComplaints(lines: readonly string[], rows: number): string[] {
  const [, , , , ...below] = lines;
  const table = below.slice(0, rows);
  const texts = table.map((row) => row.slice(2, -2));
  const some = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  return complaintsIf(
    [lines.some((line) => restless.test(line.replaceAll(gap, ''))), 'a character that moves, hides or turns'],
    [table.length !== rows || table.some((row) => !/^\| .* \|$/.test(row)), 'not a row for each finding'],
    [table.some((row) => row.split('|').length !== 6), 'not four cells'],
    [some(/[<>&[\]\\@]|https?:\/\/|www\./), 'a mention, a link or an escape'],
    [some(/[*~`]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/), 'formatting'],
    [some(/[#!$][^\s\u200b|]|\bGH-\d/i), 'a reference or mathematics'],
    [lines.length !== 4 + rows, 'a line of its own'],
  );
}
