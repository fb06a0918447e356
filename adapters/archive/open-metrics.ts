/** Opens a Parquet file of metrics: its footer, then the row groups of the resources and the columns that are asked for. */
import { type FileMetaData, parquetMetadataAsync, parquetSchema } from 'hyparquet';
import { evaluationColumns, metricColumns, resourceColumns } from '../../core/archive/columns.ts';
import type { ResourceMinutes, ResourceType } from '../../core/archive/resource-minutes.ts';
import { Unreadable } from '../../core/errors.ts';
import { type MetricName, metricNames } from '../../core/load/metrics.ts';
import { msPerSecond } from '../../core/units.ts';
import type { RowRange, Texts } from './column-chunk.ts';
import { RowGroupColumns } from './row-group-columns.ts';
import type { StoredObject } from './store.ts';

/** The footer of a day of 250 resources, and of a month of 20, has 45 KB. Where it is longer, the rest is fetched. */
const initialFetchSize = 64 * 1024;

/** Not Parquet, cut, or not of this shape. The message says which file, why, and what would be right. */
export class BrokenFile extends Unreadable {
  override readonly name = 'BrokenFile';
  readonly key: string;

  /** The last: what the file should have been, and what would be right. */
  constructor(
    key: string,
    reason: string,
    options?: ErrorOptions,
    { format = 'Parquet of the archive', advice = 'remove it, or put it back whole' } = {},
  ) {
    super(`${key}: cannot be read as ${format}: ${reason}; ${advice}`, options);
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
  index: number;
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
  return row_groups.map(({ num_rows, columns }, index) => {
    const bounds = <T>(name: string, is: (value: unknown) => value is T): [T, T] | null => {
      const found = columns.find(({ meta_data }) => meta_data?.path_in_schema[0] === name)?.meta_data
        ?.statistics;
      const [first, last] = [found?.min_value, found?.max_value];
      return is(first) && is(last) ? [first, last] : null;
    };
    const rows = Number(num_rows);
    const group = {
      index,
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
    for (const group of this.groups) {
      if (!mayHold(group, asked)) continue;
      const own = names.filter((name) => !group.empty.has(name));
      for (const one of await orBroken(this.key, () => this.ofGroup(group, own, asked))) yield one;
    }
  }

  private async ofGroup(group: RowGroup, names: string[], asked: Asked): Promise<ResourceMinutes[]> {
    const columns = await RowGroupColumns.fetch(this.object, this.metadata, { ...group, names });
    const listed = asked.listedIds === null ? null : new Set(asked.listedIds);
    const all = resourcesOf(await columns.texts('resource_id', { first: 0, end: group.rows }));
    const wanted = all.filter(({ id }) => isWithin(asked, id) && listed?.has(id) !== false);
    const [first, last] = [wanted[0], wanted.at(-1)];
    if (first === undefined || last === undefined) return [];
    const range = { first: first.first, end: last.end };
    const has = (name: string): boolean => names.includes(name);
    const textsOf = async (name: string): Promise<Texts> =>
      has(name)
        ? columns.texts(name, range)
        : { texts: [], places: new Int32Array(range.end - range.first).fill(-1) };
    const [types, arns] = [await textsOf('resource_type'), await textsOf('arn')];
    const minutes = await columns.numbers('minute', range);
    for (let i = 0; i < minutes.length; i++) minutes[i] = (minutes[i] as number) / msPerSecond;
    const numbers: [MetricName, Float64Array][] = [];
    for (const metric of asked.metrics) {
      const { name } = metricColumns[metric];
      if (has(name)) numbers.push([metric, await columns.numbers(name, range)]);
    }
    const said = has('status')
      ? {
          status: await textsOf('status'),
          cause: await textsOf('cause'),
          limit_scope: await textsOf('limit_scope'),
        }
      : null;
    return wanted.map(({ id, ...rows }) => {
      const own = { first: rows.first - range.first, end: rows.end - range.first };
      const points = numbers.map(
        ([metric, values]) => [metric, values.subarray(own.first, own.end)] as const,
      );
      return {
        resourceType: textAt(types, own.first) as ResourceType,
        resourceId: id,
        arn: textAt(arns, own.first),
        epochSeconds: minutes.subarray(own.first, own.end),
        metrics: new Map(points.filter(([, values]) => hasPoint(values))),
        evaluation:
          said !== null && hasText(said.status, own)
            ? {
                status: textsIn(said.status, own),
                cause: textsIn(said.cause, own),
                limit_scope: textsIn(said.limit_scope, own),
              }
            : null,
      };
    });
  }
}

const textAt = ({ texts, places }: Texts, row: number): string | null => texts[places[row] as number] ?? null;

function textsIn({ texts, places }: Texts, { first, end }: RowRange): (string | null)[] {
  const own = new Array<string | null>(end - first).fill(null);
  for (let i = 0; i < own.length; i++) {
    const place = places[first + i] as number;
    if (place >= 0) own[i] = texts[place] as string;
  }
  return own;
}

/** Which rows of a row group are of which resource. */
function resourcesOf({ texts, places }: Texts): (RowRange & { id: string })[] {
  const found: (RowRange & { id: string })[] = [];
  for (let first = 0, end = 0; first < places.length; first = end) {
    const place = places[first] as number;
    while (end < places.length && places[end] === place) end++;
    const id = texts[place];
    if (id === undefined) throw new Error('a row has no resource_id');
    found.push({ id, first, end });
  }
  return found;
}

function hasText({ places }: Texts, { first, end }: RowRange): boolean {
  for (let row = first; row < end; row++) if (places[row] !== -1) return true;
  return false;
}

function hasPoint(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i])) return true;
  return false;
}

/** @throws BrokenFile where it is none of ours. */
export async function openMetrics(object: StoredObject): Promise<MetricsFile> {
  return orBroken(object.key, async () => {
    const metadata = await parquetMetadataAsync(object, { initialFetchSize, parsers, geoparquet: false });
    return new MetricsFile(object, metadata);
  });
}

/** Whether a failure is of the one file, and the rest may be used. */
export const isOfOneFile = (error: unknown): error is BrokenFile => error instanceof BrokenFile;
