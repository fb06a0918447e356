/** `stripewise burst`: credits, how long they last and how long they take to come back. */
import { Command } from 'commander';
import { burstAnswer, burstRate } from '../core/credits/burst-answer.ts';
import type { VolumeType } from '../core/limits/volume-limits.ts';
import type { BurstAnswer } from '../core/schemas/answers.ts';
import { burstText } from '../report/terminal/answers.ts';
import { commandLine } from '../report/wording/plan-names.ts';
import { type Io, printJson } from './io.ts';
import { nonNegative, positive, volumeTypeOption } from './options.ts';

interface Options {
  type: VolumeType;
  sizeGib: number;
  balancePercent: number;
  iops?: number;
  throughputMibps?: number;
  json?: true;
}

const rateOf = ({ type, iops, throughputMibps }: Options): number | null =>
  burstRate(type, { iops, throughputMiBps: throughputMibps }, commandLine.names);

const answer = (options: Options): BurstAnswer =>
  burstAnswer(
    { volumeType: options.type, sizeGiB: options.sizeGib },
    { balancePercent: options.balancePercent, ratePerSecond: rateOf(options) },
  );

export const burstCommand = (io: Io): Command =>
  new Command('burst')
    .description('Burst credits of gp2, st1 and sc1: how long they last, how long they take to come back.')
    .requiredOption('--type <type>', 'gp2, st1 or sc1', volumeTypeOption(['gp2', 'st1', 'sc1']))
    .requiredOption('--size-gib <n>', 'size in GiB', positive('--size-gib', 'a size in GiB'))
    .option('--balance-percent <n>', 'BurstBalance now', nonNegative('--balance-percent', 'percent'), 100)
    .option('--iops <n>', 'the rate now (gp2)', nonNegative('--iops', 'IOPS'))
    .option('--throughput-mibps <n>', 'the rate now (st1, sc1)', nonNegative('--throughput-mibps', 'MiB/s'))
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  stripewise burst --type gp2 --size-gib 500
  stripewise burst --type gp2 --size-gib 100 --balance-percent 25 --iops 1200
  stripewise burst --type st1 --size-gib 2048 --throughput-mibps 300 --json`,
    )
    .action((options: Options) => {
      const result = answer(options);
      if (options.json) printJson(io, result);
      else
        for (const line of burstText({ ...options, rateGiven: rateOf(options) !== null }, result))
          io.out(line);
    });
