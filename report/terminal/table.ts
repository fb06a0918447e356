/** A table that is as wide as a terminal at most: columns that have no room are below, each row by its first cell again. */
import Table from 'cli-table3';
import { columnsOf, hanging, noBorders, withoutTrailingSpaces } from './text.ts';

interface TableRoom {
  columns: number;
  hasBorders: boolean;
}

const widest = (texts: readonly string[]): number =>
  Math.max(...texts.flatMap((text) => text.split('\n')).map(columnsOf));

function drawn(head: readonly string[], rows: readonly (readonly string[])[], hasBorders: boolean): string[] {
  const table = new Table(
    hasBorders
      ? { head: [...head], style: { head: [], border: [] } }
      : { head: [...head], chars: noBorders, style: { head: [], border: [], 'padding-left': 0 } },
  );
  table.push(...rows.map((row) => [...row]));
  return withoutTrailingSpaces(table.toString()).split('\n');
}

/** The columns beside the first one, as many at a time as have room; one at least. */
function partsOf(widths: readonly number[], columns: number): number[][] {
  const [first = 0, ...others] = widths;
  const parts: number[][] = [];
  let left = 0;
  for (const [i, width] of others.entries()) {
    const part = parts.at(-1);
    if (part !== undefined && width <= left) {
      part.push(i + 1);
      left -= width;
    } else {
      parts.push([i + 1]);
      left = columns - first - width;
    }
  }
  return parts;
}

/** The padding of a cell and its border; without borders the blank that stands for it. */
const besideCell = { borders: 3, none: 2 } as const;

/** @returns its lines. A cell that is wider than all that is left beside the first one is folded. */
export function tableInColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, hasBorders }: TableRoom,
): string[] {
  const beside = hasBorders ? besideCell.borders : besideCell.none;
  const room = hasBorders ? columns - 1 : columns;
  const widths = head.map((title, i) => beside + widest([title, ...rows.map((row) => row[i] ?? '')]));
  const most = Math.max(1, room - (widths[0] ?? 0) - beside);
  const cellThatFits = (cell: string): string =>
    cell
      .split('\n')
      .flatMap((line) => hanging(line, most, 0))
      .join('\n');
  const parts = partsOf(
    widths.map((width, i) => (i === 0 ? width : Math.min(width, most + beside))),
    room,
  );
  return parts.flatMap((part) =>
    drawn(
      [head[0] ?? '', ...part.map((i) => cellThatFits(head[i] ?? ''))],
      rows.map((row) => [row[0] ?? '', ...part.map((i) => cellThatFits(row[i] ?? ''))]),
      hasBorders,
    ),
  );
}
