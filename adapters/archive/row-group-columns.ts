/** Columns of one row group: their bytes in as few ranges as it takes, then those rows that are asked for. */
import { type ColumnMetaData, type FileMetaData, parquetRead, parquetSchema } from 'hyparquet';
import { type RowRange, readNumbers, readTexts, type Texts } from './column-chunk.ts';
import type { StoredObject } from './store.ts';

/** A request takes as long as some 100 KB: what lies between two columns is fetched, too, where it is less. */
const widestGap = 64 * 1024;

interface Chunk {
  metadata: ColumnMetaData;
  start: number;
  end: number;
}

/** A row group in its file, and the columns of it that are asked for. */
interface Asked {
  index: number;
  firstRow: number;
  rows: number;
  names: readonly string[];
}

function chunksOf({ row_groups }: FileMetaData, { index, names }: Asked): Map<string, Chunk> {
  const chunks = new Map<string, Chunk>();
  for (const { meta_data: metadata } of row_groups[index]?.columns ?? []) {
    const [name = '', ...others] = metadata?.path_in_schema ?? [];
    if (metadata === undefined || others.length > 0 || !names.includes(name)) continue;
    const start = Number(metadata.dictionary_page_offset || metadata.data_page_offset);
    chunks.set(name, { metadata, start, end: start + Number(metadata.total_compressed_size) });
  }
  return chunks;
}

async function bytesOf(
  object: StoredObject,
  chunks: Iterable<Chunk>,
): Promise<(chunk: Chunk) => Uint8Array<ArrayBuffer>> {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of [...chunks].sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && start - last.end <= widestGap) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  const read = await Promise.all(
    ranges.map(async ({ start, end }) => ({ start, end, buffer: await object.slice(start, end) })),
  );
  return (chunk) => {
    const range = read.find(({ start, end }) => chunk.start >= start && chunk.end <= end);
    if (range === undefined) throw new Error('a column is not where the file says');
    return new Uint8Array(range.buffer, chunk.start - range.start, chunk.end - chunk.start);
  };
}

type Cell = string | number | bigint | null | undefined;

export class RowGroupColumns {
  private readonly object: StoredObject;
  private readonly metadata: FileMetaData;
  private readonly asked: Asked;
  private readonly chunks: ReadonlyMap<string, Chunk>;
  private readonly optional: ReadonlySet<string>;
  private readonly bytes: (chunk: Chunk) => Uint8Array<ArrayBuffer>;

  private constructor(
    object: StoredObject,
    metadata: FileMetaData,
    asked: Asked,
    chunks: ReadonlyMap<string, Chunk>,
    bytes: (chunk: Chunk) => Uint8Array<ArrayBuffer>,
  ) {
    this.object = object;
    this.metadata = metadata;
    this.asked = asked;
    this.chunks = chunks;
    this.bytes = bytes;
    this.optional = new Set(
      parquetSchema(metadata)
        .children.filter(({ element }) => element.repetition_type !== 'REQUIRED')
        .map(({ element }) => element.name),
    );
  }

  static async fetch(object: StoredObject, metadata: FileMetaData, asked: Asked): Promise<RowGroupColumns> {
    const chunks = chunksOf(metadata, asked);
    return new RowGroupColumns(object, metadata, asked, chunks, await bytesOf(object, chunks.values()));
  }

  /** NaN for null; times in milliseconds. */
  async numbers(name: string, range: RowRange): Promise<Float64Array> {
    const chunk = this.chunkOf(name);
    const read = readNumbers(this.bytes(chunk), chunk.metadata, this.optional.has(name), range);
    if (read !== null) return read;
    const cells = await this.cells(name);
    const numbers = new Float64Array(range.end - range.first);
    for (let i = 0; i < numbers.length; i++) {
      const cell = cells[range.first + i] ?? Number.NaN;
      numbers[i] = typeof cell === 'string' ? Number.NaN : Number(cell);
    }
    return numbers;
  }

  async texts(name: string, range: RowRange): Promise<Texts> {
    const chunk = this.chunkOf(name);
    const read = readTexts(this.bytes(chunk), chunk.metadata, this.optional.has(name), range);
    if (read !== null) return read;
    const known = new Map<string, number>();
    const cells = (await this.cells(name)).slice(range.first, range.end);
    const places = Int32Array.from(cells, (cell) => {
      if (cell === null || cell === undefined) return -1;
      const place = known.get(String(cell)) ?? known.size;
      known.set(String(cell), place);
      return place;
    });
    return { texts: [...known.keys()], places };
  }

  private chunkOf(name: string): Chunk {
    const chunk = this.chunks.get(name);
    if (chunk === undefined) throw new Error(`a row group has no column ${name}`);
    return chunk;
  }

  /** Of a column that is not as it is written here: as hyparquet reads it. */
  private async cells(name: string): Promise<Cell[]> {
    const { firstRow, rows } = this.asked;
    const parts: { rowStart: number; cells: Cell[] }[] = [];
    await parquetRead({
      file: this.object,
      metadata: this.metadata,
      columns: [name],
      rowStart: firstRow,
      rowEnd: firstRow + rows,
      parsers: { timestampFromMilliseconds: Number },
      onChunk: ({ columnData, rowStart }) => {
        parts.push({ rowStart, cells: Array.from(columnData as ArrayLike<Cell>) });
      },
    });
    const cells = parts.sort((a, b) => a.rowStart - b.rowStart).flatMap((part) => part.cells);
    if (cells.length !== rows) throw new Error(`column ${name} has ${cells.length} of ${rows} rows`);
    return cells;
  }
}
