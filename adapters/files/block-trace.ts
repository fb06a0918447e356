/** Reads a block trace: CSV with the header time_us,op,bytes,... (gzip or not). */
import { decimalOf, mostOfAnything } from '../../core/decimal.ts';
import { BadInput } from '../../core/errors.ts';
import type { BlockRequest } from '../../core/load/import-block-trace.ts';
import { type CsvLine, parseCsv } from './csv.ts';
import { readText } from './read-file.ts';

const header = ['time_us', 'op', 'bytes'];
const expected = 'time_us,op,bytes (microseconds from the start, read or write (r, w), bytes of the request)';

const operations: Record<string, BlockRequest['op']> = {
  read: 'read',
  r: 'read',
  write: 'write',
  w: 'write',
};

function requestOf(
  path: string,
  { line, fields: [timeUs = '', op = '', bytes = ''] }: CsvLine,
): BlockRequest {
  const atUs = decimalOf(timeUs);
  const atSeconds = atUs / 1e6;
  const size = decimalOf(bytes);
  const readable = atUs >= 0 && atUs <= mostOfAnything && size >= 0 && size <= mostOfAnything;
  const known = operations[op.toLowerCase()];
  if (readable && known !== undefined) return { atSeconds, op: known, bytes: size };
  throw new BadInput(
    `${path}: line ${line}: "${timeUs},${op},${bytes}" is not a request; expected ${expected}`,
  );
}

/** The requests of a trace, in its order. */
export function readBlockTrace(path: string): BlockRequest[] {
  const [names, ...rows] = parseCsv(path, readText(path), expected);
  if (!header.every((name, i) => names?.fields[i] === name)) {
    throw new BadInput(`${path}: its header is "${names?.fields.join(',') ?? ''}"; expected ${expected}`);
  }
  return rows.map((row) => requestOf(path, row));
}
