/** Questions that are asked often, in SQL that Athena and DuckDB both speak. Each names its days: a day that is not named is not read. */
import type { ArchivedPlaces } from './athena.ts';
import { throttledStatus, topSql } from './views.ts';

export const savedQueryNames = [
  'throttled-by-week',
  'busiest-volumes',
  'month-end-peaks',
  'day-of-volume',
] as const;
export type SavedQueryName = (typeof savedQueryNames)[number];

const lastDays = (days: number): string => `day >= current_date - INTERVAL '${days}' DAY`;
const busiest = 50;
/** Of a month: what runs at its end begins before its last day. */
const monthEndDays = 3;

const conditions = (all: readonly string[]): string => all.join('\n  AND ');

const throttledByWeek = (where: readonly string[]): string => `
SELECT CAST(date_trunc('week', day) AS DATE) AS week, account, region, resource_id AS volume_id,
  count(*) AS minutes, count(status) AS evaluated_minutes,
  CASE WHEN count(status) > 0 THEN count(CASE WHEN status = '${throttledStatus}' THEN 1 END) END AS throttled_minutes
FROM minutes
WHERE ${conditions(["resource_type = 'volume'", lastDays(91), ...where])}
GROUP BY 1, 2, 3, 4
ORDER BY week, throttled_minutes DESC NULLS LAST, volume_id`;

const monthEndPeaks = (where: readonly string[]): string => `
WITH days AS (
  SELECT CAST(date_trunc('month', day) AS DATE) AS month, account, region, resource_id AS volume_id,
    extract(MONTH FROM day + INTERVAL '${monthEndDays}' DAY) <> extract(MONTH FROM day) AS is_month_end,
    max(iops) AS max_iops, max(mibps) AS max_mibps
  FROM minutes
  WHERE ${conditions(["resource_type = 'volume'", lastDays(365), ...where])}
  GROUP BY 1, 2, 3, 4, 5
)
SELECT month, account, region, volume_id,
  max(CASE WHEN is_month_end THEN max_iops END) AS month_end_max_iops,
  max(CASE WHEN NOT is_month_end THEN max_iops END) AS other_max_iops,
  max(CASE WHEN is_month_end THEN max_mibps END) AS month_end_max_mibps,
  max(CASE WHEN NOT is_month_end THEN max_mibps END) AS other_max_mibps
FROM days
GROUP BY 1, 2, 3, 4
ORDER BY month, month_end_max_iops DESC NULLS LAST, volume_id`;

/** Who asks writes a volume and day of his own. */
const dayOfVolume = (where: readonly string[]): string => `
SELECT minute, read_iops, write_iops, iops, read_mibps, write_mibps, mibps, read_latency_ms, write_latency_ms,
  queue_length, burst_balance_percent, iops_exceeded_check, throughput_exceeded_check, status, cause, limit_scope
FROM minutes
WHERE ${conditions(["resource_id = 'vol-0123456789abcdef0'", "day = DATE '2026-11-23'", ...where])}
ORDER BY minute`;

const queries: Readonly<Record<SavedQueryName, (where: readonly string[]) => string>> = {
  'throttled-by-week': throttledByWeek,
  'busiest-volumes': (where) => topSql('iops', busiest, [lastDays(14), ...where]),
  'month-end-peaks': monthEndPeaks,
  'day-of-volume': dayOfVolume,
};

/** @param example of an account and Region, which a question must name where they are not enumerated. */
export function savedQuery(
  name: SavedQueryName,
  { accounts, regions }: ArchivedPlaces,
  example: { account: string; region: string },
): string {
  const where = [
    ...(accounts === null ? [`account = '${example.account}'`] : []),
    ...(regions === null ? [`region = '${example.region}'`] : []),
  ];
  return queries[name](where).trim();
}
