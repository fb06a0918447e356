/**
 * npm run demo:changes: volumes that live on by the hour in a local AWS, and changes of them: asked for and approved in Slack, made,
 * compared with before, undone where they hurt. The clock is set: days are simulated and printed as such; waiting alone is shorter.
 */
import { join, relative, resolve } from 'node:path';
import { EC2Client } from '@aws-sdk/client-ec2';
import { SFNClient } from '@aws-sdk/client-sfn';
import { Command } from 'commander';
import { z } from 'zod';
import { main } from '../cli/main.ts';
import { processIo } from '../cli/process-io.ts';
import { realisedUsd } from '../core/changes/ledger.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { VolumeChange } from '../core/schemas/volume-change.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerDay, secondsPerHour } from '../core/units.ts';
import { type FleetOfChanges, type FleetVolume, fleetOfChanges } from '../local/changes/fleet.ts';
import type { Lived } from '../local/changes/live-on.ts';
import { SimulatedTime } from '../local/changes/simulated-time.ts';
import { SlackPerson } from '../local/changes/slack-person.ts';
import { goingByClock } from '../local/clock.ts';
import {
  clientSettings,
  connectSlack,
  deliveriesDone,
  deployProgress,
  deployStack,
  type StackOutputs,
} from '../local/deploy.ts';
import { lastWholeHour, sendJson } from '../local/load-fleet.ts';
import { runDeployedAudit } from '../local/run-audit.ts';
import { endRunning, environmentFile } from '../local/running.ts';
import { localRegion, type Services, startServices } from '../local/services.ts';
import { unescaped } from '../local/slack/as-text.ts';
import { DemoLines } from './demo-lines.ts';
import { endWithParent } from './demo-process.ts';

const root = join(import.meta.dirname, '..');
const lines = new DemoLines();
const say = (line: string): void => lines.say(line);
const step = (line: string): void => lines.step(line);
const shown = (path: string): string => relative(process.cwd(), path) || '.';

/** Who may approve, as local/stripewise.changes.yaml says it. */
const approver = 'U0DBA000001';
const daysBefore = 14;
const mostDays = 12;
const number = new Intl.NumberFormat('en-US');
const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', signDisplay: 'exceptZero' });
const utc = (seconds: number): string => `${isoFromEpochSeconds(seconds).slice(0, 16).replace('T', ' ')} UTC`;

/** What must hold; each is said. */
const failed: string[] = [];
function holds(what: string, isSo: boolean): void {
  say(`  ${isSo ? 'holds' : 'DOES NOT HOLD'}: ${what}`);
  if (!isSo) failed.push(what);
}

const modificationsSchema = z.array(z.object({ VolumeId: z.string(), StartTime: z.string() }));
const countsSchema = z.object({ calls: z.record(z.string(), z.number()) });
const get = async <T>(url: string, schema: z.ZodType<T>): Promise<T> =>
  schema.parse(await (await fetch(url)).json());

interface Stage {
  services: Services;
  outputs: StackOutputs & { ChangesStateMachine: string; ChangesUrl: string };
  fleet: FleetOfChanges;
  time: SimulatedTime;
  person: SlackPerson;
}

/** Two weeks that are over, and a day that begins. */
async function planted(services: Services, deploying: Promise<StackOutputs>): Promise<Stage> {
  const begin = lastWholeHour(new Date());
  // The first midnight that is more than a day away: by then the good change is verified.
  const later = (Math.floor((begin + 25 * secondsPerHour) / secondsPerDay) + 1) * secondsPerDay;
  const fleet = fleetOfChanges(later);
  const { ec2: ec2Url } = services.urls;
  await sendJson('PUT', `${ec2Url}/_stripewise/inventory?region=${localRegion}`, fleet.inventory);
  await sendJson('PUT', `${ec2Url}/_stripewise/modifications`, {
    ...{ modifyingSeconds: 60, optimizingSeconds: 2_400 },
  });
  const settings = clientSettings(services);
  const ec2 = new EC2Client({ ...settings, endpoint: ec2Url });
  const workflows = new SFNClient(settings);
  const account = { services, ec2, workflows, loads: fleet.loads, stateMachineArn: '' };
  const time = new SimulatedTime(account, begin);
  for (let day = daysBefore; day > 0; day--) {
    await time.lived(begin - day * secondsPerDay, begin - (day - 1) * secondsPerDay);
    lines.stepIfQuiet(`${daysBefore - day + 1} of ${daysBefore} days are simulated`);
  }
  step(`  ${daysBefore} days are simulated, second by second.`);
  const outputs = await deploying;
  const { ChangesStateMachine, ChangesUrl } = outputs;
  if (ChangesStateMachine === undefined || ChangesUrl === undefined)
    throw new Error('the stack has no changes: its outputs do not name them');
  account.stateMachineArn = ChangesStateMachine;
  await connectSlack(services, outputs);
  await time.set(begin);
  const person = new SlackPerson(services, outputs, approver, () => time.now);
  return { services, fleet, time, person, outputs: { ...outputs, ChangesStateMachine, ChangesUrl } };
}

/** As somebody would type it; what it prints follows. */
async function ask(argv: readonly string[], expected = 0): Promise<string> {
  say(`$ npm run -s stripewise -- ${argv.join(' ')}`);
  const said: string[] = [];
  const noted = (print: (line: string) => void) => (line: string) => {
    said.push(line);
    print(line);
  };
  const io = { ...processIo, out: noted(processIo.out), err: noted(processIo.err) };
  const code = await main([...argv], io);
  if (code !== expected) throw new Error(`${argv.slice(0, 2).join(' ')} ended with ${code}`);
  return said.join('\n');
}

async function ledger({ outputs }: Stage): Promise<VolumeChange[]> {
  const { callChanges } = await import('../adapters/aws/changes-url.ts');
  return (await callChanges({ region: localRegion }, outputs.ChangesUrl, { do: 'list' })).changes;
}

async function changeOf(stage: Stage, name: FleetVolume): Promise<VolumeChange> {
  const volumeId = stage.fleet.volumeIdOf(name);
  const found = (await ledger(stage)).find(({ plan }) => plan.volumeId === volumeId);
  if (found === undefined) throw new Error(`the ledger has no change of ${name} (${volumeId})`);
  return found;
}

async function audited({ services, outputs, fleet, time }: Stage): Promise<(name: FleetVolume) => Finding> {
  step(`Running the deployed audit over ${daysBefore} days: it fills the archive ...`);
  let state = 'starting it';
  const { result, status } = await lines.during(
    () => state,
    runDeployedAudit(
      services,
      outputs,
      { lookbackDays: daysBefore, until: isoFromEpochSeconds(time.now), notify: true },
      (name) => {
        state = name;
      },
    ),
  );
  if (result === null) throw new Error(`the audit ended as ${status}`);
  await lines.during(() => 'its messages are sent', deliveriesDone(services, outputs));
  const findingOf = (name: FleetVolume): Finding => {
    const found = result.findings.find(({ resource }) => resource.id === fleet.volumeIdOf(name));
    if (found === undefined) throw new Error(`the audit found nothing on ${name}`);
    return found;
  };
  for (const name of ['orders', 'reports', 'billing'] as const) {
    const { kind, resource } = findingOf(name);
    step(`  ${name} (${resource.id}): ${kind}`);
  }
  return findingOf;
}

async function pressed(person: SlackPerson, actionId: string, value: string): Promise<void> {
  const answer = await person.press(actionId, value);
  for (const line of unescaped(answer).split('\n')) say(`  > ${line}`);
}

/** Asked for and approved, by the buttons. */
async function approved(stage: Stage, finding: Finding, name: FleetVolume): Promise<VolumeChange> {
  const { person, time } = stage;
  step(`In Slack ${approver} presses "Request change" of ${name} ...`);
  await pressed(person, 'stripewise_request_change', finding.id);
  await time.quiet();
  const { id, fingerprint } = await changeOf(stage, name);
  const message = await person.messageWith('stripewise_approve_change', `${id} ${fingerprint}`);
  for (const line of message) say(`  | ${line}`);
  step(`... and "Approve".`);
  await pressed(person, 'stripewise_approve_change', `${id} ${fingerprint}`);
  await time.quiet();
  return changeOf(stage, name);
}

/** Until it has ended and people heard of it: by ten minutes while EC2 modifies, by one hour where the load is high, else by three. */
function nextTime(now: number, changes: readonly VolumeChange[]): number {
  const isUnderWay = changes.some(
    ({ made, undo, undoAskedBy, end }) =>
      (end === null && undoAskedBy !== null) ||
      [made, undo].some((one) => one !== null && one.completedSeconds === null),
  );
  if (isUnderWay) return now + secondsPerHour / 6;
  const hour = Math.floor(now / secondsPerHour) % 24;
  const seconds = hour >= 9 && hour < 12 ? secondsPerHour : 3 * secondsPerHour;
  return (Math.floor(now / seconds) + 1) * seconds;
}

const isHeard = ({ end, notified }: VolumeChange): boolean => end !== null && notified.includes('ended');

async function livedToTheEnd(stage: Stage): Promise<void> {
  const { time, fleet } = stage;
  const begin = time.now;
  const names = ['orders', 'reports', 'billing'] as const;
  const throttled = new Map<string, number>();
  let day = begin;
  const sayDay = (): void => {
    const figures = names.map((name) => `${name} ${throttled.get(fleet.volumeIdOf(name)) ?? 0}`).join(', ');
    step(`  simulated: ${utc(day)} to ${utc(time.now)}, throttled minutes: ${figures}`);
    throttled.clear();
    day = time.now;
  };
  let told = await heard(stage, []);
  for (let changes = await ledger(stage); !changes.every(isHeard); changes = await ledger(stage)) {
    if (time.now - begin > mostDays * secondsPerDay)
      throw new Error(`${mostDays} simulated days did not bring the end`);
    const lived: Map<string, Lived> = await lines.during(
      () => `simulated: ${utc(time.now)}`,
      time.pass(nextTime(time.now, changes) - time.now),
    );
    for (const [id, { throttledMinutes }] of lived)
      throttled.set(id, (throttled.get(id) ?? 0) + throttledMinutes);
    told = await heard(stage, told);
    if (time.now % secondsPerDay === 0) sayDay();
  }
  sayDay();
}

/** When the ledger says that a message's step happened; null: it says nothing of it. */
function secondsOf(title: string, changes: readonly VolumeChange[]): number | null {
  const change = changes.find(({ plan }) => title.includes(plan.volumeId));
  if (change === undefined || title.startsWith('Undo asked')) return null;
  if (title.startsWith('Change begun')) return change.made?.startSeconds ?? null;
  return /^Change (approved|to approve)/.test(title) ? change.proposedSeconds : change.endedSeconds;
}

/** What the channel heard of changes since, in the order of the ledger's time. */
async function heard(stage: Stage, before: string[]): Promise<string[]> {
  const { person, time, services, outputs } = stage;
  await deliveriesDone(services, outputs);
  const titles = (await person.titles()).filter((title) => /^(Change|Undo)/.test(title));
  const changes = await ledger(stage);
  const news = titles
    .slice(before.length)
    .map((title) => ({ title, seconds: secondsOf(title, changes) ?? time.now }))
    .toSorted((a, b) => a.seconds - b.seconds);
  for (const { title, seconds } of news) step(`  Slack, simulated ${utc(seconds)}: ${title}`);
  return titles;
}

/** @returns the patch of who describes the volume. */
async function refusedOf(stage: Stage, finding: Finding): Promise<string> {
  const { person } = stage;
  step(`In Slack ${approver} presses "Request change" of billing, whose volume CloudFormation describes ...`);
  await pressed(person, 'stripewise_request_change', finding.id);
  say('The same on the command line, with the patch as text to copy:');
  return ask(['changes', 'request', finding.id, '--region', localRegion], 2);
}

async function demo(services: Services): Promise<void> {
  step('Deploying with `cdk bootstrap` and `cdk deploy --all` ...');
  const deploying = deployStack(root, services, join(root, 'local/stripewise.changes.yaml'));
  step(`Meanwhile: ${daysBefore} days of five volumes under closed loops (simulated) ...`);
  const stage = await lines.during(() => deployProgress(services), planted(services, deploying));
  // From here on this process is somebody of that account.
  Object.assign(process.env, services.env);
  const findingOf = await audited(stage);

  say('');
  step('A good change: orders is throttled each morning.');
  await approved(stage, findingOf('orders'), 'orders');
  say('');
  step('A bad reduction: reports has more than it ever used. Nobody knows what comes.');
  await approved(stage, findingOf('reports'), 'reports');
  say('');
  const patch = await refusedOf(stage, findingOf('billing'));

  say('');
  step('Time passes (simulated: the clock is set, volumes live on under the limits that EC2 tells) ...');
  await livedToTheEnd(stage);

  say('');
  await ask(['changes', 'list', '--region', localRegion]);
  await summed(stage, patch);
}

async function summed(stage: Stage, patch: string): Promise<void> {
  const { services, fleet, time } = stage;
  const all = await ledger(stage);
  const [orders, reports] = [await changeOf(stage, 'orders'), await changeOf(stage, 'reports')];
  const { calls } = await get(`${services.urls.ec2}/_stripewise/counts`, countsSchema);
  const begun = await get(`${services.urls.ec2}/_stripewise/modifications`, modificationsSchema);
  const begunOf = (volumeId: string): number => begun.filter(({ VolumeId }) => VolumeId === volumeId).length;
  const askedOf = (volumeId: string): number =>
    all
      .filter(({ plan }) => plan.volumeId === volumeId)
      .flatMap(({ made, undo }) => [made, undo])
      .filter((one) => one !== null).length;
  const volumeIds = [...new Set(begun.map(({ VolumeId }) => VolumeId))];
  const doubles = volumeIds.reduce((sum, id) => sum + Math.max(0, begunOf(id) - askedOf(id)), 0);
  // Of the volume that was undone: what began after its undo.
  const undoneUndos = begun.filter(
    ({ VolumeId, StartTime }) =>
      VolumeId === reports.plan.volumeId &&
      Date.parse(StartTime) / msPerSecond > (reports.undo?.startSeconds ?? Number.POSITIVE_INFINITY) + 1,
  ).length;
  const titles = await stage.person.titles();
  const unheard = all.filter(({ plan, end }) => {
    const isEnd = (title: string): boolean =>
      title.includes(plan.volumeId) && /^(Change (kept|undone|not made|failed)|Undo not made)/.test(title);
    return end === null || !titles.some(isEnd);
  });
  const comparison = orders.comparison;
  const realised = realisedUsd(orders, time.now);
  say('');
  say('Figures (emulated):');
  say(
    `  calls of ModifyVolume, counted by EC2: ${calls['ModifyVolume'] ?? 0}; modifications begun: ${begun.length}`,
  );
  say(
    `  double modifications: ${doubles}; undone undos: ${undoneUndos}; ends that nobody heard of: ${unheard.length}`,
  );
  say(
    `  orders: ${comparison?.throttledBefore ?? '?'} throttled minutes before, ${comparison?.throttledAfter ?? '?'} after, in ${number.format(comparison?.minutes ?? 0)} minutes of the same weekday; realised ${realised === null ? 'not known' : usd.format(realised)} until now, ${usd.format(orders.plan.monthlyUsdDelta ?? Number.NaN)} a month`,
  );
  holds(
    'the good change is kept as better',
    orders.end?.code === 'kept' && orders.end.outcome === 'better' && (comparison?.throttledBefore ?? 0) > 0,
  );
  holds('it is in the ledger with what it came to in USD', realised !== null && realised !== 0);
  holds(
    'the bad reduction was undone without anybody',
    reports.end?.code === 'undone' && reports.undoAskedBy === 'monitoring',
  );
  holds(
    'one call for each change and each undo, and none after it',
    calls['ModifyVolume'] === 3 && begun.length === 3 && doubles + undoneUndos === 0,
  );
  holds(
    'the volume of CloudFormation was not touched, and its template has a patch',
    begunOf(fleet.volumeIdOf('billing')) === 0 && patch.includes('DataVolume') && /Iops: \d{4}/.test(patch),
  );
  holds('people heard of each end', unheard.length === 0);
}

interface Options {
  keep?: true;
  stop?: true;
  directory?: string;
}

async function run({ keep, stop, directory: given }: Options): Promise<void> {
  const directory = given === undefined ? join(root, '.local-aws/demo-changes') : resolve(given, 'local-aws');
  if (stop) {
    say((await endRunning(directory)) ? 'The local AWS is stopped.' : 'No local AWS was left running.');
    return;
  }
  step('Starting a local AWS (emulated on this machine: no AWS account is touched) ...');
  const services = await lines.during(
    () => 'its servers start',
    startServices({
      ...{ root, directory, say: (line) => step(`  ${line}`) },
      forFunctions: () => goingByClock(root, directory),
    }),
  );
  try {
    await demo(services);
  } finally {
    if (keep) {
      services.keep();
      say(`The local AWS stays up, its clock where it was set: . ${shown(environmentFile(directory))}`);
    } else {
      await lines.during(() => 'its servers end', services.stop());
      step('Everything is stopped.');
    }
  }
  if (failed.length > 0) throw new Error(`it does not hold: ${failed.join('; ')}`);
}

endWithParent('demo:changes');
const program = new Command('demo:changes')
  .description(
    'Change volumes in a local AWS: one change that helps, one that hurts and is undone, one that is refused.',
  )
  .option('--keep', 'leave the local AWS up')
  .option('--stop', 'end a local AWS that was kept')
  .option('--directory <path>', 'work in there (default: .local-aws/demo-changes)')
  .action(run);
await program.parseAsync().catch((error: Error) => {
  console.error(`demo:changes: ${error.message}`);
  process.exit(4);
});
process.exit(0);
