/** The troubles that the gateway makes, each as the service itself would answer it. */
import { randomUUID } from 'node:crypto';
import type { Reply } from '../http.ts';
import type { AwsCall, Protocol } from './aws-call.ts';

const faultKinds = [
  'throttled',
  'internal-error',
  'slow',
  'hangs',
  'answer-lost',
  'access-denied',
  'page-missing',
  'page-repeated',
  'truncated',
  'expired-credentials',
  // As of an account that is closed, or of a Region that is off in it.
  'unrecognized-client',
  'crash',
  'crash-before',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  kind: FaultKind;
  /** -1 for ever. */
  times: number;
  /** So many calls that it would meet go through first. */
  after?: number;
  /** Where one is left out: any. */
  service?: string;
  operation?: string;
  region?: string;
  /** Whose key makes the call, or whose role it is for a session of. */
  account?: string;
  /** A part of the function's name, such as EvaluateBatch. */
  functionPart?: string;
  /** A part of what is sent: which of several calls of an operation it is. */
  sends?: string;
}

const ofPages = (kind: FaultKind): boolean => kind === 'page-missing' || kind === 'page-repeated';

/** Whether it is one of those that go through first, which is one less then. */
function goesThrough(fault: Fault): boolean {
  if (fault.after === undefined || fault.after === 0) return false;
  fault.after--;
  return true;
}

export class Faults {
  private faults: Fault[] = [];
  /** How many calls they met. */
  met = 0;

  add(fault: Fault): void {
    this.faults.push({ ...fault });
  }

  clear(): void {
    this.faults = [];
    this.met = 0;
  }

  /** The first that is left for this call. One of pages stays when it is used up: its list goes on in small pages. */
  of({ service, operation, region, functionName, account }: AwsCall, sent: string): Fault | undefined {
    return this.faults.find(
      (one) =>
        (one.times !== 0 || ofPages(one.kind)) &&
        (one.service ?? service) === service &&
        (one.operation ?? operation) === operation &&
        (one.region ?? region) === region &&
        (one.account ?? account) === account &&
        functionName.includes(one.functionPart ?? '') &&
        sent.includes(one.sends ?? '') &&
        !goesThrough(one),
    );
  }

  use(fault: Fault): void {
    this.met++;
    if (fault.times > 0) fault.times--;
  }
}

interface ErrorCode {
  status: number;
  code: string;
  message: string;
}

type ErrorKind =
  | 'throttled'
  | 'internal-error'
  | 'access-denied'
  | 'denied-by-organization'
  | 'expired-credentials'
  | 'unrecognized-client';

/**
 * Source: the error lists of the API references of EC2, S3, SNS, Account Management and the JSON services, read 2026-11-22. How calls
 * of a closed account are refused is not documented: here as those with a key that nobody has.
 */
const codes: Record<Protocol, Record<ErrorKind, { status: number; code: string }>> = {
  json: {
    throttled: { status: 400, code: 'ThrottlingException' },
    'internal-error': { status: 500, code: 'InternalServerError' },
    'access-denied': { status: 400, code: 'AccessDeniedException' },
    'denied-by-organization': { status: 400, code: 'AccessDeniedException' },
    'expired-credentials': { status: 400, code: 'ExpiredTokenException' },
    'unrecognized-client': { status: 400, code: 'UnrecognizedClientException' },
  },
  'rest-json': {
    throttled: { status: 429, code: 'TooManyRequestsException' },
    'internal-error': { status: 500, code: 'InternalServerException' },
    'access-denied': { status: 403, code: 'AccessDeniedException' },
    'denied-by-organization': { status: 403, code: 'AccessDeniedException' },
    'expired-credentials': { status: 403, code: 'ExpiredTokenException' },
    'unrecognized-client': { status: 403, code: 'UnrecognizedClientException' },
  },
  query: {
    throttled: { status: 400, code: 'Throttling' },
    'internal-error': { status: 500, code: 'InternalError' },
    'access-denied': { status: 403, code: 'AccessDenied' },
    'denied-by-organization': { status: 403, code: 'AccessDenied' },
    'expired-credentials': { status: 403, code: 'ExpiredToken' },
    'unrecognized-client': { status: 403, code: 'InvalidClientTokenId' },
  },
  'rest-xml': {
    throttled: { status: 503, code: 'SlowDown' },
    'internal-error': { status: 500, code: 'InternalError' },
    'access-denied': { status: 403, code: 'AccessDenied' },
    'denied-by-organization': { status: 403, code: 'AccessDenied' },
    'expired-credentials': { status: 400, code: 'ExpiredToken' },
    'unrecognized-client': { status: 403, code: 'InvalidAccessKeyId' },
  },
};
const codesOfEc2: Record<ErrorKind, { status: number; code: string }> = {
  throttled: { status: 503, code: 'RequestLimitExceeded' },
  'internal-error': { status: 500, code: 'InternalError' },
  'access-denied': { status: 403, code: 'UnauthorizedOperation' },
  'denied-by-organization': { status: 403, code: 'UnauthorizedOperation' },
  'expired-credentials': { status: 400, code: 'RequestExpired' },
  'unrecognized-client': { status: 401, code: 'AuthFailure' },
};

const words: Record<ErrorKind, (call: AwsCall) => string> = {
  throttled: () => 'Rate exceeded',
  'internal-error': () => 'An internal error has occurred',
  'access-denied': ({ service, operation }) =>
    `not authorized to perform: ${service}:${operation} because no identity-based policy allows it`,
  'denied-by-organization': ({ service, operation }) =>
    `not authorized to perform: ${service}:${operation} with an explicit deny in a service control policy`,
  'expired-credentials': () => 'The security token included in the request is expired',
  'unrecognized-client': ({ service }) =>
    service === 'ec2'
      ? 'AWS was not able to validate the provided access credentials'
      : 'The security token included in the request is invalid.',
};

/** A role of a closed account is refused as one that is not there. */
const ofRole = (role: string): Pick<ErrorCode, 'code' | 'message'> => ({
  code: 'AccessDenied',
  message: `User is not authorized to perform: sts:AssumeRole on resource: ${role}`,
});

function printed({ status, code, message }: ErrorCode, { service }: AwsCall, protocol: Protocol): Reply {
  const id = randomUUID();
  if (protocol === 'json' || protocol === 'rest-json') {
    const body = JSON.stringify({ __type: code, message });
    return { status, body, contentType: 'application/x-amz-json-1.1', headers: { 'x-amzn-requestid': id } };
  }
  const error = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  if (protocol === 'rest-xml') {
    const body = `<?xml version="1.0" encoding="UTF-8"?>\n${error.replace('</Error>', `<RequestId>${id}</RequestId></Error>`)}`;
    return { status, body, contentType: 'application/xml' };
  }
  const body =
    service === 'ec2'
      ? `<Response><Errors>${error}</Errors><RequestID>${id}</RequestID></Response>`
      : `<ErrorResponse>${error}<RequestId>${id}</RequestId></ErrorResponse>`;
  return { status, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`, contentType: 'text/xml' };
}

export function errorReply(kind: ErrorKind, call: AwsCall, protocol: Protocol): Reply {
  const { status, code } = (call.service === 'ec2' ? codesOfEc2 : codes[protocol])[kind];
  const isRefusedRole = kind === 'access-denied' || kind === 'unrecognized-client';
  const error = { code, message: words[kind](call) };
  const refused = isRefusedRole && call.assumes !== undefined ? ofRole(call.assumes) : error;
  return printed({ status, ...refused }, call, protocol);
}
