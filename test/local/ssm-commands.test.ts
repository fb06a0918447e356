/** Commands of the local Systems Manager: how they end, and what is reported of them, with the limits that AWS documents. */
import {
  CancelCommandCommand,
  GetCommandInvocationCommand,
  InvalidInstanceId,
  InvocationDoesNotExist,
  ListCommandInvocationsCommand,
  type ListCommandInvocationsCommandInput,
  SendCommandCommand,
  type SendCommandCommandInput,
} from '@aws-sdk/client-ssm';
import { account, id, localSsm } from './ssm-fixture.ts';

const ssm = localSsm();

async function sent(input: Partial<SendCommandCommandInput> = {}): Promise<string> {
  const { Command } = await ssm.client.send(
    new SendCommandCommand({ DocumentName: 'describe', InstanceIds: [id(1)], ...input }),
  );
  return Command?.CommandId ?? '';
}
const listed = async (CommandId: string, more: Partial<ListCommandInvocationsCommandInput> = {}) =>
  ssm.client.send(new ListCommandInvocationsCommand({ CommandId, ...more }));
const notified = (CommandId: string, InstanceId = id(1)) =>
  ssm.client.send(new GetCommandInvocationCommand({ CommandId, InstanceId }));
const statusOf = async (CommandId: string): Promise<string | undefined> =>
  (await listed(CommandId)).CommandInvocations?.[0]?.StatusDetails;

describe('a command', () => {
  beforeEach(() =>
    ssm.putHosts({
      [id(1)]: { stdout: 'hello\n', stderr: 'a warning\n' },
      [id(2)]: { stdout: 'half', stderr: 'no lsblk', status: 'Failed' },
      [id(3)]: { stdout: 'half', status: 'TimedOut' },
      [id(4)]: { status: 'InProgress' },
      [id(5)]: { online: false },
      [id(6)]: { platform: 'Windows' },
    }),
  );

  test('is pending, in progress and done, and says nothing before', async () => {
    const command = await sent({ Comment: 'why', DocumentVersion: '$LATEST' });
    expect(await notified(command)).toMatchObject({
      ...{ Status: 'Pending', ResponseCode: -1, StandardOutputContent: '' },
      ...{ CommandId: command, InstanceId: id(1), Comment: 'why' },
      ...{ DocumentName: 'describe', DocumentVersion: '$LATEST' },
    });
    ssm.nowMs += 100;
    expect(await notified(command)).toMatchObject({ Status: 'InProgress', StandardOutputContent: '' });
    ssm.nowMs += 899;
    expect(await statusOf(command)).toBe('InProgress');
    ssm.nowMs += 1;
    expect(await statusOf(command)).toBe('Success');
    expect(await notified(command)).toMatchObject({
      ...{ Status: 'Success', StatusDetails: 'Success', ResponseCode: 0 },
      ...{ StandardOutputContent: 'hello\n', StandardErrorContent: 'a warning\n' },
    });
  });

  test('ends on each host as that host ends it', async () => {
    const InstanceIds = [1, 2, 3, 4].map(id);
    const command = await sent({ InstanceIds, MaxErrors: '100%' });
    ssm.nowMs += 1_000;
    const { CommandInvocations } = await listed(command, { Details: true });
    const seen = CommandInvocations?.map(({ InstanceId, Status, StatusDetails, CommandPlugins }) => [
      ...[InstanceId, Status, StatusDetails, CommandPlugins?.[0]?.Output],
    ]);
    expect(seen).toEqual([
      [id(1), 'Success', 'Success', 'hello\n\n----------ERROR-------\na warning\n'],
      [id(2), 'Failed', 'Failed', 'half\n----------ERROR-------\nno lsblk'],
      [id(3), 'TimedOut', 'ExecutionTimedOut', 'half'],
      [id(4), 'InProgress', 'InProgress', ''],
    ]);
    expect(await notified(command, id(2))).toMatchObject({ StandardOutputContent: 'half', ResponseCode: 1 });
    // Documented: empty where it neither succeeded nor failed.
    expect(await notified(command, id(3))).toMatchObject({ StandardOutputContent: '' });
    expect((await listed(command)).CommandInvocations?.[0]?.CommandPlugins).toEqual([]);
  });

  test('lists its invocations in pages', async () => {
    const command = await sent({ InstanceIds: [1, 2, 3].map(id), MaxErrors: '100%' });
    const first = await listed(command, { MaxResults: 2 });
    const second = await listed(command, { MaxResults: 2, NextToken: first.NextToken });
    const ids = [first, second].map((page) => page.CommandInvocations?.map(({ InstanceId }) => InstanceId));
    expect(ids).toEqual([[id(1), id(2)], [id(3)]]);
    expect(second.NextToken).toBeUndefined();
  });

  test('that is called off is cancelled where it has not ended', async () => {
    const command = await sent({ InstanceIds: [id(1), id(4)], MaxErrors: '100%' });
    ssm.nowMs += 1_000;
    await ssm.client.send(new CancelCommandCommand({ CommandId: command }));
    const { CommandInvocations } = await listed(command);
    expect(CommandInvocations?.map(({ Status }) => Status)).toEqual(['Success', 'Cancelled']);
    const early = await sent();
    await ssm.client.send(new CancelCommandCommand({ CommandId: early }));
    ssm.nowMs += 1_000;
    expect(await notified(early)).toMatchObject({ Status: 'Cancelled', StandardOutputContent: '' });
  });

  test('hands over 24,000 characters of output and 8,000 of errors, in a list 2,500', async () => {
    await ssm.putHosts({ [id(1)]: { stdout: 'o'.repeat(24_001), stderr: 'e'.repeat(8_001) } });
    const command = await sent();
    ssm.nowMs += 1_000;
    const { StandardOutputContent, StandardErrorContent } = await notified(command);
    expect([StandardOutputContent?.length, StandardErrorContent?.length]).toEqual([24_000, 8_000]);
    const { CommandInvocations } = await listed(command, { Details: true });
    const output = CommandInvocations?.[0]?.CommandPlugins?.[0]?.Output;
    expect(output).toHaveLength(2_500);
    expect(output).toMatch(/^o+\n---Output truncated---$/);
  });

  test('to a host that is not reached, or that there is not, is sent to none', async () => {
    const sending = sent({ InstanceIds: [1, 5, 9].map(id), MaxErrors: '100%' });
    await expect(sending).rejects.toBeInstanceOf(InvalidInstanceId);
    await expect(sending).rejects.toThrow(
      `Instances [[${id(5)}, ${id(9)}]] not in a valid state for account ${account}`,
    );
  });

  test.each<[string, Partial<SendCommandCommandInput>, string]>([
    ['with a document that there is not', { DocumentName: 'other' }, 'InvalidDocument'],
    ['with the same host twice', { InstanceIds: [id(1), id(1)] }, 'DuplicateInstanceId'],
    ['to 51 hosts', { InstanceIds: Array.from({ length: 51 }, (_, i) => id(i)) }, 'ValidationException'],
    ['that is delivered for less than 30 s', { TimeoutSeconds: 29 }, 'ValidationException'],
    ['with a comment above 100 characters', { Comment: 'c'.repeat(101) }, 'ValidationException'],
    ['for more than all at once', { MaxConcurrency: '101%' }, 'ValidationException'],
    ['with targets', { Targets: [{ Key: 'tag:a', Values: ['b'] }] }, 'NotSupportedByStandIn'],
    [
      'with a parameter that its document does not have',
      { Parameters: { commands: ['true'] } },
      'InvalidParameters',
    ],
    ['with its output in a bucket', { OutputS3BucketName: 'outputs' }, 'NotSupportedByStandIn'],
    [
      'with its output in a log group',
      { CloudWatchOutputConfig: { CloudWatchOutputEnabled: true } },
      'NotSupportedByStandIn',
    ],
    ['that errors could stop half-way', { InstanceIds: [id(1), id(2)] }, 'NotSupportedByStandIn'],
    ['to Windows', { InstanceIds: [id(6)] }, 'NotSupportedByStandIn'],
  ])('%s is refused', async (_, input, name) => {
    await expect(sent(input)).rejects.toMatchObject({ name });
  });

  test('that nobody sent is not known', async () => {
    const none = '00000000-0000-4000-8000-000000000000';
    await expect(notified(none)).rejects.toBeInstanceOf(InvocationDoesNotExist);
    await expect(notified(await sent(), id(2))).rejects.toBeInstanceOf(InvocationDoesNotExist);
    await expect(listed(none)).rejects.toMatchObject({ name: 'InvalidCommandId' });
  });
});
