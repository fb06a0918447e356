/** What AWS throws, by what the caller does about it: fix a policy, ask again, or look. */
import { z } from 'zod';
import { reading, unreadable } from '../../../adapters/aws/failure.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const asked = 'ec2:DescribeVolumes in eu-central-1';

test.each([
  ['UnauthorizedOperation', 403, AccessDenied],
  ['AccessDenied', 403, AccessDenied],
  ['AccessDeniedException', 400, AccessDenied],
  ['AuthFailure', 401, AccessDenied],
  ['OptInRequired', 401, AccessDenied],
  ['SomethingNobodyHeardOf', 403, AccessDenied],
  ['RequestLimitExceeded', 503, Throttled],
  ['ThrottlingException', 400, Throttled],
  ['SlowDown', 503, Throttled],
  ['ProvisionedThroughputExceededException', 400, Throttled],
  ['ExpiredToken', 403, Unavailable],
  ['ExpiredTokenException', 400, Unavailable],
  ['ExpiredTokenException', 403, Unavailable],
  ['RequestExpired', 400, Unavailable],
  ['InternalError', 500, Unavailable],
  ['ServiceUnavailable', 503, Unavailable],
  ['InvalidParameterValue', 400, Unreadable],
  ['NoSuchKey', 404, Unreadable],
])('%s with status %i is %p, in one line that names the call', (name, status, kind) => {
  const error = unreadable(asked, awsError(name, 'You are not.\n    at somewhere', status));
  expect(error.constructor).toBe(kind);
  expect(error.message).toBe(`${asked} failed: ${name}: You are not.`);
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'])(
  'a network that fails with %s may be back: Unavailable',
  (code) => {
    const error = Object.assign(new Error(`connect ${code} 10.0.0.1:443`), { code });
    expect(unreadable(asked, error).constructor).toBe(Unavailable);
  },
);

test('a time-out is Unavailable', () => {
  expect(unreadable(asked, Object.assign(new Error('late'), { name: 'TimeoutError' }))).toBeInstanceOf(
    Unavailable,
  );
});

/** The SDK leaves the reply at every error that comes of one; where AWS named the error it says whose fault it is. */
test('a reply that could not be read is Unavailable; an error that AWS named is what it is', () => {
  const cut = Object.assign(new SyntaxError('Unexpected end of JSON input'), { $response: {} });
  expect(unreadable(asked, cut).constructor).toBe(Unavailable);
  const named = Object.assign(awsError('InvalidParameterValue', 'Strange'), {
    $response: {},
    $fault: 'client',
  });
  expect(unreadable(asked, named).constructor).toBe(Unreadable);
});

test('says how often the SDK tried, where it tried again', () => {
  const error = unreadable(asked, awsError('RequestLimitExceeded', 'Request limit exceeded.', 503, 8));
  expect(error.message).toBe(
    `${asked} failed (tried 8 times): RequestLimitExceeded: Request limit exceeded.`,
  );
});

test('a message without end is cut at 300 characters, and it is seen', () => {
  const { message } = unreadable(asked, awsError('Strange', 'x'.repeat(5_000)));
  expect(message).toBe(`${asked} failed: Strange: ${'x'.repeat(299)}…`);
});

test('keeps the cause, and does not wrap one of ours again', () => {
  const cause = awsError('AccessDenied', 'no', 403);
  const first = unreadable(asked, cause);
  expect(first.cause).toBe(cause);
  expect(unreadable('something else', first)).toBe(first);
});

test('a reply of another shape is said by the place and what is wrong there, in one line', async () => {
  const read = reading(asked, async () =>
    z.object({ Volumes: z.array(z.object({ Size: z.number() })) }).parse({ Volumes: [{ Size: 'big' }] }),
  );
  await expect(read).rejects.toThrow(Unreadable);
  await expect(read).rejects.toThrow(
    `${asked} failed: ZodError: Volumes.0.Size: Invalid input: expected number, received string`,
  );
});

test('what could be read comes back as it is', async () => {
  await expect(reading(asked, async () => 42)).resolves.toBe(42);
});
