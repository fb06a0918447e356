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

/** @throws BadInput where the path cannot be written. */
export function minutesFile(path: string): MinutesFile {
  const part = `${path}.part`;
  // A spreadsheet takes a cell that begins with = for a formula: ids come from files that anybody may have made.
  const write = (file: number, rows: (string | number)[][]): void => {
    if (rows.length > 0) writeSync(file, stringify(rows, { escape_formulas: true }));
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
