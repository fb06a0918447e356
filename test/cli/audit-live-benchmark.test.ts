/** `audit` of an account in which the benchmark runs: volumes of its hosts are left out, where anybody can say which they are. */
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { benchmarkHostKey } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const account = liveAccount();
const s3 = mockClient(S3Client);
afterAll(() => s3.restore());

const hostId = 'i-0123456789abcdef7';
const ofHost = 'vol-00000000000000007';
const attached = { Attachments: [{ InstanceId: hostId, State: 'attached' }] };
const denied = awsError('AccessDenied', 'User: audit is not authorized', 403);

const stackIs = (Outputs: { OutputKey: string; OutputValue: string }[]) =>
  account.cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackName: 'x', CreationTime: new Date(0), StackStatus: 'CREATE_COMPLETE', Outputs }],
  });

beforeEach(() => {
  s3.reset();
  account.regions['us-east-1'] = {
    describeVolumes: describeVolumes({}, { VolumeId: ofHost, ...attached }),
    describeInstances: describeInstances({}, { InstanceId: hostId }),
  };
  stackIs([{ OutputKey: 'RunsBucket', OutputValue: 'runs' }]);
  s3.on(ListObjectsV2Command).resolves({ Contents: [{ Key: benchmarkHostKey('us-east-1', hostId) }] });
});

const options = ['--region', 'us-east-1', '--lookback-days', '1', '--until', '2026-11-20T00:00Z'];

async function audited(...more: string[]) {
  const { out, err } = await runCli('audit', ...options, '--json', ...more);
  if (out === '') throw new Error(err);
  return auditResultSchema.parse(JSON.parse(out));
}

test('they are neither read nor evaluated, and counted: one call asks for the stack, one lists its records', async () => {
  const { coverage, notices } = await audited();
  expect(coverage).toMatchObject({ volumes: 1, benchmarkVolumes: 1, incomplete: [] });
  expect(coverage.instances.total).toBe(1);
  expect(notices).toEqual([]);
  const [asked, ...others] = account.cloudFormation.commandCalls(DescribeStacksCommand);
  expect([asked?.args[0].input, others]).toEqual([{ StackName: 'Stripewise' }, []]);
  expect(s3.commandCalls(ListObjectsV2Command).map(({ args: [{ input }] }) => input)).toEqual([
    { Bucket: 'runs', Prefix: 'campaign-hosts/us-east-1/' },
  ]);
  const { out } = await runCli('audit', ...options);
  expect(out).toContain(
    '1 more volume is of hosts of the benchmark, by its records: neither read nor evaluated.',
  );
});

test('the stack may have another name', async () => {
  await audited('--stack', 'Ours');
  const calls = account.cloudFormation.commandCalls(DescribeStacksCommand);
  expect(calls.map(({ args: [{ input }] }) => input.StackName)).toEqual(['Ours']);
});

test('who asks for one by its id reads whose it is', async () => {
  const { code, err } = await runCli('audit', ...options, '--resource', ofHost);
  expect(code).toBe(2);
  expect(err).toContain(`--resource ${ofHost}: it is of a host of the benchmark, which no audit reads`);
});

test.each([
  ['cloudformation:DescribeStacks', () => account.cloudFormation.on(DescribeStacksCommand).rejects(denied)],
  ['s3:ListBucket', () => s3.on(ListObjectsV2Command).rejects(denied)],
])(
  'who may not call %s audits everything, in whole, and reads that it is not known',
  async (call, refuse) => {
    refuse();
    const { coverage, notices } = await audited();
    expect(coverage).toMatchObject({ volumes: 2, incomplete: [] });
    expect(coverage.benchmarkVolumes).toBeUndefined();
    expect(notices).toEqual([
      {
        code: 'benchmark-hosts-not-known',
        ...{ region: 'us-east-1', reason: expect.stringContaining(`${call} `) },
      },
    ]);
  },
);

test.each([
  [
    'without the stack',
    () =>
      account.cloudFormation
        .on(DescribeStacksCommand)
        .rejects(awsError('ValidationError', 'Stack with id Stripewise does not exist')),
  ],
  ['with a stack of that name that is none of ours', () => stackIs([])],
])('%s nothing is left out, and there is nothing to say', async (_, given) => {
  given();
  const { coverage, notices } = await audited();
  expect(coverage).toMatchObject({ volumes: 2, incomplete: [] });
  expect(coverage.benchmarkVolumes).toBeUndefined();
  expect(notices).toEqual([]);
  expect(s3.calls()).toEqual([]);
});
