/** `stripewise demand`: the IOPS that a database needs. */
import { Command } from 'commander';
import { readText } from '../adapters/files/read-file.ts';
import { demandFromAwr } from '../core/demand/awr-report.ts';
import { type DatabaseDemand, databaseDemand } from '../core/demand/database-demand.ts';
import { BadInput } from '../core/errors.ts';
import { demandText } from '../report/terminal/answers.ts';
import { type Io, printJson } from './io.ts';
import { nonNegative } from './options.ts';

interface Options {
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
      'the demand is not complete: give --reads, --writes and --redo-writes (I/O requests per second), or --awr FILE',
    );
  }
  return { reads, writes, redoWrites };
}

const rate = (option: string) => nonNegative(option, 'I/O requests per second');

export const demandCommand = (io: Io): Command =>
  new Command('demand')
    .description('The IOPS a database needs: physical reads + physical writes + redo writes, per second.')
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
  stripewise demand --awr awrrpt_1_2340_2341.txt --json`,
    )
    .action((options: Options) => {
      const result = databaseDemand(partsOf(options));
      if (options.json) printJson(io, result);
      else for (const line of demandText(result)) io.out(line);
    });
