/** `stripewise history fleet`: by ISO week throttled minutes, of all volumes and of the first ones, USD a month and findings. Asks DuckDB. */
import { Command } from 'commander';
import { fleetWeeksOf, fleetWeeksSql } from '../core/archive/fleet-weeks.ts';
import { lastOfWeeks, weekFindingsSql, weekUsdSql, withTables } from '../core/archive/week-tables.ts';
import type { FleetWeeks } from '../core/schemas/history-fleet.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { fleetWeeksText } from '../report/terminal/history-fleet.ts';
import { askInSql, ofArchive } from './history-archive.ts';
import { type Ended, exitCodesHelp, type HistoryOptions, print } from './history-print.ts';
import type { Io } from './io.ts';
import { wholeFrom } from './options.ts';

interface Options extends HistoryOptions {
  top: number;
}

const mostTop = 1_000;
/** A thousand volumes of each of 400 weeks. */
const mostRows = 400_000;

async function fleetOf({ top, ...options }: Options): Promise<FleetWeeks> {
  const { answer, unreadFiles } = await askInSql(
    options,
    async (sql, read) => {
      const { columns, rows } = await sql.select(fleetWeeksSql(top), mostRows);
      const places = read.flatMap(({ place }) =>
        place.kept === 'inventory' || place.kept === 'findings' ? [place] : [],
      );
      return withTables(fleetWeeksOf(columns, rows), {
        places,
        usd: (await sql.select(weekUsdSql, mostRows)).rows,
        findings: (await sql.select(weekFindingsSql, mostRows)).rows,
      });
    },
    lastOfWeeks,
  );
  const isoOrNull = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : isoFromEpochSeconds(seconds);
  return {
    window: { start: isoOrNull(options.from), end: isoOrNull(options.to) },
    weeks: answer,
    unreadFiles,
  };
}

export const fleetCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('fleet'))
    .description(
      'All volumes by ISO week: throttled minutes and whose they are, minutes that checks report, USD a month, findings.',
    )
    .option('--top <n>', 'how many volumes of each week --json names', wholeFrom('--top', 1, mostTop), 5)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Asks DuckDB, which is installed apart: npm install @duckdb/node-api

Throttled minutes are those that evaluation wrote; - is unknown. A minute counts as exceeded where one of both checks
reports it: a check alone is no truth of throttling. USD a month and findings are of the last day of the week that has
them, of each account and Region. "At least" leaves out volumes whose price is not known.
${exitCodesHelp}
Examples:
  stripewise history fleet --archive minutes --from 2026-09-01
  stripewise history fleet --archive s3://bucket/prefix --region eu-central-1 --from 2026-11-01 --json`,
    )
    .action(async ({ json, ...options }: Options) => {
      print(await fleetOf(options), fleetWeeksText, json, io, end);
    });
