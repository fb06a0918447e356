/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { InvokeCommand, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { z } from 'zod';
import { askLogs, type MiniStack } from './ministack.ts';
import { outputOf, pass, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

describe('the error of a Lambda', () => {
  const body = `
    const named = (name) => Object.assign(new Error('because'), { name });
    if (event.throw === 'text') throw 'just text';
    if (event.throw) throw named(event.throw);
    return { fine: true, node: process.version };`;
  const call = (FunctionName: string): object => ({
    StartAt: 'Call',
    States: {
      Call: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: { FunctionName, Payload: { throw: '{% $states.input.throw %}' } },
        Retry: [
          {
            ErrorEquals: ['Throttled'],
            IntervalSeconds: 1,
            MaxAttempts: 1,
          },
        ],
        Catch: [
          {
            ErrorEquals: ['Throttled', 'NotThere', 'string'],
            Output: {
              error: '{% $states.errorOutput.Error %}',
              cause: '{% $parse($states.errorOutput.Cause) %}',
              retries: '{% $states.context.State.RetryCount %}',
            },
            Next: 'Caught',
          },
        ],
        Output: '{% $states.result.Payload %}',
        End: true,
      },
      Caught: pass(),
    },
  });

  test('is Runtime.HandlerError whatever its name, without its patch', async () => {
    const workflow = call(await servers.stock.deploy('throws', body));
    expect(await servers.stock.run(workflow, { throw: 'NotThere' })).toMatchObject({
      status: 'FAILED',
      error: 'Runtime.HandlerError',
    });
  });

  test('has its name, by which Retry and Catch tell it', async () => {
    const workflow = call(await servers.patched.deploy('throws', body));
    expect(outputOf(await servers.patched.run(workflow, { throw: '' }))).toEqual({
      fine: true,
      node: expect.stringMatching(/^v24\./),
    });
    expect(outputOf(await servers.patched.run(workflow, { throw: 'NotThere' }))).toMatchObject({
      error: 'NotThere',
      cause: { errorType: 'NotThere', errorMessage: 'because', trace: expect.any(Array) },
      retries: 0,
    });
    expect(outputOf(await servers.patched.run(workflow, { throw: 'Throttled' }))).toMatchObject({
      error: 'Throttled',
      retries: 1,
    });
    expect(outputOf(await servers.patched.run(workflow, { throw: 'text' }))).toMatchObject({
      error: 'string',
      cause: { errorMessage: 'just text' },
    });
    expect(await servers.patched.run(workflow, { throw: 'Unexpected' })).toMatchObject({
      status: 'FAILED',
      error: 'Unexpected',
    });
  });
});

describe('the process of a Lambda that throws', () => {
  const body =
    "globalThis.calls = (globalThis.calls ?? 0) + 1; if (globalThis.calls === 1) throw new Error('once'); return globalThis.calls;";
  const answerAfter = async (server: (typeof servers)['stock']) => {
    const FunctionName = await server.deploy('counts', body);
    await server.lambda.send(new InvokeCommand({ FunctionName }));
    const { FunctionError, Payload } = await server.lambda.send(new InvokeCommand({ FunctionName }));
    return FunctionError ?? Buffer.from(Payload ?? []).toString();
  };

  test('is ended, without its patch', async () => {
    expect(await answerAfter(servers.stock)).toBe('Unhandled');
  });

  test('goes on with what it knows', async () => {
    expect(await answerAfter(servers.patched)).toBe('2');
  });
});

describe('the log of a Lambda', () => {
  async function logged(server: MiniStack): Promise<string[]> {
    const FunctionName = await server.deploy(
      'writes',
      "console.log('a line'); process.stdout.write('no end');",
    );
    const group = { logGroupName: '/aws/lambda/writes' };
    await askLogs(server, 'CreateLogGroup', group);
    await server.lambda.send(new InvokeCommand({ FunctionName }));
    const text = await askLogs(server, 'FilterLogEvents', group);
    const { events } = z
      .object({ events: z.array(z.object({ message: z.string() })) })
      .parse(JSON.parse(text));
    return events.map(({ message }) => message).filter((line) => !/^(START|END|REPORT)\b/.test(line));
  }

  test('loses a line without an end, without its patch', async () => {
    expect((await logged(servers.stock)).join()).not.toContain('no end');
  });

  test('has all that was written', async () => {
    // What Node says at its start is there too, as on AWS.
    expect((await logged(servers.patched)).slice(-2)).toEqual(['a line', 'no end']);
  });
});

describe('a Lambda that is throttled', () => {
  const throttled = async (server: (typeof servers)['stock']) => {
    const FunctionName = await server.deploy('throttled', 'return {};');
    await server.lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }),
    );
    const Call = {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName, Payload: {} },
      End: true,
    };
    return server.run({ StartAt: 'Call', States: { Call } }, {});
  };

  test('is unknown to a workflow without its patch', async () => {
    expect(await throttled(servers.stock)).toMatchObject({ status: 'FAILED', error: 'Lambda.Unknown' });
  });

  test('is reported as such', async () => {
    expect(await throttled(servers.patched)).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.TooManyRequestsException',
    });
  });
});

describe('a Lambda whose process dies', () => {
  const died = async (server: (typeof servers)['stock']) => {
    const FunctionName = await server.deploy('dies', "process.kill(process.pid, 'SIGKILL');");
    const { FunctionError, Payload } = await server.lambda.send(new InvokeCommand({ FunctionName }));
    return { FunctionError, ...JSON.parse(Buffer.from(Payload ?? []).toString()) };
  };

  test('failed like any handler, without its patch', async () => {
    expect(await died(servers.stock)).toMatchObject({ errorType: 'Runtime.HandlerError' });
  });

  test('ended as Runtime.ExitError, by its signal', async () => {
    expect(await died(servers.patched)).toEqual({
      FunctionError: 'Unhandled',
      errorType: 'Runtime.ExitError',
      errorMessage: expect.stringMatching(
        /^RequestId: \S+ Error: Runtime exited with error: signal: killed$/,
      ),
    });
  });
});

describe('what a task is given', () => {
  const parameters = async (server: 'stock' | 'patched'): Promise<(string | undefined)[]> => {
    const FunctionName = await servers[server].deploy('given', 'return event;');
    const Arguments = { FunctionName, Payload: { number: '{% $states.input.number + 1 %}' } };
    const Call = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke', Arguments, End: true };
    const { executionArn } = await servers[server].run({ StartAt: 'Call', States: { Call } }, { number: 6 });
    const history = new GetExecutionHistoryCommand({ executionArn });
    const { events = [] } = await servers[server].sfn.send(history);
    return events.flatMap(({ taskScheduledEventDetails: task }) =>
      task === undefined ? [] : [task.parameters],
    );
  };

  test('the parameters of a task are not in the history, without its patch', async () => {
    expect(await parameters('stock')).toEqual([undefined]);
  });

  test('is in the history', async () => {
    const [given] = await parameters('patched');
    expect(JSON.parse(given ?? '')).toEqual({
      FunctionName: expect.stringContaining('given'),
      Payload: { number: 7 },
    });
  });
});

describe('the heap of a Lambda', () => {
  const limitMiB = async (server: 'stock' | 'patched'): Promise<number> => {
    const FunctionName = await servers[server].deploy(
      'heap',
      `return require('node:v8').getHeapStatistics().heap_size_limit / 1024 / 1024;`,
    );
    const { Payload } = await servers[server].lambda.send(new InvokeCommand({ FunctionName }));
    return Number(Buffer.from(Payload ?? []).toString());
  };

  test('is that of the machine, without its patch', async () => {
    expect(await limitMiB('stock')).toBeGreaterThan(600);
  });

  test('fits its memory', async () => {
    // Of 512: 51 are new space, 461 old; V8 counts new space three times half of it.
    const limit = await limitMiB('patched');
    expect(limit).toBeGreaterThanOrEqual(461);
    expect(limit).toBeLessThan(461 + 3 * 32 + 1);
  });
});

describe('what a Lambda lives in: nothing to patch', () => {
  test('is Node 24, with the environment of the server and the account of the function', async () => {
    const FunctionName = await servers.stock.deploy(
      'surroundings',
      `return {
        node: process.version.split('.')[0],
        ec2: process.env.AWS_ENDPOINT_URL_EC2,
        others: process.env.AWS_ENDPOINT_URL,
        account: process.env.AWS_ACCESS_KEY_ID,
        memory: context.memoryLimitInMB,
      };`,
    );
    const { Payload } = await servers.stock.lambda.send(new InvokeCommand({ FunctionName }));
    expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toEqual({
      node: 'v24',
      ec2: 'http://127.0.0.1:9',
      others: servers.stock.url,
      account: '111122223333',
      memory: '512',
    });
  });

  test('ends when its time is over, as Sandbox.Timedout', async () => {
    const FunctionName = await servers.stock.deploy(
      'endless',
      'await new Promise(() => setInterval(() => {}, 1));',
      1,
    );
    const { FunctionError, Payload } = await servers.stock.lambda.send(new InvokeCommand({ FunctionName }));
    expect(FunctionError).toBe('Unhandled');
    expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toMatchObject({
      errorType: 'Sandbox.Timedout',
    });
  });
});
