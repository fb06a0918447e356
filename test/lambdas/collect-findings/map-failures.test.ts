/** What Step Functions writes of failed children, in words that a person can use. */
import {
  childrenSchema,
  failuresByBatch,
  manifestSchema,
} from '../../../lambdas/collect-findings/map-failures.ts';

test('children are distinguished by the batch that was their input', () => {
  const children = childrenSchema.parse([
    {
      ExecutionArn: 'arn:1',
      Input: '{"runId":"run-1","key":"work/run-1/batches/1-us-east-1-00002.json","plan":{}}',
      Error: 'Runtime.ExitError',
      Cause: '{"errorMessage":"Runtime exited with error: signal: killed"}',
    },
    { Input: '{"other":"child"}', Error: 'E' },
  ]);
  expect([...failuresByBatch(children)]).toEqual([
    ['1-us-east-1-00002.json', 'Runtime.ExitError: Runtime exited with error: signal: killed'],
  ]);
});

test('the manifest of a Distributed Map names its files of failed children', () => {
  const manifest = {
    DestinationBucket: 'b',
    MapRunArn: 'arn:2',
    ResultFiles: { FAILED: [{ Key: 'work/1/map/x/FAILED_0.json', Size: 4 }], PENDING: [], SUCCEEDED: [] },
  };
  expect(manifestSchema.parse(manifest).ResultFiles).toEqual({
    FAILED: [{ Key: 'work/1/map/x/FAILED_0.json' }],
    SUCCEEDED: [],
  });
});
