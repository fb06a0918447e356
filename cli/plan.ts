/** `stripewise plan`: the cheapest configurations that are good enough, exactly. */
import { Command } from 'commander';
import { architectures } from '../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import { type Deployment, type VolumeType, volumeTypes } from '../core/limits/volume-limits.ts';
import type { InstanceAsked } from '../core/plan/instance-choice.ts';
import { type Access, accessKinds, needOf, type PlannedKind, plannedKinds } from '../core/plan/layout.ts';
import { type PlanRequest, plan } from '../core/plan/plan.ts';
import type { Current } from '../core/plan/step-commands.ts';
import { maxMembers } from '../core/plan/step-commands.ts';
import { type ChoicesRequest, chooseVolumeOrInstance } from '../core/plan/volume-or-instance.ts';
import { withChoiceSteps, withWrittenSteps } from '../report/steps/written-steps.ts';
import { planText, stepForms } from '../report/terminal/plan.ts';
import { choicesText } from '../report/terminal/plan-choices.ts';
import { type Io, printJson } from './io.ts';
import { builtWith, currentFrom, layoutForm } from './layouts.ts';
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

function instanceAsked({ instanceType, vcpus, memoryGib, arch }: Options): InstanceAsked | null {
  const chosen = vcpus !== undefined || memoryGib !== undefined || arch !== undefined;
  if (instanceType !== undefined && chosen)
    throw new BadInput(
      '--instance-type names the instance, --vcpus, --memory-gib and --arch choose one: give either',
    );
  if (instanceType !== undefined) return { instanceType };
  return chosen ? { vcpus: vcpus ?? 1, memoryGiB: memoryGib ?? 0, architecture: arch ?? null } : null;
}

function requireTogether(options: Options): void {
  const { iops, throughputMibps, capacityGib, current, volumeIds } = options;
  if (options.keepCurrent && current === undefined)
    throw new BadInput('--keep-current keeps what the --current layout has: give both');
  if (!options.keepCurrent && [iops, throughputMibps, capacityGib].every((one) => one === undefined))
    throw new BadInput(
      'nothing is asked for: give --iops, --throughput-mibps and --capacity-gib, or some of them',
    );
  if (volumeIds !== undefined && current === undefined)
    throw new BadInput('--volume-ids are those of the --current layout: give both');
}

function currentOf({ current, volumeIds = [], deployment, currentBuiltWith }: Options): Current | null {
  return current === undefined
    ? null
    : currentFrom({ text: current, volumeIds, deployment, builtWith: currentBuiltWith });
}

function requestOf(options: Options): PlanRequest {
  const { iops = null, throughputMibps = null, capacityGib = null } = options;
  return {
    need: needOf({
      iops,
      throughputMiBps: throughputMibps,
      capacityGiB: capacityGib ?? 1,
      ioSizeKiB: options.ioSizeKib,
      access: options.access,
      readShare: options.readShare,
    }),
    types: options.types ?? null,
    constraints: {
      kinds: options.kinds,
      maxMembers: options.maxMembers,
      deployment: options.deployment,
      maxAnnualFailureRate: options.maxAnnualFailureRate,
      stripeEfficiency: options.stripeEfficiency,
      chunkKiB: options.chunkKib,
      instance: instanceAsked(options),
    },
    top: options.top,
    current: currentOf(options),
    keepsCurrent: options.keepCurrent ?? false,
    isCapacityAsked: capacityGib !== null || (options.keepCurrent ?? false),
  };
}

/** More IOPS, or a bigger instance? */
function choicesRequestOf(options: Options, currentInstance: string): ChoicesRequest {
  const request = requestOf(options);
  const { current } = request;
  if (current === null)
    throw new BadInput('--current-instance is what the --current layout is attached to: give both');
  if (request.constraints.instance !== null)
    throw new BadInput(
      '--current-instance compares instance types by itself: leave out --instance-type, --vcpus, --memory-gib and --arch',
    );
  return {
    ...{ ...request, current, currentInstance },
    isAsked: {
      iops: options.iops !== undefined && !options.keepCurrent,
      throughputMiBps: options.throughputMibps !== undefined && !options.keepCurrent,
      capacityGiB: options.capacityGib !== undefined && !options.keepCurrent,
    },
  };
}

function requireOption(option: number, count: number): void {
  if (option > Math.max(1, count))
    throw new BadInput(
      `--option "${option}" is not there: ${count === 0 ? 'there is none' : `give 1 to ${count}`}`,
    );
}

/** What is answered: the document, and its lines for a terminal. */
function answered(options: Options, regionCatalog: RegionCatalog, io: Io): { json: object; text: string[] } {
  const { option, steps = null, currentInstance } = options;
  const how = { option, steps, invokedAs: io.invokedAs };
  if (currentInstance !== undefined) {
    const request = choicesRequestOf(options, currentInstance);
    const answer = withChoiceSteps(chooseVolumeOrInstance(request, regionCatalog), request);
    requireOption(option, answer.choices.length);
    return { json: answer, text: choicesText(answer, how) };
  }
  const request = requestOf(options);
  const answer = withWrittenSteps(plan(request, regionCatalog), request);
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
    .option('--io-size-kib <n>', 'size of an I/O', positive('--io-size-kib', 'KiB', 0.5), 16)
    .option('--access <kind>', 'random or sequential', oneOf('--access', accessKinds), 'random')
    .option('--read-share <n>', 'share of the I/O that reads, 0 to 1', share('--read-share'), 0.7)
    .option(
      '--types <types...>',
      'volume types, comma-separated (default: gp3, io2 and for large sequential I/O st1, sc1)',
      severalOf('--types', volumeTypes),
    )
    .option('--kinds <kinds...>', 'single, stripe, raid10, raid5', severalOf('--kinds', plannedKinds), [
      'single',
      'stripe',
    ])
    .option('--max-members <n>', 'volumes at most', wholeFrom('--max-members', 1, maxMembers), 8)
    .option('--deployment <where>', 'region or outposts', deploymentOption, 'region')
    .option(
      '--max-annual-failure-rate <n>',
      'ceiling on the chance to lose the data in a year, 0 to 1',
      share('--max-annual-failure-rate'),
      0.02,
    )
    .option(
      '--stripe-efficiency <n>',
      'what of its members’ sum a stripe delivers, above 0 to 1',
      share('--stripe-efficiency', { above0: true }),
      1,
    )
    .option('--chunk-kib <n>', 'chunk of the stripe', powerOf2('--chunk-kib', 4, 4_096), 64)
    .option('--instance-type <type>', 'the instance that must carry it')
    .option('--vcpus <n>', 'choose an instance with so many vCPU or more', positive('--vcpus', 'vCPU'))
    .option('--memory-gib <n>', 'choose one with so much memory or more', positive('--memory-gib', 'GiB'))
    .option('--arch <arch>', 'choose one of this architecture', oneOf('--arch', architectures))
    .option(
      '--top <n>',
      'options at least; the best of price and failure rate are always shown',
      wholeFrom('--top', 1, 1_000),
      5,
    )
    .option('--current <layout>', `what stands today, to compare with: ${layoutForm}; figures of each volume`)
    .option(
      '--current-instance <type>',
      'the instance that it is attached to: is it more IOPS, or a bigger instance? One table, with --current',
    )
    .option('--keep-current', 'options with at least what the present layout has all the time')
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
      requireTogether(options);
      const { region, prices = [] } = options;
      const regionCatalogs = await regionCatalogsFor([region], { prices }, io);
      const { json, text } = answered(options, regionCatalogs(region), io);
      if (options.json) printJson(io, json);
      else for (const line of text) io.out(line);
    });
