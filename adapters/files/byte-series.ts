/** Reads a byte series: CSV with the header timestamp,value (bytes per period). */
import { decimalOf, mostOfAnything } from '../../core/decimal.ts';
import { BadInput } from '../../core/errors.ts';
import { epochSecondsOf } from '../../core/units.ts';
import { parseCsv } from './csv.ts';
import { readText } from './read-file.ts';

const expected = 'timestamp,value (ISO 8601, taken as UTC where no zone stands; bytes of the period)';
const timestamp = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

function timeOf(text: string): number {
  if (!timestamp.test(text)) return Number.NaN;
  const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`;
  return epochSecondsOf(zoned.replace(' ', 'T'));
}

/** The points of a series, in its order, repeated timestamps included. */
export function readByteSeries(path: string): { epochSeconds: number; bytes: number }[] {
  const [names, ...rows] = parseCsv(path, readText(path), expected);
  if (names?.fields.join(',') !== 'timestamp,value') {
    throw new BadInput(`${path}: its header is "${names?.fields.join(',') ?? ''}"; expected ${expected}`);
  }
  return rows.map(({ line, fields: [time = '', value = ''] }) => {
    const epochSeconds = timeOf(time);
    const bytes = decimalOf(value);
    if (!Number.isNaN(epochSeconds) && bytes >= 0 && bytes <= mostOfAnything) return { epochSeconds, bytes };
    throw new BadInput(`${path}: line ${line}: "${time},${value}" is not a point; expected ${expected}`);
  });
}
