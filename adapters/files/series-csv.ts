/** Series as CSV: the sums per period of one volume's load. */
import { z } from 'zod';
import { decimalOf, mostOfAnything } from '../../core/decimal.ts';
import { BadInput } from '../../core/errors.ts';
import { figure } from '../../core/figures.ts';
import type { MetricCollector, MetricName } from '../../core/load/metrics.ts';
import { orderColumns, periodOf, type TimeQuality, timeQuality } from '../../core/load/series.ts';
import type { RecordedSums } from '../../core/replay/recorded-rates.ts';
import { epochSecondsOf } from '../../core/units.ts';
import { parseCsv } from './csv.ts';
import { readText } from './read-file.ts';

const requiredColumns = ['timestamp', 'read_ops', 'write_ops', 'read_bytes', 'write_bytes'] as const;
const optionalColumns = ['idle_seconds', 'queue_length'] as const;

const metricByColumn: Record<string, MetricName> = {
  read_ops: 'VolumeReadOps',
  write_ops: 'VolumeWriteOps',
  read_bytes: 'VolumeReadBytes',
  write_bytes: 'VolumeWriteBytes',
  idle_seconds: 'VolumeIdleTime',
  queue_length: 'VolumeQueueLength',
};

const timestampSchema = z.iso.datetime({ offset: true });
const headerText = `${requiredColumns.join(',')}[,${optionalColumns.join(',')}]`;

function checkHeader(path: string, header: readonly string[] | undefined): string[] {
  const names = header ?? [];
  const extra = names.slice(requiredColumns.length);
  const right =
    requiredColumns.every((name, i) => names[i] === name) &&
    (extra.length === 0 || optionalColumns.slice(0, extra.length).every((name, i) => extra[i] === name)) &&
    extra.length <= optionalColumns.length;
  if (right) return [...names.slice(1)];
  throw new BadInput(`${path}: its header is "${names.join(',')}"; expected ${headerText}`);
}

function timeOf(path: string, line: number, text: string): number {
  if (timestampSchema.safeParse(text).success) return epochSecondsOf(text);
  throw new BadInput(
    `${path}: line ${line}: timestamp "${text}" is not ISO 8601 in UTC; expected one like 2026-11-20T14:00:00Z`,
  );
}

function numberOf(path: string, line: number, column: string, text: string): number {
  const value = decimalOf(text);
  if (value >= 0 && value <= mostOfAnything) return value;
  const why = Number.isNaN(value)
    ? 'is not a number'
    : value < 0
      ? 'is negative'
      : `is more than ${figure(mostOfAnything)}`;
  throw new BadInput(
    `${path}: line ${line}: ${column} "${text}" ${why}; give the sum over the period, 0 or more (a period without figures has no row)`,
  );
}

export interface RecordedSeries {
  periodSeconds: number;
  rows: number;
  quality: TimeQuality;
  /** In order, each timestamp once. */
  sums: RecordedSums;
  /** It tells what waited: it was recorded where something could. */
  hasQueueLength: boolean;
  /** Adds the metrics of the series under a resource id. */
  addTo(collector: MetricCollector, resourceId: string): void;
}

/** Reads a series CSV; what is odd about its timestamps is reported, not repaired. */
export function readSeriesCsv(path: string): RecordedSeries {
  const [header, ...rows] = parseCsv(path, readText(path), headerText);
  const columns = checkHeader(path, header?.fields);
  const times = rows.map(({ line, fields }) => timeOf(path, line, fields[0] as string));
  const values = columns.map((column, c) =>
    rows.map(({ line, fields }) => numberOf(path, line, column, fields[c + 1] as string)),
  );
  const ordered = orderColumns(times, values);
  const periodSeconds = periodOf(ordered.epochSeconds);
  if (periodSeconds === null) {
    throw new BadInput(`${path}: shows no period; give at least two rows with different timestamps`);
  }
  const idle = columns.indexOf('idle_seconds');
  const overIdle = rows.find((_, i) => ((values[idle]?.[i] as number | undefined) ?? 0) > periodSeconds);
  if (overIdle !== undefined) {
    throw new BadInput(
      `${path}: line ${overIdle.line}: idle_seconds ${overIdle.fields[idle + 1]} is more than the period of ${periodSeconds} s; give the seconds of the period without I/O`,
    );
  }
  // The header was checked: the first four are there, in this order.
  const [readOps, writeOps, readBytes, writeBytes] = ordered.columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return {
    periodSeconds,
    rows: rows.length,
    quality: timeQuality(ordered.epochSeconds, periodSeconds, ordered.repeated),
    sums: {
      periodSeconds,
      epochSeconds: ordered.epochSeconds,
      readOps,
      writeOps,
      readBytes,
      writeBytes,
      idleSeconds: ordered.columns[idle] ?? null,
    },
    hasQueueLength: columns.includes('queue_length'),
    addTo(collector, resourceId) {
      columns.forEach((column, c) => {
        collector.add(resourceId, metricByColumn[column] as MetricName, times, values[c] as number[]);
      });
    },
  };
}
