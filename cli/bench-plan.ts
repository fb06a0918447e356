/** `stripewise bench plan`: what a campaign would measure, take and cost, before anything is launched. */
import { Command } from 'commander';
import { writeWhole } from '../adapters/files/whole-file.ts';
import { preflight } from '../core/benchmark/campaign/preflight.ts';
import type { BenchRequest } from '../core/benchmark/campaign/request.ts';
import { profileNames } from '../core/benchmark/profiles.ts';
import type { RegionCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import type { Known } from '../core/known.ts';
import { accesses } from '../core/report-card/job-options.ts';
import { sanitizeJson } from '../core/sanitize.ts';
import type { BenchPlanAnswer } from '../core/schemas/bench-plan-answer.ts';
import { auditStack } from '../core/stacks.ts';
import { benchPlanText } from '../report/terminal/bench.ts';
import { type FindingSource, planFromFinding } from './bench-from-finding.ts';
import { type RequestOptions, requestInFile, requestOf } from './bench-request.ts';
import { type Io, printJson } from './io.ts';
import { oneOf, positive, regionOption, wholeFrom } from './options.ts';
import { regionCatalogsFor } from './region-catalogs.ts';
import { requireNoInput } from './written-file.ts';

interface Options extends RequestOptions, Omit<FindingSource, 'stack'> {
  request?: string;
  fromFinding?: string;
  stack?: string;
  out?: string;
  json?: true;
}

const orNull = (value: Known<number, unknown>): number | null => (value.known ? value.value : null);

/** @throws BadInput where it cannot be, or is above its ceiling. */
export function benchPlan(request: BenchRequest, regionCatalog: RegionCatalog): BenchPlanAnswer {
  const { estimate, notes } = preflight(request, regionCatalog);
  return {
    region: regionCatalog.region,
    request,
    cells: estimate.cells.map(({ id, hours, addressUsd, ...usd }) => ({
      ...{ id, hours, addressUsd },
      instanceUsd: orNull(usd.instanceUsd),
      volumesUsd: orNull(usd.volumesUsd),
      totalUsd: orNull(usd.totalUsd),
    })),
    hours: estimate.hours,
    totalUsd: orNull(estimate.totalUsd) ?? 0,
    notes,
  };
}

const usualRegion = 'us-east-1';

/** What a finding says by itself, and what is of a finding only. */
const notOfFinding = [
  'request',
  'layouts',
  'instanceTypes',
  'work',
  'short',
  'goal',
  'users',
  'iops',
] as const;
const ofFindingOnly = ['audit', 'volumes', 'metrics', 'instances', 'stack', 'profile'] as const;
const optionText = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Of these the help shows what they are where nobody gives them. */
const notOfFindingWithDefault = ['ioDepth', 'access', 'blockKib', 'readPercent', 'prepare'] as const;

async function answerTo(
  options: Options,
  isGiven: (name: string) => boolean,
  io: Io,
): Promise<BenchPlanAnswer> {
  const { fromFinding, region = usualRegion, stack = auditStack } = options;
  if (fromFinding === undefined) {
    const extra = ofFindingOnly.find((name) => options[name] !== undefined);
    if (extra !== undefined)
      throw new BadInput(`${optionText(extra)} is for --from-finding: give the id of a finding too`);
    const request = options.request === undefined ? requestOf(options) : requestInFile(options.request);
    return benchPlan(request, (await regionCatalogsFor([region], {}, io))(region));
  }
  const twice =
    notOfFinding.find((name) => options[name] !== undefined) ?? notOfFindingWithDefault.find(isGiven);
  if (twice !== undefined)
    throw new BadInput(`a finding says what is measured: leave out ${optionText(twice)}`);
  const { repeats, ceilingUsd, hoursAtMost, hostsAtOnce, seconds, fileSizeMib: fileSizeMiB } = options;
  const beside = { repeats, ceilingUsd, hoursAtMost, hostsAtOnce, seconds, fileSizeMiB };
  return planFromFinding(fromFinding, { ...options, stack }, beside, io, benchPlan);
}

export const benchPlanCommand = (io: Io): Command =>
  new Command('plan')
    .description('What a campaign would measure and cost, and a file to start it with; nothing is launched.')
    .option(
      '--layouts <layouts...>',
      '[NAME=][KIND:][Nx]TYPE:GIB[:IOPS[:MIBPS]] or [NAME=]FILE.json; figures of each volume',
    )
    .option('--instance-types <types...>', 'each layout is measured on each of them')
    .option('--work <profile>', `a profile: ${profileNames.join(', ')}`, oneOf('--work', profileNames))
    .option('--short', 'the profile in seconds: it shows that all works, not how fast anything is')
    .option('--goal <text>', 'search: "max IOPS with p95 under 2 ms"')
    .option('--users <n>', 'one load by so many', wholeFrom('--users', 1, 64))
    .option('--io-depth <n>', 'operations of each user under way', wholeFrom('--io-depth', 1, 1_024), 1)
    .option(
      '--iops <n>',
      'operations a second of all users together; as many as go where it is left out',
      wholeFrom('--iops', 1, 1_000_000),
    )
    .option(
      '--access <kind>',
      `of a load or a search: ${accesses.join(', ')}`,
      oneOf('--access', accesses),
      'randread',
    )
    .option('--block-kib <n>', 'size of an operation', wholeFrom('--block-kib', 1, 4_096), 16)
    .option('--read-percent <n>', 'of mixed access', wholeFrom('--read-percent', 0, 100), 70)
    .option('--seconds <n>', 'of each run of a load or a search', wholeFrom('--seconds', 1, 7_200))
    .option(
      '--file-size-mib <n>',
      'of the file that is measured',
      wholeFrom('--file-size-mib', 64, 9_999_999),
    )
    .option(
      '--repeats <n>',
      'of the work, on the same hosts: how sure is its mean?',
      wholeFrom('--repeats', 1, 10),
      1,
    )
    .option(
      '--prepare <what>',
      'before it: nothing, initialize (read every block) or drain-credits',
      oneOf('--prepare', ['nothing', 'initialize', 'drain-credits'] as const),
      'nothing',
    )
    .option('--ceiling-usd <n>', 'what it may cost in all', positive('--ceiling-usd', 'USD'), 5)
    .option('--hours-at-most <n>', 'that a host may live', positive('--hours-at-most', 'hours'), 12)
    .option('--hosts-at-once <n>', 'side by side', wholeFrom('--hosts-at-once', 1, 10), 4)
    .option('--request <file>', 'a request in a file instead of these options')
    .option(
      '--from-finding <id>',
      'instead of these options: the load that was observed for a finding, on its volumes as they are and as recommended',
    )
    .option('--audit <file>', 'of a finding of files: what `audit --json` wrote')
    .option('--volumes <file...>', 'of a finding of files: as the audit was given them')
    .option('--metrics <file...>', 'likewise')
    .option('--instances <file...>', 'likewise')
    .option('--stack <name>', `of a finding of the account: its stack (default: "${auditStack}")`)
    .option('--profile <name>', 'of a finding of the account: of the AWS configuration')
    .option(
      '--region <region>',
      `whose prices and instance types; of a finding of the account that of the stack (default: "${usualRegion}", or that of the finding)`,
      regionOption('--region'),
    )
    .option('--out <file>', 'write the request, for `bench start`')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  stripewise bench plan --layouts gp3:100 linear:6xgp3:100 6xgp3:100 --instance-types m6i.2xlarge --work report-card --out request.json
  stripewise bench plan --layouts 5xgp3:200:4000 --instance-types r6i.xlarge r6i.2xlarge --goal "max IOPS with p95 under 2 ms"
  stripewise bench plan --layouts now=gp2:500 then=gp3:500:6000 --instance-types m5.large --access randrw --read-percent 70 --users 16 --repeats 3
  stripewise bench plan --from-finding 0123456789abcdef --out request.json
  stripewise bench plan --from-finding 0123456789abcdef --audit audit.json --volumes volumes.json --metrics reply-*.json --instances instances.json`,
    )
    .action(async (options: Options, command: Command) => {
      const { request, audit, volumes = [], metrics = [], instances = [] } = options;
      requireNoInput({ '--out': options.out }, [request, audit, ...volumes, ...metrics, ...instances]);
      const answer = await answerTo(options, (name) => command.getOptionValueSource(name) === 'cli', io);
      const { out } = options;
      if (out !== undefined) writeWhole(out, `${sanitizeJson(answer.request, 2)}\n`);
      if (options.json) printJson(io, answer);
      else for (const line of benchPlanText(answer, options.out ?? null, io.invokedAs)) io.out(line);
    });
