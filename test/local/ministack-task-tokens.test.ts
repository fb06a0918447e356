/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { setTimeout as after } from 'node:timers/promises';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { eventually, type MiniStack } from './ministack.ts';
import { bucket, json, only, outputOf, pass, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

/** Given a token it fails, says nothing, or sends so many heartbeats, half a second apart, and then its success. */
const body = `
  const { SFNClient, SendTaskHeartbeatCommand, SendTaskSuccessCommand } = require('@aws-sdk/client-sfn');
  const { token, how, beats } = event;
  if (how === 'fails') throw Object.assign(new Error('because'), { name: 'NotSent' });
  const client = new SFNClient({ endpoint: process.env.AWS_ENDPOINT_URL, region: 'us-east-1' });
  if (how === 'beats') {
    for (let beat = 0; beat < beats; beat++) {
      await new Promise((done) => setTimeout(done, 500));
      await client.send(new SendTaskHeartbeatCommand({ taskToken: token }));
    }
    await client.send(new SendTaskSuccessCommand({ taskToken: token, output: '{"fine":true}' }));
  }
  return {};`;

const waits = (FunctionName: string, times: object): object =>
  only({
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
    Arguments: {
      FunctionName,
      Payload: { token: '{% $states.context.Task.Token %}', how: '{% $states.input.how %}', beats: 4 },
    },
    ...times,
    End: true,
  });
const workflow = async (server: MiniStack, times: object): Promise<object> =>
  waits(
    await server.deploy(`waits-${Object.values(times).join('-').replaceAll(/\W/g, '')}`, body, 20),
    times,
  );

test('the error of the function is swallowed, without its patch', async () => {
  const machine = await workflow(servers.stock, { TimeoutSeconds: 2 });
  expect(await servers.stock.run(machine, { how: 'fails' })).toMatchObject({ error: 'States.Timeout' });
});

test('the error of the function is the error of the task', async () => {
  const machine = await workflow(servers.patched, { TimeoutSeconds: 2 });
  expect(await servers.patched.run(machine, { how: 'fails' })).toMatchObject({
    status: 'FAILED',
    error: 'NotSent',
  });
  expect(await servers.patched.run(machine, { how: 'silent' })).toMatchObject({ error: 'States.Timeout' });
});

test('heartbeats are not waited for, without its patch', async () => {
  const machine = await workflow(servers.stock, { TimeoutSeconds: 4, HeartbeatSeconds: 1 });
  expect(await servers.stock.run(machine, { how: 'silent' })).toMatchObject({ error: 'States.Timeout' });
});

test('a task without heartbeats fails, one with them ends by itself', async () => {
  const machine = await workflow(servers.patched, { TimeoutSeconds: 20, HeartbeatSeconds: 1 });
  expect(await servers.patched.run(machine, { how: 'silent' })).toMatchObject({
    status: expect.stringMatching(/^(FAILED|TIMED_OUT)$/),
    error: 'States.HeartbeatTimeout',
  });
  expect(outputOf(await servers.patched.run(machine, { how: 'beats' }))).toEqual({ fine: true });
});

test('times that are JSONata fail, without its patch', async () => {
  const machine = await workflow(servers.stock, { TimeoutSeconds: '{% $states.input.most %}' });
  expect(await servers.stock.run(machine, { how: 'silent', most: 1 })).not.toMatchObject({
    error: 'States.Timeout',
  });
});

test('times may be JSONata', async () => {
  const machine = await workflow(servers.patched, { TimeoutSeconds: '{% $states.input.most %}' });
  expect(await servers.patched.run(machine, { how: 'silent', most: 1 })).toMatchObject({
    error: 'States.Timeout',
  });
});

/** A function that keeps the token it is given, by name, in a bucket: for a test that answers itself. */
const keeping = `
  const { S3Client, PutObjectCommand } = require('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint: process.env.AWS_ENDPOINT_URL, region: 'us-east-1', forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: '${bucket}', Key: 'tokens/' + event.name, Body: event.token }));
  return {};`;

const keptToken = (server: MiniStack, name: string): Promise<string> =>
  eventually(async () => {
    const found = new GetObjectCommand({ Bucket: bucket, Key: `tokens/${name}` });
    return server.s3.send(found).then(
      ({ Body }) => Body?.transformToString(),
      () => undefined,
    );
  });

/** Waits with the name that an expression says. */
const kept = (FunctionName: string, name: string, more: object): object => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Arguments: { FunctionName, Payload: { token: '{% $states.context.Task.Token %}', name } },
  ...more,
});

const retried = (FunctionName: string): object =>
  only(
    kept(FunctionName, "{% 'try-' & $states.context.State.RetryCount %}", {
      TimeoutSeconds: 60,
      HeartbeatSeconds: '{% $states.input.heartbeat %}',
      Retry: [
        { ErrorEquals: ['States.Timeout'], IntervalSeconds: 1, MaxAttempts: 1 },
        { ErrorEquals: ['Again'], IntervalSeconds: 1, MaxAttempts: 1 },
      ],
      Output: '{% $states.result.said %}',
      End: true,
    }),
  );

const succeeds = (server: MiniStack, taskToken: string, output: unknown) =>
  server.sfn.send(new SendTaskSuccessCommand({ taskToken, output: json(output) }));

test('every attempt has the same token, without its patch', async () => {
  const { stock } = servers;
  const running = stock.run(retried(await stock.deploy('retried', keeping)), { heartbeat: 2 });
  const first = await keptToken(stock, 'try-0');
  await stock.sfn.send(new SendTaskFailureCommand({ taskToken: first, error: 'Again' }));
  const second = await keptToken(stock, 'try-1');
  expect(second).toBe(first);
  await succeeds(stock, second, { said: 'at last' });
  expect(outputOf(await running)).toBe('at last');
});

test('each attempt has a token of its own; States.Timeout matches a heartbeat that did not come', async () => {
  const { patched } = servers;
  const running = patched.run(retried(await patched.deploy('retried', keeping)), { heartbeat: 2 });
  const second = await keptToken(patched, 'try-1'); // 2 s without a heartbeat, 1 s before the next attempt
  const first = await keptToken(patched, 'try-0');
  expect(second).not.toBe(first);
  await expect(succeeds(patched, first, {})).rejects.toMatchObject({ name: 'TaskTimedOut' });
  await patched.sfn.send(new SendTaskFailureCommand({ taskToken: second, error: 'Again' }));
  const third = await keptToken(patched, 'try-2');
  await succeeds(patched, third, { said: 'at last' });
  expect(outputOf(await running)).toBe('at last');
});

test('what SendTaskFailure says reaches a Catch', async () => {
  const { patched } = servers;
  const waiting = kept(await patched.deploy('caught', keeping), 'caught', {
    Catch: [{ ErrorEquals: ['Gone'], Output: '{% $states.errorOutput %}', Next: 'Caught' }],
    End: true,
  });
  const running = patched.run({ StartAt: 'Wait', States: { Wait: waiting, Caught: pass() } }, {});
  const taskToken = await keptToken(patched, 'caught');
  await patched.sfn.send(new SendTaskFailureCommand({ taskToken, error: 'Gone', cause: 'reclaimed' }));
  expect(outputOf(await running)).toEqual({ Error: 'Gone', Cause: 'reclaimed' });
});

test('tasks wait side by side, in the items of a Map in the items of a Map', async () => {
  const { patched } = servers;
  const waiting = kept(await patched.deploy('side-by-side', keeping), '{% $states.input %}', { End: true });
  const inner = {
    Type: 'Map',
    Items: "{% [1, 2].($states.input & '-' & $string($)) %}",
    ItemProcessor: only(waiting),
    End: true,
  };
  const outer = only({ Type: 'Map', Items: ['a', 'b'], ItemProcessor: only(inner), End: true });
  const running = patched.run(outer, {});
  const names = ['a-1', 'a-2', 'b-1', 'b-2'];
  const tokens = await Promise.all(names.map((name) => keptToken(patched, name)));
  for (const [index, token] of [...tokens.entries()].reverse()) await succeeds(patched, token, names[index]);
  expect(outputOf(await running)).toEqual([
    ['a-1', 'a-2'],
    ['b-1', 'b-2'],
  ]);
});

/** The status that it comes to, once it is told to stop. */
async function stopped(server: MiniStack, name: string): Promise<string | undefined> {
  const { sfn } = server;
  const waiting = kept(await server.deploy(name, keeping), name, {
    TimeoutSeconds: 3,
    Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 3 }],
    End: true,
  });
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name,
      roleArn: 'arn:aws:iam::111122223333:role/test',
      definition: json({ QueryLanguage: 'JSONata', ...only(waiting) }),
    }),
  );
  const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: '{}' }));
  const token = await keptToken(server, name);
  await sfn.send(new StopExecutionCommand({ executionArn }));
  await after(500); // five looks
  await expect(succeeds(server, token, {})).rejects.toMatchObject({ name: 'TaskTimedOut' });
  await after(1_000);
  const { events } = await sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events?.filter(({ type }) => type === 'TaskScheduled')).toHaveLength(1);
  return (await sfn.send(new DescribeExecutionCommand({ executionArn }))).status;
}

test('the token of an execution that was stopped is still good, without its patch', async () => {
  await expect(stopped(servers.stock, 'stopped')).rejects.toThrow('Received promise resolved instead');
});

test('an execution that is stopped waits no more: its token is past, and nothing is tried again', async () => {
  expect(await stopped(servers.patched, 'stopped')).toBe('ABORTED');
});
