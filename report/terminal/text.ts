/** Figures and foreign text for a terminal. */
import { figure, usdText } from '../../core/figures.ts';

export { duration } from '../../core/figures.ts';
export { sanitize } from '../../core/sanitize.ts';
export { readingCostText as costText } from '../wording/words.ts';

export const whole = (value: number): string => figure(value, 0);
export const number = (value: number): string => figure(value);
export const usd = usdText;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${whole(count)} ${count === 1 ? one : many}`;

/** 2026-11-20 14:30 of an ISO 8601 time. */
export const minuteText = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

export interface TerminalStyle {
  /** Width of the terminal; null where the output is a file or a pipe. */
  columns: number | null;
  color: boolean;
  /** Recorded series: each has a time of its own. */
  recorded: boolean;
}

/** Where there is no terminal no line is folded: a program reads it, or a window that folds by itself. */
export const widthOf = (columns: number | null): number =>
  columns === null ? Number.POSITIVE_INFINITY : Math.min(200, Math.max(80, columns));

/** The baseline and, where it is more, the burst, on credits or otherwise; IOPS and MiB/s each. */
export function abilityText(
  [iops, mibps]: readonly [number, number],
  [maxIops, maxMiBps]: readonly [number, number],
  how = 'on credits',
): string {
  const baseline = `${number(iops)} IOPS and ${number(mibps)} MiB/s`;
  return maxIops > iops || maxMiBps > mibps
    ? `baseline ${baseline}; burst ${number(maxIops)} and ${number(maxMiBps)} ${how}`
    : baseline;
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const combining = /\p{M}/u;

/** The columns of a terminal that a text takes. */
export const columnsOf = (text: string): number =>
  /^[ -~]*$/.test(text)
    ? text.length
    : [...text].reduce(
        (sum, character) => sum + (combining.test(character) ? 0 : wide.test(character) ? 2 : 1),
        0,
      );

/** The beginning of a text that has room in so many columns. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let [kept, left] = ['', columns - 1];
  for (const character of text) {
    left -= columnsOf(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines of at most so many columns, a word that is longer apart; those after the first one begin below its text. */
export function hanging(line: string, columns: number, indent: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const next = current === '' ? word : `${current} ${word}`;
    if (current !== '' && columnsOf(next) > columns) {
      lines.push(current);
      current = `${' '.repeat(indent)}${word}`;
    } else current = next;
  }
  return [...lines, current];
}

const beginOf = (line: string): number => Math.max(0, line.search(/\S/));

/** What goes on is two columns in from where its line begins. */
export const folded = (text: string, columns: number): string[] =>
  text.split('\n').flatMap((line) => hanging(line, columns, beginOf(line) + 2));

const padded = (text: string, width: number, isRight = false): string => {
  const fill = ' '.repeat(Math.max(0, width - columnsOf(text)));
  return isRight ? `${fill}${text}` : `${text}${fill}`;
};

export interface ListColumn {
  head: string;
  isRight?: boolean;
}

const gap = '  ';
/** Less than this and the text stands below its row. */
const leastForText = 28;
const belowIndent = 10;

/**
 * Rows in columns, the head first; the last cell of each is a text that takes what is left and folds there. A row is an array of
 * its lines.
 */
export function listRows(
  heads: readonly ListColumn[],
  rows: readonly (readonly string[])[],
  columns: number,
): string[][] {
  const fixed = heads.slice(0, -1);
  const all = [heads.map(({ head }) => head), ...rows];
  const widths = fixed.map((_, i) => Math.max(...all.map((row) => columnsOf(row[i] ?? ''))));
  const indent = widths.reduce((sum, width) => sum + width + gap.length, 0);
  const isBelow = columns - indent < leastForText;
  return all.map((row) => {
    const cells = fixed.map(({ isRight }, i) => padded(row[i] ?? '', widths[i] ?? 0, isRight));
    const text = row[fixed.length] ?? '';
    const start = `${cells.join(gap)}${gap}`;
    if (!isBelow) {
      const [first = '', ...more] = hanging(text, columns - indent, 0);
      return [`${start}${first}`.trimEnd(), ...more.map((line) => `${' '.repeat(indent)}${line}`)];
    }
    const lines = hanging(text, columns - belowIndent, 0);
    return [start.trimEnd(), ...lines.map((line) => `${' '.repeat(belowIndent)}${line}`)];
  });
}

/** A table of columns alone, for lines that follow each other. */
export const noBorders = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((part) => [part, part === 'middle' ? ' ' : '']),
);

export const withoutTrailingSpaces = (lines: string): string => lines.replaceAll(/ +$/gm, '');
