/** Events of services, and what of a stack waits for them; each gap of the emulator without its patch and with it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { GetInstanceProfileCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { eventsToMiniStack, type ServiceEvent } from '../../local/ssm/events.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { account } from './ec2.ts';
import { eventually, type MiniStack } from './ministack.ts';
import { create, physicalId, remove } from './stacks.ts';
import { bucket, json, only, pass, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

/** Keeps what it is called with, under the name of the command or of the execution, or under what it was reported. */
const keeping = `
  const { S3Client, PutObjectCommand } = require('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint: process.env.AWS_ENDPOINT_URL, region: 'us-east-1', forcePathStyle: true });
  const { name, status } = event.detail ?? {};
  const Key = event.scheduled ?? event.detail['command-id'] ?? name + '-' + status;
  await client.send(new PutObjectCommand({ Bucket: '${bucket}', Key, Body: JSON.stringify(event) }));`;

const kept = ({ s3 }: MiniStack, Key: string): Promise<unknown> =>
  s3.send(new GetObjectCommand({ Bucket: bucket, Key })).then(
    async ({ Body }) => JSON.parse((await Body?.transformToString()) ?? 'null'),
    () => undefined,
  );

const trusting = (Service: string): object => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }],
    },
  },
});
const rule = (Arn: string, EventPattern: object): object => ({
  Type: 'AWS::Events::Rule',
  Properties: { EventPattern, State: 'ENABLED', Targets: [{ Arn, Id: 'Target0' }] },
});
const invocationEnded = 'EC2 Command Invocation Status-change Notification';

const stack = (Arn: string): object => ({
  HostRole: trusting('ec2.amazonaws.com'),
  Profile: { Type: 'AWS::IAM::InstanceProfile', Properties: { Roles: [{ Ref: 'HostRole' }] } },
  CommandEnded: rule(Arn, {
    source: ['aws.ssm'],
    'detail-type': [invocationEnded],
    detail: { status: ['Success', 'Failed', 'TimedOut', 'Cancelled'], 'document-name': ['run-fio'] },
  }),
  ExecutionEnded: rule(Arn, {
    source: ['aws.states'],
    'detail-type': ['Step Functions Execution Status Change'],
    detail: { status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'] },
  }),
  MayInvoke: {
    Type: 'AWS::Lambda::Permission',
    Properties: { Action: 'lambda:InvokeFunction', FunctionName: Arn, Principal: 'events.amazonaws.com' },
  },
  SchedulerRole: trusting('scheduler.amazonaws.com'),
  Schedule: {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      // In UTC, without parts of a second.
      ScheduleExpression: `at(${new Date(Date.now() + 1_000).toISOString().slice(0, 19)})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn,
        RoleArn: { 'Fn::GetAtt': ['SchedulerRole', 'Arn'] },
        Input: json({ scheduled: 'sweep' }),
      },
    },
  },
});

beforeAll(async () => {
  for (const server of [servers.stock, servers.patched])
    await create(server, 'waiting', stack(await server.deploy('keeping', keeping)));
});

const commandEnded = (id: string, documentName = 'run-fio'): ServiceEvent => ({
  detailType: invocationEnded,
  resources: [`arn:aws:ec2:us-east-1:${account}:instance/i-1`],
  detail: {
    ...{ 'command-id': id, 'document-name': documentName, 'instance-id': 'i-1', status: 'Success' },
  },
});
const sender = ({ url }: MiniStack) => eventsToMiniStack(url, account);

test('an event of Systems Manager is refused without its patch', async () => {
  const sending = sender(servers.stock)('us-east-1', commandEnded('stock'));
  await expect(sending).rejects.toThrow('NotAuthorizedForSourceException');
});

test('an event of Systems Manager reaches a function by its rule, and none that the rule does not want', async () => {
  const send = sender(servers.patched);
  await send('us-east-1', commandEnded('other', 'build-stripe'));
  await send('us-east-1', commandEnded('desired'));
  expect(await eventually(() => kept(servers.patched, 'desired'))).toMatchObject({
    ...{ source: 'aws.ssm', 'detail-type': invocationEnded, account, region: 'us-east-1' },
    resources: [`arn:aws:ec2:us-east-1:${account}:instance/i-1`],
    detail: { 'command-id': 'desired', 'instance-id': 'i-1', status: 'Success' },
  });
  expect(await kept(servers.patched, 'other')).toBeUndefined();
});

test('who is no service puts no event of one', async () => {
  const Entries = [{ Source: 'aws.ssm', DetailType: invocationEnded, Detail: '{}' }];
  const reply = await fetch(servers.patched.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
    body: json({ Entries }),
  });
  expect(await reply.json()).toMatchObject({ FailedEntryCount: 1 });
});

/** Runs to its end, or is stopped; its name is that of its state machine. */
async function ended({ sfn }: MiniStack, name: string, definition: object, input = '{"a":1}') {
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name,
      roleArn: `arn:aws:iam::${account}:role/test`,
      definition: json({ QueryLanguage: 'JSONata', ...definition }),
    }),
  );
  const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
  if (name === 'ABORTED') {
    await after(300);
    await sfn.send(new StopExecutionCommand({ executionArn }));
  }
  return eventually(async () => {
    const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'RUNNING' ? undefined : status;
  });
}
const slow = only({ Type: 'Wait', Seconds: 2, End: true });

test.each<[string, object]>([
  ['SUCCEEDED', only(pass({ b: 2 }))],
  ['FAILED', only({ Type: 'Fail', Error: 'No' })],
  ['ABORTED', slow],
  ['TIMED_OUT', { ...slow, TimeoutSeconds: 1 }],
])('an execution that is %s tells so by an event of its own', async (status, definition) => {
  expect(await ended(servers.patched, status, definition)).toBe(status);
  expect(await eventually(() => kept(servers.patched, `${status}-${status}`))).toMatchObject({
    ...{ source: 'aws.states', 'detail-type': 'Step Functions Execution Status Change' },
    detail: {
      executionArn: `arn:aws:states:us-east-1:${account}:execution:${status}:${status}`,
      stateMachineArn: `arn:aws:states:us-east-1:${account}:stateMachine:${status}`,
      ...{ name: status, status, input: '{"a":1}' },
      output: status === 'SUCCEEDED' ? '{"b": 2}' : null,
      startDate: expect.any(Number),
      stopDate: expect.any(Number),
    },
  });
});

test('events of executions without a patch: nothing to patch but TIMED_OUT', async () => {
  expect(await ended(servers.stock, 'FAILED', only({ Type: 'Fail', Error: 'No' }))).toBe('FAILED');
  expect(await eventually(() => kept(servers.stock, 'FAILED-FAILED'))).toMatchObject({
    detail: { status: 'FAILED', startDate: expect.any(Number) },
  });
});

describe('a function that a rule invokes', () => {
  const directory = temporaryDirectory();

  /** How often one that always fails was tried, some time after an event. */
  async function tries(server: MiniStack): Promise<number> {
    const file = join(directory.path, server === servers.stock ? 'stock' : 'patched');
    writeFileSync(file, '');
    const failing = `require('node:fs').appendFileSync(event.detail.input.slice(1, -1), 'x'); throw new Error('no');`;
    const started = rule(await server.deploy('failing', failing), {
      source: ['aws.states'],
      detail: { status: ['SUCCEEDED'], name: ['tried'] },
    });
    await create(server, 'tried', { Started: started });
    await ended(server, 'tried', only(pass()), json(file));
    await after(6_000);
    return readFileSync(file, 'utf8').length;
  }

  test('is not tried again without its patch', async () => {
    expect(await tries(servers.stock)).toBe(1);
  });

  test('is tried three times', async () => {
    expect(await tries(servers.patched)).toBe(3);
  });
});

test('a schedule calls its function with its input: nothing to patch', async () => {
  expect(await eventually(() => kept(servers.stock, 'sweep'))).toEqual({ scheduled: 'sweep' });
});

/** The name of its role; it throws where Ref is no name of a profile. */
async function roleOfProfile(server: MiniStack): Promise<string | undefined> {
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  const iam = new IAMClient({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 });
  const InstanceProfileName = await physicalId(server, 'waiting', 'Profile');
  const { InstanceProfile } = await iam
    .send(new GetInstanceProfileCommand({ InstanceProfileName }))
    .finally(() => iam.destroy());
  return InstanceProfile?.Roles?.[0]?.RoleName;
}

test('Ref of an instance profile is its ARN without its patch', async () => {
  await expect(roleOfProfile(servers.stock)).rejects.toMatchObject({ name: 'NoSuchEntityException' });
});

test('Ref of an instance profile is its name, and all goes with the stack', async () => {
  const { patched } = servers;
  expect(await roleOfProfile(patched)).toBe(await physicalId(patched, 'waiting', 'HostRole'));
  expect(await remove(patched, 'waiting')).toBe('GONE');
  const authorization = (service: string): string =>
    `AWS4-HMAC-SHA256 Credential=${account}/20260101/us-east-1/${service}/aws4_request`;
  const ask = async (path: string, service: string, target: string): Promise<unknown> => {
    const headers = { authorization: authorization(service), 'x-amz-target': target };
    const method = target === '' ? 'GET' : 'POST';
    return (await fetch(`${patched.url}${path}`, { method, headers })).json();
  };
  expect(json(await ask('/', 'events', 'AWSEvents.ListRules'))).not.toContain('waiting-');
  expect(await ask('/schedules', 'scheduler', '')).toMatchObject({ Schedules: [] });
});
