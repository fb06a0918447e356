/** Credentials of members in execution environments: how often STS is asked for them, and that they stay in memory. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runKeys } from '../../core/audit/run-keys.ts';
import { thresholdsSchema } from '../../core/config/threshold-settings.ts';
import { type LocalCloudWatch, startCloudWatch } from '../../local/cloudwatch/server.ts';
import { anInstance, aVolume } from '../fixtures/inventory.ts';
import { type PlainAws, startPlainAws } from '../fixtures/plain-aws.ts';
import { type EnvironmentRun, runEnvironment } from '../fixtures/run-environment.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const hub = '111122223333';
const members = ['222233334444', '333344445555', '444455556666'] as const;
const refusing = '555566667777';
const regions = ['us-east-1', 'eu-central-1'] as const;
const [environments, batchesOfTarget] = [8, 2];
const runId = 'run-1';
const plan = { startEpochSeconds: 1_795_129_200, endEpochSeconds: 1_795_132_800, periodSeconds: 300 };

const directory = temporaryDirectory();
let aws: PlainAws;
let cloudWatch: LocalCloudWatch;
let runs: EnvironmentRun[];

/** Of the hub too: it is read without a role. */
const targets = [hub, ...members].flatMap((account) => regions.map((region) => ({ account, region })));

const env = (): Record<string, string> => ({
  ...aws.env,
  AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch.url,
  ...{ BUCKET: 'runs', STRIPES_DOCUMENT: '', STRIPES_REGION: '', POINT_RATES: 'null' },
  THRESHOLDS: JSON.stringify(thresholdsSchema.parse({})),
  MEMBER_ROLE: JSON.stringify({ memberRoleName: 'StripewiseMember', externalId: 'example-7f3a' }),
});

const keyOf = (account: string, region: string, batch: number): string =>
  `${runKeys(runId).batchesOf(account, region)}0000${batch}-request.json`;

beforeAll(async () => {
  aws = await startPlainAws((account) => (account === refusing ? 'AccessDenied' : null));
  cloudWatch = await startCloudWatch({ quotas: 'none' });
  const events = [...targets, { account: refusing, region: 'us-east-1' }].flatMap(({ account, region }) =>
    Array.from({ length: batchesOfTarget }, (_, batch) => {
      const key = keyOf(account, region, batch);
      const volumes = [aVolume({ account, region })];
      const instances = [anInstance({ account, region })];
      aws.objects.set(key, JSON.stringify({ account, region, volumes, instances, published: null }));
      return { runId, plan, key };
    }),
  );
  runs = await Promise.all(
    Array.from({ length: environments }, (_, i) =>
      runEnvironment({
        ...{ name: 'evaluate-batch', account: hub, env: env(), events },
        directory: join(directory.path, `environment-${i}`),
      }),
    ),
  );
}, 120_000);
afterAll(async () => {
  await aws?.stop();
  await cloudWatch?.stop();
});

test('STS is asked once for an account and execution environment, however many batches and Regions it reads', () => {
  // 8 for each member, and 8 x 3 in all; the hub is read with its own credentials.
  expect(Object.fromEntries(aws.assumed)).toEqual(
    Object.fromEntries([...members, refusing].map((account) => [account, environments])),
  );
});

test('each batch was evaluated with the metrics of its account', async () => {
  const answersOf = (account: string) => ({ key: expect.stringContaining(account), volumes: 1 });
  for (const { answers } of runs) {
    expect(answers).toMatchObject([
      ...targets.flatMap(({ account }) => Array.from({ length: batchesOfTarget }, () => answersOf(account))),
      ...Array.from({ length: batchesOfTarget }, () => ({ error: 'NotEntered' })),
    ]);
  }
  const counts = await fetch(`${cloudWatch.url}/_stripewise/counts/accounts`);
  expect(Object.keys((await counts.json()) as object).sort()).toEqual([hub, ...members]);
});

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name));

test('no secret of a member is in a log, an answer, an object or a file', () => {
  const files = filesBelow(directory.path).map((file) => readFileSync(file, 'utf8'));
  const written = [
    ...runs.flatMap(({ output, answers }) => [output, JSON.stringify(answers)]),
    ...aws.objects.values(),
    ...files,
  ];
  // A secret and a token of each session; the functions did log, and did write results.
  expect(aws.secrets).toHaveLength(2 * environments * members.length);
  expect(runs.every(({ output }) => output.includes('evaluated a batch'))).toBe(true);
  expect([...aws.objects.keys()].some((key) => key.startsWith(runKeys(runId).results))).toBe(true);
  expect(aws.secrets.filter((secret) => written.some((text) => text.includes(secret)))).toEqual([]);
});
