/** `stripewise history fleet`: throttled minutes by ISO week, of all volumes and of the first ones. Asks DuckDB. */
import { Command } from 'commander';
import { fleetWeeksOf, fleetWeeksSql } from '../core/archive/fleet-weeks.ts';
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
  const { answer, unreadFiles } = await askInSql(options, (sql) => sql.select(fleetWeeksSql(top), mostRows));
  const isoOrNull = (seconds: number | undefined): string | null =>
    seconds === undefined ? null : isoFromEpochSeconds(seconds);
  return {
    window: { start: isoOrNull(options.from), end: isoOrNull(options.to) },
    weeks: fleetWeeksOf(answer.columns, answer.rows),
    unreadFiles,
  };
}

export const fleetCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('fleet'))
    .description(
      'All volumes by ISO week: throttled minutes, minutes that checks report, and whose they are.',
    )
    .option('--top <n>', 'how many volumes of each week --json names', wholeFrom('--top', 1, mostTop), 5)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Asks DuckDB, which is installed apart: npm install @duckdb/node-api

Throttled minutes are those that evaluation wrote; - is unknown. A minute counts as exceeded where one of both checks
reports it: a check alone is no truth of throttling. USD and findings are not in an archive.
${exitCodesHelp}
Examples:
  stripewise history fleet --archive minutes --from 2026-09-01
  stripewise history fleet --archive s3://bucket/prefix --region eu-central-1 --from 2026-11-01 --json`,
    )
    .action(async ({ json, ...options }: Options) => {
      print(await fleetOf(options), fleetWeeksText, json, io, end);
    });
