/** What AWS's errors mean to us: one place that knows their codes. */
import { isThrottlingError } from '@smithy/service-error-classification';
import { z } from 'zod';
import { AccessDenied, NotEnabled, Throttled, Unavailable, Unreadable } from '../../core/errors.ts';
import { sanitize, sanitizeFirstLine } from '../../core/sanitize.ts';
import { isGarbled } from './garbled.ts';

/** Source: common errors of the EC2, CloudWatch and S3 API references, read 2026-11-21. */
const denied = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthFailure',
  'AuthorizationError',
  'AuthorizationErrorException',
  'OptInRequired',
  'UnauthorizedOperation',
]);
/** A function's credentials are renewed by Lambda: its next call may have new ones. */
const expired = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired']);
/** Node's codes for a network that does not answer. */
const network = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * An account that does not use a service, in the words of each. Cost Optimization Hub says it as a missing permission.
 * Source: API reference of Compute Optimizer, common errors; terraform-provider-aws, costoptimizationhub; read 2026-11-28.
 */
const isNotEnabled = ({ name, message }: SdkError): boolean =>
  name === 'OptInRequiredException' ||
  (denied.has(name) && /account is not (enrolled|registered|opted.in)/i.test(String(message)));

interface SdkError {
  name: string;
  code?: string;
  message: string;
  $metadata?: { httpStatusCode?: number; attempts?: number };
  $retryable?: object;
}

const maxCharacters = 300;
const maxNameCharacters = 100;

const isPassing = ({ name, code, $metadata, $retryable }: SdkError): boolean =>
  ($metadata?.httpStatusCode ?? 0) >= 500 ||
  $retryable !== undefined ||
  name === 'TimeoutError' ||
  expired.has(name) ||
  network.has(code ?? '');

/** What was to be read or emptied is not there: for who removes it, that is fine. */
export const isNoSuchBucket = (error: unknown): boolean => (error as SdkError).name === 'NoSuchBucket';

/** A conditional write to S3 came too late: somebody else wrote, is writing, or removed what was to be replaced. */
export const isNotAsItWas = (error: unknown): boolean =>
  ['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey'].includes((error as SdkError).name);

/** A reply of another shape: zod's own message is a document, the first trouble is a line. */
function messageOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return String((error as SdkError).message);
  const [first] = error.issues;
  return `${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`;
}

/** @param asked what was asked, such as "ec2:DescribeVolumes in eu-central-1". */
export function unreadable(asked: string, error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  const sdk = error as SdkError;
  const tried = (sdk.$metadata?.attempts ?? 1) > 1 ? ` (tried ${sdk.$metadata?.attempts} times)` : '';
  const text = `${asked} failed${tried}: ${sanitize(sdk.name, maxNameCharacters)}: ${sanitizeFirstLine(messageOf(error), maxCharacters)}`;
  const options = { cause: error };
  if (isNotEnabled(sdk)) return new NotEnabled(text, options);
  const isDenied = denied.has(sdk.name) || sdk.$metadata?.httpStatusCode === 403;
  if (isDenied && !expired.has(sdk.name)) return new AccessDenied(text, options);
  if (isThrottlingError(sdk)) return new Throttled(text, options);
  return isPassing(sdk) || isGarbled(sdk) ? new Unavailable(text, options) : new Unreadable(text, options);
}

/** Runs one reading; what AWS throws comes out as one of ours. */
export async function reading<T>(asked: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw unreadable(asked, error);
  }
}
