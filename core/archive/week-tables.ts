/**
 * USD and findings of each week: of the last day that has the table, of each account and Region. A table without a row says that there
 * was none, so the days are those of the files.
 */
import { groupBy } from '../group-by.ts';
import { type Severity, severities } from '../schemas/finding-kinds.ts';
import type { FleetWeek } from '../schemas/history-fleet.ts';
import { isoWeek, mondayOf } from './iso-week.ts';
import { placeOf, type TablePlace } from './keys.ts';

/** Of each table, week, account and Region the newest. */
export const lastOfWeeks = (places: readonly TablePlace[]): TablePlace[] =>
  [...groupBy(places, (one) => `${one.kept} ${mondayOf(one.time)} ${placeOf(one)}`).values()].map((own) =>
    own.reduce((newest, one) => (one.time > newest.time ? one : newest)),
  );

const week = "CAST(date_trunc('week', day) AS DATE) AS week";

/** Of the tables of `lastOfWeeks` alone. */
export const weekUsdSql = `
SELECT ${week}, count(*) AS volumes, count(monthly_usd) AS priced, sum(monthly_usd) AS usd FROM inventory GROUP BY 1`;
export const weekFindingsSql = `SELECT ${week}, severity, count(*) AS findings FROM findings GROUP BY 1, 2`;

type Row = readonly unknown[];

export interface WeekTables {
  /** Those that could be read. */
  places: readonly TablePlace[];
  /** Of `weekUsdSql`. */
  usd: readonly Row[];
  /** Of `weekFindingsSql`. */
  findings: readonly Row[];
}

const dayIn = (cell: unknown): string => String(cell).slice(0, '2026-11-23'.length);

/** By Monday, the newest day with such a table. */
const newestOf = (places: readonly TablePlace[], kept: TablePlace['kept']): Map<string, string> =>
  new Map(
    places
      .filter((one) => one.kept === kept)
      .map(({ time }) => time)
      .sort()
      .map((day) => [mondayOf(day), day]),
  );

function costsOf({ places, usd }: WeekTables): Map<string, NonNullable<FleetWeek['cost']>> {
  const rows = new Map(usd.map((row) => [dayIn(row[0]), row]));
  return new Map(
    [...newestOf(places, 'inventory')].map(([monday, day]) => {
      const [, volumes = 0, priced = 0, sum = 0] = rows.get(monday) ?? [];
      const unpriced = Number(volumes) - Number(priced);
      const usdMonth = unpriced > 0 && Number(priced) === 0 ? null : Number(sum);
      return [monday, { day, volumes: Number(volumes), unpriced, usdMonth }];
    }),
  );
}

function findingsOf({ places, findings }: WeekTables): Map<string, NonNullable<FleetWeek['findings']>> {
  const rows = groupBy(findings, ([monday]) => dayIn(monday));
  return new Map(
    [...newestOf(places, 'findings')].map(([monday, day]) => {
      const counts = new Map(rows.get(monday)?.map(([, severity, count]) => [severity, Number(count)]));
      const of = (severity: Severity): number => counts.get(severity) ?? 0;
      const bySeverity = Object.fromEntries(severities.map((one) => [one, of(one)])) as Record<
        Severity,
        number
      >;
      return [monday, { day, ...bySeverity }];
    }),
  );
}

/** Weeks that have minutes, tables or both. */
export function withTables(
  weeks: readonly Omit<FleetWeek, 'cost' | 'findings'>[],
  tables: WeekTables,
): FleetWeek[] {
  const [costs, findings] = [costsOf(tables), findingsOf(tables)];
  const withMinutes = new Map(weeks.map((one) => [one.from, one]));
  return [...new Set([...withMinutes.keys(), ...costs.keys(), ...findings.keys()])].sort().map((from) => ({
    ...(withMinutes.get(from) ?? {
      ...{ week: isoWeek(from), from, daysWithPoints: 0, volumes: 0, volumesEvaluated: 0 },
      ...{ volumesThrottled: null, minutes: 0, evaluatedMinutes: 0 },
      ...{ throttledMinutes: null, exceededMinutes: null, top: [] },
    }),
    cost: costs.get(from) ?? null,
    findings: findings.get(from) ?? null,
  }));
}
