/** A table as a file for a spreadsheet, in which nothing is a formula. */
import { stringify } from 'csv-stringify/browser/esm/sync';
import { withoutInnerFormula } from '../../../core/csv-cell.ts';

export type CsvCell = string | number | null;

/** With a byte order mark: without it a spreadsheet takes the text for another encoding. */
const csvText = (head: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  stringify(
    [head, ...rows].map((row) => row.map((cell) => (cell === null ? '' : withoutInnerFormula(cell)))),
    { escape_formulas: true, bom: true, record_delimiter: 'windows' },
  );

export function downloadCsv(
  fileName: string,
  head: readonly string[],
  rows: readonly (readonly CsvCell[])[],
): void {
  const url = URL.createObjectURL(new Blob([csvText(head, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser takes what it saves after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
