/** A CSV of the periods in which something was held back: written volume by volume, never held in memory. */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { minuteColumns, notQuiet } from '../../core/diagnosis/minutes.ts';
import { writing } from './write-file.ts';

export interface MinutesFile {
  add: (diagnosed: DiagnosedVolume) => void;
  /** The file stands under its name from here on; what was there before is replaced. */
  keep: () => void;
  /** Nothing is written, and what was there before stays. */
  drop: () => void;
}

/**
 * One that splits lines at semicolons, as in many languages, does not know our quotes: for it a cell also begins within
 * one of ours, after a semicolon, a tab or the end of a line. There too an apostrophe makes text of it.
 */
const withoutInnerFormula = (cell: string | number): string | number =>
  typeof cell === 'number' ? cell : cell.replaceAll(/([;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])/g, "$1'");

/** @throws BadInput where the path cannot be written. */
export function minutesFile(path: string): MinutesFile {
  const part = `${path}.part`;
  // A spreadsheet takes a cell that begins with = for a formula: names and ids are whatever somebody gave.
  const write = (file: number, rows: (string | number)[][]): void => {
    if (rows.length > 0)
      writeSync(
        file,
        stringify(
          rows.map((row) => row.map(withoutInnerFormula)),
          { escape_formulas: true },
        ),
      );
  };
  const wasThere = existsSync(path);
  // That it can be written is found out before an hour of reading, not after it.
  writing(path, () => closeSync(openSync(path, 'a')));
  const file = writing(path, () => openSync(part, 'w'));
  write(file, [[...minuteColumns]]);
  return {
    add: (diagnosed) => {
      const rows = [...notQuiet(diagnosed)];
      writing(path, () => write(file, rows));
    },
    keep: () => {
      closeSync(file);
      renameSync(part, path);
    },
    drop: () => {
      closeSync(file);
      for (const made of wasThere ? [part] : [part, path]) rmSync(made, { force: true });
    },
  };
}
