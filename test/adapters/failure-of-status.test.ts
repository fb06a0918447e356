/** A status of HTTP: whether to send the same again. */
import { failureOfStatus } from '../../adapters/failure-of-status.ts';
import { Throttled, Unavailable, Undeliverable } from '../../core/errors.ts';

test.each([
  [429, Throttled],
  [408, Unavailable],
  [500, Unavailable],
  [503, Unavailable],
  [400, Undeliverable],
  [404, Undeliverable],
  [410, Undeliverable],
])('%d', (status, kind) => {
  const failure = failureOfStatus(status, `it answered ${status}`);
  expect(failure).toBeInstanceOf(kind);
  expect(failure.message).toBe(`it answered ${status}`);
});
