/**
 * Each gap of the emulator, without its mend and with it. When a test of the gap fails, MiniStack has changed:
 * take the mend out.
 */
import { CreateStackCommand, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { type DescribeExecutionCommandOutput, DescribeMapRunCommand } from '@aws-sdk/client-sfn';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { eventually, type MiniStack, startMiniStack } from './ministack.ts';

const { path: directory } = temporaryDirectory();
const bucket = 'map-data';
let stock: MiniStack;
let mended: MiniStack;

const json = (value: unknown): string => JSON.stringify(value);

beforeAll(async () => {
  [stock, mended] = await Promise.all([startMiniStack('none', directory), startMiniStack('all', directory)]);
  for (const { s3 } of [stock, mended]) {
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    for (const [Key, value] of [
      ['volumes.json', ['vol-a', 'vol-b', 'vol-c']],
      ['parts/1.json', 1],
      ['parts/2.json', 2],
    ] as const) {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: json(value) }));
    }
  }
}, 300_000);
afterAll(() => Promise.all([stock?.stop(), mended?.stop()]));

const outputOf = ({ status, output, error, cause }: DescribeExecutionCommandOutput): unknown => {
  if (status !== 'SUCCEEDED') throw new Error(`${status}: ${error} ${cause}`);
  return JSON.parse(output ?? 'null');
};

const readJson = async (Key: string): Promise<unknown> => {
  const { Body } = await mended.s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  return JSON.parse((await Body?.transformToString()) ?? '');
};

/** A workflow of one state. */
const only = (state: object): object => ({ StartAt: 'The state', States: { 'The state': state } });

const pass = (Output?: unknown): object => ({
  Type: 'Pass',
  ...(Output === undefined ? {} : { Output }),
  End: true,
});

const failWhenAsked = {
  StartAt: 'Look',
  States: {
    Look: {
      Type: 'Choice',
      Choices: [{ Condition: '{% $states.input.fail %}', Next: 'Give up' }],
      Default: 'Go on',
    },
    'Give up': { Type: 'Fail', Error: 'Asked', Cause: "{% 'by ' & $states.input.id %}" },
    'Go on': { Type: 'Pass', Output: '{% $states.input.id %}', End: true },
  },
};

const distributed = (fields: object, processor: object = only(pass())): object => ({
  Type: 'Map',
  ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...processor },
  End: true,
  ...fields,
});

const reader = {
  Resource: 'arn:aws:states:::s3:getObject',
  ReaderConfig: { InputType: 'JSON', MaxItems: '{% $states.input.most %}' },
  Arguments: { Bucket: '{% $states.input.bucket %}', Key: '{% $states.input.key %}' },
};

describe('a Distributed Map', () => {
  const auditEach = only(
    distributed({
      ItemReader: reader,
      ItemSelector: {
        volume: '{% $states.context.Map.Item.Value %}',
        index: '{% $states.context.Map.Item.Index %}',
        run: '{% $states.context.Execution.Name %}',
      },
      ItemBatcher: {
        MaxItemsPerBatch: '{% $states.input.size %}',
        BatchInput: { of: '{% $states.input.bucket %}' },
      },
    }),
  );
  const auditInput = { bucket, key: 'volumes.json', most: 3, size: 2 };

  test('does not find what its reader names by an expression, without its mend', async () => {
    const told = await stock.run(auditEach, auditInput);
    expect(told).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/^States\./) });
  });

  test('reads an object, selects, and makes batches', async () => {
    const told = await mended.run(auditEach, auditInput);
    const run = told.name;
    expect(outputOf(told)).toEqual([
      {
        BatchInput: { of: bucket },
        Items: ['vol-a', 'vol-b'].map((volume, index) => ({ volume, index, run })),
      },
      { BatchInput: { of: bucket }, Items: [{ volume: 'vol-c', index: 2, run }] }, // 3 items in batches of 2
    ]);
  });

  test('reads the list of a prefix', async () => {
    const listed = await mended.run(
      only(
        distributed({
          ItemReader: {
            Resource: 'arn:aws:states:::s3:listObjectsV2',
            Arguments: { Bucket: bucket, Prefix: '{% $states.input.prefix %}' },
          },
          ItemSelector: { key: '{% $states.context.Map.Item.Value.Key %}' },
        }),
      ),
      { prefix: 'parts/' },
    );
    expect(outputOf(listed)).toEqual([{ key: 'parts/1.json' }, { key: 'parts/2.json' }]);
  });

  const writeResults = only(
    distributed(
      {
        Label: 'JudgeEach',
        Items: '{% $states.input.items %}',
        MaxConcurrency: '{% $states.input.atOnce %}',
        ToleratedFailurePercentage: '{% $states.input.tolerated %}',
        ResultWriter: {
          Resource: 'arn:aws:states:::s3:putObject',
          Arguments: { Bucket: bucket, Prefix: "{% 'runs/' & $states.context.Execution.Name %}" },
          WriterConfig: { OutputType: 'JSON', Transformation: 'NONE' },
        },
        Assign: { manifest: '{% $states.result.ResultWriterDetails.Key %}' },
        Output: { written: '{% $states.result %}' },
      },
      failWhenAsked,
    ),
  );
  const items = [{ id: 'a' }, { id: 'b', fail: true }, { id: 'c' }].map((item) => ({ fail: false, ...item }));
  const writeInput = { items, atOnce: 2, tolerated: 34 }; // 1 of 3 is 33.3 %

  test('writes no results, without its mend', async () => {
    const told = await stock.run(writeResults, { ...writeInput, tolerated: 100 });
    expect(json(told.output ?? '')).not.toContain('ResultWriterDetails');
  });

  test('writes a manifest and one file for each status', async () => {
    const told = await mended.run(writeResults, writeInput);
    const { written } = outputOf(told) as {
      written: { MapRunArn: string; ResultWriterDetails: { Bucket: string; Key: string } };
    };
    const folder = `runs/${told.name}/${written.MapRunArn.split(':').at(-1)}`;
    expect(written).toEqual({
      MapRunArn: expect.stringMatching(
        /^arn:aws:states:us-east-1:111122223333:mapRun:machine-\d+\/JudgeEach:/,
      ),
      ResultWriterDetails: { Bucket: bucket, Key: `${folder}/manifest.json` },
    });
    expect(await readJson(`${folder}/manifest.json`)).toEqual({
      DestinationBucket: bucket,
      MapRunArn: written.MapRunArn,
      ResultFiles: {
        FAILED: [{ Key: `${folder}/FAILED_0.json`, Size: expect.any(Number) }],
        PENDING: [],
        SUCCEEDED: [{ Key: `${folder}/SUCCEEDED_0.json`, Size: expect.any(Number) }],
      },
    });
    expect(await readJson(`${folder}/SUCCEEDED_0.json`)).toMatchObject([
      { Status: 'SUCCEEDED', Input: json(items[0]), Output: '"a"' },
      { Status: 'SUCCEEDED', Input: json(items[2]), Output: '"c"' },
    ]);
    expect(await readJson(`${folder}/FAILED_0.json`)).toMatchObject([
      { Status: 'FAILED', Input: expect.stringContaining('"b"'), Error: 'Asked', Cause: 'by b' },
    ]);
    const run = await mended.sfn.send(new DescribeMapRunCommand({ mapRunArn: written.MapRunArn }));
    expect(run).toMatchObject({
      status: 'SUCCEEDED',
      maxConcurrency: 2,
      itemCounts: { total: 3, succeeded: 2, failed: 1 },
    });
  });

  test('fails when more items fail than tolerated, which a Catch sees', async () => {
    const told = await mended.run(
      {
        StartAt: 'Map',
        States: {
          Map: {
            ...distributed(
              {
                Items: '{% $states.input %}',
                ToleratedFailureCount: 0,
                Catch: [
                  { ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput.Error %}', Next: 'Caught' },
                ],
              },
              failWhenAsked,
            ),
            End: undefined,
            Next: 'Caught',
          },
          Caught: pass(),
        },
      },
      items,
    );
    expect(outputOf(told)).toBe('States.ExceedToleratedFailureThreshold');
  });

  test('tolerates failed items in batches by the item: 2 of 4 are 50 %', async () => {
    const failFirstBatch = {
      StartAt: 'Look',
      States: {
        ...failWhenAsked.States,
        Look: {
          Type: 'Choice',
          Choices: [{ Condition: '{% 1 in $states.input.Items %}', Output: { id: 'x' }, Next: 'Give up' }],
          Default: 'Go on',
        },
        'Go on': pass(),
      },
    };
    const run = (ToleratedFailureCount: number) =>
      mended.run(
        only(
          distributed(
            { Items: [1, 2, 3, 4], ItemBatcher: { MaxItemsPerBatch: 2 }, ToleratedFailureCount },
            failFirstBatch,
          ),
        ),
        {},
      );
    expect((await run(2)).status).toBe('SUCCEEDED');
    expect((await run(1)).error).toBe('States.ExceedToleratedFailureThreshold');
  });

  const ofTheParent = {
    StartAt: 'Remember',
    States: {
      Remember: { Type: 'Pass', Assign: { remembered: 'by the parent' }, Next: 'Map' },
      Map: distributed(
        { Items: ['one'] },
        only(
          pass({
            variable: '{% $exists($remembered) %}',
            item: '{% $exists($states.context.Map) %}',
            execution: '{% $states.context.Execution.Name %}',
          }),
        ),
      ),
    },
  };

  test('shows its items the variables and the execution of the parent, without its mend', async () => {
    const told = await stock.run(ofTheParent, {});
    expect(outputOf(told)).toEqual([{ variable: true, item: true, execution: told.name }]);
  });

  test('runs each item as an execution of its own: neither variables nor the name of the parent', async () => {
    const told = await mended.run(ofTheParent, {});
    expect(outputOf(told)).toEqual([
      { variable: false, item: false, execution: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
  });
});

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

  test('is Runtime.HandlerError whatever its name, without its mend', async () => {
    const workflow = call(await stock.deploy('throws', body));
    expect(await stock.run(workflow, { throw: 'NotThere' })).toMatchObject({
      status: 'FAILED',
      error: 'Runtime.HandlerError',
    });
  });

  test('has its name, by which Retry and Catch tell it', async () => {
    const workflow = call(await mended.deploy('throws', body));
    expect(outputOf(await mended.run(workflow, { throw: '' }))).toEqual({
      fine: true,
      node: expect.stringMatching(/^v24\./),
    });
    expect(outputOf(await mended.run(workflow, { throw: 'NotThere' }))).toMatchObject({
      error: 'NotThere',
      cause: { errorType: 'NotThere', errorMessage: 'because', trace: expect.any(Array) },
      retries: 0,
    });
    expect(outputOf(await mended.run(workflow, { throw: 'Throttled' }))).toMatchObject({
      error: 'Throttled',
      retries: 1,
    });
    expect(outputOf(await mended.run(workflow, { throw: 'text' }))).toMatchObject({
      error: 'string',
      cause: { errorMessage: 'just text' },
    });
    expect(await mended.run(workflow, { throw: 'Unexpected' })).toMatchObject({
      status: 'FAILED',
      error: 'Unexpected',
    });
  });
});

describe('the end of a workflow', () => {
  const succeed = only({ Type: 'Succeed', Output: { doubled: '{% $states.input.n * 2 %}' } });

  test('is the input of a Succeed state, whatever its Output says, without its mend', async () => {
    expect(outputOf(await stock.run(succeed, { n: 21 }))).toEqual({ n: 21 });
  });

  test('is the Output of its Succeed state, also of an item of a Map', async () => {
    expect(outputOf(await mended.run(succeed, { n: 21 }))).toEqual({ doubled: 42 });
    const map = only({ Type: 'Map', Items: [{ n: 1 }, { n: 2 }], ItemProcessor: succeed, End: true });
    expect(outputOf(await mended.run(map, {}))).toEqual([{ doubled: 2 }, { doubled: 4 }]);
  });

  test('is the Error and Cause that a Fail state computes: nothing to mend', async () => {
    const fail = only({
      Type: 'Fail',
      Error: "{% 'Too' & 'Many' %}",
      Cause: '{% $string($states.input.n) %}',
    });
    expect(await stock.run(fail, { n: 21 })).toMatchObject({
      status: 'FAILED',
      error: 'TooMany',
      cause: '21',
    });
  });
});

describe('an inline Map', () => {
  test('selects, keeps its order, and catches inside its items: nothing to mend', async () => {
    const mapped = only({
      Type: 'Map',
      Items: '{% $states.input.items %}',
      MaxConcurrency: 2,
      ItemSelector: {
        id: '{% $states.context.Map.Item.Value %}',
        of: '{% $states.context.Execution.Name %}',
      },
      ItemProcessor: {
        StartAt: 'Try',
        States: {
          Try: {
            Type: 'Task',
            Resource: 'arn:aws:states:::lambda:invoke',
            Arguments: { FunctionName: 'no-such-function', Payload: { id: '{% $states.input.id %}' } },
            Assign: { never: true },
            Catch: [
              {
                ErrorEquals: ['States.ALL'],
                Assign: { caught: '{% $states.errorOutput.Error %}' },
                Output: { id: '{% $states.input.id %}', of: '{% $states.input.of %}' },
                Next: 'Count',
              },
            ],
            End: true,
          },
          Count: {
            Type: 'Pass',
            Output: "{% $states.input.id & ' ' & $caught & ' ' & $states.input.of %}",
            End: true,
          },
        },
      },
      Output: '{% $join($states.result, ", ") %}',
      End: true,
    });
    const told = await stock.run(mapped, { items: ['a', 'b', 'c'] });
    const one = (id: string): string => `${id} Lambda.ResourceNotFoundException ${told.name}`;
    expect(outputOf(told)).toBe(`${one('a')}, ${one('b')}, ${one('c')}`);
  });
});

describe('an alarm on metric math', () => {
  const stat = (MetricName: string): object => ({
    Id: MetricName.toLowerCase(),
    ReturnData: false,
    MetricStat: { Metric: { Namespace: 'AWS/States', MetricName }, Period: 300, Stat: 'Sum' },
  });
  const TemplateBody = json({
    Resources: {
      Alarm: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          Metrics: [
            { Id: 'sum', Expression: 'failed + lost', ReturnData: true },
            stat('Failed'),
            stat('Lost'),
          ],
          EvaluationPeriods: 1,
          Threshold: 1,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        },
      },
    },
  });
  const deployed = async ({ cloudFormation }: MiniStack) => {
    await cloudFormation.send(new CreateStackCommand({ StackName: 'alarms', TemplateBody }));
    const ask = new DescribeStacksCommand({ StackName: 'alarms' });
    return eventually(async () => {
      const { Stacks } = await cloudFormation.send(ask);
      const status = Stacks?.[0]?.StackStatus;
      return status?.endsWith('IN_PROGRESS') ? undefined : status;
    });
  };

  test('cannot be deployed without its mend', async () => {
    expect(await deployed(stock)).toBe('ROLLBACK_COMPLETE');
  });

  test('is deployed', async () => {
    expect(await deployed(mended)).toBe('CREATE_COMPLETE');
  });
});

describe('what a Lambda lives in: nothing to mend', () => {
  test('is Node 24, with the environment of the server and the account of the function', async () => {
    const FunctionName = await stock.deploy(
      'surroundings',
      `return {
        node: process.version.split('.')[0],
        ec2: process.env.AWS_ENDPOINT_URL_EC2,
        others: process.env.AWS_ENDPOINT_URL,
        account: process.env.AWS_ACCESS_KEY_ID,
        memory: context.memoryLimitInMB,
      };`,
    );
    const { Payload } = await stock.lambda.send(new InvokeCommand({ FunctionName }));
    expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toEqual({
      node: 'v24',
      ec2: 'http://127.0.0.1:9',
      others: stock.url,
      account: '111122223333',
      memory: '512',
    });
  });

  test('ends when its time is over, as Sandbox.Timedout', async () => {
    const FunctionName = await stock.deploy(
      'endless',
      'await new Promise(() => setInterval(() => {}, 1));',
      1,
    );
    const { FunctionError, Payload } = await stock.lambda.send(new InvokeCommand({ FunctionName }));
    expect(FunctionError).toBe('Unhandled');
    expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toMatchObject({
      errorType: 'Sandbox.Timedout',
    });
  });
});
