/** `stripewise history trend`: whether a volume's demand grows, and when it meets the limit. Needs no DuckDB. */
import { Command } from 'commander';
import { readInventory } from '../adapters/files/aws-cli-fleet.ts';
import { fileAt } from '../adapters/files/read-file.ts';
import { ratesOf } from '../core/archive/rates.ts';
import { dailyDemand, trendOf } from '../core/archive/trend.ts';
import { BadInput } from '../core/errors.ts';
import { configurationOf } from '../core/inventory.ts';
import { sanitize } from '../core/sanitize.ts';
import { type TrendFigure, trendFigures, type VolumeTrend } from '../core/schemas/history-trend.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { trendText } from '../report/terminal/history-trend.ts';
import { ofArchive } from './history-archive.ts';
import { type Ended, exitCodesHelp, type HistoryOptions, print } from './history-print.ts';
import { type ReadVolume, readVolume } from './history-volume.ts';
import type { Io } from './io.ts';
import { positive } from './options.ts';

interface LimitOptions {
  volumes?: string[];
  limitIops?: number;
  limitMibps?: number;
}

type Limits = Record<TrendFigure, number | null>;

/** As the last audit of these days saw the volume; null where none kept an inventory. */
async function archivedLimits({ inventory }: ReadVolume): Promise<Limits | null> {
  const row = await inventory();
  const figure = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return row === null ? null : { iops: figure(row.baseline_iops), mibps: figure(row.baseline_mibps) };
}

/** What a volume can do without credits: they end. @throws BadInput where the files do not have it. */
/** @returns null: neither files nor figures are given. */
function limitsOf({ volumes, limitIops, limitMibps }: LimitOptions, volumeId: string): Limits | null {
  const given = { iops: limitIops ?? null, mibps: limitMibps ?? null };
  if (volumes === undefined) return given.iops === null && given.mibps === null ? null : given;
  const found = readInventory(volumes.map(fileAt), []).volumes.find((one) => one.volumeId === volumeId);
  if (found === undefined)
    throw new BadInput(
      `--volumes: ${sanitize(volumeId)} is not in it: give the file of its Region, or --limit-iops`,
    );
  const configured = configurationOf(found);
  if (!configured.known) return given;
  const { baselineIops, baselineMiBps } = configured.value.limits;
  return { iops: given.iops ?? baselineIops, mibps: given.mibps ?? baselineMiBps };
}

function volumeTrend(read: ReadVolume, limits: Limits): VolumeTrend {
  const { volumeId, target, minutes, window, unreadFiles } = read;
  const rates = ratesOf(minutes);
  const times = minutes?.epochSeconds ?? new Float64Array();
  return {
    volumeId,
    ...target,
    window: { start: isoFromEpochSeconds(window.from), end: isoFromEpochSeconds(window.end) },
    figures: trendFigures.map((figure) => {
      const days = dailyDemand(times, rates[figure], rates.periodSeconds);
      return { figure, limit: limits[figure], ...trendOf(days, limits[figure]), days };
    }),
    unreadFiles,
  };
}

interface Options extends HistoryOptions, LimitOptions {}

export const trendCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('trend'))
    .description('Whether the demand of a volume grows, and when it meets the limit of the volume.')
    .argument('<id>', 'of the volume')
    .option(
      '--volumes <files...>',
      'of `aws ec2 describe-volumes`: the limits are those of the volume there (default: as the archive has it)',
    )
    .option('--limit-iops <n>', 'the limit, instead of that of --volumes', positive('--limit-iops', 'IOPS'))
    .option(
      '--limit-mibps <n>',
      'the limit, instead of that of --volumes',
      positive('--limit-mibps', 'MiB/s'),
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
A day counts by the 95th percentile of its minutes, and is compared with days of the same weekday alone.
No day is shown with fewer than 30 known days, without a certain trend, or beyond a year or twice the days known.
A type that spends credits has its baseline as its limit. What a volume was throttled to is served, not demand.
Needs no DuckDB.
${exitCodesHelp}
Examples:
  stripewise history trend vol-0123456789abcdef0 --archive minutes --volumes volumes.json
  stripewise history trend vol-0123456789abcdef0 --archive s3://bucket/prefix --limit-iops 3000 --json`,
    )
    .action(async (id: string, { json, volumes, limitIops, limitMibps, ...options }: Options) => {
      const given = {
        ...(volumes === undefined ? {} : { volumes }),
        ...(limitIops === undefined ? {} : { limitIops }),
        ...(limitMibps === undefined ? {} : { limitMibps }),
      };
      // What is wrong with the files is said before the archive is read.
      const limits = limitsOf(given, id);
      const read = await readVolume(options, id);
      const none = { iops: null, mibps: null };
      const trend = volumeTrend(read, limits ?? (await archivedLimits(read)) ?? none);
      print(trend, (answer) => trendText(answer, io.columns), json, io, end);
    });
