/** Columns read straight into numbers: whatever is in them, it is what hyparquet reads. */
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { RowGroupColumns } from '../../../adapters/archive/row-group-columns.ts';
import type { StoredObject } from '../../../adapters/archive/store.ts';

const rows = 3_000;
const all = Array.from({ length: rows }, (_, i) => i);
const minute = (i: number): bigint => BigInt(Date.UTC(2026, 0, 1) + i * 60_000);

type Name = 'minute' | 'number' | 'count' | 'text';
const columnsWithout = (data: Record<Name, unknown[]>): ColumnSource[] => [
  { name: 'minute', data: data.minute, encoding: 'DELTA_BINARY_PACKED' },
  { name: 'number', data: data.number },
  { name: 'count', data: data.count },
  { name: 'text', data: data.text },
];

function written(columnData: ColumnSource[], pageSize: number, codec: 'SNAPPY' | 'UNCOMPRESSED' = 'SNAPPY') {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    codec,
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'minute', type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'REQUIRED' },
      { name: 'number', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      { name: 'count', type: 'FLOAT', repetition_type: 'OPTIONAL' },
      { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
    ],
  });
  // Two row groups: what is asked for is in the second.
  for (let group = 0; group < 2; group++) parquet.write({ columnData, rowGroupSize: rows, pageSize });
  parquet.finish();
  return writer.getBytes();
}

function objectOf(bytes: Uint8Array): StoredObject & { requests: number } {
  const object = {
    ...{ key: 'k', etag: '1', byteLength: bytes.byteLength, requests: 0 },
    slice: async (start: number, end = bytes.byteLength) => {
      object.requests++;
      return Uint8Array.from(bytes.subarray(start, end)).buffer;
    },
  };
  return object;
}

async function bothWays(bytes: Uint8Array, { first, end }: { first: number; end: number }) {
  const object = objectOf(bytes);
  const metadata: FileMetaData = parquetMetadata(Uint8Array.from(bytes).buffer);
  const names = ['minute', 'number', 'count', 'text'];
  const columns = await RowGroupColumns.fetch(object, metadata, { index: 1, firstRow: rows, rows, names });
  const [times, numbers, counts] = await Promise.all(
    ['minute', 'number', 'count'].map((name) => columns.numbers(name, { first, end })),
  );
  const { texts, places } = await columns.texts('text', { first, end });
  const file = { byteLength: bytes.byteLength, slice: objectOf(bytes).slice };
  const found = await parquetReadObjects({ file, rowStart: rows + first, rowEnd: rows + end });
  const orNaN = (value: unknown): number => (value === null ? Number.NaN : (value as number));
  return {
    requests: object.requests,
    read: { times, numbers, counts, texts: Array.from(places, (place) => texts[place] ?? null) },
    expected: {
      times: Float64Array.from(found, (row) => (row['minute'] as Date).getTime()),
      numbers: Float64Array.from(found, (row) => orNaN(row['number'])),
      counts: Float64Array.from(found, (row) => orNaN(row['count'])),
      texts: found.map((row) => row['text']),
    },
  };
}

const regular = { minute: all.map(minute), count: all.map((i) => i % 3), text: all.map((i) => `t${i % 5}`) };
const cases: [string, Record<Name, unknown[]>][] = [
  ['of each row a value', { ...regular, number: all.map((i) => i / 7) }],
  ['few values, which makes a dictionary', { ...regular, number: all.map((i) => (i % 400) / 7) }],
  ['every fifth minute', { ...regular, number: all.map((i) => (i % 5 === 0 ? i : null)) }],
  ['no value in the first half', { ...regular, number: all.map((i) => (i < rows / 2 ? null : i % 9)) }],
  [
    'gaps in time, of a minute and of a year, texts only at times',
    {
      minute: all.map((i) => minute(i + (i > 100 ? 2 : 0) + (i > 2_000 ? 525_600 : 0))),
      number: all.map((i) => -i * 1e9),
      count: all.map((i) => (i % 2 === 0 ? null : 5)),
      text: all.map((i) => (i % 50 === 0 ? 'throttled' : null)),
    },
  ],
  [
    'nothing but one value',
    {
      ...{ minute: all.map(minute), number: all.map(() => null), count: all.map(() => 0) },
      text: all.map(() => null),
    },
  ],
];
const ranges = [
  { first: 0, end: rows },
  { first: 1_440, end: 2_880 },
  { first: rows - 1, end: rows },
];

for (const [what, data] of cases) {
  for (const pageSize of [1_048_576, 4_000]) {
    test(`${what}, pages of up to ${pageSize} bytes: as hyparquet reads it, all of it and a part, with one request`, async () => {
      const bytes = written(columnsWithout(data), pageSize);
      for (const range of ranges) {
        const { read, expected, requests } = await bothWays(bytes, range);
        expect(read).toEqual(expected);
        expect(requests).toBe(1);
      }
    });
  }
}

test('what is not compressed, and what is of another form, is read as well', async () => {
  const data = { ...regular, number: all.map((i) => i / 7) };
  const plain = columnsWithout(data).map((column) =>
    column.name === 'minute'
      ? { ...column, encoding: 'PLAIN' as const }
      : {
          ...column,
          encoding: column.name === 'text' ? ('DELTA_BYTE_ARRAY' as const) : ('BYTE_STREAM_SPLIT' as const),
        },
  );
  const range = { first: 7, end: 2_000 };
  for (const bytes of [written(columnsWithout(data), 4_000, 'UNCOMPRESSED'), written(plain, 4_000)]) {
    const { read, expected } = await bothWays(bytes, range);
    expect(read).toEqual(expected);
  }
});
