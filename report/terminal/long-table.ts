/** A table of many rows: what cli-table3 lays out at once takes it the square of the time, so it gets a few at a time. */
import Table from 'cli-table3';

const rowsAtOnce = 25;

const style = { head: [], border: [], compact: true };

const linesOf = (
  rows: readonly string[][],
  head: readonly string[],
  colWidths: readonly number[],
): string[] => {
  const table = new Table({
    ...{ style, colWidths: [...colWidths] },
    ...(head.length === 0 ? {} : { head: [...head] }),
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split('\n');
};

/** How wide its columns are, by the line above it. */
const widthsOf = ([border = '']: readonly string[]): number[] =>
  border
    .slice(1, -1)
    .split('┬')
    .map(({ length }) => length);

/**
 * @param rows cells of one line each, as many as there are in the head.
 * @returns its lines, as one text.
 */
export function longTable(head: readonly string[], rows: readonly string[][]): string {
  const parts = Array.from({ length: Math.max(1, Math.ceil(rows.length / rowsAtOnce)) }, (_, i) =>
    rows.slice(i * rowsAtOnce, (i + 1) * rowsAtOnce),
  );
  const widths = parts
    .map((part) => widthsOf(linesOf(part, head, [])))
    .reduce((widest, each) => widest.map((width, i) => Math.max(width, each[i] ?? 0)));
  return parts
    .flatMap((part, i) => {
      const lines = linesOf(part, i === 0 ? head : [], widths);
      return lines.slice(i === 0 ? 0 : 1, i === parts.length - 1 ? undefined : -1);
    })
    .join('\n');
}
