/** `stripewise bench plan`: what a campaign would measure, take and cost, before anything is launched. */
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { writing } from '../adapters/files/write-file.ts';
import { preflight } from '../core/benchmark/campaign/preflight.ts';
import type { BenchRequest } from '../core/benchmark/campaign/request.ts';
import { profileNames } from '../core/benchmark/profile.ts';
import type { Market } from '../core/catalogue/market.ts';
import { inertJson } from '../core/inert.ts';
import type { Known } from '../core/known.ts';
import { accesses } from '../core/reportcard/job-options.ts';
import type { BenchPlanAnswer } from '../core/schemas/bench-plan-answer.ts';
import { benchPlanText } from '../report/terminal/bench.ts';
import { type RequestOptions, requestInFile, requestOf } from './bench-request.ts';
import { type Io, printJson } from './io.ts';
import { marketsHere } from './markets.ts';
import { amount, oneOf, positive, regionOption, wholeFrom } from './options.ts';

interface Options extends RequestOptions {
  request?: string;
  region: string;
  out?: string;
  json?: true;
}

const orNull = (value: Known<number>): number | null => (value.known ? value.value : null);

/** @throws BadInput where it cannot be, or is above its ceiling. */
export function benchPlan(request: BenchRequest, market: Market): BenchPlanAnswer {
  const { estimate, notes } = preflight(request, market);
  return {
    region: market.region,
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

export const benchPlanCommand = (io: Io): Command =>
  new Command('plan')
    .description('What a campaign would measure and cost, and a file to start it with; nothing is launched.')
    .option('--layouts <layouts...>', '[NAME=][KIND:][Nx]TYPE:GIB[:IOPS[:MIBPS]], figures of each volume')
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
    .option('--ceiling-usd <n>', 'what it may cost in all', amount('--ceiling-usd', 'USD'), 5)
    .option('--hours-at-most <n>', 'that a host may live', positive('--hours-at-most', 'hours'), 12)
    .option('--hosts-at-once <n>', 'side by side', wholeFrom('--hosts-at-once', 1, 10), 4)
    .option('--request <file>', 'a request in a file instead of these options')
    .option('--region <region>', 'whose prices and instance types', regionOption('--region'), 'us-east-1')
    .option('--out <file>', 'write the request, for `bench start`')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  stripewise bench plan --layouts gp3:100 linear:6xgp3:100 6xgp3:100 --instance-types m6i.2xlarge --work report-card --out request.json
  stripewise bench plan --layouts 5xgp3:200:4000 --instance-types r6i.xlarge r6i.2xlarge --goal "max IOPS with p95 under 2 ms"
  stripewise bench plan --layouts now=gp2:500 then=gp3:500:6000 --instance-types m5.large --access randrw --read-percent 70 --users 16 --repeats 3`,
    )
    .action((options: Options) => {
      const request = options.request === undefined ? requestOf(options) : requestInFile(options.request);
      const answer = benchPlan(request, marketsHere()(options.region));
      const { out } = options;
      if (out !== undefined) writing(out, () => writeFileSync(out, `${inertJson(request, 2)}\n`));
      if (options.json) printJson(io, answer);
      else for (const line of benchPlanText(answer, options.out ?? null, io.invokedAs)) io.out(line);
    });
