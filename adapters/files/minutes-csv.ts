/** A CSV of the periods in which something was throttled: written volume by volume, never held in memory. */
import { stringify } from 'csv-stringify/sync';
import { withoutInnerFormula } from '../../core/csv-cell.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { minuteColumns, notQuiet } from '../../core/diagnosis/minutes.ts';
import { type WholeFile, wholeFile } from './whole-file.ts';

export interface MinutesFile extends Omit<WholeFile, 'write'> {
  add: (diagnosed: DiagnosedVolume) => void;
}

/** @throws BadInput where the path cannot be written. */
export function minutesFile(path: string): MinutesFile {
  const { write, ...file } = wholeFile(path);
  // A spreadsheet takes a cell that begins with = for a formula: names and ids are whatever somebody gave.
  const writeRows = (rows: (string | number)[][]): void => {
    if (rows.length > 0)
      write(
        stringify(
          rows.map((row) => row.map(withoutInnerFormula)),
          { escape_formulas: true },
        ),
      );
  };
  writeRows([[...minuteColumns]]);
  return { ...file, add: (diagnosed) => writeRows([...notQuiet(diagnosed)]) };
}
