/** `stripewise bench`: benchmarks of EBS layouts on instances of the account. */
import { setTimeout as after } from 'node:timers/promises';
import { Command } from 'commander';
import { campaignIdSchema } from '../core/benchmark/campaign/campaign.ts';
import { BadInput } from '../core/errors.ts';
import { failureText } from '../core/failure-text.ts';
import { campaignCard } from '../core/report/campaign-card.ts';
import { campaignReportText, progressText } from '../report/terminal/bench.ts';
import { BenchAccount } from './bench-account.ts';
import { benchPlan, benchPlanCommand } from './bench-plan.ts';
import { requestInFile } from './bench-request.ts';
import { type CardOptions, CardOutputs } from './card-outputs.ts';
import { type ExitCode, exitCodes, type Io, printJson } from './io.ts';
import { regionCatalogsFor } from './region-catalogs.ts';
import { ofStack, type StackOptions } from './stack.ts';
import { orDropped, pictureOption } from './written-file.ts';

type Ended = (code: ExitCode) => void;

/** Each look is a call or two. */
const lookEveryMs = 10_000;
const isOver = (status: string): boolean => status !== 'RUNNING';

function campaignId(text: string): string {
  if (campaignIdSchema.safeParse(text).success) return text;
  throw new BadInput(
    `"${text}" is no name of a campaign: give letters, digits, hyphens and underscores, 64 at most`,
  );
}

/** Sortable, and distinguished by the second. */
const newCampaignId = (now: Date): string =>
  `bench-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}`;

/** Lines as they change, to whoever watches. */
async function watch(io: Io, account: BenchAccount, id: string, everyMs: number): Promise<void> {
  let said = new Set<string>();
  while (!isOver((await account.status(id)).status)) {
    if (io.errIsTerminal) {
      const lines = progressText(await account.progress(id));
      for (const line of lines.filter((one) => !said.has(one))) io.err(`  ${line}`);
      said = new Set(lines);
    }
    await after(everyMs);
  }
}

interface Shown {
  json?: true;
  outputs?: CardOutputs;
}

async function showReport(
  io: Io,
  account: BenchAccount,
  id: string,
  { json, outputs }: Shown,
): Promise<ExitCode> {
  const { status, error, cause } = await account.status(id);
  const report = await account.report(id);
  const why =
    error === null && cause === null ? '' : `: ${failureText(error ?? undefined, cause ?? undefined)}`;
  if (status !== 'SUCCEEDED')
    io.err(`campaign ${id} ${status === 'RUNNING' ? 'is still running' : `ended as ${status}`}${why}`);
  if (report === null) {
    outputs?.drop();
    if (status === 'SUCCEEDED') io.err(`campaign ${id} has no report any more`);
    return exitCodes.failed;
  }
  if (json) printJson(io, report);
  else for (const line of campaignReportText(report)) io.out(line);
  await outputs?.keep(campaignCard(report), io);
  if (!report.cells.some((cell) => cell.status === 'measured')) return exitCodes.failed;
  return report.cells.every((cell) => cell.status === 'measured') ? exitCodes.done : exitCodes.partial;
}

interface StartOptions extends StackOptions {
  name?: string;
  wait: boolean;
  json?: true;
}

const startCommand = (io: Io, ended: Ended): Command =>
  ofStack(new Command('start'))
    .description('Start a campaign in the account, watch it, and print its report.')
    .argument('<file>', 'a request, as `bench plan --out` writes it')
    .option('--name <name>', 'of the campaign (default: by the time)')
    .option('--no-wait', 'do not wait for its end')
    .option('--json', 'the report as one JSON document on standard output')
    .addHelpText('after', '\nExample:\n  stripewise bench start request.json --region us-east-1')
    .action(async (file: string, { name, wait, json, ...options }: StartOptions) => {
      const request = requestInFile(file);
      const account = await BenchAccount.find(options);
      const ofProfile = options.profile === undefined ? {} : { profile: options.profile };
      const regionCatalogs = await regionCatalogsFor([account.region], ofProfile, io);
      const { totalUsd, hours } = benchPlan(request, regionCatalogs(account.region));
      const id = campaignId(name ?? newCampaignId(io.now()));
      await account.start(id, request);
      io.err(
        `campaign ${id} has begun: about ${Math.ceil(hours * 60)} minutes and ${totalUsd.toFixed(2)} USD. It goes on without this command; \`${io.invokedAs} bench status ${id}\` tells how far it is.`,
      );
      if (!wait) return;
      await watch(io, account, id, lookEveryMs);
      ended(await showReport(io, account, id, json ? { json } : {}));
    });

interface LookOptions extends StackOptions {
  json?: true;
}

const statusCommand = (io: Io): Command =>
  ofStack(new Command('status'))
    .description('Campaigns of the account, or how far one is.')
    .argument('[campaign]', 'its name; without one the newest are listed')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  stripewise bench status\n  stripewise bench status bench-20261122-101500',
    )
    .action(async (id: string | undefined, { json, ...options }: LookOptions) => {
      const account = await BenchAccount.find(options);
      if (id === undefined) {
        const campaigns = await account.list(20);
        if (json) printJson(io, { campaigns });
        else if (campaigns.length === 0) io.out('There is no campaign yet. `bench plan` makes one.');
        else for (const one of campaigns) io.out(`${one.campaignId}  ${one.status}  ${one.startedAt}`);
        return;
      }
      const name = campaignId(id);
      const status = await account.status(name);
      const cells = await account.progress(name);
      if (json) printJson(io, { campaignId: name, ...status, cells });
      else for (const line of [`${name}: ${status.status}`, ...progressText(cells)]) io.out(line);
    });

const reportCommand = (io: Io, ended: Ended): Command =>
  ofStack(new Command('report'))
    .description('What a campaign found; of one that was ended before its time, what it had measured.')
    .argument('<campaign>', 'its name')
    .option('--html <file>', 'write the report card: one page that opens anywhere')
    .option(
      '--chart <file>',
      'write a picture (.svg or .png): hosts side by side; of one how its first load scales',
      pictureOption('--chart'),
    )
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  stripewise bench report bench-20261122-101500\n  stripewise bench report bench-20261122-101500 --html card.html',
    )
    .action(async (id: string, options: LookOptions & CardOptions) => {
      const outputs = new CardOutputs(options);
      await orDropped(outputs, async () => {
        const account = await BenchAccount.find(options);
        ended(await showReport(io, account, campaignId(id), { ...options, outputs }));
      });
    });

export const benchCommand = (io: Io, ended: Ended): Command => {
  const bench = new Command('bench').description(
    'Benchmark layouts of volumes on instances of the account: plan, start, status, report.',
  );
  for (const one of [
    benchPlanCommand(io),
    startCommand(io, ended),
    statusCommand(io),
    reportCommand(io, ended),
  ])
    bench.addCommand(one);
  return bench.addHelpText(
    'after',
    '\nExamples:\n  stripewise bench plan --layouts gp3:100 6xgp3:100 --instance-types m6i.2xlarge --work report-card --out request.json\n  stripewise bench start request.json',
  );
};
