/** CSV as lines with their numbers in the file. */
import { CsvError, parse } from 'csv-parse/sync';
import { BadInput } from '../../core/errors.ts';

export interface CsvLine {
  /** Its number in the file. */
  line: number;
  fields: string[];
}

/** A spreadsheet of many languages writes ; for a comma, and a comma for the point of a decimal. */
function requireCommas(path: string, text: string, expected: string): void {
  const first = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .find((line) => line.trim() !== '');
  if (first === undefined || first.includes(',')) return;
  const separator = first.includes(';') ? ';' : first.includes('\t') ? 'tabs' : null;
  if (separator !== null)
    throw new BadInput(
      `${path}: separated by ${separator}: save it with commas, and decimals with a point; expected ${expected}`,
    );
}

/** The lines that are not empty, the header first; all of one width. */
export function parseCsv(path: string, text: string, expected: string): CsvLine[] {
  requireCommas(path, text, expected);
  const found: CsvLine[] = [];
  try {
    parse(text, {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (fields: string[], { lines: line }) => {
        found.push({ line, fields });
        return null;
      },
    });
    return found;
  } catch (error) {
    const why = error instanceof CsvError ? error.message : String(error);
    throw new BadInput(`${path}: not CSV of one width: ${why}; expected ${expected}`, { cause: error });
  }
}
