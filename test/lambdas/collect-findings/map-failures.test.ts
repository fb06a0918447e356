/** What Step Functions writes of failed children, in words that a person can use. */
import {
  failedChildrenSchema,
  failuresByBatch,
  failureText,
  manifestSchema,
} from '../../../lambdas/collect-findings/map-failures.ts';

test('a Lambda that failed speaks in its own words, the first line of them', () => {
  const cause = JSON.stringify({
    errorType: 'Throttled',
    errorMessage: 'cloudwatch:GetMetricData in us-east-1 failed: Rate exceeded\n    at x',
    trace: ['Throttled: ...'],
  });
  expect(failureText('Throttled', cause)).toBe(
    'Throttled: cloudwatch:GetMetricData in us-east-1 failed: Rate exceeded',
  );
});

test('a sentence of Step Functions is taken as it is, and nothing at all is said too', () => {
  expect(failureText('States.Timeout', 'Task timed out after 900 seconds')).toBe(
    'States.Timeout: Task timed out after 900 seconds',
  );
  expect(failureText(undefined, undefined)).toBe('unknown error:');
  expect(failureText('Odd', '{"no":"message"}')).toBe('Odd: {"no":"message"}');
});

test('a cause without end is cut', () => {
  expect(failureText('Error', 'x'.repeat(10_000))).toHaveLength(400);
});

test('children are told apart by the batch that was their input', () => {
  const children = failedChildrenSchema.parse([
    {
      ExecutionArn: 'arn:1',
      Input: '{"runId":"run-1","key":"work/run-1/batches/1-us-east-1-00002.json","plan":{}}',
      Error: 'Runtime.ExitError',
      Cause: '{"errorMessage":"Runtime exited with error: signal: killed"}',
    },
    { Input: '{"other":"child"}', Error: 'E' },
  ]);
  expect([...failuresByBatch(children)]).toEqual([
    [
      '1-us-east-1-00002.json',
      'its batch failed: Runtime.ExitError: Runtime exited with error: signal: killed',
    ],
  ]);
});

test('the manifest of a Distributed Map names its files of failed children', () => {
  const manifest = {
    DestinationBucket: 'b',
    MapRunArn: 'arn:2',
    ResultFiles: { FAILED: [{ Key: 'work/1/map/x/FAILED_0.json', Size: 4 }], PENDING: [], SUCCEEDED: [] },
  };
  expect(manifestSchema.parse(manifest).ResultFiles.FAILED).toEqual([{ Key: 'work/1/map/x/FAILED_0.json' }]);
});
