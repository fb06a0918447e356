/** Every column of numbers takes the same kind of number as an option, and none without bounds. */
import { readBlockTrace } from '../../../adapters/files/block-trace.ts';
import { readByteSeries } from '../../../adapters/files/byte-series.ts';
import { readSeriesCsv } from '../../../adapters/files/series-csv.ts';
import { BadInput } from '../../../core/errors.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const readOf = (read: (path: string) => unknown, lines: readonly string[]) => () =>
  read(directory.write('numbers.csv', `${lines.join('\n')}\n`));

const sums = (row: string) =>
  readOf(readSeriesCsv, [
    'timestamp,read_ops,write_ops,read_bytes,write_bytes,idle_seconds,queue_length',
    '2026-11-20T14:00:00Z,1,1,1,1,1,1',
    `2026-11-20T14:01:00Z,${row}`,
  ]);

const columns: [string, (text: string) => () => unknown][] = [
  ...[0, 1, 2, 3, 4, 5].map((column): [string, (text: string) => () => unknown] => [
    `column ${column + 1} of a series`,
    (text) => sums(['1', '1', '1', '1', '1', '1'].with(column, text).join(',')),
  ]),
  ['the time of a trace', (text) => readOf(readBlockTrace, ['time_us,op,bytes', `${text},read,4096`])],
  ['the bytes of a trace', (text) => readOf(readBlockTrace, ['time_us,op,bytes', `1,read,${text}`])],
  ['a byte series', (text) => readOf(readByteSeries, ['timestamp,value', `2026-11-20T14:00:00Z,${text}`])],
];

describe.each(columns)('%s', (_, reading) => {
  test.each(['0x10', '0b1', '1_000', 'Infinity', '1e308', '1e999', '1e16', '-1', '', 'NaN', '٣'])(
    '%j is refused with its line',
    (text) => {
      expect(reading(text)).toThrow(BadInput);
      expect(reading(text)).toThrow(/numbers\.csv: line [23]: .*(give the sum over the period|expected )/);
    },
  );

  test.each(['1', '.5', '1.5e1', '-0'])('%s is taken', (text) => {
    expect(reading(text)).not.toThrow();
  });
});
