/** 5,000 accounts in the list, as the function lists their targets: what it takes, and that nothing is asked without end. */
import { runKeys } from '../../core/audit/run-keys.ts';
import { targetListSchema } from '../../core/schemas/accounts.ts';
import { type PlainAws, startPlainAws } from '../fixtures/plain-aws.ts';
import { type EnvironmentRun, runEnvironment } from '../fixtures/run-environment.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const hub = '111122223333';
const runId = 'run-1';
const accounts = Array.from({ length: 5_000 }, (_, i) => `${200_000_000_000 + i}`);
/** Every tenth has no role; STS throttles one, however often it is tried. */
const refused = accounts.filter((_, i) => i % 10 === 0);
const throttled = [accounts[1]] as [string];
/** Odd ones have an opt-in Region that the others have not. */
const regionsOf = (account: string): string[] =>
  Number(account) % 2 === 0 ? ['us-east-1', 'eu-central-1'] : ['us-east-1', 'eu-central-1', 'me-south-1'];

const event = {
  runId,
  request: {},
  organization: {
    accounts,
    exclude: [],
    externalId: 'example-7f3a',
    memberRoleName: 'StripewiseMember',
    regions: 'enabled',
  },
};
/** What Step Functions and Lambda hand on at most. */
const mostBytes = 256 * 1_024;
/** Of the function (lib/audit/functions.ts). */
const [memoryMiB, timeoutSeconds] = [512, 15 * 60];

const directory = temporaryDirectory();
let aws: PlainAws;
let run: EnvironmentRun;
let tookSeconds: number;
beforeAll(async () => {
  aws = await startPlainAws((account) => {
    if (refused.includes(account)) return 'AccessDenied';
    return throttled.includes(account) ? 'Throttling' : null;
  }, regionsOf);
  const begunMs = Date.now();
  run = await runEnvironment({
    ...{ name: 'list-targets', account: hub, events: [event] },
    env: {
      ...aws.env,
      ...{ BUCKET: 'runs', REGIONS: 'us-east-1', LOOKBACK_DAYS: '14', PERIOD_SECONDS: 'two-passes' },
      ...{ READ_MINUTES: '690' },
      MEMBER_ROLE: JSON.stringify({ memberRoleName: 'StripewiseMember', externalId: 'example-7f3a' }),
    },
    directory: directory.path,
  });
  tookSeconds = (Date.now() - begunMs) / 1_000;
}, 300_000);
afterAll(() => aws?.stop());

test('each account that answers is a target in each of its Regions, each other one is listed with its reason', () => {
  const { targets, notListed } = targetListSchema.parse(
    JSON.parse(aws.objects.get(runKeys(runId).targets) ?? ''),
  );
  const answering = accounts.filter((account) => !refused.includes(account) && !throttled.includes(account));
  // 5,000 less 500 without a role less one; the 2,499 odd ones have a third Region.
  expect(answering).toHaveLength(4_499);
  expect(targets.map(({ account, region }) => `${account} ${region}`)).toEqual(
    answering.flatMap((account) => [...regionsOf(account)].sort().map((region) => `${account} ${region}`)),
  );
  const reasons = notListed.map(({ account, refused: { code } }) => `${account} ${code}`);
  const expected = [
    ...refused.map((account) => `${account} role-refused`),
    ...throttled.map((account) => `${account} sts-throttled`),
  ];
  expect(reasons.sort()).toEqual(expected.sort());
});

test('nothing is asked without end: who refuses once, who throttles eight times, who answers once for its Regions', () => {
  const timesOf = (counts: ReadonlyMap<string, number>, which: readonly string[]) => [
    ...new Set(which.map((account) => counts.get(account) ?? 0)),
  ];
  const answering = accounts.filter((account) => !refused.includes(account) && !throttled.includes(account));
  expect(timesOf(aws.assumed, refused)).toEqual([1]);
  expect(timesOf(aws.assumed, throttled)).toEqual([8]);
  expect(timesOf(aws.assumed, answering)).toEqual([1]);
  expect(timesOf(aws.listings, answering)).toEqual([1]);
});

test('it stays within what Lambda and Step Functions allow', () => {
  const [answer] = run.answers;
  const figures = {
    seconds: Math.ceil(tookSeconds),
    memoryMiB: Math.ceil(run.peakMiB),
    eventBytes: JSON.stringify(event).length,
    answerBytes: JSON.stringify(answer).length,
    connections: aws.mostConnections(),
  };
  process.stdout.write(`\n5,000 accounts listed: ${JSON.stringify(figures)}\n`);
  expect(answer).toMatchObject({ targets: 4_499 * 2 + 2_499 });
  expect(figures.seconds).toBeLessThan(timeoutSeconds);
  expect(figures.memoryMiB).toBeLessThan(memoryMiB);
  expect(figures.eventBytes).toBeLessThan(mostBytes);
  // What the next state gets does not grow with the accounts.
  expect(figures.answerBytes).toBeLessThan(1_024);
  // Ten accounts are asked at one time, each of STS and of itself; a function may have 1,024 files and connections open.
  expect(figures.connections).toBeLessThan(50);
});
