/**
 * Column chunks as they are written here, straight into numbers: hyparquet makes an array of boxed cells of each column that may have
 * nulls, which takes most of the time of reading. Its parts are used; a chunk of another form is left to it.
 */
import { type ColumnMetaData, snappyUncompress } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readPlain } from 'hyparquet/src/plain.js';
import { readVarInt, readZigZagBigInt } from 'hyparquet/src/thrift.js';

/** Rows from the first up to (without) the end. */
export interface RowRange {
  first: number;
  end: number;
}

/** Of each row the place of its text; -1: null. */
export interface Texts {
  texts: readonly string[];
  places: Int32Array;
}

interface Reader {
  view: DataView<ArrayBuffer>;
  offset: number;
}

interface Page {
  encoding: string | undefined;
  /** 1 where there is a value; null: everywhere. */
  levels: Uint8Array | null;
  /** How many values there are. */
  count: number;
  rows: number;
  firstRow: number;
  reader: Reader;
}

interface Chunk {
  dictionary: ArrayLike<unknown> | null;
  pages: Page[];
}

const readerOf = (bytes: Uint8Array<ArrayBuffer>): Reader => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0,
});

function plainBytes(bytes: Uint8Array<ArrayBuffer>, codec: string, length: number): Uint8Array<ArrayBuffer> {
  if (codec === 'UNCOMPRESSED') return bytes;
  const all = new Uint8Array(length);
  snappyUncompress(bytes, all);
  return all;
}

/** The pages that hold rows of the range. Null where it is of a form that is not written here. */
function chunkOf(
  bytes: Uint8Array<ArrayBuffer>,
  { codec, type }: ColumnMetaData,
  isOptional: boolean,
  { first, end }: RowRange,
): Chunk | null {
  if (codec !== 'SNAPPY' && codec !== 'UNCOMPRESSED') return null;
  const reader = readerOf(bytes);
  const chunk: Chunk = { dictionary: null, pages: [] };
  for (let firstRow = 0; firstRow < end; ) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: plainSize } = header;
    const start = reader.offset;
    reader.offset += size;
    if (!(size >= 0 && reader.offset <= bytes.byteLength))
      throw new Error('a page is longer than its column');
    if (header.dictionary_page_header !== undefined) {
      const page = plainBytes(bytes.subarray(start, start + size), codec, plainSize);
      chunk.dictionary = readPlain(readerOf(page), type, header.dictionary_page_header.num_values, undefined);
      continue;
    }
    const page = header.data_page_header_v2;
    if (page === undefined || page.repetition_levels_byte_length > 0) return null;
    const { num_rows: rows, num_nulls: nulls, definition_levels_byte_length: levelBytes } = page;
    if (!(rows > 0)) throw new Error('a page has no rows');
    if (firstRow + rows > first) {
      let levels: Uint8Array | null = null;
      if (nulls > 0 && isOptional) {
        levels = new Uint8Array(rows);
        if (nulls < rows)
          readRleBitPackedHybrid({ view: reader.view, offset: start }, 1, levels as never, levelBytes);
      }
      const values = bytes.subarray(start + levelBytes, start + size);
      const plain = plainBytes(
        values,
        page.is_compressed === false ? 'UNCOMPRESSED' : codec,
        plainSize - levelBytes,
      );
      const read = { encoding: page.encoding, levels, count: rows - nulls, rows, firstRow };
      chunk.pages.push({ ...read, reader: readerOf(plain) });
    }
    firstRow += rows;
  }
  return chunk;
}

const isDictionary = (encoding: string | undefined): boolean =>
  encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY';

/** Of each value its place in the dictionary. */
function placesIn(dictionary: ArrayLike<unknown> | null, { reader, count }: Page): Int32Array {
  const places = new Int32Array(count);
  if (count === 0) return places;
  const width = reader.view.getUint8(reader.offset++);
  if (width > 0)
    readRleBitPackedHybrid(reader, width, places as never, reader.view.byteLength - reader.offset);
  const length = dictionary?.length ?? 0;
  for (let i = 0; i < count; i++)
    if ((places[i] as number) >= length) throw new Error('a value is not in the dictionary');
  return places;
}

/** Whole numbers below 2^53 by their differences, without a BigInt each. */
function differences({ reader, count }: Page): Float64Array {
  const { view } = reader;
  const values = new Float64Array(count);
  const blockSize = readVarInt(reader);
  const parts = readVarInt(reader);
  const perPart = blockSize / parts;
  readVarInt(reader);
  let value = Number(readZigZagBigInt(reader));
  values[0] = value;
  for (let i = 1; i < count; ) {
    const least = Number(readZigZagBigInt(reader));
    const widths = reader.offset;
    reader.offset += parts;
    for (let part = 0; part < parts && i < count; part++) {
      const width = view.getUint8(widths + part);
      let bit = reader.offset * 8;
      reader.offset += (width * perPart) / 8;
      for (const end = Math.min(count, i + perPart); i < end; i++) {
        let more = 0;
        for (let got = 0; got < width; ) {
          const at = bit & 7;
          const taken = Math.min(8 - at, width - got);
          more += ((view.getUint8(bit >> 3) >> at) & ((1 << taken) - 1)) * 2 ** got;
          got += taken;
          bit += taken;
        }
        value += least + more;
        values[i] = value;
      }
    }
  }
  return values;
}

function numbersOf(chunk: Chunk, page: Page, type: string): ArrayLike<number> | null {
  if (page.count === 0) return [];
  if (type === 'INT64') return page.encoding === 'DELTA_BINARY_PACKED' ? differences(page) : null;
  if (type !== 'DOUBLE' && type !== 'FLOAT') return null;
  if (page.encoding === 'PLAIN') return readPlain(page.reader, type, page.count, undefined) as Float64Array;
  if (!isDictionary(page.encoding)) return null;
  const dictionary = chunk.dictionary as Float64Array;
  const places = placesIn(dictionary, page);
  const values = new Float64Array(page.count);
  for (let i = 0; i < values.length; i++) values[i] = dictionary[places[i] as number] as number;
  return values;
}

/** Puts the values of a page where their rows are. */
function place(
  all: Float64Array | Int32Array,
  values: ArrayLike<number>,
  { levels, firstRow, rows }: Page,
  range: RowRange,
): void {
  const from = Math.max(0, range.first - firstRow);
  const end = Math.min(rows, range.end - firstRow);
  const shift = firstRow - range.first;
  if (levels === null) {
    for (let row = from; row < end; row++) all[row + shift] = values[row] as number;
    return;
  }
  let next = 0;
  for (let row = 0; row < from; row++) next += levels[row] as number;
  for (let row = from; row < end; row++) if (levels[row] === 1) all[row + shift] = values[next++] as number;
}

/** The numbers of a range of rows, NaN for null. Null where the column is of another form. */
export function readNumbers(
  bytes: Uint8Array<ArrayBuffer>,
  metadata: ColumnMetaData,
  isOptional: boolean,
  range: RowRange,
): Float64Array | null {
  const chunk = chunkOf(bytes, metadata, isOptional, range);
  if (chunk === null) return null;
  const all = new Float64Array(range.end - range.first);
  if (isOptional) all.fill(Number.NaN);
  for (const page of chunk.pages) {
    const values = numbersOf(chunk, page, metadata.type);
    if (values === null) return null;
    place(all, values, page, range);
  }
  return all;
}

const decoder = new TextDecoder();

/** The texts of a range of rows. Null where the column is of another form. */
export function readTexts(
  bytes: Uint8Array<ArrayBuffer>,
  metadata: ColumnMetaData,
  isOptional: boolean,
  range: RowRange,
): Texts | null {
  const chunk = chunkOf(bytes, metadata, isOptional, range);
  if (chunk === null || metadata.type !== 'BYTE_ARRAY') return null;
  if (chunk.pages.some(({ encoding, count }) => count > 0 && !isDictionary(encoding))) return null;
  const places = new Int32Array(range.end - range.first).fill(-1);
  for (const page of chunk.pages) place(places, placesIn(chunk.dictionary, page), page, range);
  return { texts: Array.from(chunk.dictionary ?? [], (text) => decoder.decode(text as Uint8Array)), places };
}
