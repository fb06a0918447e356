/** Opens a Parquet file of metrics: its footer, then the row groups of the resources and the columns that are asked for. */
import { type FileMetaData, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import { evaluationColumns, metricColumns, resourceColumns } from '../../core/archive/columns.ts';
import type { ResourceMinutes, ResourceType } from '../../core/archive/resource-minutes.ts';
import { Unreadable } from '../../core/errors.ts';
import { type MetricName, metricNames } from '../../core/load/metrics.ts';
import { msPerSecond } from '../../core/units.ts';
import type { StoredObject } from './store.ts';

/** The footer of a part of 250 resources has 70 KB. */
const footerBytes = 128 * 1024;

type Cell = string | number | null | undefined;

/** Not Parquet, cut, or not of this shape. The message says which file, why, and what would be right. */
export class BrokenFile extends Unreadable {
  override readonly name = 'BrokenFile';
  readonly key: string;

  constructor(key: string, reason: string, options?: ErrorOptions) {
    super(
      `${key}: cannot be read as Parquet of the archive: ${reason}; remove it, or put it back whole`,
      options,
    );
    this.key = key;
  }
}

async function orBroken<T>(key: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // The store failed, not the file.
    if (error instanceof Unreadable) throw error;
    throw new BrokenFile(key, String((error as Error).message), { cause: error });
  }
}

interface RowGroup {
  firstRow: number;
  rows: number;
  /** Bounds of ids and times; null where the file does not say them. */
  ids: [first: string, last: string] | null;
  times: [first: number, last: number] | null;
  /** Columns that hold nothing there: they are not read. */
  empty: ReadonlySet<string>;
}

const parsers = { timestampFromMilliseconds: (ms: bigint): number => Number(ms) / msPerSecond };

function rowGroupsOf({ row_groups }: FileMetaData): RowGroup[] {
  let firstRow = 0;
  return row_groups.map(({ num_rows, columns }) => {
    const bounds = <T>(name: string, is: (value: unknown) => value is T): [T, T] | null => {
      const found = columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data
        ?.statistics;
      const [first, last] = [found?.min_value, found?.max_value];
      return is(first) && is(last) ? [first, last] : null;
    };
    const rows = Number(num_rows);
    const group = {
      firstRow,
      rows,
      ids: bounds('resource_id', (value): value is string => typeof value === 'string'),
      times: bounds('minute', (value): value is number => typeof value === 'number'),
      empty: new Set(
        columns.flatMap(({ meta_data }) =>
          meta_data !== undefined && meta_data.statistics?.null_count === meta_data.num_values
            ? meta_data.path_in_schema.slice(0, 1)
            : [],
        ),
      ),
    };
    firstRow += rows;
    return group;
  });
}

export interface Asked {
  /** From this id on, up to (without) the end; null: no end. */
  firstId: string;
  endId: string | null;
  /** Of these none but those that are listed, in order; null: all. */
  listedIds: readonly string[] | null;
  metrics: readonly MetricName[];
  /** Whether what evaluation said is wanted. */
  evaluation: boolean;
}

export const everything: Asked = {
  firstId: '',
  endId: null,
  listedIds: null,
  metrics: metricNames,
  evaluation: true,
};

const isWithin = ({ firstId, endId }: Asked, id: string): boolean =>
  id >= firstId && (endId === null || id < endId);

/** Whether a row group with these bounds may hold what is asked for. */
function mayHold({ ids }: RowGroup, asked: Asked): boolean {
  if (ids === null) return true;
  const [first, last] = ids;
  if (last < asked.firstId || (asked.endId !== null && first >= asked.endId)) return false;
  return asked.listedIds === null || asked.listedIds.some((id) => id >= first && id <= last);
}

export class MetricsFile {
  private readonly object: StoredObject;
  private readonly metadata: FileMetaData;
  private readonly columns: ReadonlySet<string>;
  readonly groups: readonly RowGroup[];

  constructor(object: StoredObject, metadata: FileMetaData) {
    this.object = object;
    this.metadata = metadata;
    this.groups = rowGroupsOf(metadata);
    this.columns = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
    const missing = ['resource_type', 'resource_id', 'minute'].filter((name) => !this.columns.has(name));
    if (missing.length > 0) throw new BrokenFile(object.key, `it has no column ${missing.join(', ')}`);
  }

  get key(): string {
    return this.object.key;
  }

  get etag(): string {
    return this.object.etag;
  }

  get bytes(): number {
    return this.object.byteLength;
  }

  note(key: string): string | null {
    return this.metadata.key_value_metadata?.find((note) => note.key === key)?.value ?? null;
  }

  /** Columns that a newer version wrote: who does not know them must not write the file anew. */
  unknownColumns(): string[] {
    const known = new Set<string>([
      ...resourceColumns,
      ...evaluationColumns,
      ...metricNames.map((metric) => metricColumns[metric].name),
    ]);
    return [...this.columns].filter((name) => !known.has(name));
  }

  /** In the order of ids, a row group in memory at a time. A metric that the file has no column of has no points: it is unknown. */
  async *resources(asked: Asked): AsyncGenerator<ResourceMinutes> {
    const metrics = asked.metrics.filter((metric) => this.columns.has(metricColumns[metric].name));
    const evaluation = asked.evaluation ? evaluationColumns.filter((name) => this.columns.has(name)) : [];
    const names = [
      ...resourceColumns.filter((name) => this.columns.has(name)),
      ...metrics.map((metric) => metricColumns[metric].name),
      ...evaluation,
    ];
    const listed = asked.listedIds === null ? null : new Set(asked.listedIds);
    for (const group of this.groups) {
      if (!mayHold(group, asked)) continue;
      const own = names.filter((name) => !group.empty.has(name));
      const cells = await orBroken(this.key, () => this.readGroup(group, own));
      for (const { resourceId, first, end } of resourcesOf(cells, group.rows)) {
        if (!isWithin(asked, resourceId) || listed?.has(resourceId) === false) continue;
        yield minutesOfRows(cells, resourceId, first, end, metrics);
      }
    }
  }

  private async readGroup({ firstRow, rows }: RowGroup, names: string[]): Promise<Map<string, Cell[]>> {
    const chunks = new Map<string, { rowStart: number; cells: ArrayLike<Cell> }[]>();
    await parquetRead({
      file: this.object,
      metadata: this.metadata,
      columns: names,
      rowStart: firstRow,
      rowEnd: firstRow + rows,
      parsers,
      onChunk: ({ columnName, columnData, rowStart }) => {
        const chunk = { rowStart, cells: columnData as ArrayLike<Cell> };
        const before = chunks.get(columnName);
        if (before === undefined) chunks.set(columnName, [chunk]);
        else before.push(chunk);
      },
    });
    const whole = new Map<string, Cell[]>();
    for (const name of names) {
      const parts = (chunks.get(name) ?? []).sort((a, b) => a.rowStart - b.rowStart);
      const cells = parts.length === 1 ? parts[0]?.cells : parts.flatMap((part) => Array.from(part.cells));
      if (cells?.length !== rows) throw new Error(`column ${name} has ${cells?.length ?? 0} of ${rows} rows`);
      whole.set(name, cells as Cell[]);
    }
    return whole;
  }
}

type Cells = ReadonlyMap<string, Cell[]>;

/** Which rows of a row group are of which resource. */
function* resourcesOf(
  cells: Cells,
  rows: number,
): Generator<{ resourceId: string; first: number; end: number }> {
  const ids = cells.get('resource_id') as string[];
  for (let first = 0, end = 0; first < rows; first = end) {
    const resourceId = ids[first] as string;
    while (end < rows && ids[end] === resourceId) end++;
    yield { resourceId, first, end };
  }
}

/** Null where there is no point. */
function pointsOf(column: readonly Cell[], first: number, end: number): Float64Array | null {
  const points = new Float64Array(end - first);
  let count = 0;
  for (let row = first; row < end; row++) {
    const cell = column[row];
    if (typeof cell === 'number') count++;
    points[row - first] = typeof cell === 'number' ? cell : Number.NaN;
  }
  return count > 0 ? points : null;
}

function minutesOfRows(
  cells: Cells,
  resourceId: string,
  first: number,
  end: number,
  metrics: readonly MetricName[],
): ResourceMinutes {
  const values = new Map<MetricName, Float64Array>();
  for (const metric of metrics) {
    const column = cells.get(metricColumns[metric].name);
    const points = column === undefined ? null : pointsOf(column, first, end);
    if (points !== null) values.set(metric, points);
  }
  const texts = (name: string): (string | null)[] =>
    Array.from({ length: end - first }, (_, i) => (cells.get(name)?.[first + i] ?? null) as string | null);
  const status = cells.has('status') ? texts('status') : [];
  const isEvaluated = status.some((text) => text !== null);
  return {
    resourceType: cells.get('resource_type')?.[first] as ResourceType,
    resourceId,
    arn: (cells.get('arn')?.[first] ?? null) as string | null,
    epochSeconds: Float64Array.from((cells.get('minute') as number[]).slice(first, end)),
    metrics: values,
    evaluation: isEvaluated ? { status, cause: texts('cause'), limit_scope: texts('limit_scope') } : null,
  };
}

/** @throws BrokenFile where it is none of ours. */
export async function openMetrics(object: StoredObject): Promise<MetricsFile> {
  return orBroken(object.key, async () => {
    const metadata = await parquetMetadataAsync(object, { initialFetchSize: footerBytes, parsers });
    return new MetricsFile(object, metadata);
  });
}

/** Whether a failure is of the one file, and the rest may be used. */
export const isOfOneFile = (error: unknown): error is BrokenFile => error instanceof BrokenFile;
