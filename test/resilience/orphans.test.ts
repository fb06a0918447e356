/** `cdk destroy` leaves nothing of ours but the bucket of runs, where it is asked to keep that; also under faults. */
import { setTimeout as after } from 'node:timers/promises';
import {
  bootstrap,
  connectSlack,
  deployBootstrapped,
  destroyStack,
  type StackOutputs,
} from '../../local/deploy.ts';
import { lastWholeHour, loadFleet } from '../../local/load-fleet.ts';
import { type DeployedRun, runDeployedAudit } from '../../local/run-audit.ts';
import { type Services, startServices } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root } from '../lib/synthesized.ts';
import { simulateFleet } from '../simulator/fleet.ts';
import { accountContents, added, type Contents } from './account-contents.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';
import { emptier, letEmptierReach, refuseOneDeletion } from './refusing-s3.ts';

const directory = temporaryDirectory();
const outcomes: Outcome[] = [];
const settings =
  'regions: [us-east-1]\naudit: { batchesAtOnce: 2 }\nalarms: { emails: [on-call@example.com] }\n';
const keeping = directory.write('keeping.yaml', settings);
const going = directory.write('going.yaml', `${settings}keep: { removalPolicy: destroy }\n`);
/** The CDK's own bucket, made by its bootstrap: the code that was uploaded is there for a next deployment. */
const ofTheCdk = /^cdk-[a-z0-9]+-assets-/;

let services: Services;
let empty: Contents;
let window: object;
/** Buckets of former deployments that were kept on purpose. */
const kept: string[] = [];

/** With an address of Slack: without one nothing is reported, and nothing remembered as told. */
async function deploy(configFile: string): Promise<StackOutputs> {
  const outputs = await deployBootstrapped(root, services, configFile);
  await connectSlack(services, outputs);
  return outputs;
}
const destroy = (configFile: string): Promise<void> => destroyStack(root, services, configFile);
const audit = (outputs: StackOutputs, onState?: (name: string) => void): Promise<DeployedRun> =>
  runDeployedAudit(services, outputs, { ...window, notify: true }, onState);

/** What is there beyond the bootstrapped account, by kind; without what the CDK keeps of every app. */
async function ours(): Promise<Contents> {
  const more = added(empty, await accountContents(services));
  const objects = (more['objects'] ?? []).filter((key) => !ofTheCdk.test(key));
  const { objects: _, ...others } = more;
  return objects.length === 0 ? others : { ...others, objects };
}

const said = (contents: Contents): string =>
  Object.entries(contents)
    .map(([kind, there]) => `${there.length} ${kind}: ${there.slice(0, 3).join(' ')}`)
    .join('; ') || 'nothing';

/** What is left may be the kept buckets with what they hold, and nothing else. */
async function noteWhatIsLeft(done: string): Promise<void> {
  const left = await ours();
  const inKept = (key: string) => kept.some((bucket) => key.startsWith(`${bucket}/`));
  const others = Object.fromEntries(
    Object.entries({
      ...left,
      buckets: (left['buckets'] ?? []).filter((bucket) => !kept.includes(bucket)),
      objects: (left['objects'] ?? []).filter((key) => !inKept(key)),
    }).filter(([, there]) => there.length > 0),
  );
  const holds = (bucket: string) =>
    (left['objects'] ?? []).some(
      (key) => key.startsWith(`${bucket}/runs/`) && key.endsWith('/findings.jsonl'),
    );
  const allKept = kept.every(holds);
  const whatIsKept = kept.length === 0 ? 'nothing' : `${kept.join(' ')} with its runs`;
  const seen = [
    ...(allKept ? [whatIsKept] : ['a kept bucket is gone or empty']),
    ...(said(others) === 'nothing' ? [] : [said(others)]),
  ];
  outcomes.push({
    what: [done, 'is left'],
    expected: kept.length === 0 ? 'nothing' : 'the kept bucket with its runs',
    seen: seen.join('; '),
    asExpected: allKept && Object.keys(others).length === 0,
  });
}

const note = (what: readonly string[], expected: string, seen: string, asExpected: boolean) =>
  outcomes.push({ what, expected, seen, asExpected });

async function noteRun(done: string, run: Promise<DeployedRun>): Promise<void> {
  const { status, result } = await run;
  const findings = result?.findings.length ?? 0;
  note([done, 'the audit'], 'ends with findings', `${status}, ${findings} findings`, findings > 0);
}

/** How many there are of what an audit leaves behind: or a removal would have nothing to remove. */
async function noteWhatIsThere(done: string): Promise<void> {
  const there = await ours();
  const counted = Object.entries(there).map(([kind, all]) => `${all.length} ${kind}`);
  const needed = [
    'stacks',
    'functions',
    'state machines',
    'log groups',
    'roles',
    'buckets',
    'objects',
    'tables',
    'items',
    'topics',
    'subscriptions',
    'queues',
    'event sources',
    'secrets',
    'schedules',
    'alarms',
    'dashboards',
  ];
  const missing = needed.filter((kind) => there[kind] === undefined);
  note(
    [done, 'is there'],
    'something of each kind',
    missing.length === 0 ? counted.join(', ') : `no ${missing.join(', ')}`,
    missing.length === 0,
  );
}

beforeAll(async () => {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  services = await startServices({ root, directory: `${directory.path}/services`, say });
  const fleet = simulateFleet({ endEpochSeconds: lastWholeHour(new Date()) });
  window = {
    lookbackDays: 26 / 24,
    periodSeconds: 60,
    until: new Date(fleet.endEpochSeconds * 1000).toISOString(),
  };
  await loadFleet(services.urls, fleet);
  await bootstrap(root, services);
  empty = await accountContents(services);
}, 600_000);

afterAll(async () => {
  printOutcomes('cdk destroy', ['done', 'then'], outcomes);
  await services?.stop();
});

/** In one file and one order: what one leaves is there for the next. */
test('what was deployed goes, and the bucket stays where it is to be kept', async () => {
  const outputs = await deploy(keeping);
  await noteRun('deployed, to keep the runs', audit(outputs));
  await noteWhatIsThere('deployed, to keep the runs');
  await destroy(keeping);
  kept.push(outputs.RunsBucket);
  await noteWhatIsLeft('destroyed, to keep the runs');
});

test('a new deployment works beside the bucket of the former one, and its own goes with it', async () => {
  const outputs = await deploy(going);
  await noteRun('deployed anew, to keep nothing', audit(outputs));
  await noteWhatIsThere('deployed anew, to keep nothing');
  await destroy(going);
  await noteWhatIsLeft('destroyed, to keep nothing');
});

test('a run that is under way leaves nothing either', async () => {
  const faults = `${services.urls.cloudWatch}/_stripewise/faults`;
  const slowly = { operation: 'GetMetricData', times: -1, delayMs: 10_000 };
  await fetch(faults, { method: 'POST', body: JSON.stringify(slowly) });
  const outputs = await deploy(going);
  let evaluating: () => void = () => {};
  const isEvaluating = new Promise<void>((resolve) => {
    evaluating = resolve;
  });
  const states: string[] = [];
  const run = audit(outputs, (name) => {
    states.push(name);
    if (name === 'Evaluate each batch') evaluating();
  }).then(
    ({ status }) => status,
    (error: Error) => error.name,
  );
  await isEvaluating;
  await destroy(going);
  const collected = states.includes('Collect the findings');
  note(['destroyed in the middle of an audit', 'the audit'], 'never comes to an end', await run, !collected);
  // For what was still on its way when the stack was gone.
  await after(15_000);
  await noteWhatIsLeft('destroyed in the middle of an audit');
  await fetch(faults, { method: 'DELETE' });
});

let outputs: StackOutputs;
let runs: string[];

/** Without what monitoring keeps for itself, each minute. */
const objectsOfRuns = async (): Promise<string[]> =>
  ((await ours())['objects'] ?? []).filter((key) => !key.includes('/monitoring/'));

test('an update that keeps, or no longer keeps, deletes nothing', async () => {
  outputs = await deploy(going);
  await noteRun('deployed, to keep nothing', audit(outputs));
  runs = await objectsOfRuns();
  for (const [config, done] of [
    [keeping, 'updated, to keep the runs'],
    [going, 'updated, to keep nothing again'],
  ] as const) {
    await deploy(config);
    const now = await objectsOfRuns();
    const same = JSON.stringify(now) === JSON.stringify(runs);
    note(
      [done, 'objects'],
      `the same ${runs.length}`,
      `${now.length}, ${same ? 'the same' : 'others'}`,
      same,
    );
    const there = await emptier(services);
    const asWanted = (there === undefined) === (config === keeping);
    note(
      [done, 'what empties the bucket'],
      config === keeping ? 'is gone' : 'is there',
      there ?? 'none',
      asWanted,
    );
  }
});

test('a removal that failed goes on when it is run again', async () => {
  const s3 = await refuseOneDeletion(services.urls.aws);
  await letEmptierReach(services, s3.url);
  const why = await destroy(going).then(
    () => 'it was removed',
    (error: Error) => error.message,
  );
  const line = why.split('\n').find((text) => text.includes('s3:DeleteObjects')) ?? why;
  const isSaid = line.includes(
    `s3:DeleteObjects in ${outputs.RunsBucket} failed: AccessDenied: refused by a test`,
  );
  note(
    ['destroyed, S3 refuses to delete once', '`cdk destroy`'],
    'fails and says why',
    line.slice(line.indexOf('s3:')),
    isSaid && s3.refused() === 1,
  );
  const left = await ours();
  const all = JSON.stringify(await objectsOfRuns()) === JSON.stringify(runs) && left['stacks']?.length === 1;
  note(['destroyed, S3 refuses to delete once', 'objects and stack'], 'are there', said(left), all);
  await destroy(going);
  await s3.stop();
  await noteWhatIsLeft('destroyed again');
});

test('every row came out as expected', () => {
  expect(unexpected(outcomes)).toEqual([]);
  expect(outcomes).toHaveLength(16);
});
