/** `bench plan --from-finding` of the deployed account: its latest run, and the load of one volume read again. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { findingId } from '../../core/diagnosis/draft.ts';
import { benchPlanAnswerSchema } from '../../core/schemas/bench-plan-answer.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { day, describeInstances, describeVolumes, load } from '../fixtures/aws-cli.ts';
import { aResult, onVolume } from '../fixtures/findings.ts';
import { aWholeFinding } from '../fixtures/whole-findings.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { expectOneLine } from './expect-one-line.ts';
import { liveAccount } from './live-account.ts';
import { calm, calmQueue, full, minutes, vol } from './one-volume.ts';
import { cliJson } from './run-cli.ts';

const account = liveAccount();
const cloudFormation = mockClient(CloudFormationClient);
const s3 = mockClient(S3Client);

const daySeconds = 86_400;
const window = { start: '2026-11-19T00:00:00Z', end: '2026-11-20T00:00:00Z' };
const resource = onVolume(vol, { account: '111122223333' });
const kind = 'throttled-volume-iops';
const finding = aWholeFinding({ id: findingId(kind, resource), kind, resource });
const plan = (id: string): string[] => ['bench', 'plan', '--from-finding', id, '--region', 'us-east-1'];

/** What the bucket has of a run; null: nothing yet. */
function stored(findings: readonly Finding[] | null): void {
  const { findings: all, volumes, ...summary } = aResult(findings ?? [], { window });
  const lines = (values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const objects: Record<string, string> = {
    'runs/latest.json': JSON.stringify({ runId: 'run-1' }),
    'runs/run-1/summary.json': JSON.stringify(summary),
    'runs/run-1/findings.jsonl': lines(all),
    'runs/run-1/volumes.jsonl': lines(volumes),
  };
  s3.on(ListObjectsV2Command).callsFake(({ Prefix }) => ({
    Contents: findings === null ? [] : [{ Key: Prefix }],
  }));
  s3.on(GetObjectCommand).callsFake(({ Key }) => ({ Body: { transformToString: async () => objects[Key] } }));
}

beforeEach(async () => {
  cloudFormation.reset();
  s3.reset();
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [
      {
        ...{ StackName: 'Stripewise', CreationTime: new Date(0), StackStatus: 'CREATE_COMPLETE' },
        Outputs: [
          { OutputKey: 'RunsBucket', OutputValue: 'bucket' },
          {
            OutputKey: 'BenchStateMachine',
            OutputValue: 'arn:aws:states:us-east-1:111122223333:stateMachine:b',
          },
        ],
      },
    ],
  });
  account.regions['us-east-1'] = {
    describeVolumes: describeVolumes({}),
    describeInstances: describeInstances({ InstanceType: 'm5.12xlarge' }),
  };
});

test('the load of its volume is read over the window of the run, and counted', async () => {
  stored([finding]);
  await account.cloudWatch.load(
    load(vol, day(calm, minutes(100, 110, full)), {
      VolumeQueueLength: day(calmQueue, minutes(100, 110, 8)),
    }).map(({ label, values }) =>
      series(vol, values as number[], {
        metric: label.split(' ')[1] as string,
        startSeconds: endSeconds - daySeconds,
      }),
    ),
  );
  const answer = benchPlanAnswerSchema.parse(await cliJson(...plan(finding.id)));
  expect(answer.request).toMatchObject({
    layouts: [{ iops: 3_000 }, { iops: 6_000 }],
    instanceTypes: ['m5.12xlarge'],
    findingId: finding.id,
  });
  expect(answer.validates).toMatchObject({
    observed: { minutes: 10, servedIops: 3_000, demandIops: 6_000 },
    // 8 metrics of the volume and 8 of its instance: 16 x 0.00001
    cost: { metricsRequested: 16, usd: 0.000_16 },
  });
  expect(answer.validates?.cost.apiCalls).toBe(3 + 1); // three checks listed, all metrics in one page; EC2 and STS are mocked
});

test('what the account has not is one line', async () => {
  stored(null);
  await expectOneLine(plan(finding.id), /has no run of its audit yet: wait for the first/);
  stored([]);
  await expectOneLine(plan(finding.id), /the latest run \(run-1\) has no finding [0-9a-f]{16}: it has none/);
});

test('a finding whose volume is calm now, or gone, is not planned from', async () => {
  stored([finding]);
  account.regions['us-east-1'] = { describeVolumes: { Volumes: [] }, describeInstances: describeInstances() };
  await expectOneLine(plan(finding.id), /is not found again in the same time: .* audit again/);
});
