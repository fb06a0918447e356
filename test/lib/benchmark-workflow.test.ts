/** The workflow of a campaign, as it is deployed. What it does is tested by running it: test/resilience. */
import { z } from 'zod';
import { settleSeconds } from '../../core/load/metrics.ts';
import { workflowFindings, workflowsOf } from '../../tools/template-findings.ts';
import { evaluated, type State, statesOf } from './states.ts';
import { patience, type Synthesized, synthesized, synthesizedBenchmark } from './synthesized.ts';

let stack: Synthesized;
let states: Record<string, State>;
let definition: unknown;
beforeAll(async () => {
  stack = await synthesizedBenchmark('benchmark');
  const { id } = stack.one('AWS::StepFunctions::StateMachine', 'BenchmarkWorkflow');
  definition = workflowsOf(stack.json).get(id);
  states = statesOf(definition);
}, patience);

const ofACell = [
  'Launch its host',
  'Wait until it takes commands',
  'Choose what it does next',
  'Run it on the host',
];
const state = (name: string): State => {
  const found = states[name];
  if (found === undefined) throw new Error(`there is no state ${name}`);
  return found;
};
const retriesOf = (name: string, error: string) =>
  state(name).Retry.filter(({ ErrorEquals }) => ErrorEquals.includes(error));
const argumentsOf = (name: string) =>
  z.looseObject({ Arguments: z.looseObject({ Payload: z.unknown() }) }).parse(state(name)).Arguments.Payload;

test('asl-validator finds nothing wrong', () => {
  expect(workflowFindings(stack.json)).toEqual([]);
});

test('it speaks JSONata, logs every event, and ends after longer than a host may live', () => {
  expect(definition).toMatchObject({ QueryLanguage: 'JSONata', TimeoutSeconds: 60 * 3_600 });
  expect(stack.one('AWS::StepFunctions::StateMachine', 'BenchmarkWorkflow').Properties).toMatchObject({
    TracingConfiguration: { Enabled: true },
    LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
  });
});

test(
  'no state machine that gives out task tokens logs what its tasks are given: who has a token can answer for a host',
  async () => {
    const stacks = [await synthesized('everything'), await synthesizedBenchmark('everything')];
    const machines = stacks.flatMap((one) =>
      one.all('AWS::StepFunctions::StateMachine').map(([id, { Properties }]) => {
        const { IncludeExecutionData } = Properties['LoggingConfiguration'] as Record<string, unknown>;
        const hasTokens = JSON.stringify(workflowsOf(one.json).get(id)).includes('.waitForTaskToken');
        return { id, hasTokens, isLogged: IncludeExecutionData };
      }),
    );
    expect(machines).toHaveLength(2);
    expect(machines.filter(({ hasTokens }) => hasTokens)).toHaveLength(1);
    expect(machines.filter(({ hasTokens, isLogged }) => hasTokens && isLogged !== false)).toEqual([]);
  },
  patience,
);

describe('whatever fails in a cell', () => {
  test.each(ofACell)('%s: its host is ended, and the cell says what it was', async (name) => {
    const [caught, ...others] = state(name).Catch;
    expect(others).toEqual([]);
    expect(caught).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'End its host' });
    const input = { cellId: 'stripe-m5-large', instanceId: 'i-1' };
    const errorOutput = { Error: 'HostLost', Cause: 'gone' };
    expect(await evaluated(caught?.Output, { input, errorOutput })).toEqual({
      ...input,
      failure: { step: name, Error: 'HostLost', Cause: 'gone' },
    });
  });

  test('a host that cannot be ended is left to the cleanup, and the others go on', async () => {
    const [caught] = state('End its host').Catch;
    expect(caught).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'Leave it to the cleanup' });
    const input = { cellId: 'stripe-m5-large', failure: { step: 'Launch its host' } };
    expect(await evaluated(caught?.Output, { input, errorOutput: { Error: 'Unreadable' } })).toEqual({
      ...input,
      leftBehind: { step: 'End its host', Error: 'Unreadable' },
    });
    expect(state('Leave it to the cleanup')).toMatchObject({ Type: 'Pass', End: true });
  });
});

test('a request that is refused ends the campaign: nothing was launched', () => {
  expect(state('Check the request and the price').Catch).toEqual([]);
  expect(state('Check the request and the price').Next).toBe('Measure each cell');
});

test.each([...ofACell, 'Check the request and the price', 'End its host', 'Grade and report'])(
  '%s is tried again where AWS is throttling and where something passes',
  (name) => {
    expect(retriesOf(name, 'Throttled')).toMatchObject([{ MaxAttempts: 4 }]);
    expect(retriesOf(name, 'Unavailable')).toMatchObject([{ MaxAttempts: 3 }]);
  },
);

test('a host is waited for ten minutes', () => {
  expect(retriesOf('Wait until it takes commands', 'NotYet')).toMatchObject([
    { IntervalSeconds: 5, MaxAttempts: 120, BackoffRate: 1 },
  ]);
});

test('the report waits until CloudWatch has the last minutes of the hosts', () => {
  const waited = retriesOf('Grade and report', 'NotYet').map(
    ({ IntervalSeconds, MaxAttempts }) => IntervalSeconds * MaxAttempts,
  );
  expect(waited).toHaveLength(1);
  expect(waited[0]).toBeGreaterThan(settleSeconds);
});

test('what a host is launched for is asked for at one time, however often it is tried', async () => {
  const $states = {
    input: { cellId: 'stripe-m5-large' },
    context: { State: { EnteredTime: '2026-11-22T12:00:00Z', RetryCount: 3 } },
  };
  expect(await evaluated(argumentsOf('Launch its host'), $states, { campaignId: 'c1' })).toEqual({
    ...{ campaignId: 'c1', cellId: 'stripe-m5-large', askedAt: '2026-11-22T12:00:00Z' },
  });
});

describe('a command', () => {
  const run = () =>
    z
      .looseObject({ HeartbeatSeconds: z.number(), TimeoutSeconds: z.number(), Resource: z.string() })
      .parse(state('Run it on the host'));

  test('is waited for with a token, which goes with it', async () => {
    expect(run().Resource).toMatch(/lambda:invoke\.waitForTaskToken$/);
    const input = { cellId: 'stripe-m5-large', commandsDone: 2, command: { step: 'measure' } };
    const $states = { input, context: { Task: { Token: 'token-1' } } };
    expect(await evaluated(argumentsOf('Run it on the host'), $states, { campaignId: 'c1' })).toEqual({
      ...{ campaignId: 'c1', ...input, taskToken: 'token-1' },
    });
  });

  test('is looked at when nothing was heard of it for three minutes, as long as any host may live', () => {
    const [looks, ...others] = retriesOf('Run it on the host', 'States.HeartbeatTimeout');
    expect(others).toEqual([]);
    expect(run()).toMatchObject({ HeartbeatSeconds: 180, TimeoutSeconds: 49 * 3_600 });
    // 49 h are 980 times three minutes.
    expect(looks).toMatchObject({ IntervalSeconds: 1, MaxAttempts: 980, BackoffRate: 1 });
  });

  test('that ended is counted, and the next one is chosen', async () => {
    const input = { cellId: 'stripe-m5-large', commandsDone: 2, command: { step: 'measure' } };
    expect(await evaluated(state('Run it on the host').Output, { input, result: {} })).toEqual({
      ...input,
      commandsDone: 3,
    });
    expect(state('Run it on the host').Next).toBe('Choose what it does next');
  });

  test.each([
    [{ command: { step: 'measure' } }, 'Run it on the host'],
    [{ command: null }, 'End its host'],
    [{}, 'End its host'],
  ])('%j is followed by: %s', async (input, next) => {
    const choice = z
      .looseObject({
        Choices: z.array(z.object({ Condition: z.string(), Next: z.string() })),
        Default: z.string(),
      })
      .parse(state('Is there something to do?'));
    const [only, ...others] = choice.Choices;
    expect(others).toEqual([]);
    const isSo = await evaluated(only?.Condition, { input });
    expect(isSo === true ? only?.Next : choice.Default).toBe(next);
  });
});

test('cells are measured so many at once as the request says, one alone as a list of one', async () => {
  const map = z
    .looseObject({ Items: z.string(), MaxConcurrency: z.unknown() })
    .parse(state('Measure each cell'));
  const checked = { cellIds: ['stripe-m5-large'], hostsAtOnce: 2 };
  expect(await evaluated(map.Items, {}, { checked })).toEqual(['stripe-m5-large']);
  expect(await evaluated(map.MaxConcurrency, {}, { checked })).toBe(2);
});

test('the report is made of how every cell ended', async () => {
  expect(state('Measure each cell')).toMatchObject({ Assign: { ends: '{% $states.result %}' } });
  const ends = [{ cellId: 'stripe-m5-large', endedAt: '2026-11-22T12:30:00Z' }];
  expect(await evaluated(argumentsOf('Grade and report'), {}, { campaignId: 'c1', ends })).toEqual({
    ...{ campaignId: 'c1', cells: ends },
  });
});

test('a campaign that measured nothing has failed, and says where the report is', async () => {
  const { Choices, Default } = z
    .looseObject({ Choices: z.array(z.looseObject({ Condition: z.string() })), Default: z.string() })
    .parse(state('Was anything measured?'));
  expect(await evaluated(Choices[0]?.Condition, { input: { measured: 0 } })).toBe(false);
  expect(await evaluated(Choices[0]?.Condition, { input: { measured: 1 } })).toBe(true);
  expect(Default).toBe('Nothing was measured');
  const { Cause } = z.looseObject({ Cause: z.string() }).parse(state('Nothing was measured'));
  expect(await evaluated(Cause, { input: { report: 'campaigns/c1/report.json' } })).toBe(
    'no cell was measured to its end; the report says why: campaigns/c1/report.json',
  );
});
