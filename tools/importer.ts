/** What the two import tools share: the volume that a recording is to be evaluated on, and how a run ends. */
import { Command, CommanderError } from 'commander';
import { addRecording, type RecordedVolume } from '../adapters/files/recorded-directory.ts';
import { nonNegative, positive, volumeTypeOption } from '../cli/options.ts';
import { BadInput } from '../core/errors.ts';
import { type VolumeType, volumeLimits } from '../core/limits/volume-limits.ts';
import type { SeriesRow } from '../core/load/series-row.ts';
import { sanitize } from '../report/terminal/text.ts';

export interface VolumeOptions {
  into: string;
  id: string;
  type: VolumeType;
  sizeGib: number;
  iops?: number;
  throughputMibps?: number;
}

/** A command with the options that describe the volume. */
export const importer = (name: string, description: string): Command =>
  new Command(name)
    .description(description)
    .exitOverride()
    .argument('<file>', 'the recording, plain or .gz')
    .requiredOption('--into <directory>', 'where the series and volumes.json go')
    .requiredOption('--id <id>', 'what to call the volume')
    .requiredOption('--type <type>', 'volume type to evaluate it on', volumeTypeOption())
    .requiredOption('--size-gib <n>', 'its size in GiB', positive('--size-gib', 'a size in GiB'))
    .option('--iops <n>', 'its provisioned IOPS', nonNegative('--iops', 'IOPS'))
    .option('--throughput-mibps <n>', 'its provisioned MiB/s', nonNegative('--throughput-mibps', 'MiB/s'));

/** Writes the rows under the id, described in volumes.json with what was assumed. */
export function store(options: VolumeOptions, rows: readonly SeriesRow[], assumptions: string[]): void {
  if (!/^[\w.-]+$/.test(options.id)) {
    throw new BadInput(`--id "${options.id}" cannot name a file: give letters, digits, dots and dashes`);
  }
  if (rows.length < 2) {
    throw new BadInput(
      'the recording covers one period only, which cannot be evaluated: give a longer one or a shorter --period-seconds',
    );
  }
  const provisioned = {
    ...(options.iops === undefined ? {} : { iops: options.iops }),
    ...(options.throughputMibps === undefined ? {} : { throughputMiBps: options.throughputMibps }),
  };
  const config = { volumeType: options.type, sizeGiB: options.sizeGib, ...provisioned };
  volumeLimits({ ...config, deployment: 'region' });
  const recorded: RecordedVolume = {
    volumeId: options.id,
    series: `${options.id}.csv`,
    ...config,
    assumptions,
  };
  addRecording(options.into, recorded, rows);
  console.log(
    `${options.into}/${recorded.series}: ${rows.length} periods. Next: npm run audit:recorded -- ${options.into}`,
  );
}

/** Runs a tool; a bad input is one line and exit code 2. */
export function runTool(command: Command): void {
  command.configureOutput({
    outputError: (text, write) => write(text.replace(/^error: /, `${command.name()}: `)),
  });
  try {
    command.parse();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof BadInput) {
      console.error(`stripewise: ${sanitize(error.message, 1_000)}`);
      process.exitCode = 2;
    } else throw error;
  }
}
