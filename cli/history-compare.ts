/** `stripewise history compare`: two periods of one volume. Needs no DuckDB. */
import { Command } from 'commander';
import { metricsOfPeriods, periodNotesOf, periodOfVolume } from '../core/archive/compare-periods.ts';
import type { PeriodsComparison } from '../core/schemas/history-compare.ts';
import { periodsText } from '../report/terminal/history-compare.ts';
import { type ArchiveOptions, ofPlace, periodOption } from './history-archive.ts';
import { type Ended, exitCodesHelp, print } from './history-print.ts';
import { readVolume } from './history-volume.ts';
import type { Io } from './io.ts';

type Given = ReturnType<ReturnType<typeof periodOption>>;

interface Options extends Omit<ArchiveOptions, 'from' | 'to'> {
  period: Given;
  with: Given;
  json?: true;
}

async function comparisonOf(
  { period, with: other, ...options }: Options,
  id: string,
): Promise<PeriodsComparison> {
  const [first, second] = (await Promise.all(
    [period, other].map((window) => readVolume({ ...options, ...window }, id, metricsOfPeriods)),
  )) as [Awaited<ReturnType<typeof readVolume>>, Awaited<ReturnType<typeof readVolume>>];
  const periods = [first, second].map(({ minutes, window }) => periodOfVolume(minutes, window)) as [
    PeriodsComparison['period'],
    PeriodsComparison['with'],
  ];
  const unread = new Map([...first.unreadFiles, ...second.unreadFiles].map((one) => [one.file, one]));
  return {
    volumeId: id,
    ...first.target,
    ...{ period: periods[0], with: periods[1], notes: periodNotesOf(...periods) },
    unreadFiles: [...unread.values()],
  };
}

export const compareCommand = (io: Io, end: Ended): Command =>
  ofPlace(new Command('compare'))
    .description('Two periods of a volume: rates, latency, queue and throttled minutes.')
    .argument('<id>', 'of the volume')
    .requiredOption('--period <from/to>', 'days (both included) or times, UTC', periodOption('--period'))
    .requiredOption('--with <from/to>', 'the period it is compared with', periodOption('--with'))
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
A change is that of the period against the other one. Latency is known where the archive keeps the time of operations.
Throttled minutes are those that evaluation wrote; - is unknown. Needs no DuckDB.
Two runs of the audit are compared by \`stripewise compare\`.
${exitCodesHelp}
Examples:
  stripewise history compare vol-0123456789abcdef0 --archive minutes --period 2026-11-16/2026-11-22 --with 2026-11-09/2026-11-15
  stripewise history compare vol-0123456789abcdef0 --archive s3://bucket/prefix --period 2026-10-01/2026-10-28 --with 2026-09-03/2026-09-30 --json`,
    )
    .action(async (id: string, { json, ...options }: Options) => {
      print(await comparisonOf(options, id), (answer) => periodsText(answer, io.columns), json, io, end);
    });
