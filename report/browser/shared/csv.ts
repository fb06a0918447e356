/** A table as a file for a spreadsheet, in which nothing is a formula. */
import { stringify } from 'csv-stringify/browser/esm/sync';
import { withoutInnerFormula } from '../../../core/csv-cell.ts';
import { download } from './download.ts';

export type CsvCell = string | number | null;

/** With a byte order mark: without it a spreadsheet takes the text for another encoding. */
const csvText = (head: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  stringify(
    [head, ...rows].map((row) => row.map((cell) => (cell === null ? '' : withoutInnerFormula(cell)))),
    { escape_formulas: true, bom: true, record_delimiter: 'windows' },
  );

export const downloadCsv = (
  fileName: string,
  head: readonly string[],
  rows: readonly (readonly CsvCell[])[],
): void => download(fileName, csvText(head, rows), 'text/csv');
