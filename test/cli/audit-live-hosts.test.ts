/** `audit --host-discovery`: hosts of a live account say how their volumes are joined, or why they do not. */
import {
  DescribeInstanceInformationCommand,
  GetCommandInvocationCommand,
  ListCommandInvocationsCommand,
  SendCommandCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { jsonReply, listen, type Reply, readText } from '../../local/http.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';
import { stripedHost } from './striped-account.ts';

const account = liveAccount();
const ssm = mockClient(SSMClient);
afterAll(() => ssm.restore());

const directory = temporaryDirectory();
const asked = ['--host-discovery', 'stripewise-stripes'];
const day = ['--region', 'us-east-1', '--lookback-days', '1', '--until', '2026-11-20T00:00Z'];

/** Two hosts with two volumes each, and one with one volume alone. */
const [first, second, third] = ['i-0123456789abcdef0', 'i-0123456789abcdef1', 'i-0123456789abcdef2'];
const volumeOn = (InstanceId: string, place: number) => ({
  VolumeId: `vol-${InstanceId.slice(2, -1)}${place}`,
  Attachments: [{ InstanceId, State: 'attached' }],
});
const on = {
  [first]: [0, 1].map((place) => volumeOn(first, place)),
  [second]: [2, 3].map((place) => volumeOn(second, place)),
  [third]: [volumeOn(third, 4)],
};
const volumeIdsOn = (instanceId: string): string[] => (on[instanceId] ?? []).map(({ VolumeId }) => VolumeId);
const documentOf = (instanceId: string): string => stripedHost(volumeIdsOn(instanceId));

/** A calm day in points of a minute: 60 operations of 16 KiB. */
const calmDay = (volumeId: string) =>
  Object.entries({
    VolumeReadOps: 60,
    VolumeWriteOps: 0,
    VolumeReadBytes: 60 * 16_384,
    VolumeWriteBytes: 0,
  }).map(([metric, value]) =>
    series(volumeId, Array<number>(1_440).fill(value), { metric, startSeconds: endSeconds - 86_400 }),
  );

const online = (...instanceIds: string[]) => ({
  InstanceInformationList: instanceIds.map((InstanceId) => ({ InstanceId })),
});
const ended = (InstanceId: string, Status: 'Success' | 'Failed' = 'Success') => ({ InstanceId, Status });

beforeEach(async () => {
  account.regions['us-east-1'] = {
    describeVolumes: describeVolumes(...Object.values(on).flat()),
    describeInstances: describeInstances(...Object.keys(on).map((InstanceId) => ({ InstanceId }))),
  };
  await account.cloudWatch.load(Object.keys(on).flatMap(volumeIdsOn).flatMap(calmDay));
  ssm.reset();
  ssm.on(DescribeInstanceInformationCommand).resolves(online(first, second));
  ssm.on(SendCommandCommand).resolves({ Command: { CommandId: 'command-1' } });
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended(first), ended(second)] });
  ssm.on(GetCommandInvocationCommand).callsFake(({ InstanceId }: { InstanceId: string }) => ({
    StandardOutputContent: documentOf(InstanceId),
  }));
});

async function audited(...options: string[]): Promise<{ code: number; result: AuditResult }> {
  const { code, out, err } = await runCli('audit', '--json', ...day, ...options);
  if (out === '') throw new Error(`the audit ended with ${code}: ${err}`);
  return { code, result: auditResultSchema.parse(JSON.parse(out)) };
}
const inShort = ({ stripes }: AuditResult) =>
  stripes.map(({ instanceId, evidence, volumeIds }) => [instanceId, evidence, volumeIds]);

test.each([
  ['in two passes', []],
  ['in one', ['--period-seconds', '60']],
])('hosts with two volumes are asked, and their stripes are by the host, %s', async (_, passes) => {
  const { code, result } = await audited(...asked, ...passes);
  expect(inShort(result)).toEqual([
    [first, 'host', volumeIdsOn(first)],
    [second, 'host', volumeIdsOn(second)],
  ]);
  expect(result.notices).toEqual([]);
  expect(code).toBe(0);
  expect(ssm.commandCalls(SendCommandCommand).map(({ args }) => args[0].input)).toMatchObject([
    { DocumentName: 'stripewise-stripes', InstanceIds: [first, second] },
  ]);
});

test('without --host-discovery nobody is asked, and calm volumes are no stripes', async () => {
  const { code, result } = await audited();
  expect(ssm.calls()).toEqual([]);
  expect(result.stripes).toEqual([]);
  expect(code).toBe(0);
});

test('one host fails: a notice says which, the other has its stripe, and the audit is whole', async () => {
  ssm
    .on(ListCommandInvocationsCommand)
    .resolves({ CommandInvocations: [ended(first), ended(second, 'Failed')] });
  const { code, result } = await audited(...asked);
  expect(inShort(result)).toEqual([[first, 'host', volumeIdsOn(first)]]);
  expect(result.notices).toEqual([
    {
      ...{ code: 'host-not-read', instanceIds: [second], count: 1 },
      reason: { code: 'command-ended', status: 'Failed' },
    },
  ]);
  expect(result.coverage).toMatchObject({ volumes: 5, evaluated: 5, incomplete: [] });
  expect(code).toBe(0);
});

test('a host that Systems Manager does not reach is a line of the text, too', async () => {
  ssm.on(DescribeInstanceInformationCommand).resolves(online(first));
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended(first)] });
  const { code, out } = await runCli('audit', ...day, ...asked);
  expect(out).toContain(
    `Notes:\n  How volumes are joined was not read from ${second}: no Linux instance that Systems Manager reaches now.`,
  );
  expect(out).toContain('1 stripe: 1 by the host.');
  expect(code).toBe(0);
});

test.each([
  ['DescribeInstanceInformation', DescribeInstanceInformationCommand],
  ['SendCommand', SendCommandCommand],
  ['GetCommandInvocation', GetCommandInvocationCommand],
] as const)(
  'ssm:%s that is denied: every volume is evaluated, and the run is partial for it',
  async (action, command) => {
    ssm
      .on(command as typeof SendCommandCommand)
      .rejects(awsError('AccessDeniedException', 'not authorized', 400));
    const { code, result } = await audited(...asked);
    expect(result.notices).toEqual([]);
    expect(result.coverage).toMatchObject({ volumes: 5, evaluated: 5 });
    expect(result.coverage.incomplete).toEqual([
      {
        code: 'hosts-denied',
        reason: `ssm:${action} in us-east-1 failed: AccessDeniedException: not authorized`,
      },
    ]);
    expect(result.stripes).toEqual([]);
    expect(code).toBe(3);
  },
);

test('a file of a host goes before what it says now, and serves where nobody is asked', async () => {
  const file = directory.write(`${first}.json`, stripedHost(volumeIdsOn(first), 'pg-wal'));
  const names = (result: AuditResult) => result.stripes.map(({ name }) => name);
  expect(names((await audited('--hosts', file)).result)).toEqual(['pg/wal']);
  expect(names((await audited('--hosts', file, ...asked)).result)).toEqual(['pg/wal', 'data/data']);
});

describe('over HTTP', () => {
  const operations: string[] = [];
  const answers: Record<string, (instanceId: string) => object> = {
    DescribeInstanceInformation: () => online(first, second),
    SendCommand: () => ({ Command: { CommandId: '11111111-2222-3333-4444-555555555555' } }),
    ListCommandInvocations: () => ({ CommandInvocations: [ended(first), ended(second)] }),
    GetCommandInvocation: (instanceId) => ({ StandardOutputContent: documentOf(instanceId) }),
  };

  test('every call is counted: one list, one command, one look at it, and an answer each', async () => {
    ssm.restore();
    const server = await listen(0, async (request): Promise<Reply> => {
      const operation = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
      const { InstanceId } = JSON.parse(await readText(request)) as { InstanceId?: string };
      operations.push(operation);
      return {
        ...jsonReply(answers[operation]?.(InstanceId ?? '')),
        contentType: 'application/x-amz-json-1.1',
      };
    });
    try {
      account.environment({ AWS_ENDPOINT_URL_SSM: server.url });
      const without = (await audited()).result.cost;
      const { cost, stripes } = (await audited(...asked)).result;
      expect(stripes).toHaveLength(2);
      expect(operations).toEqual([
        ...['DescribeInstanceInformation', 'SendCommand', 'ListCommandInvocations'],
        ...['GetCommandInvocation', 'GetCommandInvocation'],
      ]);
      expect(cost.apiCalls - without.apiCalls).toBe(5);
      // Run Command costs nothing.
      expect(cost).toMatchObject({ metricsRequested: without.metricsRequested, usd: without.usd });
    } finally {
      await server.stop();
    }
  });
});
