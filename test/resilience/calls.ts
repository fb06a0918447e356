/** The calls that the functions make, and what must come of a fault in each. */
import { uniqBy } from 'es-toolkit/array';
import type { FaultKind } from '../../local/gateway/faults.ts';
import type { Ending } from './evaluation-outcome.ts';

export interface FaultyCall {
  /** A part of the function's name. */
  functionPart: string;
  service: string;
  operation: string;
  /** What a run comes to where this call fails for good. */
  withoutIt: Ending;
  /** The same where it is not allowed; as `withoutIt` where nothing is said. */
  denied?: Ending;
  /** What a lost page comes to; null for a call without pages. */
  pageMissing: Ending | null;
  /** Made only by who comes after one that died at this call; null: always. */
  onlyAfterCrashAt: string | null;
}

const call = (
  functionPart: string,
  name: string,
  withoutIt: Ending,
  more: Partial<FaultyCall> = {},
): FaultyCall => {
  const [service = '', operation = ''] = name.split(':');
  return { functionPart, service, operation, withoutIt, pageMissing: null, onlyAfterCrashAt: null, ...more };
};

/** Those of the stand-ins: what is read of the account. */
export const readingCalls: FaultyCall[] = [
  // Prices are kept from before, or come with stripewise: a run goes on without new ones.
  // Its pages are in unit tests: the local EC2 gives all types in one.
  call('RefreshCatalog', 'ec2:DescribeInstanceTypes', 'complete, with a notice', { denied: 'partial' }),
  call('RefreshCatalog', 'pricing:GetProducts', 'complete, with a notice', {
    denied: 'partial',
    pageMissing: 'complete',
  }),
  call('DiscoverVolumes', 'ec2:DescribeVolumes', 'partial', { pageMissing: 'complete' }),
  call('DiscoverVolumes', 'ec2:DescribeInstances', 'partial', { pageMissing: 'complete' }),
  call('DiscoverVolumes', 'cloudwatch:ListMetrics', 'partial', { pageMissing: 'complete' }),
  call('EvaluateBatch', 'cloudwatch:GetMetricData', 'partial', { pageMissing: 'partial' }),
  // The last step: all is reported by then.
  call('DrawDashboard', 'cloudwatch:PutDashboard', 'failed'),
];

/** Those that ask hosts. CancelCommand is called of a host that never ends, minutes later: it is in unit tests. */
export const hostCalls: FaultyCall[] = [
  call('EvaluateBatch', 'ssm:DescribeInstanceInformation', 'complete, with a notice', {
    denied: 'partial',
    pageMissing: 'complete, with a notice',
  }),
  call('EvaluateBatch', 'ssm:SendCommand', 'complete, with a notice', { denied: 'partial' }),
  call('EvaluateBatch', 'ssm:ListCommandInvocations', 'complete, with a notice', {
    denied: 'partial',
    pageMissing: 'complete',
  }),
  call('EvaluateBatch', 'ssm:GetCommandInvocation', 'complete, with a notice', { denied: 'partial' }),
];

/** Those of what the stack has itself. */
export const ownCalls: FaultyCall[] = [
  call('RefreshCatalog', 's3:ListBucket', 'complete, with a notice', { denied: 'partial' }),
  call('RefreshCatalog', 's3:PutObject', 'complete, with a notice', { denied: 'partial' }),
  call('DiscoverVolumes', 's3:ListBucket', 'partial'),
  call('DiscoverVolumes', 's3:PutObject', 'partial'),
  call('EvaluateBatch', 's3:GetObject', 'partial'),
  call('EvaluateBatch', 's3:PutObject', 'partial'),
  call('CollectFindings', 's3:ListBucket', 'failed'),
  call('CollectFindings', 's3:GetObject', 'failed'),
  call('CollectFindings', 's3:PutObject', 'failed'),
  // At the very end of the run: all is reported by then.
  call('WriteReport', 's3:ListBucket', 'failed'),
  call('WriteReport', 's3:GetObject', 'failed'),
  call('WriteReport', 's3:PutObject', 'failed'),
  call('NotifyFindings', 's3:GetObject', 'failed'),
  call('NotifyFindings', 'dynamodb:Query', 'failed'),
  call('NotifyFindings', 'dynamodb:BatchGetItem', 'failed'),
  call('NotifyFindings', 'dynamodb:PutItem', 'failed'),
  // Of messages that were begun.
  call('NotifyFindings', 'dynamodb:GetItem', 'failed', { onlyAfterCrashAt: 'Publish' }),
  call('NotifyFindings', 'sns:ListSubscriptionsByTopic', 'failed'),
  call('NotifyFindings', 'sns:Publish', 'failed'),
  call('NotifyFindings', 'secretsmanager:GetSecretValue', 'failed'),
];

export interface Row {
  call: FaultyCall;
  kind: FaultKind;
  times: number;
  expected: Ending;
  /** What the reason must name. */
  names: string;
  /** A part of what the call sends: it is that one of several. */
  sends?: string;
}

const passing: readonly FaultKind[] = ['throttled', 'internal-error', 'slow', 'truncated'];
const once = (call: FaultyCall, kind: FaultKind): Row => ({
  call,
  kind,
  times: 1,
  expected: 'complete',
  names: '',
});
const forEver = (call: FaultyCall, kind: FaultKind, expected: Ending): Row => ({
  ...{ call, kind, expected },
  times: -1,
  names: `${call.service}:${call.operation}`,
});

const denied = (call: FaultyCall): Row => forEver(call, 'access-denied', call.denied ?? call.withoutIt);

const lasting = (call: FaultyCall): Row[] => [
  forEver(call, 'throttled', call.withoutIt),
  forEver(call, 'internal-error', call.withoutIt),
  denied(call),
  forEver(call, 'expired-credentials', call.withoutIt),
];

function ofPages(call: FaultyCall): Row[] {
  const { pageMissing, withoutIt } = call;
  if (pageMissing === null) return [];
  return [
    { call, kind: 'page-missing', times: 1, expected: pageMissing, names: '' },
    once(call, 'page-repeated'),
    forEver(call, 'page-repeated', withoutIt),
  ];
}

/** What passes is survived; what lasts is said; pages are all there or it is said. */
export const rowsOfReading = (call: FaultyCall): Row[] => [
  ...passing.map((kind) => once(call, kind)),
  ...lasting(call),
  ...ofPages(call),
];

/** No answer, and credentials, are the affair of a service's client: at the first of its calls. */
export function rowsOfOwn(calls: readonly FaultyCall[]): Row[] {
  const firstOfService = new Set(uniqBy(calls, ({ service }) => service));
  return calls.flatMap((one) => [
    once(one, 'internal-error'),
    once(one, 'truncated'),
    forEver(one, 'throttled', one.withoutIt),
    denied(one),
    ...(firstOfService.has(one)
      ? [once(one, 'slow'), forEver(one, 'expired-credentials', one.withoutIt)]
      : []),
  ]);
}

/** The function dies at the last of its calls that is named here. */
export const rowsOfCrashes = (calls: readonly FaultyCall[]): Row[] => {
  const last = new Map(calls.map((one) => [one.functionPart, one]));
  return [...last.values()].flatMap((one) => [
    once(one, 'crash'),
    { ...forEver(one, 'crash', one.withoutIt), names: 'Runtime.ExitError' },
  ]);
};

/** The notify function dies between any two of its steps: what was seen is claimed, kept as a message, sent, and noted as notified. */
export const rowsOfNotifying: Row[] = (
  [
    ['crash', 'dynamodb:Query'],
    ['crash', 'dynamodb:BatchGetItem'],
    ['crash', 'sns:ListSubscriptionsByTopic'],
    // The first of the claims, when others are not written yet, and the message that they are in.
    ['crash', 'dynamodb:PutItem', '"claim":{"M"'],
    ['crash-before', 'dynamodb:PutItem', '"state":{"S":"sending"}'],
    ['crash', 'dynamodb:PutItem', '"state":{"S":"sending"}'],
    ['crash-before', 'sns:Publish'],
    ['crash', 'sns:Publish'],
    ['crash', 'dynamodb:PutItem', '"state":{"S":"sent"}'],
    // The first of the confirmations.
    ['crash', 'dynamodb:PutItem', '"notified":{"M"'],
  ] as const
).map(([kind, name, sends]) => ({
  ...once(call('NotifyFindings', name, 'failed'), kind),
  ...(sends === undefined ? {} : { sends }),
}));
