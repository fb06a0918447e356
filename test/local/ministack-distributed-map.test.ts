/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { DescribeMapRunCommand } from '@aws-sdk/client-sfn';
import { bucket, json, only, outputOf, pass, twoMiniStacks } from './two-ministacks.ts';

const servers = twoMiniStacks();

const readJson = async (Key: string): Promise<unknown> => {
  const { Body } = await servers.patched.s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
  return JSON.parse((await Body?.transformToString()) ?? '');
};

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

  test('does not find what its reader names by an expression, without its patch', async () => {
    const notified = await servers.stock.run(auditEach, auditInput);
    expect(notified).toMatchObject({ status: 'FAILED', error: expect.stringMatching(/^States\./) });
  });

  test('reads an object, selects, and makes batches', async () => {
    const notified = await servers.patched.run(auditEach, auditInput);
    const run = notified.name;
    expect(outputOf(notified)).toEqual([
      {
        BatchInput: { of: bucket },
        Items: ['vol-a', 'vol-b'].map((volume, index) => ({ volume, index, run })),
      },
      { BatchInput: { of: bucket }, Items: [{ volume: 'vol-c', index: 2, run }] }, // 3 items in batches of 2
    ]);
  });

  test('reads the list of a prefix', async () => {
    const listed = await servers.patched.run(
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
        Label: 'EvaluateEach',
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

  test('writes no results, without its patch', async () => {
    const notified = await servers.stock.run(writeResults, { ...writeInput, tolerated: 100 });
    expect(json(notified.output ?? '')).not.toContain('ResultWriterDetails');
  });

  test('writes a manifest and one file for each status', async () => {
    const notified = await servers.patched.run(writeResults, writeInput);
    const { written } = outputOf(notified) as {
      written: { MapRunArn: string; ResultWriterDetails: { Bucket: string; Key: string } };
    };
    const folder = `runs/${notified.name}/${written.MapRunArn.split(':').at(-1)}`;
    expect(written).toEqual({
      MapRunArn: expect.stringMatching(
        /^arn:aws:states:us-east-1:111122223333:mapRun:machine-\d+\/EvaluateEach:/,
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
    const run = await servers.patched.sfn.send(new DescribeMapRunCommand({ mapRunArn: written.MapRunArn }));
    expect(run).toMatchObject({
      status: 'SUCCEEDED',
      maxConcurrency: 2,
      itemCounts: { total: 3, succeeded: 2, failed: 1 },
    });
  });

  test('fails when more items fail than tolerated, which a Catch sees', async () => {
    const notified = await servers.patched.run(
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
    expect(outputOf(notified)).toBe('States.ExceedToleratedFailureThreshold');
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
      servers.patched.run(
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

  test('shows its items the variables and the execution of the parent, without its patch', async () => {
    const notified = await servers.stock.run(ofTheParent, {});
    expect(outputOf(notified)).toEqual([{ variable: true, item: true, execution: notified.name }]);
  });

  test('runs each item as an execution of its own: neither variables nor the name of the parent', async () => {
    const notified = await servers.patched.run(ofTheParent, {});
    expect(outputOf(notified)).toEqual([
      { variable: false, item: false, execution: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
  });
});
