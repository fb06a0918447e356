import { escaped } from './sanitize.ts';

/**
 * A cell of a CSV: a name or an id is whatever somebody gave. One that begins with = is made text by who writes the file; one
 * that has blanks or quotes before it here, which some programs remove. And a spreadsheet that splits lines at semicolons, as
 * in many languages, does not know our quotes: for it a cell also begins within one of ours, after a semicolon, a tab or the end
 * of a line. There too an apostrophe makes text of it. What would move a cursor, turn text round or hide is escaped; tabs and ends
 * of lines are what a cell may have, in quotes.
 */
export const withoutInnerFormula = (cell: string | number): string | number =>
  typeof cell === 'number'
    ? cell
    : cell
        .replaceAll(/[^\t\r\n]+/g, escaped)
        .replaceAll(/([;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])/g, "$1'")
        .replace(/^(?=["\s]+[=+\-@＝＋－＠])/, "'");
