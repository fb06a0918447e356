/** The fleet by ISO week: throttled minutes where they were evaluated, and minutes that checks report. In SQL of DuckDB and Athena. */
import { groupBy } from '../group-by.ts';
import type { FleetWeek } from '../schemas/history-fleet.ts';
import { isoWeek } from './iso-week.ts';
import { exceededSql, throttledStatus } from './views.ts';

const asked = [
  ...['week', 'volume_id', 'account', 'region', 'throttled_minutes', 'exceeded_minutes'],
  ...['week_volumes', 'week_days', 'week_evaluated', 'week_throttled_volumes', 'week_minutes'],
  ...['week_evaluated_minutes', 'week_throttled', 'week_exceeded'],
];

/** A row a week and volume, the first ones of each week; what is of the whole week stands in each. */
export const fleetWeeksSql = (top: number): string => `
WITH weeks AS (
  SELECT CAST(date_trunc('week', minute) AS DATE) AS week, account, region, resource_id AS volume_id, count(*) AS minutes,
    count(DISTINCT CAST(minute AS DATE)) AS days, count(status) AS evaluated_minutes,
    CASE WHEN count(status) > 0 THEN count(CASE WHEN status = '${throttledStatus}' THEN 1 END) END AS throttled_minutes,
    sum(${exceededSql}) AS exceeded_minutes
  FROM minutes WHERE resource_type = 'volume' GROUP BY 1, 2, 3, 4
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY week
      ORDER BY throttled_minutes DESC NULLS LAST, exceeded_minutes DESC NULLS LAST, volume_id) AS place,
    count(*) OVER (PARTITION BY week) AS week_volumes, max(days) OVER (PARTITION BY week) AS week_days,
    count(throttled_minutes) OVER (PARTITION BY week) AS week_evaluated,
    count(CASE WHEN throttled_minutes > 0 THEN 1 END) OVER (PARTITION BY week) AS week_throttled_volumes,
    sum(minutes) OVER (PARTITION BY week) AS week_minutes,
    sum(evaluated_minutes) OVER (PARTITION BY week) AS week_evaluated_minutes,
    sum(throttled_minutes) OVER (PARTITION BY week) AS week_throttled,
    sum(exceeded_minutes) OVER (PARTITION BY week) AS week_exceeded
  FROM weeks
)
SELECT ${asked.join(', ')}
FROM placed WHERE place <= ${top} ORDER BY week, place`;

type MinutesOfWeek = Omit<FleetWeek, 'cost' | 'findings'>;

const orNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

/** @param rows of `fleetWeeksSql`. */
export function fleetWeeksOf(
  columns: readonly { name: string }[],
  rows: readonly (readonly unknown[])[],
): MinutesOfWeek[] {
  const named = rows.map(
    (row) => new Map<string, unknown>(columns.map(({ name }, i) => [name, row[i]])) as Map<string, unknown>,
  );
  return [...groupBy(named, (row) => String(row.get('week')).slice(0, '2026-11-23'.length))].map(
    ([from, own]): MinutesOfWeek => {
      const [first] = own;
      const of = (name: string): number => Number(first?.get(name));
      const evaluated = of('week_evaluated');
      return {
        ...{ week: isoWeek(from), from, daysWithPoints: of('week_days'), volumes: of('week_volumes') },
        volumesEvaluated: evaluated,
        volumesThrottled: evaluated === 0 ? null : of('week_throttled_volumes'),
        ...{ minutes: of('week_minutes'), evaluatedMinutes: of('week_evaluated_minutes') },
        throttledMinutes: orNull(first?.get('week_throttled')),
        exceededMinutes: orNull(first?.get('week_exceeded')),
        top: own
          .map((row) => ({
            volumeId: String(row.get('volume_id')),
            account: String(row.get('account')),
            region: String(row.get('region')),
            throttledMinutes: orNull(row.get('throttled_minutes')),
            exceededMinutes: orNull(row.get('exceeded_minutes')),
          }))
          .filter(
            ({ throttledMinutes, exceededMinutes }) =>
              (throttledMinutes ?? 0) > 0 || (exceededMinutes ?? 0) > 0,
          ),
      };
    },
  );
}
