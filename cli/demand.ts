/** `stripewise demand`: the IOPS that a database needs. */
import { Command } from 'commander';
import { type HostFileOptions, readRecording } from '../adapters/files/host-series.ts';
import { readText } from '../adapters/files/read-file.ts';
import { demandFromAwr } from '../core/demand/awr-report.ts';
import { type DatabaseDemand, databaseDemand } from '../core/demand/database-demand.ts';
import { hostDemand } from '../core/demand/host-report.ts';
import { BadInput } from '../core/errors.ts';
import type { HostDemand } from '../core/schemas/host-demand.ts';
import { demandText } from '../report/terminal/answers.ts';
import { hostDemandText } from '../report/terminal/host-demand.ts';
import { deviceOption, intervalOption, startOption } from './host-options.ts';
import { type Io, printJson } from './io.ts';
import { nonNegative } from './options.ts';

interface Options extends HostFileOptions {
  from?: string;
  reads?: number;
  writes?: number;
  redoWrites?: number;
  awr?: string;
  json?: true;
}

function fromAwrFile(path: string): DatabaseDemand['parts'] {
  const text = readText(path);
  try {
    return demandFromAwr(text);
  } catch (error) {
    throw error instanceof BadInput ? new BadInput(`${path}: ${error.message}`, { cause: error }) : error;
  }
}

function partsOf({ reads, writes, redoWrites, awr }: Options): DatabaseDemand['parts'] {
  const rates = [reads, writes, redoWrites];
  if (awr !== undefined) {
    if (rates.some((rate) => rate !== undefined)) {
      throw new BadInput('--awr already tells the rates: leave out --reads, --writes and --redo-writes');
    }
    return fromAwrFile(awr);
  }
  if (reads === undefined || writes === undefined || redoWrites === undefined) {
    throw new BadInput(
      'the demand is not complete: give --reads, --writes and --redo-writes (I/O requests per second), --awr FILE, or --from FILE',
    );
  }
  return { reads, writes, redoWrites };
}

function fromRecording(path: string, options: Options): HostDemand {
  const { reads, writes, redoWrites, awr } = options;
  if ([reads, writes, redoWrites, awr].some((given) => given !== undefined))
    throw new BadInput('--from has the rates: leave out --reads, --writes, --redo-writes and --awr');
  const recording = readRecording(path, options);
  try {
    return hostDemand(recording);
  } catch (error) {
    throw error instanceof BadInput ? new BadInput(`${path}: ${error.message}`, { cause: error }) : error;
  }
}

/** Options of a recording without one are a mistake. */
function requireRecording({ device, start, intervalSeconds }: Options): void {
  if (device !== undefined || start !== undefined || intervalSeconds !== undefined)
    throw new BadInput('--device, --start and --interval-seconds are of a recording: give --from too');
}

const rate = (option: string) => nonNegative(option, 'I/O requests per second');

export const demandCommand = (io: Io): Command =>
  new Command('demand')
    .description(
      'The IOPS that is needed: of what a host recorded, or of a database (physical reads + writes + redo writes).',
    )
    .option(
      '--from <file>',
      'a recording: text of `iostat -xt` or `sar -d`, CSV of pg_stat_io, or a series of `replay`',
    )
    .addOption(deviceOption())
    .addOption(startOption())
    .addOption(intervalOption())
    .option('--reads <n>', 'physical read total IO requests per second', rate('--reads'))
    .option('--writes <n>', 'physical write total IO requests per second', rate('--writes'))
    .option('--redo-writes <n>', 'redo writes per second', rate('--redo-writes'))
    .option('--awr <file>', 'take all three from an Oracle AWR report (text)')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  stripewise demand --reads 3200 --writes 1100 --redo-writes 260
  stripewise demand --awr awrrpt_1_2340_2341.txt --json
  iostat -xt 60 > iostat.txt      # for a busy day
  stripewise demand --from iostat.txt --device nvme1n1
  psql -c "\\copy (SELECT now() AS timestamp, * FROM pg_stat_io) TO STDOUT CSV HEADER" >> pg_stat_io.csv   # each minute
  stripewise demand --from pg_stat_io.csv`,
    )
    .action((options: Options) => {
      if (options.from !== undefined) {
        const recorded = fromRecording(options.from, options);
        if (options.json) printJson(io, recorded);
        else for (const line of hostDemandText(recorded, io.invokedAs)) io.out(line);
        return;
      }
      requireRecording(options);
      const result = databaseDemand(partsOf(options));
      if (options.json) printJson(io, result);
      else for (const line of demandText(result)) io.out(line);
    });
