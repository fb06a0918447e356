/** A table that sorts by its columns and shows a page of its rows; which rows there are, its owner decides. */

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { figure } from '../../../core/figures.ts';
import { useNarrow } from './narrow.ts';
import { Pager } from './pager.tsx';
import { usePrinting } from './printing.ts';
import { type Sorting, sorted } from './sorting.ts';
import { TableGround } from './table-ground.tsx';

export interface Column<Row> {
  id: string;
  head: string;
  /** Figures stand right. */
  isNumber?: boolean;
  /** Of its cells. */
  className?: string;
  /** Names its row. */
  isHead?: boolean;
  /** What it sorts by; null, which is not known, stands last in either direction. */
  by: (row: Row) => string | number | null;
  /** What is looked for in it first: the most of a figure, the first of a name. */
  firstDescending?: boolean;
  cell: (row: Row) => ComponentChildren;
}

/** On a phone a row is as high as its cells together. */
const maxRowsOnPhone = 10;

interface SortableTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  pageRows?: number;
  /** So many of them are printed. */
  printedRows?: number;
  /** Shown where there is no row. */
  empty: string;
}

function next<Row>({ id, firstDescending = false }: Column<Row>, sorting: Sorting): Sorting {
  return { columnId: id, descending: sorting.columnId === id ? !sorting.descending : firstDescending };
}

const ariaOf = (columnId: string, sorting: Sorting) => {
  if (sorting.columnId !== columnId) return 'none';
  return sorting.descending ? 'descending' : 'ascending';
};

function Head<Row>({
  column,
  sorting,
  onSort,
}: { column: Column<Row> } & Pick<SortableTableProps<Row>, 'sorting' | 'onSort'>) {
  const state = ariaOf(column.id, sorting);
  return (
    <th scope="col" aria-sort={state} class={column.isNumber === true ? 'number' : ''}>
      <button type="button" onClick={() => onSort(next(column, sorting))}>
        {column.head}
        <span class={`arrow ${state}`} aria-hidden="true" />
      </button>
    </th>
  );
}

function Row<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ id, head, isHead, isNumber, className = '', cell }) =>
        isHead === true ? (
          <th key={id} scope="row" class={className}>
            {cell(row)}
          </th>
        ) : (
          <td key={id} data-head={head} class={isNumber === true ? 'number' : className}>
            <div>{cell(row)}</div>
          </td>
        ),
      )}
    </tr>
  );
}

export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { caption, columns, rows, keyOf, sorting, onSort, empty, printedRows = 500 } = props;
  const { pageRows: usualRows = 50 } = props;
  const pageRows = useNarrow() ? Math.min(usualRows, maxRowsOnPhone) : usualRows;
  const isPrinting = usePrinting();
  const [page, setPage] = useState({ of: rows, number: 0 });
  const inOrder = useMemo(() => {
    const column = columns.find(({ id }) => id === sorting.columnId);
    return column === undefined ? rows : sorted(rows, column.by, sorting.descending);
  }, [rows, columns, sorting]);
  // Other rows begin at their first page.
  const number = page.of === rows ? page.number : 0;
  const from = isPrinting ? 0 : number * pageRows;
  const shown = inOrder.slice(from, from + (isPrinting ? printedRows : pageRows));
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    <>
      <TableGround label={`Table of ${caption.toLowerCase()}`}>
        <table aria-rowcount={rows.length + 1}>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.id} column={column} sorting={sorting} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={keyOf(row)} row={row} columns={columns} />
            ))}
          </tbody>
        </table>
      </TableGround>
      {isPrinting && rows.length > shown.length ? (
        <p>
          The first {figure(shown.length)} of {figure(rows.length)} are printed: the CSV file has them all.
        </p>
      ) : null}
      <Pager
        rows={rows.length}
        pageRows={pageRows}
        page={number}
        what={caption}
        onPage={(to) => setPage({ of: rows, number: to })}
      />
    </>
  );
}
