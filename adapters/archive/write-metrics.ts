/** Minutes of resources as Parquet: sorted by resource, in row groups of whole resources, so that one is read by a range. */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { evaluationColumns, metricColumns } from '../../core/archive/columns.ts';
import type { ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { BadInput } from '../../core/errors.ts';
import { type MetricName, metricNames } from '../../core/load/metrics.ts';
import { msPerSecond } from '../../core/units.ts';

/** A day of fourteen resources. More cost the reader of one volume, fewer a footer that grows. */
const rowsAGroup = 20_000;
/** Some 4,000 rows: who reads one volume unpacks no more than two of five pages. Smaller ones take more bytes: 2.93 a point at 12 KB. */
const pageSize = 32 * 1024;

const text = (name: string, repetition_type: 'REQUIRED' | 'OPTIONAL'): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type,
});

const columns: SchemaElement[] = [
  text('resource_type', 'REQUIRED'),
  text('resource_id', 'REQUIRED'),
  text('arn', 'OPTIONAL'),
  {
    name: 'minute',
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    repetition_type: 'REQUIRED',
  },
  ...metricNames.map((metric): SchemaElement => ({ ...metricColumns[metric], repetition_type: 'OPTIONAL' })),
  ...evaluationColumns.map((name) => text(name, 'OPTIONAL')),
];

/** Every file has every column: a glob over files of one version needs no option to join them. */
const schema: SchemaElement[] = [{ name: 'root', num_children: columns.length }, ...columns];

/** What FLOAT would change is refused, not rounded. */
function requireExact(metric: MetricName, value: number, resourceId: string): void {
  if (metricColumns[metric].type === 'DOUBLE' || Math.fround(value) === value) return;
  throw new BadInput(
    `${resourceId}: ${metric} of ${value} cannot be kept as it is: give whole numbers below 2^24, as the Sum of CloudWatch has them`,
  );
}

function metricValues(metric: MetricName, group: readonly ResourceMinutes[]): (number | null)[] {
  const values: (number | null)[] = [];
  for (const { epochSeconds, metrics, resourceId } of group) {
    const own = metrics.get(metric);
    for (let i = 0; i < epochSeconds.length; i++) {
      const value = own?.[i] as number | undefined;
      if (value === undefined || Number.isNaN(value)) values.push(null);
      else {
        requireExact(metric, value, resourceId);
        values.push(value);
      }
    }
  }
  return values;
}

const ofEach = <T>(group: readonly ResourceMinutes[], of: (one: ResourceMinutes) => T): T[] =>
  group.flatMap((one) => new Array<T>(one.epochSeconds.length).fill(of(one)));

function columnsOf(group: readonly ResourceMinutes[]): ColumnSource[] {
  return [
    { name: 'resource_type', data: ofEach(group, ({ resourceType }) => resourceType) },
    { name: 'resource_id', data: ofEach(group, ({ resourceId }) => resourceId) },
    { name: 'arn', data: ofEach(group, ({ arn }) => arn) },
    {
      name: 'minute',
      data: group.flatMap(({ epochSeconds }) =>
        Array.from(epochSeconds, (time) => BigInt(time * msPerSecond)),
      ),
      encoding: 'DELTA_BINARY_PACKED',
    },
    ...metricNames.map((metric) => ({
      name: metricColumns[metric].name,
      data: metricValues(metric, group),
    })),
    ...evaluationColumns.map((column) => ({
      name: column,
      data: group.flatMap(
        ({ epochSeconds, evaluation }) =>
          evaluation?.[column] ?? new Array<null>(epochSeconds.length).fill(null),
      ),
    })),
  ];
}

/** Takes resources in the order of their ids, and keeps a row group of them in memory. */
export class MetricsWriter {
  private readonly bytes = new ByteWriter();
  private readonly parquet: ParquetWriter;
  private group: ResourceMinutes[] = [];
  private groupRows = 0;
  rows = 0;

  /** @param notes what the file says of itself. */
  constructor(notes: Readonly<Record<string, string>> = {}) {
    this.parquet = new ParquetWriter({
      writer: this.bytes,
      schema,
      // An id is longer than the 16 bytes that are kept of a bound by default.
      statisticsTruncateLength: Number.POSITIVE_INFINITY,
      createdBy: 'stripewise',
      kvMetadata: Object.entries(notes).map(([key, value]) => ({ key, value })),
    });
  }

  add(minutes: ResourceMinutes): void {
    const rows = minutes.epochSeconds.length;
    if (rows === 0) return;
    if (this.groupRows > 0 && this.groupRows + rows > rowsAGroup) this.flush();
    this.group.push(minutes);
    this.groupRows += rows;
    this.rows += rows;
  }

  private flush(): void {
    this.parquet.write({ columnData: columnsOf(this.group), rowGroupSize: this.groupRows, pageSize });
    this.group = [];
    this.groupRows = 0;
  }

  finish(): Uint8Array {
    if (this.groupRows > 0) this.flush();
    this.parquet.finish();
    return this.bytes.getBytes();
  }
}
