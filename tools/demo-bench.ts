/** node tools/run.mjs tools/demo-bench.ts: a whole campaign on a local AWS, with the EBS lab behind EC2 and Systems Manager. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import type { CampaignReport } from '../core/schemas/campaign-report.ts';
import { LabUnavailable } from '../local/lab/image.ts';
import { campaignReportText } from '../report/terminal/bench.ts';
import { stepText } from '../report/wording/campaign.ts';
import { type BenchLab, emulatedLabel, startBenchLab } from './bench-lab.ts';
import { endWithParent } from './demo-process.ts';

const root = join(import.meta.dirname, '..');
const startedAt = Date.now();
const say = (line: string): void => console.log(line);
const step = (line: string): void =>
  say(`[${((Date.now() - startedAt) / 1000).toFixed(0).padStart(3)} s] ${line}`);

/** Six members of 600 IOPS: as one volume, one after the other, side by side. */
const layouts = ['single=io2:20:600', 'linear=linear:6xio2:20:600', 'stripe=6xio2:20:600'];
/** More than the six together. */
const instanceType = 'm5.2xlarge';
/** What is compared: enough ask that every layout is at its limit. */
const compared = 'randread-8k-32';
/** Neither a pass nor a failure: where there can be no lab. */
const skipped = 77;
/** How much of the whole number a ratio may be off. */
const tolerance = 0.1;

/** Why the campaign does not show what it must; empty where it does. */
function wrongs({ cells, grades }: CampaignReport): string[] {
  const failed = cells
    .filter(({ status }) => status !== 'measured')
    .map(({ id }) => `${id} was not measured`);
  const side = grades.comparison.find(({ name }) => name === compared);
  const ratios = side?.runs.map(({ timesFirst }) => timesFirst ?? Number.NaN) ?? [];
  const expected = [1, 1, 6];
  const off = expected.some(
    (right, index) => !(Math.abs((ratios[index] ?? Number.NaN) / right - 1) <= tolerance),
  );
  const ungraded = cells.filter(
    ({ id }) => !grades.tests.some(({ run, grade }) => run === id && grade !== null),
  );
  return [
    ...failed,
    ...(off ? [`${compared} gave ${ratios.map((one) => one.toFixed(2)).join(' : ')} and not 1 : 1 : 6`] : []),
    ...ungraded.map(({ id }) => `${id} has no grade`),
  ];
}

/** Volumes and instances in EC2, guests and files: what a campaign must not leave. */
async function leftBehind({ campaigns, leftOfGuests }: BenchLab): Promise<string[]> {
  const { instances, volumes } = await campaigns.left();
  let guests = await leftOfGuests();
  // A guest is ended a moment after its instance.
  for (const deadline = Date.now() + 10_000; guests.length > 0 && Date.now() < deadline; ) {
    await new Promise((go) => setTimeout(go, 200));
    guests = await leftOfGuests();
  }
  return [...instances, ...volumes, ...guests];
}

async function demo(lab: BenchLab, directory: string): Promise<string[]> {
  const request = join(directory, 'request.json');
  say('');
  say(`$ stripewise bench plan --layouts ${layouts.join(' ')} --instance-types ${instanceType} ...`);
  say(
    await lab.stripewise(
      ...['bench', 'plan', '--layouts', ...layouts, '--instance-types', instanceType],
      // One after the other: this machine has few processors, and each guest wants them.
      ...['--work', 'report-card', '--short', '--hosts-at-once', '1', '--out', request],
    ),
  );
  say('');
  step('Starting the campaign (Step Functions, Lambda, EC2, Systems Manager) ...');
  const id = 'demo';
  await lab.stripewise('bench', 'start', request, '--name', id, '--no-wait');
  const { execution, report } = await lab.campaigns.ended(id, (cell, doing) =>
    step(`  ${cell}: ${stepText(doing)}`),
  );
  step(`The campaign ended as ${execution.status}${execution.cause === null ? '' : `: ${execution.cause}`}.`);
  if (report === null) return ['there is no report'];
  say('');
  for (const line of campaignReportText(report)) say(line);
  const file = join(directory, 'report.json');
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  say('');
  const left = await leftBehind(lab);
  step(
    left.length === 0 ? 'Nothing of it is left: no instance, no volume, no guest, no file.' : 'Left behind:',
  );
  for (const one of left) say(`  ${one}`);
  say(`The report as data: ${relative(process.cwd(), file)}`);
  return [...wrongs(report), ...left.map((one) => `${one} was left behind`)];
}

async function run({ directory: given }: { directory?: string }): Promise<void> {
  const directory = given === undefined ? join(root, '.local-aws/demo-bench') : resolve(given);
  rmSync(directory, { recursive: true, force: true });
  step(`${emulatedLabel}.`);
  const lab = await startBenchLab({ root, directory, say: (line) => step(`  ${line}`) });
  let wrong: string[];
  try {
    mkdirSync(directory, { recursive: true });
    wrong = await demo(lab, directory);
  } finally {
    await lab.stop();
    step('Everything is stopped.');
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}

endWithParent('demo:bench');
await new Command('demo:bench')
  .description('Run a campaign that compares three layouts, on emulated hosts and volumes.')
  .option('--directory <path>', 'work in there (default: .local-aws/demo-bench)')
  .action(run)
  .parseAsync()
  .catch((error: Error) => {
    const isSkipped = error instanceof LabUnavailable;
    console.error(`demo:bench: ${isSkipped ? 'SKIPPED: ' : ''}${error.message}`);
    process.exit(isSkipped ? skipped : 4);
  });
process.exit(0);
