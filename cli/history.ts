/** `stripewise history`: questions to an archive of minutes. */
import { Command } from 'commander';
import { countSql, type TopFigure, topFigures, topSql } from '../core/archive/views.ts';
import type { SqlAnswer, TopVolume, TopVolumes } from '../core/schemas/history-answers.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { sqlText, topText, volumeHistoryText } from '../report/terminal/history.ts';
import { askInSql, ofArchive } from './history-archive.ts';
import { compareCommand } from './history-compare.ts';
import { fleetCommand } from './history-fleet.ts';
import { heatMapCommand } from './history-heat-map.ts';
import { type Ended, exitCodesHelp, type HistoryOptions, print } from './history-print.ts';
import { trendCommand } from './history-trend.ts';
import type { Io } from './io.ts';
import { oneOf, wholeFrom } from './options.ts';

const volumeCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('volume'))
    .description('One volume: what the archive has of it, its holes, and a line a day.')
    .argument('<id>', 'of the volume')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Reads of each file the part that holds the volume. Needs no DuckDB.
A minute that its IOPS or throughput check reports is not throttled for that: a check alone is no truth.
Throttled minutes are those that evaluation wrote; - is unknown.
${exitCodesHelp}
Examples:
  stripewise history volume vol-0123456789abcdef0 --archive minutes
  stripewise history volume vol-0123456789abcdef0 --archive s3://bucket/prefix --from 2026-09-01 --to 2026-09-30`,
    )
    .action(async (id: string, { json, ...options }: HistoryOptions) => {
      const { volumeOf } = await import('./history-volume.ts');
      const lines = (answer: Awaited<ReturnType<typeof volumeOf>>) => volumeHistoryText(answer, io.columns);
      print(await volumeOf(options, id), lines, json, io, end);
    });

/** As views name them, to what the schema names them. */
const topVolume = (row: readonly unknown[], columns: readonly { name: string }[]): TopVolume => {
  const of = new Map(columns.map(({ name }, i) => [name, row[i]]));
  const get = <T>(name: string): T => of.get(name) as T;
  return {
    ...{ volumeId: get('volume_id'), account: get('account'), region: get('region') },
    ...{ minutes: get('minutes'), isCoarse: get('is_coarse') },
    ...{ avgIops: get('avg_iops'), maxIops: get('max_iops') },
    ...{ avgMiBps: get('avg_mibps'), maxMiBps: get('max_mibps') },
    ...{ avgQueueLength: get('avg_queue_length'), maxQueueLength: get('max_queue_length') },
    lowestBalancePercent: get('lowest_burst_balance_percent'),
    ...{ exceededMinutes: get('exceeded_minutes'), throttledMinutes: get('throttled_minutes') },
  };
};

const isoOrNull = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : isoFromEpochSeconds(seconds);

interface TopOptions extends HistoryOptions {
  by: TopFigure;
  top: number;
}

async function topOf({ by, top, ...options }: TopOptions): Promise<TopVolumes> {
  const { answer, unreadFiles } = await askInSql(options, async (sql) => {
    const { columns, rows } = await sql.select(topSql(by, top), top);
    const counted = await sql.select(countSql, 1);
    return {
      volumes: rows.map((row) => topVolume(row, columns)),
      volumesWithPoints: Number(counted.rows[0]?.[0] ?? 0),
    };
  });
  const window = { start: isoOrNull(options.from), end: isoOrNull(options.to) };
  return { by, window, ...answer, unreadFiles };
}

const mostTop = 1_000;

const topCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('top'))
    .description('The volumes with the highest minute, or with the most minutes that a check reports.')
    .option('--by <figure>', topFigures.join(', '), oneOf('--by', topFigures), 'iops')
    .option('--top <n>', 'how many volumes', wholeFrom('--top', 1, mostTop), 10)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Asks DuckDB, which is installed apart: npm install @duckdb/node-api

Files in S3 are fetched to a temporary directory; name days, accounts and Regions to fetch fewer.
A minute counts as exceeded where one of both checks reports it: a check alone is no truth of throttling.
${exitCodesHelp}
Examples:
  stripewise history top --archive minutes --by exceeded-minutes --from 2026-11-01
  stripewise history top --archive s3://bucket/prefix --by mibps --region eu-central-1 --from 2026-11-01 --json`,
    )
    .action(async ({ json, ...options }: TopOptions) => {
      print(await topOf(options), (answer) => topText(answer, io.columns), json, io, end);
    });

const mostRows = { table: 1_000, json: 1_000_000 } as const;

const sqlCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('sql'))
    .description('A question in SQL to the views minutes, volume_hours, inventory and findings.')
    .argument('<select>', 'one SELECT')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Asks DuckDB, which is installed apart: npm install @duckdb/node-api

Columns and units of the views: docs/reference/history.md. Files in S3 are fetched to a temporary directory.
An archive that audit --save made has no status: throttled minutes are null there.
The SELECT reads the archive alone: no other file, no network, no extension, and it writes nothing.
A table has at most ${mostRows.table.toLocaleString('en-US')} rows; --json has a million.
${exitCodesHelp}
Examples:
  stripewise history sql "SELECT * FROM minutes LIMIT 5" --archive minutes
  stripewise history sql "SELECT volume_id, sum(throttled_minutes) FROM volume_hours GROUP BY 1 ORDER BY 2 DESC" --archive minutes
  stripewise history sql "SELECT day, max(iops) FROM minutes GROUP BY 1" --archive s3://bucket/prefix --from 2026-11-01 --json`,
    )
    .action(async (select: string, { json, ...options }: HistoryOptions) => {
      const most = json ? mostRows.json : mostRows.table;
      const { answer, unreadFiles } = await askInSql(options, (sql) => sql.select(select, most));
      const all: SqlAnswer = { ...answer, unreadFiles };
      print(all, (one) => sqlText(one), json, io, end);
    });

export const historyCommand = (io: Io, end: Ended): Command =>
  new Command('history')
    .description('Questions to an archive of minutes: one volume, its trend, the highest volumes, or SQL.')
    .addHelpText('after', '\nThe views of history sql: minutes, volume_hours, inventory, findings.')
    .addCommand(volumeCommand(io, end))
    .addCommand(trendCommand(io, end))
    .addCommand(heatMapCommand(io, end))
    .addCommand(compareCommand(io, end))
    .addCommand(fleetCommand(io, end))
    .addCommand(topCommand(io, end))
    .addCommand(sqlCommand(io, end));
