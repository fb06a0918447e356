/** A clock that is set while state machines and functions run: days of waiting pass at once, and nothing else is shorter. */
import { setTimeout as after } from 'node:timers/promises';
import type { DescribeExecutionCommandOutput } from '@aws-sdk/client-sfn';
import { msPerSecond, secondsPerDay } from '../../core/units.ts';
import { goingByClock, writeClock } from '../../local/clock.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { bucket, only, outputOf, twoMiniStacks } from './two-ministacks.ts';

const { path: directory } = temporaryDirectory();
const dayMs = secondsPerDay * msPerSecond;
const servers = twoMiniStacks(() => goingByClock(`${__dirname}/../..`, directory));

beforeEach(() => writeClock(directory, Date.now()));

const waitADay = only({ Type: 'Wait', Seconds: secondsPerDay, End: true });
const stillRuns = Symbol();
const within = <T>(running: Promise<T>, ms: number): Promise<T | symbol> =>
  Promise.race([running, after(ms).then(() => stillRuns)]);

/** In hours, by the clock of the state machine. */
const took = ({ startDate, stopDate }: DescribeExecutionCommandOutput): number =>
  Math.floor((Number(stopDate) - Number(startDate)) / 3_600_000);

test('a day of waiting takes a day without its patch', async () => {
  const running = servers.stock.run(waitADay, {});
  running.catch(() => {});
  await after(300);
  writeClock(directory, Date.now() + dayMs);
  expect(await within(running, 1_000)).toBe(stillRuns);
});

test('a Wait state ends once the clock has passed its end, and no sooner', async () => {
  const running = servers.patched.run(waitADay, {});
  await after(300);
  // Half a minute before.
  writeClock(directory, Date.now() + dayMs - 30_000);
  expect(await within(running, 1_000)).toBe(stillRuns);
  writeClock(directory, Date.now() + dayMs);
  const ended = await running;
  expect([ended.status, took(ended)]).toEqual(['SUCCEEDED', 24]);
});

test('a Wait until a time ends then', async () => {
  const Timestamp = '{% $fromMillis($toMillis($states.context.State.EnteredTime) + 86400000) %}';
  const running = servers.patched.run(only({ Type: 'Wait', Timestamp, End: true }), {});
  await after(300);
  expect(await within(running, 500)).toBe(stillRuns);
  writeClock(directory, Date.now() + dayMs);
  expect((await running).status).toBe('SUCCEEDED');
});

test('a task that waits for its token, and an execution, end at their time', async () => {
  const FunctionName = await servers.patched.deploy('hears', 'return null;');
  const task = {
    ...{ Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken', End: true },
    Arguments: { FunctionName, Payload: { token: '{% $states.context.Task.Token %}' } },
  };
  const running = servers.patched.run(only({ ...task, TimeoutSeconds: 3 * secondsPerDay }), {});
  const bounded = servers.patched.run({ TimeoutSeconds: secondsPerDay, ...only(task) }, {});
  await after(500);
  writeClock(directory, Date.now() + dayMs);
  expect((await bounded).status).toBe('TIMED_OUT');
  expect(await within(running, 500)).toBe(stillRuns);
  writeClock(directory, Date.now() + 3 * dayMs);
  expect(await running).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
});

test('a function that is warm goes by it too, and what it signs then is taken', async () => {
  const FunctionName = await servers.patched.deploy(
    'tells',
    `const { S3Client, GetObjectCommand } = require('@aws-sdk/client-s3');
     const { getSignedUrl } = require('@aws-sdk/s3-request-presigner');
     const s3 = new S3Client({ forcePathStyle: true });
     const input = new GetObjectCommand({ Bucket: '${bucket}', Key: 'volumes.json' });
     await s3.send(input);
     const reply = await fetch(await getSignedUrl(s3, input, { expiresIn: 60 }));
     return { now: new Date().toISOString(), links: reply.status, left: context.getRemainingTimeInMillis() };`,
  );
  const task = {
    ...{ Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', End: true },
    ...{ Arguments: { FunctionName }, Output: '{% $states.result.Payload %}' },
  };
  for (const days of [0, 20]) {
    const then = Date.now() + days * dayMs;
    writeClock(directory, then);
    const { now, links, left } = outputOf(await servers.patched.run(only(task), {})) as {
      now: string;
      links: number;
      left: number;
    };
    expect(Math.abs(Date.parse(now) - then)).toBeLessThan(10_000);
    expect(links).toBe(200);
    // Of ten seconds, by a clock that does not jump meanwhile.
    expect(left).toBeGreaterThan(1_000);
  }
});
