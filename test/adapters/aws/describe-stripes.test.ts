/** Hosts asked by Systems Manager how their volumes are joined, by replies of the SDK. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CancelCommandCommand,
  type CommandInvocationStatus,
  DescribeInstanceInformationCommand,
  GetCommandInvocationCommand,
  InvalidInstanceId,
  InvocationDoesNotExist,
  ListCommandInvocationsCommand,
  SendCommandCommand,
  SSMClient,
} from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { describeStripes } from '../../../adapters/aws/describe-stripes.ts';
import { hostDocument, ids, lvmStripe } from '../../core/stripes/hosts.ts';
import { answerInTurn } from './answer-in-turn.ts';
import { awsError } from './aws-error.ts';

const ssm = mockClient(SSMClient);
const client = new SSMClient({ region: 'eu-central-1' });
const $metadata = {};

/** Waits that took no time, in milliseconds. */
let waited: number[] = [];
const ask = (instanceIds: readonly string[], maxSeconds = 20) =>
  describeStripes(client, instanceIds, {
    region: 'eu-central-1',
    documentName: 'stripewise-stripes',
    maxSeconds,
    wait: async (ms) => void waited.push(ms),
  });

const document = hostDocument(lvmStripe());
const ended = (
  InstanceId: string,
  Status: CommandInvocationStatus = 'Success',
  StatusDetails: string = Status,
) => ({ InstanceId, Status, StatusDetails });

beforeEach(() => {
  ssm.reset();
  waited = [];
  online('i-1', 'i-2');
  ssm.on(SendCommandCommand).resolves({ Command: { CommandId: 'command-1' } });
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended('i-1'), ended('i-2')] });
  ssm.on(GetCommandInvocationCommand).resolves({ StandardOutputContent: document });
});

const online = (...instanceIds: string[]) =>
  ssm.on(DescribeInstanceInformationCommand).resolves({
    InstanceInformationList: instanceIds.map((InstanceId) => ({ InstanceId })),
  });

test('what hosts answer is read as arrays and single volumes', async () => {
  const { hosts, notRead, denied } = await ask(['i-1', 'i-2']);
  expect([notRead, denied]).toEqual([[], []]);
  expect([...hosts.keys()]).toEqual(['i-1', 'i-2']);
  expect(hosts.get('i-1')).toMatchObject({
    arrays: [{ name: 'data/data', kind: 'stripe', memberVolumeIds: ids(1, 2, 3, 4) }],
    singleVolumeIds: ids(0),
  });
});

test('the document is sent by name to Linux instances that are online, whichever of them fail', async () => {
  await ask(['i-1', 'i-2']);
  expect(ssm.commandCalls(DescribeInstanceInformationCommand)[0]?.args[0].input).toEqual({
    Filters: [
      { Key: 'PingStatus', Values: ['Online'] },
      { Key: 'PlatformTypes', Values: ['Linux'] },
    ],
    MaxResults: 50,
  });
  expect(ssm.commandCalls(SendCommandCommand).map(({ args }) => args[0].input)).toEqual([
    {
      DocumentName: 'stripewise-stripes',
      DocumentVersion: '$LATEST',
      InstanceIds: ['i-1', 'i-2'],
      TimeoutSeconds: 30,
      Comment: expect.stringMatching(/^.{1,100}$/),
      MaxConcurrency: '100%',
      MaxErrors: '100%',
    },
  ]);
});

const late = { code: 'no-answer', seconds: 20 };
const failed = (reason: string) => ({ code: 'call-failed', reason });

test('who is not reached is a line, and is not asked', async () => {
  const { hosts, notRead } = await ask(['i-1', 'i-3', 'i-4']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([{ instanceIds: ['i-3', 'i-4'], reason: { code: 'not-reached' } }]);
});

test('of no instances nothing is asked', async () => {
  expect(await ask([])).toEqual({ hosts: new Map(), notRead: [], denied: [] });
  expect(ssm.calls()).toEqual([]);
});

test('every page of instances is followed', async () => {
  const asked = answerInTurn(ssm.on(DescribeInstanceInformationCommand), [
    { InstanceInformationList: [{ InstanceId: 'i-1' }], NextToken: 'two' },
    { InstanceInformationList: [{ InstanceId: 'i-2' }] },
  ]);
  expect([...(await ask(['i-1', 'i-2'])).hosts.keys()]).toEqual(['i-1', 'i-2']);
  expect(asked.map(({ NextToken }) => NextToken)).toEqual([undefined, 'two']);
});

test('fifty to a command', async () => {
  const instanceIds = Array.from({ length: 101 }, (_, i) => `i-${i}`);
  online(...instanceIds);
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: instanceIds.map((id) => ended(id)) });
  expect((await ask(instanceIds)).hosts.size).toBe(101);
  const sizes = ssm.commandCalls(SendCommandCommand).map(({ args }) => args[0].input.InstanceIds?.length);
  expect(sizes).toEqual([50, 50, 1]);
});

test('it waits longer each time until all have ended, through the pages of their list', async () => {
  answerInTurn(ssm.on(ListCommandInvocationsCommand), [
    {},
    { CommandInvocations: [ended('i-1', 'InProgress'), ended('i-2', 'Pending')] },
    { CommandInvocations: [ended('i-1')], NextToken: 'two' },
    { CommandInvocations: [ended('i-2', 'Delayed')] },
    { CommandInvocations: [ended('i-1'), ended('i-2')] },
  ]);
  expect((await ask(['i-1', 'i-2'])).hosts.size).toBe(2);
  expect(waited).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(ssm.commandCalls(CancelCommandCommand)).toHaveLength(0);
});

test('who takes too long is a line, the command is called off, and who has answered is read', async () => {
  ssm
    .on(ListCommandInvocationsCommand)
    .resolves({ CommandInvocations: [ended('i-1'), ended('i-2', 'InProgress')] });
  const { hosts, notRead } = await ask(['i-1', 'i-2']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([{ instanceIds: ['i-2'], reason: late }]);
  // 1 + 2 + 4 + 8 = 15, and 15 more
  expect(waited).toEqual([1_000, 2_000, 4_000, 8_000, 15_000]);
  expect(ssm.commandCalls(CancelCommandCommand).map(({ args }) => args[0].input)).toEqual([
    { CommandId: 'command-1', InstanceIds: ['i-2'] },
  ]);
});

test('commands of others are never called off, whatever ids SSM answers with: IAM cannot limit that', async () => {
  const instanceIds = Array.from({ length: 120 }, (_, i) => `i-${i}`);
  online(...instanceIds);
  const commandIds = ['command-1', 'command-2', 'command-3'];
  answerInTurn(
    ssm.on(SendCommandCommand),
    commandIds.map((CommandId) => ({ Command: { CommandId } })),
  );
  const ofOthers = { ...ended('i-others', 'InProgress'), CommandId: 'command-of-others' };
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended('i-0'), ofOthers] });
  await ask(instanceIds);
  const calledOff = ssm.commandCalls(CancelCommandCommand).map(({ args }) => args[0].input);
  expect(calledOff.map(({ CommandId }) => CommandId).sort()).toEqual(commandIds);
  expect(calledOff.flatMap(({ InstanceIds }) => InstanceIds ?? ['all']).sort()).toEqual(
    instanceIds.slice(1).sort(),
  );
});

test('nothing else calls commands off', () => {
  const sources = ['adapters', 'cli', 'core', 'lambdas'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const calling = sources.filter(
    (file) => file.endsWith('.ts') && /\bCancelCommand(Command)?\(/.test(readFileSync(file, 'utf8')),
  );
  expect(calling).toEqual([join('adapters', 'aws', 'describe-stripes.ts')]);
});

test('a command that cannot be called off is a line more', async () => {
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended('i-1')] });
  ssm.on(CancelCommandCommand).rejects(awsError('InternalServerError', 'broken', 500));
  const { hosts, notRead, denied } = await ask(['i-1', 'i-2']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([
    {
      instanceIds: ['i-2'],
      reason: failed('ssm:CancelCommand in eu-central-1 failed: InternalServerError: broken'),
    },
    { instanceIds: ['i-2'], reason: late },
  ]);
  expect(denied).toEqual([]);
});

test.each([
  [ended('i-2', 'Failed'), 'Failed'],
  [ended('i-2', 'TimedOut', 'DeliveryTimedOut'), 'DeliveryTimedOut'],
  [ended('i-2', 'Failed', 'InvalidPlatform'), 'InvalidPlatform'],
])('a host that ends as %j is a line', async (invocation, status) => {
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended('i-1'), invocation] });
  const { hosts, notRead } = await ask(['i-1', 'i-2']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([{ instanceIds: ['i-2'], reason: { code: 'command-ended', status } }]);
});

test('an answer that is none is a line', async () => {
  ssm
    .on(GetCommandInvocationCommand, { InstanceId: 'i-2' })
    .resolves({ StandardOutputContent: 'sh: not found' });
  const { hosts, notRead } = await ask(['i-1', 'i-2']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([{ instanceIds: ['i-2'], reason: { code: 'not-the-document' } }]);
});

test('an invocation that is not there yet is asked for again, and given up in the end', async () => {
  const notYet = new InvocationDoesNotExist({ message: 'not yet', $metadata });
  ssm
    .on(GetCommandInvocationCommand, { InstanceId: 'i-1' })
    .rejectsOnce(notYet)
    .rejectsOnce(notYet)
    .resolves({ StandardOutputContent: document });
  ssm.on(GetCommandInvocationCommand, { InstanceId: 'i-2' }).rejects(notYet);
  const { hosts, notRead } = await ask(['i-1', 'i-2']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([
    {
      instanceIds: ['i-2'],
      reason: failed('ssm:GetCommandInvocation in eu-central-1 failed: InvocationDoesNotExist: not yet'),
    },
  ]);
});

test('one id that SSM does not take keeps no other from being asked', async () => {
  ssm.on(SendCommandCommand).callsFake(({ InstanceIds }: { InstanceIds: string[] }) => {
    if (InstanceIds.includes('i-3'))
      throw new InvalidInstanceId({ message: 'Instances not in a valid state', $metadata });
    return { Command: { CommandId: `to ${InstanceIds.join()}` } };
  });
  online('i-1', 'i-2', 'i-3', 'i-4');
  ssm.on(ListCommandInvocationsCommand).resolves({
    CommandInvocations: ['i-1', 'i-2', 'i-4'].map((id) => ended(id)),
  });
  const { hosts, notRead } = await ask(['i-1', 'i-2', 'i-3', 'i-4']);
  expect([...hosts.keys()].sort()).toEqual(['i-1', 'i-2', 'i-4']);
  expect(notRead).toEqual([
    {
      instanceIds: ['i-3'],
      reason: failed(
        'ssm:SendCommand in eu-central-1 failed: InvalidInstanceId: Instances not in a valid state',
      ),
    },
  ]);
});

test.each([
  ['DescribeInstanceInformation', DescribeInstanceInformationCommand, [[]]],
  ['SendCommand', SendCommandCommand, [['i-1', 'i-2']]],
  ['ListCommandInvocations', ListCommandInvocationsCommand, [['i-1', 'i-2']]],
  ['GetCommandInvocation', GetCommandInvocationCommand, [['i-1'], ['i-2']]],
] as const)('ssm:%s that fails is a line and throws nothing', async (action, command, who) => {
  ssm.on(command as typeof SendCommandCommand).rejects(awsError('InternalServerError', 'broken', 500));
  const { hosts, notRead, denied } = await ask(['i-1', 'i-2']);
  expect([hosts.size, denied]).toEqual([0, []]);
  expect(notRead).toEqual(
    who.map((instanceIds) => ({
      instanceIds,
      reason: failed(`ssm:${action} in eu-central-1 failed: InternalServerError: broken`),
    })),
  );
});

const notAllowed = (action: string) =>
  `ssm:${action} in eu-central-1 failed: AccessDeniedException: not authorized`;
const deny = (command: unknown) =>
  ssm
    .on(command as typeof SendCommandCommand)
    .rejects(awsError('AccessDeniedException', 'not authorized', 400));

test.each([
  ['DescribeInstanceInformation', DescribeInstanceInformationCommand],
  ['SendCommand', SendCommandCommand],
  ['ListCommandInvocations', ListCommandInvocationsCommand],
  ['GetCommandInvocation', GetCommandInvocationCommand],
])('ssm:%s that is not allowed is reported by itself, and once for all hosts', async (action, command) => {
  deny(command);
  expect(await ask(['i-1', 'i-2'])).toEqual({ hosts: new Map(), notRead: [], denied: [notAllowed(action)] });
});

test('a command that may not be called off is reported so too, beside who did not answer', async () => {
  ssm.on(ListCommandInvocationsCommand).resolves({ CommandInvocations: [ended('i-1')] });
  deny(CancelCommandCommand);
  const { hosts, notRead, denied } = await ask(['i-1', 'i-2']);
  expect([...hosts.keys()]).toEqual(['i-1']);
  expect(notRead).toEqual([{ instanceIds: ['i-2'], reason: late }]);
  expect(denied).toEqual([notAllowed('CancelCommand')]);
});

test('101 hosts are three commands, and what none of them may do is one line', async () => {
  const instanceIds = Array.from({ length: 101 }, (_, i) => `i-${i}`);
  online(...instanceIds);
  deny(SendCommandCommand);
  expect(await ask(instanceIds)).toMatchObject({ notRead: [], denied: [notAllowed('SendCommand')] });
  expect(ssm.commandCalls(SendCommandCommand)).toHaveLength(3);
});

test('a command without an id is a line', async () => {
  ssm.on(SendCommandCommand).resolves({});
  expect((await ask(['i-1', 'i-2'])).notRead).toEqual([
    {
      instanceIds: ['i-1', 'i-2'],
      reason: failed('ssm:SendCommand in eu-central-1 named no command'),
    },
  ]);
});
