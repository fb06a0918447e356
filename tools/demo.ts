/**
 * npm run demo: a simulated fleet with known troubles in a local AWS, the service deployed into it with the CDK, its
 * audit run, and what it tells people. `--keep` leaves it up; `--stop` ends what was kept.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { connectSlack, deployStack, type StackOutputs } from '../local/deploy.ts';
import { lastWholeHour, loadFleet } from '../local/load-fleet.ts';
import { emulatedPriceFactors } from '../local/pricing/products.ts';
import { runDeployedAudit } from '../local/run-audit.ts';
import { environmentFile, type Services, startServices, stopServices } from '../local/services.ts';
import { messageAsText } from '../local/slack/as-text.ts';
import { auditText } from '../report/terminal/audit.ts';
import { compareWithTruth } from '../test/compare-with-truth.ts';
import { type SimulatedFleet, simulateFleet } from '../test/simulator/fleet.ts';
import { writeFleet } from '../test/simulator/write-fleet.ts';
import { sayDeploymentPlaces, servedCalls, slackMessages } from './demo-views.ts';

const root = join(import.meta.dirname, '..');
const directory = join(root, '.local-aws/demo');
const fleetDirectory = join(root, '.demo/fleet');
const startedAt = Date.now();
const say = (line: string): void => console.log(line);
const seconds = (): string => `${((Date.now() - startedAt) / 1000).toFixed(0).padStart(3)} s`;
/** A step as it begins, with the time since the start: some take several seconds. */
const step = (line: string): void => say(`[${seconds()}] ${line}`);

const mostSlackLines = 30;
/** What the workflow says at its end, as far as it is shown. */
const toldSchema = z.object({ told: z.number() });

/** Written beside and then moved into place, so that nobody ever reads half a file. */
function keepFleetAsFiles(fleet: SimulatedFleet): void {
  const fresh = `${fleetDirectory}-${process.pid}`;
  writeFleet(fleet, fresh);
  rmSync(fleetDirectory, { recursive: true, force: true });
  renameSync(fresh, fleetDirectory);
}

function showTruth(fleet: SimulatedFleet, result: Parameters<typeof compareWithTruth>[1]): void {
  const { found, missed, falseWarnings, wrongKind } = compareWithTruth(fleet, result);
  say('Against the truth, which the simulator knows:');
  say(
    `  ${found.length} of ${found.length + missed.length} troubles found, ${falseWarnings.length} false findings on ${fleet.healthyVolumeIds.length} healthy volumes, ${wrongKind.length} of a wrong kind elsewhere.`,
  );
  for (const { resourceId, kind, because } of missed)
    say(`  missed: ${kind} on ${resourceId}${because === null ? '' : ` (not judged: ${because})`}`);
}

async function showSlack(services: Services): Promise<number> {
  const messages = await slackMessages(services);
  for (const [index, message] of messages.entries()) {
    const file = join(root, `.demo/slack-${index + 1}.txt`);
    const lines = messageAsText(message).split('\n');
    mkdirSync(join(root, '.demo'), { recursive: true });
    writeFileSync(file, `${lines.join('\n')}\n`);
    for (const line of lines.slice(0, mostSlackLines)) say(`  | ${line}`);
    if (lines.length > mostSlackLines)
      say(`  | ... ${lines.length - mostSlackLines} more lines: ${relative(root, file)}`);
  }
  return messages.length;
}

/** Deployed while the fleet is loaded: the CDK works in a process of its own. */
async function prepare(services: Services) {
  step('Deploying with `cdk bootstrap` and `cdk deploy --all` ...');
  const deploying = deployStack(root, services);
  // Simulating holds this process for a moment; a failed deployment is seen right after.
  deploying.catch(() => {});
  step(
    'Meanwhile: simulating 26 hours of a fleet, second by second, and recording it into EC2 and CloudWatch ...',
  );
  const fleet = simulateFleet({
    endEpochSeconds: lastWholeHour(new Date()),
    priceFactors: emulatedPriceFactors,
  });
  keepFleetAsFiles(fleet);
  await loadFleet(services.urls, fleet);
  const outputs = await deploying;
  await connectSlack(services, outputs);
  return { fleet, outputs };
}

async function demo(services: Services): Promise<{ until: string; outputs: StackOutputs }> {
  const { fleet, outputs } = await prepare(services);
  const input = {
    lookbackDays: (fleet.endEpochSeconds - fleet.startEpochSeconds) / 86_400,
    until: new Date(fleet.endEpochSeconds * 1000).toISOString(),
    tell: true,
  };
  step('Running the deployed audit (Step Functions, Lambda) ...');
  const first = await runDeployedAudit(services, outputs, input, (name) => step(`  ${name}`));
  if (first.result === null) throw new Error(`the audit ended as ${first.status}`);
  say('');
  const options = {
    columns: process.stdout.columns ?? null,
    color: process.stdout.isTTY === true,
    recorded: false,
  };
  for (const line of auditText(first.result, { ...options, invokedAs: 'npm run -s stripewise --' }))
    say(line);
  say('');
  showTruth(fleet, first.result);
  say('');
  say('The Slack message as it was posted (to a local webhook that enforces the limits of Slack):');
  const posted = await showSlack(services);
  say('');
  say(`What the run cost, as the servers counted it: ${await servedCalls(services)}.`);
  say('');
  step('Running the audit again: what was told is not told again ...');
  const second = await runDeployedAudit(services, outputs, input);
  const told = toldSchema.parse(second.output).told;
  const news = (await slackMessages(services)).length - posted;
  step(
    `  ${second.status}: ${second.result?.findings.length ?? 0} findings, ${told} of them told, ${news} new Slack messages.`,
  );
  return { until: input.until, outputs };
}

async function run({ keep, stop }: { keep?: true; stop?: true }): Promise<void> {
  if (stop) {
    say(
      (await stopServices(root, directory)) ? 'The local AWS is stopped.' : 'No local AWS was left running.',
    );
    return;
  }
  step('Starting a local AWS (emulated on this machine: no AWS account is touched) ...');
  const services = await startServices({ root, directory, say: (line) => step(`  ${line}`) });
  try {
    const { until, outputs } = await demo(services);
    if (keep) {
      services.keep();
      say('');
      sayDeploymentPlaces(say, services, outputs);
      say('');
      say('The local AWS stays up. In a shell of its own (its AWS variables point there):');
      say(`  . ${relative(process.cwd(), environmentFile(directory)) || environmentFile(directory)}`);
      say(
        `  npm run -s stripewise -- audit --region us-east-1 eu-central-1 --lookback-days 1 --until ${until}`,
      );
      say(`  aws s3 ls s3://${outputs.RunsBucket}/runs/`);
      say(`  aws stepfunctions start-execution --state-machine-arn ${outputs.AuditStateMachine}`);
      say('  npm run demo -- --stop');
    }
  } finally {
    if (!keep) {
      await services.stop();
      step('Everything is stopped.');
    }
  }
  say('');
  say(
    'Try next, without any AWS (the fleet stays in .demo/fleet, the true cause of each of its minutes in truth.json):',
  );
  say(
    '  npm run -s stripewise -- audit queries --volumes .demo/fleet/us-east-1/describe-volumes.json --out .demo/queries',
  );
  say('  npm run -s stripewise -- burst --type gp2 --size-gib 100 --balance-percent 25');
  say('  npm run -s stripewise -- --help');
}

// Ending this way runs the handlers that kill what was started.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => process.exit(code));
}

await new Command('demo')
  .description(
    'Deploy the service into a local AWS with a simulated fleet, run its audit, show what it tells.',
  )
  .option('--keep', 'leave the local AWS up, and say how to look around')
  .option('--stop', 'end a local AWS that was kept')
  .action(run)
  .parseAsync()
  .catch((error: Error) => {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
    console.error(`demo: ${error.message}${cause}; the logs are in ${relative(process.cwd(), directory)}`);
    process.exit(4);
  });
process.exit(0);
