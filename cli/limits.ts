/** `stripewise limits`: what a volume can do. */
import { Command } from 'commander';
import { limitsAnswer } from '../core/limits/limits-answer.ts';
import type { VolumeConfiguration } from '../core/limits/volume-limits.ts';
import type { LimitsAnswer } from '../core/schemas/answers.ts';
import { limitsText } from '../report/terminal/answers.ts';
import { type Io, printJson } from './io.ts';
import { deploymentOption, nonNegative, positive, pricesOption, volumeTypeOption } from './options.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

interface Options {
  type: VolumeConfiguration['volumeType'];
  sizeGib: number;
  iops?: number;
  throughputMibps?: number;
  deployment: VolumeConfiguration['deployment'];
  ioSizeKib?: number;
  region: string;
  prices?: string[];
  json?: true;
}

async function answer(options: Options, io: Io): Promise<LimitsAnswer> {
  const { type, sizeGib, iops, throughputMibps, deployment, ioSizeKib, region, prices = [] } = options;
  const regionCatalogs = await regionCatalogsFor([region], { prices }, io);
  return limitsAnswer(
    { volumeType: type, sizeGiB: sizeGib, iops, throughputMiBps: throughputMibps, deployment },
    { region, prices: regionCatalogs(region).prices, ioSizeKiB: ioSizeKib ?? null },
  );
}

export const limitsCommand = (io: Io): Command =>
  new Command('limits')
    .description('What a volume can do, and what it costs a month.')
    .requiredOption('--type <type>', 'gp2, gp3, io1, io2, st1, sc1 or standard', volumeTypeOption())
    .requiredOption('--size-gib <n>', 'size in GiB', positive('--size-gib', 'a size in GiB'))
    .option('--iops <n>', 'provisioned IOPS (gp3, io1, io2)', nonNegative('--iops', 'IOPS'))
    .option('--throughput-mibps <n>', 'provisioned MiB/s (gp3)', nonNegative('--throughput-mibps', 'MiB/s'))
    .option('--deployment <where>', 'region or outposts', deploymentOption, 'region')
    .option(
      '--io-size-kib <n>',
      'also say what random I/O of this size gets',
      positive('--io-size-kib', 'KiB', 0.5),
    )
    .option('--region <region>', 'whose prices', 'us-east-1')
    .option(...pricesOption)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  stripewise limits --type gp3 --size-gib 500 --iops 16000 --throughput-mibps 500
  stripewise limits --type gp2 --size-gib 100 --json
  stripewise limits --type gp3 --size-gib 500 --iops 16000 --io-size-kib 8`,
    )
    .action(async (options: Options) => {
      const result = await answer(options, io);
      if (options.json) printJson(io, result);
      else for (const line of limitsText(result, io.invokedAs)) io.out(line);
    });
