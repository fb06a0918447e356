/** The definition of the state machine, as it is deployed. What it does is tested by running it: test/workflows. */
import { z } from 'zod';
import { workflowFindings, workflowsOf } from '../../tools/template-findings.ts';
import { evaluated, type State, statesOf } from './states.ts';
import { patience, type Synthesized, synthesized } from './synthesized.ts';

let stack: Synthesized;
let states: Record<string, State>;
let definition: Record<string, unknown>;

beforeAll(async () => {
  stack = await synthesized('otherValues');
  const [only, ...others] = [...workflowsOf(stack.json).values()];
  expect(others).toEqual([]);
  definition = only as Record<string, unknown>;
  states = statesOf(definition);
}, patience);

const tasks = [
  'List the targets',
  'Refresh its prices',
  'Discover its volumes',
  'Evaluate the batch',
  'Collect the findings',
  'Write the report',
  'Send notifications',
  'Draw the dashboard',
];

test('asl-validator finds nothing wrong, and would', () => {
  expect(workflowFindings(stack.json)).toEqual([]);
  const text = JSON.stringify(stack.json);
  const broken = text.replace(
    String.raw`\"StartAt\":\"List the targets\"`,
    String.raw`\"StartAt\":\"Nowhere\"`,
  );
  expect(broken).not.toBe(text);
  expect(workflowFindings(JSON.parse(broken))).not.toEqual([]);
});

test('it speaks JSONata, is traced, logs everything, and ends when the next one begins: every six hours', () => {
  expect(definition).toMatchObject({ QueryLanguage: 'JSONata', TimeoutSeconds: 21_600 });
  const { Properties } = stack.one('AWS::StepFunctions::StateMachine', 'Workflow');
  expect(Properties).toMatchObject({
    TracingConfiguration: { Enabled: true },
    LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: true },
  });
});

test('the list above names every task', () => {
  const found = Object.entries(states).filter(([, { Type }]) => Type === 'Task');
  expect(found.map(([name]) => name).sort()).toEqual([...tasks].sort());
});

test.each(tasks)('%s waits long where AWS is throttling and shortly where something passes', (name) => {
  const [throttled, unavailable, ...others] = states[name]?.Retry ?? [];
  expect(others).toEqual([]);
  expect(throttled).toMatchObject({
    ErrorEquals: ['Throttled', 'Lambda.TooManyRequestsException'],
    IntervalSeconds: 20, // then 40, 80, 160
    MaxAttempts: 4,
    BackoffRate: 2,
    JitterStrategy: 'FULL',
  });
  expect(unavailable).toMatchObject({
    IntervalSeconds: 5,
    MaxAttempts: 3,
    BackoffRate: 2,
    JitterStrategy: 'FULL',
  });
  expect(unavailable?.ErrorEquals).toEqual(expect.arrayContaining(['Unavailable', 'Sandbox.Timedout']));
});

test('no mistake is retried: only what passes', () => {
  const retried = tasks.flatMap(
    (name) => states[name]?.Retry.flatMap(({ ErrorEquals }) => ErrorEquals) ?? [],
  );
  for (const error of ['States.ALL', 'States.TaskFailed', 'AccessDenied', 'BadInput', 'Unreadable'])
    expect(retried).not.toContain(error);
});

test('caught are only prices, a Region that cannot be read, and a report that cannot be written', () => {
  const catching = Object.entries(states).filter(([, { Catch }]) => Catch.length > 0);
  expect(catching.map(([name]) => name).sort()).toEqual([
    'Discover its volumes',
    'Refresh its prices',
    'Write the report',
  ]);
});

describe('the report is written before anybody is reported, of every run', () => {
  const written = {
    ...{ report: 'runs/run-1/report.html', reportBytes: 7, findingsDrawn: 0 },
    ...{ runsInManifest: 1, manifestFailure: null },
  };
  const manifestFailure = 'Unreadable: s3://b/runs/manifest.json is not what was written there';
  const notListed = { ...written, runsInManifest: null, manifestFailure };
  const { manifestFailure: _, ...ofBefore } = written;
  const nothing = { report: null, manifestFailure: null };
  const failure = { Error: 'AccessDenied', Cause: 's3:PutObject of runs/run-1/report.html' };
  const argumentsOf = (name: string) => states[name]?.['Arguments'];
  const initial = () => z.looseObject({}).parse(states['List the targets']?.['Assign']);

  test('after the findings are collected', async () => {
    expect(states['Collect the findings']?.Next).toBe('Write the report');
    expect(states['Write the report']).toMatchObject({
      Next: 'Is it a usual run?',
      Assign: { written: '{% $states.result.Payload %}' },
    });
    const run = { runId: 'run-1', notify: false };
    expect(await evaluated(argumentsOf('Write the report'), {}, { run })).toMatchObject({ Payload: run });
  });

  test('the notify function hears where it is; where there is none, that there is none', async () => {
    const variables = { run: { runId: 'run-1' } };
    const notified = argumentsOf('Send notifications');
    expect(await evaluated(notified, {}, { ...variables, written })).toMatchObject({
      Payload: { runId: 'run-1', report: written.report },
    });
    expect(await evaluated(notified, {}, { ...variables, written: initial()['written'] })).toMatchObject({
      Payload: { runId: 'run-1', report: null },
    });
  });

  test('one that cannot be written stops nothing, and its failure is remembered', async () => {
    const [caught, ...others] = states['Write the report']?.Catch ?? [];
    expect(others).toEqual([]);
    expect(caught).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'Is it a usual run?' });
    expect(await evaluated(caught?.Assign, { errorOutput: failure })).toEqual({ reportFailure: failure });
    expect(initial()).toMatchObject({ reportFailure: null, written: nothing });
  });

  test('every run comes to the question whether it was written', () => {
    expect(states['Is it a usual run?']).toMatchObject({
      Choices: [{ Condition: '{% $run.notify %}', Next: 'Send notifications' }],
      Default: 'Was the report written?',
    });
    expect(states['Send notifications']?.Next).toBe('Draw the dashboard');
    expect(states['Draw the dashboard']?.Next).toBe('Was the report written?');
  });

  test.each<[string, object | null, object, string]>([
    ['it was', null, written, 'Audited'],
    ['it was, by a function of before', null, ofBefore, 'Audited'],
    ['it was, and the run is in no list', null, notListed, 'The run was not listed'],
    ['it was not', failure, nothing, 'The report was not written'],
  ])('%s', async (_, reportFailure, whatWasWritten, next) => {
    const { Choices, Default } = z
      .looseObject({
        Choices: z.array(z.object({ Condition: z.string(), Next: z.string() })),
        Default: z.string(),
      })
      .parse(states['Was the report written?']);
    const variables = { reportFailure, written: whatWasWritten };
    const holds = await Promise.all(Choices.map(({ Condition }) => evaluated(Condition, {}, variables)));
    // Step Functions takes nothing but true and false.
    expect(holds.map((one) => typeof one)).toEqual(['boolean', 'boolean']);
    expect(Choices[holds.indexOf(true)]?.Next ?? Default).toBe(next);
  });

  test('a run whose report was not written fails, with the error and why', async () => {
    const failed = states['The report was not written'];
    expect(failed?.Type).toBe('Fail');
    const variables = { reportFailure: failure };
    expect(await evaluated(failed?.['Error'], {}, variables)).toBe('AccessDenied');
    expect(await evaluated(failed?.['Cause'], {}, variables)).toBe(
      'all but the report of this run is there: s3:PutObject of runs/run-1/report.html',
    );
  });

  test('a run that is in no list fails, and says that its report is there', async () => {
    const failed = states['The run was not listed'];
    expect(failed).toMatchObject({ Type: 'Fail', Error: 'NotListed' });
    expect(await evaluated(failed?.['Cause'], {}, { written: notListed })).toBe(
      `the report is there, but the list of runs could not be changed: ${manifestFailure}`,
    );
  });

  test('the notify function links to a report that is in no list', async () => {
    const variables = { run: { runId: 'run-1' }, written: notListed };
    expect(await evaluated(argumentsOf('Send notifications'), {}, variables)).toMatchObject({
      Payload: { runId: 'run-1', report: written.report },
    });
  });

  test('a run says at its end what was found, told and written; of one that tells nobody, not that', async () => {
    const output = states['Audited']?.Output;
    const summary = { runId: 'run-1', findings: 3 };
    expect(await evaluated(output, {}, { summary, notified: { notified: 2 }, written })).toEqual({
      ...summary,
      notified: 2,
      ...written,
    });
    expect(await evaluated(output, {}, { summary, notified: initial()['notified'], written })).toEqual({
      ...summary,
      ...written,
    });
  });
});

describe('a Region goes from its prices to its volumes', () => {
  const input = { runId: 'run-1', target: { region: 'eu-west-1' } };
  const discovered = { region: 'eu-west-1', batches: 3 };

  test('with what refreshing them said', async () => {
    const refresh = { notices: ['prices are old'], apiCalls: 20 };
    const { Output, Next } = states['Refresh its prices'] as State;
    expect(Next).toBe('Discover its volumes');
    const handedOn = await evaluated(Output, { input, result: { Payload: refresh } });
    expect(handedOn).toEqual({ ...input, refresh });
    const output = states['Discover its volumes']?.Output;
    expect(await evaluated(output, { input: handedOn, result: { Payload: discovered } })).toEqual({
      ...discovered,
      refresh,
    });
  });

  test('with why they could not be refreshed, whatever it was', async () => {
    const [caught, ...others] = states['Refresh its prices']?.Catch ?? [];
    expect(others).toEqual([]);
    expect(caught).toMatchObject({ ErrorEquals: ['States.ALL'], Next: 'Discover its volumes' });
    const failure = { Error: 'Throttled', Cause: 'pricing:GetProducts' };
    expect(await evaluated(caught?.Output, { input, errorOutput: failure })).toEqual({
      ...input,
      refresh: { failure },
    });
  });
});

test('a Region that cannot be read is handed on with its cause', async () => {
  const [caught, ...others] = states['Discover its volumes']?.Catch ?? [];
  expect(others).toEqual([]);
  const handedOn = states[caught?.Next ?? ''];
  const failure = { Error: 'AccessDenied', Cause: 'ec2:DescribeVolumes' };
  const output = await evaluated(caught?.Output, {
    input: { target: { region: 'eu-west-1' }, refresh: { notices: [], apiCalls: 0 } },
    errorOutput: failure,
  });
  expect(await evaluated(handedOn?.Output, { input: output })).toEqual({
    region: 'eu-west-1',
    refresh: { notices: [], apiCalls: 0 },
    failure,
  });
});

test('what the Map over the Regions gives reaches the collecting function whole', () => {
  expect(states['Discover the volumes of each target']).toMatchObject({
    Assign: { discovered: '{% $states.result %}' },
  });
  expect(states['Collect the findings']).toMatchObject({
    Arguments: { Payload: { targets: '{% $discovered %}', manifestKey: '{% $manifestKey %}' } },
  });
});

test('batches are evaluated as executions of their own, so many at once as configured, and none fails the run', () => {
  expect(states['Evaluate each batch']).toMatchObject({
    ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    MaxConcurrency: 7,
    ToleratedFailurePercentage: 100,
    ItemReader: { Resource: 'arn:aws:states:::s3:listObjectsV2' },
    ResultWriter: {
      Resource: 'arn:aws:states:::s3:putObject',
      WriterConfig: { OutputType: 'JSON', Transformation: 'NONE' },
    },
    Assign: { manifestKey: '{% $states.result.ResultWriterDetails.Key %}' },
  });
});

test('an execution of a batch uses its input alone: variables of the run do not reach it', () => {
  const { ItemProcessor } = z
    .looseObject({ ItemProcessor: z.unknown() })
    .parse(states['Evaluate each batch']);
  const inside = JSON.stringify(ItemProcessor);
  const variables = [...inside.matchAll(/\$([a-zA-Z]\w*)/g)].map(([, name]) => name);
  expect([...new Set(variables)]).toEqual(['states']);
});

test.each([
  ['no Region has volumes', [{ batches: 0 }, { batches: 0 }], false],
  ['one of two has', [{ batches: 0 }, { batches: 3 }], true],
  ['one has, the other could not be read', [{ region: 'eu-west-1', failure: {} }, { batches: 3 }], true],
  ['none could be read', [{ region: 'eu-west-1', failure: {} }], false],
])('evaluating is left out where there is nothing to evaluate: %s', async (_, discovered, isEvaluated) => {
  const [choice] = z
    .array(z.object({ Condition: z.string(), Next: z.string() }))
    .parse(states['Is there anything to evaluate?']?.['Choices']);
  expect(choice?.Next).toBe('Evaluate each batch');
  expect(await evaluated(choice?.Condition, {}, { discovered })).toBe(isEvaluated);
});

test('one Region is a list of one: a Map over an object would go through its keys', async () => {
  const { Items } = z.looseObject({ Items: z.string() }).parse(states['Discover the volumes of each target']);
  const targets = [{ account: '111122223333', region: 'us-east-1' }];
  expect(await evaluated(Items, {}, { run: { targets } })).toEqual(targets);
});
