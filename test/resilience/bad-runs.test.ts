/** What befalls a whole run: Lambda refuses, hangs or is ended, somebody stops it, two go at once, the clock jumps. */
import { setTimeout as after } from 'node:timers/promises';
import {
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { clientSettings } from '../../local/deploy.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { type Ending, seenOf } from './evaluation-outcome.ts';
import { type Incident, startIncident } from './incident.ts';
import { notifiedInAll, notifyLater } from './notify-later.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';

let day: Incident;
let usual: DeployedRun;
let workflows: SFNClient;
const outcomes: Outcome[] = [];

beforeAll(async () => {
  day = await startIncident();
  workflows = new SFNClient(clientSettings(day.services));
  await day.run();
  usual = await day.run();
}, 400_000);
afterAll(async () => {
  printOutcomes('What befalls a run', ['what'], outcomes);
  await day?.remove();
});
beforeEach(() => day.gateway.reset());

function note(what: string, expected: string, seen: readonly string[], asExpected: boolean): void {
  outcomes.push({ what: [what], expected, seen: seen.filter((text) => text !== '').join(': '), asExpected });
}

/** A run that must end so, with a reason that has this in it. */
function noteRun(what: string, run: DeployedRun, expected: Ending, names = ''): void {
  const { ending, reason, wrong } = seenOf(run, usual);
  if (!reason.includes(names)) wrong.push(`the reason does not name ${names}`);
  note(what, expected, [ending, ...wrong, reason], ending === expected && wrong.length === 0);
}

const lastOutcomes = (count: number): string[] => unexpected(outcomes.slice(-count));

/** The run that is going on. */
async function running(): Promise<string> {
  const { executions = [] } = await workflows.send(
    new ListExecutionsCommand({ stateMachineArn: day.outputs.AuditStateMachine, statusFilter: 'RUNNING' }),
  );
  return executions[0]?.executionArn ?? '';
}

describe('Lambda', () => {
  const steps: [part: string, ending: Ending][] = [
    ['ListTargets', 'failed'],
    ['RefreshCatalog', 'complete, with a notice'],
    ['DiscoverVolumes', 'partial'],
    ['EvaluateBatch', 'partial'],
    ['CollectFindings', 'failed'],
    ['WriteReport', 'failed'],
    ['NotifyFindings', 'failed'],
    ['DrawDashboard', 'failed'],
  ];

  test.each(steps)('refuses to run %s for ever', async (part, ending) => {
    await day.account.throttleAt(part, true);
    const run = await day.run();
    await day.account.throttleAt(part, false);
    noteRun(`Lambda throttles ${part} for ever`, run, ending, 'Lambda.TooManyRequestsException');
    expect(lastOutcomes(1)).toEqual([]);
  });

  test('refuses to run the discovery once', async () => {
    await day.account.throttleAt('DiscoverVolumes', true);
    const going = day.run();
    for (;;) {
      const executionArn = await running();
      const { events = [] } =
        executionArn === ''
          ? {}
          : await workflows.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1_000 }));
      if (
        events.some(({ type }) =>
          /^(Task|LambdaFunction)(Failed|ScheduleFailed|StartFailed)$/.test(type ?? ''),
        )
      )
        break;
      await after(20);
    }
    await day.account.throttleAt('DiscoverVolumes', false);
    noteRun('Lambda throttles DiscoverVolumes once', await going, 'complete');
    expect(lastOutcomes(1)).toEqual([]);
  });

  test.each([
    // The next call must end in time on a busy machine too, so it has longer.
    ['once', 1, 15, 'complete', ''],
    ['for ever', -1, 4, 'partial', 'Task timed out after'],
  ] as const)('ends a discovery whose time is over, %s', async (howOften, times, seconds, ending, names) => {
    await day.account.setTimeout('DiscoverVolumes', seconds);
    day.gateway.faults.add({ kind: 'hangs', times, operation: 'DescribeVolumes' });
    const run = await day.run();
    await day.account.setTimeout('DiscoverVolumes', 600);
    noteRun(`Lambda ends DiscoverVolumes at its time-out ${howOften}`, run, ending, names);
    expect(lastOutcomes(1)).toEqual([]);
  });

  test('leaves an evaluation no time to read: it evaluates nothing, and says so', async () => {
    await day.account.setTimeout('EvaluateBatch', 15);
    const run = await day.run();
    await day.account.setTimeout('EvaluateBatch', 900);
    noteRun('EvaluateBatch has no time to read', run, 'partial', 'the time for reading is over');
    expect(lastOutcomes(1)).toEqual([]);
  });
});

test('a report that cannot be written: all is reported, then the run fails', async () => {
  await day.account.forgetNotified();
  const before = await day.account.findingsPosted();
  day.gateway.faults.add({
    ...{ kind: 'access-denied', times: -1, functionPart: 'WriteReport' },
    ...{ service: 's3', operation: 'PutObject' },
  });
  const run = await day.run();
  const notified = (await day.account.findingsPostedInAll()) - before;
  const { ending, reason } = seenOf(run, usual);
  note(
    'a report that cannot be written',
    `failed, ${notifiedInAll} notified`,
    [ending, reason, `${notified} notified`],
    ending === 'failed' && reason.includes('s3:PutObject of runs/') && notified === notifiedInAll,
  );
  expect(lastOutcomes(1)).toEqual([]);
});

test('a Region that denies everything: the other is evaluated', async () => {
  day.gateway.faults.add({ kind: 'access-denied', times: -1, region: 'eu-central-1' });
  const run = await day.run({ regions: ['us-east-1', 'eu-central-1'] });
  noteRun('a Region denies everything', run, 'partial', 'ec2:DescribeVolumes in eu-central-1');
  expect(lastOutcomes(1)).toEqual([]);
});

test('an account without volumes', async () => {
  const run = await day.run({ regions: ['eu-central-1'] });
  const { volumes, findings } = run.result ?? { volumes: [], findings: [] };
  const isEmpty = volumes.length === 0 && findings.length === 0;
  const { ending } = seenOf({ ...run }, run);
  note(
    'an account without volumes',
    'complete',
    [ending, `${volumes.length} volumes`],
    ending === 'complete' && isEmpty,
  );
  expect(lastOutcomes(1)).toEqual([]);
});

test.each([
  'Discover the volumes of each target',
  'Evaluate each batch',
  'Collect the findings',
  'Write the report',
  'Send notifications',
])('stopped in "%s" and started again: all is reported, once', async (state) => {
  await day.account.forgetNotified();
  const before = await day.account.findingsPosted();
  let stopping: Promise<unknown> = Promise.resolve();
  const stopped = await day.run({}, (name) => {
    if (name !== state) return;
    stopping = running().then((executionArn) =>
      workflows.send(new StopExecutionCommand({ executionArn, error: 'Stopped', cause: 'by hand' })),
    );
  });
  await stopping;
  // What was on its way ends by itself.
  await after(2_000);
  const again = await day.run();
  await notifyLater(day);
  const notified = (await day.account.findingsPostedInAll()) - before;
  const { ending, wrong } = seenOf(again, usual);
  const isStopped = stopped.status.startsWith('ABORTED');
  note(
    `stopped in "${state}", started again`,
    `stopped, then complete, ${notifiedInAll} notified`,
    [stopped.status, ending, ...wrong, `${notified} notified`],
    isStopped && ending === 'complete' && wrong.length === 0 && notified === notifiedInAll,
  );
  expect(lastOutcomes(1)).toEqual([]);
});

test('Lambda refuses to run who delivers: what is reported waits, and is delivered when it may be', async () => {
  await day.account.forgetNotified();
  const before = await day.account.findingsPosted();
  await day.account.throttleAt('DeliverMessages', true);
  const run = await day.run();
  const waiting = await day.account.waiting();
  const early = (await day.account.findingsPosted()) - before;
  await day.account.throttleAt('DeliverMessages', false);
  const notified = (await day.account.findingsPostedInAll()) - before;
  const { ending, wrong } = seenOf(run, usual);
  note(
    'Lambda throttles DeliverMessages',
    `complete, a message waits, then ${notifiedInAll} notified`,
    [ending, ...wrong, `${waiting} waiting`, `${early} notified`, `then ${notified}`],
    ending === 'complete' && wrong.length === 0 && waiting === 1 && early === 0 && notified === notifiedInAll,
  );
  expect(lastOutcomes(1)).toEqual([]);
});

test('two at once: each finds all, what is new is reported once', async () => {
  await day.account.forgetNotified();
  const before = await day.account.findingsPosted();
  const both = await Promise.all([day.run(), day.run()]);
  const notified = (await day.account.findingsPostedInAll()) - before;
  const seen = both.map((run) => seenOf(run, usual));
  const areComplete = seen.every(({ ending, wrong }) => ending === 'complete' && wrong.length === 0);
  note(
    'two audits at once',
    `both complete, ${notifiedInAll} notified`,
    [...seen.flatMap(({ ending, wrong, reason }) => [ending, ...wrong, reason]), `${notified} notified`],
    areComplete && notified === notifiedInAll,
  );
  expect(lastOutcomes(1)).toEqual([]);
});

/** The fleet's 26 hours end then, in functions whose clock and time zone are as said; the run starts by itself. */
async function runAt(
  end: string,
  zone: string,
  laterClocks: Record<string, string> = {},
  gone?: string,
): Promise<DeployedRun> {
  await day.load(Date.parse(end) / 1000, gone);
  const clock = new Date(Date.parse(end) + 4 * 60_000).toISOString();
  await day.account.setEnvironment('Stripewise', { STRIPEWISE_CLOCK: clock, TZ: zone });
  for (const [part, at] of Object.entries(laterClocks))
    await day.account.setEnvironment(part, { STRIPEWISE_CLOCK: at });
  return day.run({ until: undefined });
}

const troubles = ({ result }: DeployedRun): string[] =>
  (result?.findings ?? []).map(({ id, kind, severity }) => `${id} ${kind} ${severity}`).sort();

test('the clock: midnight, and the days on which it is put forward and back', async () => {
  const reference = await runAt('2026-11-18T07:00:00Z', 'UTC');
  const rows: [what: string, run: () => Promise<DeployedRun>][] = [
    ['summer time ends within the window', () => runAt('2026-11-01T07:00:00Z', 'America/New_York')],
    ['summer time begins within the window', () => runAt('2026-03-29T07:00:00Z', 'Europe/Berlin')],
    [
      'midnight passes between two steps',
      () =>
        runAt('2026-11-19T00:00:00Z', 'Asia/Kathmandu', {
          ListTargets: '2026-11-18T23:59:30Z',
          DiscoverVolumes: '2026-11-19T00:00:10Z',
          EvaluateBatch: '2026-11-19T00:00:20Z',
          NotifyFindings: '2026-11-19T00:01:00Z',
        }),
    ],
  ];
  for (const [what, run] of rows) {
    const done = await run();
    const isSame = JSON.stringify(troubles(done)) === JSON.stringify(troubles(reference));
    const isWhole = (done.output as { partial?: boolean } | null)?.partial === false;
    note(
      what,
      'complete, the same findings',
      [
        done.status,
        isWhole ? 'complete' : 'not complete',
        `${troubles(done).length} of ${troubles(reference).length} findings`,
      ],
      isSame && isWhole && troubles(reference).length > 0,
    );
  }
  expect(lastOutcomes(rows.length)).toEqual([]);
});

test('what is gone is reported once, after two audits that did not find it', async () => {
  await day.account.forgetNotified();
  const gone = 'orders-db';
  const [first, ...rest] = await notifiedByDay([undefined, gone, gone, gone]);
  const resolved = rest.flat();
  const seen = [first, ...rest].map((messages) => messages?.join(' + ') || 'nothing').join(', ');
  note(
    'an instance and its volumes are gone',
    'notified on the first day, nothing on the second, that it is resolved on the third, nothing on the fourth',
    [seen],
    first?.length === 1 &&
      rest.map((messages) => messages.length).join() === '0,1,0' &&
      resolved.every((text) => text.includes('resolved')),
  );
  expect(lastOutcomes(1)).toEqual([]);
});

/** What Slack is reported by an audit on each day, at the same hour. */
async function notifiedByDay(goneOnDay: readonly (string | undefined)[]): Promise<string[][]> {
  const notified: string[][] = [];
  for (const [index, gone] of goneOnDay.entries()) {
    const before = await day.account.messages();
    await runAt(`2026-11-${18 + index}T07:00:00Z`, 'UTC', {}, gone);
    await day.account.deliveriesDone();
    notified.push((await day.account.messages()).slice(before.length));
  }
  return notified;
}
