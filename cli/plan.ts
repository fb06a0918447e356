/** `stripewise plan`: the cheapest configurations that are good enough, exactly. */
import { Command } from 'commander';
import { architectures } from '../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import { type Deployment, type VolumeType, volumeTypes } from '../core/limits/volume-limits.ts';
import {
  builtWith,
  type PlanAsked,
  planAsked,
  planBounds,
  planDefaults,
  requireTogether,
} from '../core/plan/asked.ts';
import { type Access, accessKinds, type PlannedKind, plannedKinds } from '../core/plan/layout.ts';
import type { Current } from '../core/plan/step-commands.ts';
import { stepForms, withChoiceSteps, withWrittenSteps } from '../report/steps/written-steps.ts';
import { planText } from '../report/terminal/plan.ts';
import { choicesText } from '../report/terminal/plan-choices.ts';
import { commandLine } from '../report/wording/plan-names.ts';
import { type Io, printJson } from './io.ts';
import { currentOrNone, layoutForm } from './layouts.ts';
import {
  deploymentOption,
  oneOf,
  positive,
  powerOf2,
  pricesOption,
  regionOption,
  severalOf,
  share,
  wholeFrom,
} from './options.ts';
import { regionCatalogsFor } from './region-catalogs.ts';

interface Options {
  iops?: number;
  throughputMibps?: number;
  capacityGib?: number;
  ioSizeKib: number;
  access: Access;
  readShare: number;
  types?: VolumeType[];
  kinds: PlannedKind[];
  maxMembers: number;
  deployment: Deployment;
  maxAnnualFailureRate: number;
  stripeEfficiency: number;
  chunkKib: number;
  instanceType?: string;
  vcpus?: number;
  memoryGib?: number;
  arch?: (typeof architectures)[number];
  top: number;
  region: string;
  prices?: string[];
  current?: string;
  currentInstance?: string;
  keepCurrent?: true;
  currentBuiltWith?: (typeof builtWith)[number];
  volumeIds?: string[];
  option: number;
  steps?: (typeof stepForms)[number];
  json?: true;
}

const { names } = commandLine;

/** @throws BadInput where what belongs together is not there. */
function requireComplete(options: Options): void {
  const { iops = null, throughputMibps = null, capacityGib = null, current = null } = options;
  const keepsCurrent = options.keepCurrent ?? false;
  requireTogether(
    { iops, throughputMiBps: throughputMibps, capacityGiB: capacityGib, current, keepsCurrent },
    names,
  );
}

const currentOf = ({ current, volumeIds = [], deployment, currentBuiltWith }: Options): Current | null =>
  currentOrNone({ text: current, volumeIds, deployment, builtWith: currentBuiltWith });

const askedOf = (options: Options): PlanAsked => ({
  iops: options.iops ?? null,
  throughputMiBps: options.throughputMibps ?? null,
  capacityGiB: options.capacityGib ?? null,
  ioSizeKiB: options.ioSizeKib,
  access: options.access,
  readShare: options.readShare,
  types: options.types ?? null,
  kinds: options.kinds,
  maxMembers: options.maxMembers,
  deployment: options.deployment,
  maxAnnualFailureRate: options.maxAnnualFailureRate,
  stripeEfficiency: options.stripeEfficiency,
  chunkKiB: options.chunkKib,
  instanceType: options.instanceType ?? null,
  vcpus: options.vcpus ?? null,
  memoryGiB: options.memoryGib ?? null,
  architecture: options.arch ?? null,
  top: options.top,
  current: currentOf(options),
  currentInstance: options.currentInstance ?? null,
  keepsCurrent: options.keepCurrent ?? false,
});

function requireOption(option: number, count: number): void {
  if (option > Math.max(1, count))
    throw new BadInput(
      `--option "${option}" is not there: ${count === 0 ? 'there is none' : `give 1 to ${count}`}`,
    );
}

/** What is answered: the document, and its lines for a terminal. */
function answered(options: Options, regionCatalog: RegionCatalog, io: Io): { json: object; text: string[] } {
  const { option, steps = null } = options;
  const how = { option, steps, invokedAs: io.invokedAs };
  const found = planAsked(askedOf(options), regionCatalog, names);
  if (found.kind === 'choices') {
    const answer = withChoiceSteps(found.chosen, found.request);
    requireOption(option, answer.choices.length);
    return { json: answer, text: choicesText(answer, how) };
  }
  const answer = withWrittenSteps(found.planned, found.request);
  requireOption(option, answer.options.length);
  return { json: answer, text: planText(answer, how) };
}

export const planCommand = (io: Io): Command =>
  new Command('plan')
    .description(
      'The cheapest volumes, in a stripe or not, on an instance or not, that are good enough: exactly, with reasons.',
    )
    .option('--iops <n>', 'IOPS that the load needs', positive('--iops', 'IOPS'))
    .option('--throughput-mibps <n>', 'MiB/s that it needs', positive('--throughput-mibps', 'MiB/s'))
    .option('--capacity-gib <n>', 'GiB that it needs', positive('--capacity-gib', 'GiB'))
    .option(
      '--io-size-kib <n>',
      'size of an I/O',
      positive('--io-size-kib', 'KiB', planBounds.ioSizeKiB[0]),
      planDefaults.ioSizeKiB,
    )
    .option('--access <kind>', 'random or sequential', oneOf('--access', accessKinds), planDefaults.access)
    .option(
      '--read-share <n>',
      'share of the I/O that reads, 0 to 1',
      share('--read-share'),
      planDefaults.readShare,
    )
    .option(
      '--types <types...>',
      'volume types, comma-separated (default: gp3, io2 and for large sequential I/O st1, sc1)',
      severalOf('--types', volumeTypes),
    )
    .option('--kinds <kinds...>', 'single, stripe, raid10, raid5', severalOf('--kinds', plannedKinds), [
      ...planDefaults.kinds,
    ])
    .option(
      '--max-members <n>',
      'volumes at most',
      wholeFrom('--max-members', ...planBounds.maxMembers),
      planDefaults.maxMembers,
    )
    .option('--deployment <where>', 'region or outposts', deploymentOption, planDefaults.deployment)
    .option(
      '--max-annual-failure-rate <n>',
      'ceiling on the chance to lose the data in a year, 0 to 1',
      share('--max-annual-failure-rate'),
      planDefaults.maxAnnualFailureRate,
    )
    .option(
      '--stripe-efficiency <n>',
      'what of its members’ sum a stripe delivers, above 0 to 1',
      share('--stripe-efficiency', { above0: true }),
      planDefaults.stripeEfficiency,
    )
    .option(
      '--chunk-kib <n>',
      'chunk of the stripe',
      powerOf2('--chunk-kib', ...planBounds.chunkKiB),
      planDefaults.chunkKiB,
    )
    .option('--instance-type <type>', 'the instance that must carry it')
    .option('--vcpus <n>', 'choose an instance with so many vCPU or more', positive('--vcpus', 'vCPU'))
    .option('--memory-gib <n>', 'choose one with so much memory or more', positive('--memory-gib', 'GiB'))
    .option('--arch <arch>', 'choose one of this architecture', oneOf('--arch', architectures))
    .option(
      '--top <n>',
      'options at least; the best of price and failure rate are always shown',
      wholeFrom('--top', 1, 1_000),
      planDefaults.top,
    )
    .option('--current <layout>', `what stands today, to compare with: ${layoutForm}; figures of each volume`)
    .option(
      '--current-instance <type>',
      'the instance that it is attached to: is it more IOPS, or a bigger instance? One table, with --current',
    )
    .option('--keep-current', 'options with at least the baseline of the present layout')
    .option(
      '--current-built-with <tool>',
      'what joins the present volumes: lvm or mdadm',
      oneOf('--current-built-with', builtWith),
    )
    .option('--volume-ids <ids...>', 'the ids of the present volumes, for the steps')
    .option('--option <n>', 'the option to explain, by its number', wholeFrom('--option', 1, 1_000), 1)
    .option('--steps <form>', 'print the steps to it: cli, cdk or terraform', oneOf('--steps', stepForms))
    .option('--region <region>', 'whose prices and instance types', regionOption('--region'), 'us-east-1')
    .option(...pricesOption)
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
IOPS and MiB/s are both met; where one is left out it follows from the other and the I/O size.
With --current-instance, what is left out is at least what stands today.

Examples:
  stripewise plan --iops 15000 --throughput-mibps 625 --capacity-gib 1000
  stripewise plan --iops 20000 --capacity-gib 500 --instance-type m5.2xlarge
  stripewise plan --iops 60000 --capacity-gib 2000 --vcpus 16 --memory-gib 128 --arch arm64
  stripewise plan --iops 6000 --capacity-gib 500 --current gp2:500 --kinds single --steps cli
  stripewise plan --iops 20000 --current gp2:500 --current-instance r6i.2xlarge
  stripewise plan --throughput-mibps 800 --capacity-gib 40000 --access sequential --io-size-kib 1024
  stripewise plan --iops 8000 --capacity-gib 1000 --region eu-central-1 --prices prices.json
  stripewise plan --iops 8000 --capacity-gib 1000 --kinds raid10 --json`,
    )
    .action(async (options: Options) => {
      requireComplete(options);
      const { region, prices = [] } = options;
      const regionCatalogs = await regionCatalogsFor([region], { prices }, io);
      const { json, text } = answered(options, regionCatalogs(region), io);
      if (options.json) printJson(io, json);
      else for (const line of text) io.out(line);
    });
