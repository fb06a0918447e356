/**
 * npm run demo: a simulated fleet with known troubles in a local AWS, the service deployed into it with the CDK, its
 * audit run, and what it tells people. `--keep` leaves it up; `--stop` ends what was kept. However it is ended, what it
 * started ends with it (local/owned-process.ts).
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { processIo } from '../cli/process-io.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { opinionLabels } from '../core/schemas/second-opinion.ts';
import { plantDemo } from '../local/demo-accounts.ts';
import {
  connectSlack,
  deliveriesDone,
  deployProgress,
  deployStack,
  type StackOutputs,
} from '../local/deploy.ts';
import { lastWholeHour } from '../local/load-fleet.ts';
import { emulatedPriceFactors } from '../local/pricing/products.ts';
import { runDeployedAudit } from '../local/run-audit.ts';
import { endRunning, environmentFile } from '../local/running.ts';
import { type Services, startServices } from '../local/services.ts';
import { messageAsText } from '../local/slack/as-text.ts';
import { auditText } from '../report/terminal/audit.ts';
import { compareWithTruth } from '../test/compare-with-truth.ts';
import { followedRows } from '../test/followed-recommendation.ts';
import { type SimulatedFleet, simulateFleet } from '../test/simulator/fleet.ts';
import { fleetPlan } from '../test/simulator/plans/index.ts';
import { writeFleet } from '../test/simulator/write-fleet.ts';
import { DemoLines } from './demo-lines.ts';
import { endWithParent } from './demo-process.ts';
import {
  botPosts,
  firstSlackMessages,
  sayDeploymentPlaces,
  servedCalls,
  slackMessages,
} from './demo-views.ts';

const root = join(import.meta.dirname, '..');

/** Where a demo works; no two at once in the same place. */
interface Places {
  /** Of the servers: their logs and state. */
  servers: string;
  /** Of what stays to be looked at: the fleet as files, the messages. */
  files: string;
}
const placesIn = (directory: string | undefined): Places =>
  directory === undefined
    ? { servers: join(root, '.local-aws/demo'), files: join(root, '.demo') }
    : { servers: resolve(directory, 'local-aws'), files: resolve(directory) };
/** As somebody would write it who stands here. */
const shown = (path: string): string => relative(process.cwd(), path) || '.';

const lines = new DemoLines();
const say = (line: string): void => lines.say(line);
const step = (line: string): void => lines.step(line);

const maxSlackLines = 30;
/** What the workflow says at its end, as far as it is shown. */
const notifiedSchema = z.object({ notified: z.number() });

/** Written beside and then moved into place, so that nobody ever reads half a file. */
function keepFleetAsFiles(fleet: SimulatedFleet, { files }: Places): void {
  const [fresh, place] = [join(files, 'fleet.new'), join(files, 'fleet')];
  // One that was interrupted may have left its half.
  rmSync(fresh, { recursive: true, force: true });
  writeFleet(fleet, fresh);
  rmSync(place, { recursive: true, force: true });
  renameSync(fresh, place);
}

function showTruth(fleet: SimulatedFleet, result: Parameters<typeof compareWithTruth>[1]): void {
  const { found, missed, falseWarnings, wrongKind } = compareWithTruth(fleet, result);
  say('Against the truth, which the simulator knows:');
  say(
    `  ${found.length} of ${found.length + missed.length} troubles found, ${falseWarnings.length} false findings on ${fleet.healthyVolumeIds.length} healthy volumes, ${wrongKind.length} of a wrong kind elsewhere.`,
  );
  for (const { resourceId, kind, reason } of missed)
    say(`  missed: ${kind} on ${resourceId}${reason === null ? '' : ` (not evaluated: ${reason})`}`);
}

/** Each that is called unsafe is followed in the simulator: a second or less for each instance. */
function showSecondOpinion(fleet: SimulatedFleet, { secondOpinion = [] }: AuditResult): void {
  if (secondOpinion.length === 0) return;
  const counts = opinionLabels.map(
    (label) => [label, secondOpinion.filter((row) => row.label === label)] as const,
  );
  say(
    `Beside the local Compute Optimizer: ${counts.map(([label, rows]) => `${rows.length} ${label}`).join(', ')}.`,
  );
  const unsafe = secondOpinion.filter(({ reason }) => reason.code === 'throttled-if-followed');
  const confirmed = followedRows(unsafe, { plan: fleetPlan, fleet, seed: 1, rules: {} }).filter(
    ({ before, after }) => after > before,
  );
  if (unsafe.length > 0)
    say(
      `  ${confirmed.length} of ${unsafe.length} unsafe confirmed: simulated again with what it recommends.`,
    );
}

async function showSlack(messages: readonly unknown[], { files }: Places): Promise<void> {
  for (const [index, message] of messages.entries()) {
    const file = join(files, `slack-${index + 1}.txt`);
    const text = messageAsText(message).split('\n');
    mkdirSync(files, { recursive: true });
    writeFileSync(file, `${text.join('\n')}\n`);
    for (const line of text.slice(0, maxSlackLines)) say(`  | ${line}`);
    if (text.length > maxSlackLines) say(`  | ... ${text.length - maxSlackLines} more lines: ${shown(file)}`);
  }
}

/** Charts and a browser are a second to load: that is while the audit runs in other processes. */
type Reporting = typeof import('./demo-report.ts');

async function showReport(
  message: unknown,
  result: AuditResult,
  { keepReport, openFromSlack }: Reporting,
  { files }: Places,
): Promise<void> {
  step('Following the link of that message to the report that the workflow wrote ...');
  const html = await openFromSlack(message);
  const [page = '', ...pictures] = await keepReport({ html, result, message }, files);
  say(`  ${shown(page)} (open it in a browser)`);
  for (const picture of pictures) say(`  ${shown(picture)}`);
}

/** Simulated and recorded while the CDK works, in a process of its own; whichever fails ends both. */
async function prepare(services: Services, places: Places) {
  step('Deploying with `cdk bootstrap` and `cdk deploy --all` ...');
  const deploying = deployStack(root, services, join(root, 'local/stripewise.demo.yaml'));
  const loading = (async () => {
    step(
      'Meanwhile: simulating 26 hours of a fleet, second by second, and recording it into EC2 and CloudWatch of three accounts ...',
    );
    const fleet = simulateFleet({
      endEpochSeconds: lastWholeHour(new Date()),
      priceFactors: emulatedPriceFactors,
      onVolumes: (simulated) => lines.stepIfQuiet(`${simulated} volumes are simulated`),
    });
    step('  simulated; recording it ...');
    keepFleetAsFiles(fleet, places);
    await plantDemo(services, fleet);
    step('  recorded.');
    return fleet;
  })();
  const [outputs, fleet] = await lines.during(
    () => deployProgress(services),
    Promise.all([deploying, loading]),
  );
  await connectSlack(services, outputs);
  return { fleet, outputs };
}

/** @returns how the audit went, and how long ago its last state was entered is said meanwhile. */
function audited(services: Services, outputs: StackOutputs, input: object, onState: (name: string) => void) {
  let state = 'starting it';
  const noted = (name: string): void => {
    state = name;
    onState(name);
  };
  return lines.during(() => state, runDeployedAudit(services, outputs, input, noted));
}

/** What the first audit began and still goes on. */
async function deliveredAll(services: Services, outputs: StackOutputs): Promise<void> {
  const howFar = async () => {
    const { messages, replies, pictures } = await botPosts(services);
    return `the bot posts about once a second, as Slack takes it: ${messages + replies + pictures} posts are there`;
  };
  await lines.during(howFar, deliveriesDone(services, outputs));
}

async function demo(services: Services, places: Places): Promise<{ until: string; outputs: StackOutputs }> {
  const { fleet, outputs } = await prepare(services, places);
  const input = {
    lookbackDays: (fleet.endEpochSeconds - fleet.startEpochSeconds) / 86_400,
    until: new Date(fleet.endEpochSeconds * 1000).toISOString(),
    notify: true,
  };
  step('Running the deployed audit (Step Functions, Lambda) ...');
  const loading = import('./demo-report.ts');
  const first = await audited(services, outputs, input, (name) => step(`  ${name}`));
  if (first.result === null) throw new Error(`the audit ended as ${first.status}`);
  say('');
  const options = {
    columns: processIo.columns,
    color: processIo.color,
    recorded: false,
  };
  for (const line of auditText(first.result, { ...options, invokedAs: 'npm run -s stripewise --' }))
    say(line);
  say('');
  showTruth(fleet, first.result);
  showSecondOpinion(fleet, first.result);
  say('');
  say('The Slack message as it was posted (to a local webhook that enforces the limits of Slack):');
  const messages = await lines.during(() => 'waiting for it', firstSlackMessages(services));
  await showSlack(messages, places);
  say('');
  await showReport(messages[0], first.result, await loading, places);
  say('');
  say(`What the run cost, as the servers counted it: ${await servedCalls(services)}.`);
  say('');
  step('Running the audit again: what was reported is not reported again ...');
  const second = await audited(services, outputs, input, () => {});
  const notified = notifiedSchema.parse(second.output).notified;
  // What the first one notified is in the same queue.
  await deliveredAll(services, outputs);
  const news = (await slackMessages(services)).length - messages.length;
  step(
    `  ${second.status}: ${second.result?.findings.length ?? 0} findings, ${notified} of them notified, ${news} new Slack messages.`,
  );
  const { messages: summaries, replies, pictures } = await botPosts(services);
  say(
    `  Meanwhile the bot of the local Slack posted what the first one found: ${summaries} summary, ${replies} findings in its thread, ${pictures} charts.`,
  );
  return { until: input.until, outputs };
}

interface Options {
  keep?: true;
  stop?: true;
  directory?: string;
}

async function run({ keep, stop, directory: given }: Options): Promise<void> {
  const places = placesIn(given);
  const directory = places.servers;
  if (stop) {
    say((await endRunning(directory)) ? 'The local AWS is stopped.' : 'No local AWS was left running.');
    return;
  }
  step('Starting a local AWS (emulated on this machine: no AWS account is touched) ...');
  const starting = startServices({ root, directory, say: (line) => step(`  ${line}`) });
  const services = await lines.during(() => 'its servers start', starting);
  try {
    const { until, outputs } = await demo(services, places);
    if (keep) {
      services.keep();
      say('');
      sayDeploymentPlaces(say, services, outputs);
      say('');
      say('The local AWS stays up. In a shell of its own (its AWS variables point there):');
      say(`  . ${shown(environmentFile(directory))}`);
      say(
        `  npm run -s stripewise -- audit --config local/stripewise.demo.yaml --lookback-days 1 --until ${until}`,
      );
      say(`  aws s3 ls s3://${outputs.RunsBucket}/runs/`);
      say(`  aws stepfunctions start-execution --state-machine-arn ${outputs.AuditStateMachine}`);
      say(`  npm run demo -- --stop${given === undefined ? '' : ` --directory ${given}`}`);
    }
  } finally {
    if (!keep) {
      await lines.during(() => 'its servers end', services.stop());
      step('Everything is stopped.');
    }
  }
  say('');
  say(
    `Try next, without any AWS (the fleet stays in ${shown(join(places.files, 'fleet'))}, the true cause of each of its minutes in truth.json):`,
  );
  say(
    `  npm run -s stripewise -- audit queries --volumes ${shown(join(places.files, 'fleet/us-east-1/describe-volumes.json'))} --out ${shown(join(places.files, 'queries'))}`,
  );
  say('  npm run -s stripewise -- burst --type gp2 --size-gib 100 --balance-percent 25');
  say('  npm run -s stripewise -- --help');
}

endWithParent('demo');

const program = new Command('demo')
  .description(
    'Deploy the service into a local AWS with a simulated fleet, run its audit, show what it tells.',
  )
  .option('--keep', 'leave the local AWS up, and say how to look around')
  .option('--stop', 'end a local AWS that was kept')
  .option('--directory <path>', 'work in there, beside another demo (default: .local-aws/demo and .demo)')
  .action(run);
await program.parseAsync().catch((error: Error) => {
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  const logs = shown(placesIn(program.opts<Options>().directory).servers);
  console.error(`demo: ${error.message}${cause}; the logs are in ${logs}`);
  process.exit(4);
});
process.exit(0);
