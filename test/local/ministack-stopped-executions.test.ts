/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { setTimeout as after } from 'node:timers/promises';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { MiniStack } from './ministack.ts';
import { json, only, pass, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

/** How an execution ends that is stopped after half a second, while a function runs that fails after one. */
async function stopped(server: MiniStack): Promise<{ status: string | undefined; scheduled: number }> {
  const { sfn } = server;
  const FunctionName = await server.deploy(
    'late',
    "await new Promise((done) => setTimeout(done, 1_000)); throw new Error('late');",
  );
  const task = {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: { FunctionName, Payload: {} },
    Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 1 }],
    End: true,
  };
  const mapped = only({ Type: 'Map', Items: [1], ItemProcessor: only(task), End: true });
  const { stateMachineArn } = await sfn.send(
    new CreateStateMachineCommand({
      name: 'stopped',
      roleArn: 'arn:aws:iam::111122223333:role/test',
      definition: json({ QueryLanguage: 'JSONata', ...mapped }),
    }),
  );
  const { executionArn } = await sfn.send(new StartExecutionCommand({ stateMachineArn }));
  await after(500);
  await sfn.send(new StopExecutionCommand({ executionArn }));
  await after(4_000); // twice 1 s for the function, 1 s between
  const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn }));
  const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
  return { status, scheduled: events.filter(({ type }) => type === 'TaskScheduled').length };
}

test('what was stopped is tried again and then FAILED, without its patch', async () => {
  expect(await stopped(servers.stock)).toEqual({ status: 'FAILED', scheduled: 2 });
});

test('what was stopped stays ABORTED, and nothing is tried again', async () => {
  expect(await stopped(servers.patched)).toEqual({ status: 'ABORTED', scheduled: 1 });
});

const slow = {
  StartAt: 'Wait',
  TimeoutSeconds: 1,
  States: { Wait: { Type: 'Wait', Seconds: 2, Next: 'Done' }, Done: pass() },
};

test('the time of a state machine is not read, without its patch', async () => {
  expect(await servers.stock.run(slow, {})).toMatchObject({ status: 'SUCCEEDED' });
});

test('an execution ends when the time of its state machine is over', async () => {
  expect(await servers.patched.run(slow, {})).toMatchObject({
    status: 'TIMED_OUT',
    error: 'States.Timeout',
  });
});
