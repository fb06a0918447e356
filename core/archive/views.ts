/**
 * The views over the archive's metrics, in SQL that Athena and DuckDB both speak: division of DOUBLE, CASE, CAST, date_trunc. They read
 * `metrics`, the rows as they are stored, in which `minute` is a TIMESTAMP without a zone, in UTC, and `day` the DATE of it.
 */
import { metricNames } from '../load/metrics.ts';
import { bytesPerMiB, msPerSecond, secondsPerMinute } from '../units.ts';
import { evaluationColumns, metricColumns } from './columns.ts';
import type { MinuteStatus } from './evaluated.ts';

/** What evaluation calls a minute that its limit held. */
export const throttledStatus: MinuteStatus = 'throttled';

const perSecond = (sum: string): string => `${sum} / ${secondsPerMinute}`;
const mibPerSecond = (sum: string): string => `${sum} / ${secondsPerMinute * bytesPerMiB}`;
const msPerOperation = (seconds: string, operations: string): string =>
  `CASE WHEN ${operations} > 0 THEN ${msPerSecond} * ${seconds} / ${operations} END`;

const minuteColumns = {
  account: 'account',
  region: 'region',
  resource_type: 'resource_type',
  resource_id: 'resource_id',
  arn: 'arn',
  minute: 'minute',
  day: 'day',
  read_iops: perSecond('volume_read_ops'),
  write_iops: perSecond('volume_write_ops'),
  iops: perSecond('(volume_read_ops + volume_write_ops)'),
  read_mibps: mibPerSecond('volume_read_bytes'),
  write_mibps: mibPerSecond('volume_write_bytes'),
  mibps: mibPerSecond('(volume_read_bytes + volume_write_bytes)'),
  read_latency_ms: msPerOperation('volume_total_read_time', 'volume_read_ops'),
  write_latency_ms: msPerOperation('volume_total_write_time', 'volume_write_ops'),
  idle_seconds: 'volume_idle_time',
  queue_length: 'volume_queue_length',
  burst_balance_percent: 'burst_balance',
  stalled_io_check: 'volume_stalled_io_check',
  iops_exceeded_check: 'volume_iops_exceeded_check',
  throughput_exceeded_check: 'volume_throughput_exceeded_check',
  instance_iops_exceeded_check: 'instance_ebs_iops_exceeded_check',
  instance_throughput_exceeded_check: 'instance_ebs_throughput_exceeded_check',
  instance_read_operations: 'ebs_read_ops',
  instance_write_operations: 'ebs_write_ops',
  instance_read_bytes: 'ebs_read_bytes',
  instance_write_bytes: 'ebs_write_bytes',
  instance_io_balance_percent: 'ebs_io_balance_percent',
  instance_byte_balance_percent: 'ebs_byte_balance_percent',
  status: 'status',
  cause: 'cause',
  limit_scope: 'limit_scope',
} as const;

const hourColumns = {
  account: 'account',
  region: 'region',
  volume_id: 'resource_id',
  hour: "date_trunc('hour', minute)",
  minutes: 'count(*)',
  avg_iops: 'avg(iops)',
  max_iops: 'max(iops)',
  avg_mibps: 'avg(mibps)',
  max_mibps: 'max(mibps)',
  avg_queue_length: 'avg(queue_length)',
  max_queue_length: 'max(queue_length)',
  lowest_burst_balance_percent: 'min(burst_balance_percent)',
  iops_exceeded_minutes: 'sum(iops_exceeded_check)',
  throughput_exceeded_minutes: 'sum(throughput_exceeded_check)',
  evaluated_minutes: 'count(status)',
  throttled_minutes: `CASE WHEN count(status) > 0 THEN count(CASE WHEN status = '${throttledStatus}' THEN 1 END) END`,
} as const;
const hourKeys = 4;

export type ViewColumns = { minutes: keyof typeof minuteColumns; volume_hours: keyof typeof hourColumns };
export type ViewName = keyof ViewColumns;
export const viewNames: readonly ViewName[] = ['minutes', 'volume_hours'];

export const columnsOfView = <V extends ViewName>(view: V): ViewColumns[V][] =>
  Object.keys(view === 'minutes' ? minuteColumns : hourColumns) as ViewColumns[V][];

export type SqlType = 'VARCHAR' | 'TIMESTAMP' | 'DATE' | 'FLOAT' | 'DOUBLE' | 'BIGINT';
export interface TypedColumn {
  name: string;
  type: SqlType;
}

const selected = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => (name === sql ? name : `${sql} AS ${name}`))
    .join(', ');

/** What follows `CREATE VIEW name AS`. */
export const viewSql: Readonly<Record<ViewName, string>> = {
  minutes: `SELECT ${selected(minuteColumns)} FROM metrics`,
  volume_hours: `SELECT ${selected(hourColumns)} FROM minutes WHERE resource_type = 'volume' GROUP BY ${Array.from({ length: hourKeys }, (_, i) => i + 1).join(', ')}`,
};

/** Of inventory and findings those of the place where a file lies. */
export const placeColumns: readonly TypedColumn[] = [
  { name: 'account', type: 'VARCHAR' },
  { name: 'region', type: 'VARCHAR' },
  { name: 'day', type: 'DATE' },
];

/** The columns of `metrics` and their types, those of the place where a file lies included. */
export const storedColumns: readonly TypedColumn[] = [
  ...['account', 'region', 'resource_type', 'resource_id', 'arn'].map((name) => ({
    name,
    type: 'VARCHAR' as const,
  })),
  { name: 'minute', type: 'TIMESTAMP' },
  { name: 'day', type: 'DATE' },
  ...metricNames.map((metric) => metricColumns[metric]),
  ...evaluationColumns.map((name) => ({ name, type: 'VARCHAR' as const })),
];

const hourTypes: Partial<Record<keyof typeof hourColumns, SqlType>> = {
  ...{ account: 'VARCHAR', region: 'VARCHAR', volume_id: 'VARCHAR', hour: 'TIMESTAMP' },
  ...{ minutes: 'BIGINT', evaluated_minutes: 'BIGINT', throttled_minutes: 'BIGINT' },
};

/** The columns of a view in their order; what is no name, time or count is a DOUBLE. */
export function typedColumnsOf(view: ViewName): TypedColumn[] {
  if (view === 'volume_hours')
    return columnsOfView(view).map((name) => ({ name, type: hourTypes[name] ?? 'DOUBLE' }));
  const stored = new Map(storedColumns.map(({ name, type }) => [name, type]));
  return Object.entries(minuteColumns).map(([name, sql]) => ({ name, type: stored.get(sql) ?? 'DOUBLE' }));
}

/** What `history top` orders volumes by: the highest minute, or how many minutes a check was exceeded. */
export const topFigures = ['iops', 'mibps', 'queue', 'exceeded-minutes'] as const;
export type TopFigure = (typeof topFigures)[number];

const orderOf: Readonly<Record<TopFigure, string>> = {
  iops: 'max_iops',
  mibps: 'max_mibps',
  queue: 'max_queue_length',
  'exceeded-minutes': 'exceeded_minutes',
};

/** Sums of five minutes would make five times the IOPS: then all points lie at whole five minutes. */
const isCoarse = 'count(*) > 1 AND count(CASE WHEN extract(MINUTE FROM minute) % 5 <> 0 THEN 1 END) = 0';

/** Where one of both checks is not known, what the other one does not say is not known. */
export const exceededSql = `CASE WHEN iops_exceeded_check > 0 OR throughput_exceeded_check > 0 THEN 1
  WHEN iops_exceeded_check IS NULL OR throughput_exceeded_check IS NULL THEN NULL ELSE 0 END`;

const ratesOfVolume = ['avg_iops', 'max_iops', 'avg_mibps', 'max_mibps', 'exceeded_minutes'] as const;

/**
 * A row a volume, the highest first; figures of a coarse one are null.
 * @param of which minutes, such as `day >= DATE '2026-11-01'`.
 */
export const topSql = (by: TopFigure, most: number, of: readonly string[] = []): string => `
WITH volumes AS (
  SELECT resource_id AS volume_id, account, region, count(*) AS minutes, ${isCoarse} AS is_coarse,
    avg(iops) AS avg_iops, max(iops) AS max_iops, avg(mibps) AS avg_mibps, max(mibps) AS max_mibps,
    avg(queue_length) AS avg_queue_length, max(queue_length) AS max_queue_length,
    min(burst_balance_percent) AS lowest_burst_balance_percent, CAST(sum(${exceededSql}) AS INTEGER) AS exceeded_minutes,
    CASE WHEN count(status) > 0 THEN count(CASE WHEN status = '${throttledStatus}' THEN 1 END) END AS throttled_minutes
  FROM minutes WHERE ${["resource_type = 'volume'", ...of].join(' AND ')} GROUP BY 1, 2, 3
), told AS (
  SELECT volume_id, account, region, minutes, avg_queue_length, max_queue_length, lowest_burst_balance_percent,
    throttled_minutes, is_coarse,
    ${ratesOfVolume.map((name) => `CASE WHEN NOT is_coarse THEN ${name} END AS ${name}`).join(', ')}
  FROM volumes
)
SELECT * FROM told ORDER BY ${orderOf[by]} DESC NULLS LAST, volume_id LIMIT ${most}`;

export const countSql =
  "SELECT count(DISTINCT resource_id) AS volumes FROM minutes WHERE resource_type = 'volume'";
