/** Why a state of a workflow failed, in words that a person can use. */
import { failureOf, failureText } from '../../core/failure-text.ts';

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

test('the code stands apart from what was said', () => {
  expect(failureOf('HostLost', '{"errorMessage":"gone"}')).toEqual({ error: 'HostLost', message: 'gone' });
  expect(failureOf(undefined, undefined)).toEqual({ error: null, message: '' });
});

test('a cause without end is cut', () => {
  expect(failureText('Error', 'x'.repeat(10_000))).toHaveLength(400);
});
