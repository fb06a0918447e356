/** `stripewise config`: is the configuration file good, and what does it mean? `init` writes one. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig } from '../adapters/files/config-file.ts';
import { defaultConfig } from '../core/config/check.ts';
import { explained } from '../core/config/explain.ts';
import { monitoringCost } from '../core/monitoring/expected-cost.ts';
import { configText } from '../report/terminal/config.ts';
import { configInitCommand } from './config-init.ts';
import { type Io, printJson } from './io.ts';
import { wholeFrom } from './options.ts';

interface Options {
  volumes?: number;
  json?: true;
}

const usualFile = 'stripewise.yaml';
/** Of which the cost of a month is reported where nobody says how many there are. */
const exampleVolumes = 100;
const mostVolumes = 1_000_000;

function check(named: string | undefined, { volumes, json }: Options, io: Io): void {
  const file = named ?? (existsSync(usualFile) ? usualFile : null);
  const config = file === null ? defaultConfig() : readConfig(file);
  const answer = explained({
    ...{ config, file, volumes: volumes ?? exampleVolumes },
    monitoringCost,
    now: io.now(),
  });
  if (json) printJson(io, answer);
  else for (const line of configText(answer, volumes === undefined)) io.out(line);
}

export const configCommand = (io: Io): Command =>
  new Command('config')
    .description('The configuration file of the stacks and of this command line.')
    .addHelpText(
      'after',
      '\nExamples:\n  stripewise config init\n  stripewise config check stripewise.yaml --volumes 1000',
    )
    .addCommand(
      new Command('check')
        .description('Is a configuration file good, and what does it mean?')
        .argument('[file]', `default: ${usualFile} where you are; without one the defaults are explained`)
        .option(
          '--volumes <n>',
          `how many volumes there are, for what a month costs (default: ${exampleVolumes}, as an example)`,
          wholeFrom('--volumes', 1, mostVolumes),
        )
        .option('--json', 'one JSON document on standard output')
        .addHelpText(
          'after',
          `
Exit: 0 the file is good; 2 it is not: one line says which file and line, what is wrong and what would be right.
Nothing is read from AWS.

Examples:
  stripewise config check
  stripewise config check stripewise.yaml --volumes 1000
  stripewise config check production.yaml --json`,
        )
        .action((file: string | undefined, options: Options) => check(file, options, io)),
    )
    .addCommand(configInitCommand(io, usualFile));
