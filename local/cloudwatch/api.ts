/**
 * The CloudWatch API as SDKs speak it today: AWS JSON 1.0, the operation in X-Amz-Target, times as epoch seconds.
 * Signatures are not verified; account and Region are taken from the credential scope. Errors go without x-amzn-query-error: the
 * SDK then raises the exception by its shape, the same name that the header's code is mapped to.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { accountOfKey } from '../account-of-key.ts';
import type { Reply } from '../http.ts';
import { ServiceError } from '../service-error.ts';
import { type Fault, faultError, partialPage } from './faults.ts';
import { listMetricsReply } from './list-metrics.ts';
import { metricDataPage } from './metric-data-page.ts';
import { printPage } from './metric-data-reply.ts';
import { parseMetricDataRequest } from './metric-data-request.ts';
import type { Accounts, CloudWatchState } from './state.ts';
import { fingerprint } from './tokens.ts';

const targetPrefix = 'GraniteServiceVersion20100801.';
const shapePrefix = 'com.amazonaws.cloudwatch#';

const reply = (status: number, body: string): Reply => ({
  status,
  body,
  contentType: 'application/x-amz-json-1.0',
  headers: { 'x-amzn-requestid': randomUUID() },
});

const errorReply = ({ shape, status, message, details }: ServiceError): Reply =>
  reply(status, JSON.stringify({ __type: `${shapePrefix}${shape}`, message, ...details }));

interface Scope {
  /** Null where the key says none. */
  account: string | null;
  region: string;
}

function scopeOf({ authorization }: IncomingHttpHeaders): Scope {
  const scope = /Credential=([^/,\s]+)\/\d{8}\/([^/,\s]+)\/([^/,\s]+)\/aws4_request/.exec(
    authorization ?? '',
  );
  if (scope === null) {
    throw new ServiceError('MissingAuthenticationTokenException', 'Missing Authentication Token', 403);
  }
  const [, accessKeyId = '', region = '', service = ''] = scope;
  if (service !== 'monitoring') {
    const message = `Credential should be scoped to correct service: 'monitoring', not '${service}'.`;
    throw new ServiceError('InvalidSignatureException', message, 403);
  }
  return { account: accountOfKey(accessKeyId), region };
}

function getMetricData(state: CloudWatchState, region: string, body: object, fault?: Fault): string {
  const request = parseMetricDataRequest(body, state.account);
  const nowSeconds = state.clock.nowSeconds();
  const requestFingerprint = fingerprint(body);
  const whole = metricDataPage(request, { store: state.store, region, nowSeconds, requestFingerprint });
  state.quotas?.takeDatapoints(region, whole.datapoints, nowSeconds - request.startSeconds);
  state.onDatapoints(region, whole.datapoints);
  const page = fault?.partialData === true ? partialPage(whole, request.descending) : whole;
  const counts = state.counts.of(region);
  if (request.nextToken === undefined) counts.metricsRequested += request.queries.length;
  state.counts.answered(region, page.datapoints, state.monotonicMs());
  return printPage(page, request.descending);
}

function answer(
  state: CloudWatchState,
  region: string,
  operation: string,
  body: object,
  fault?: Fault,
): string {
  const { store, dashboards, clock } = state;
  switch (operation) {
    case 'GetMetricData':
      return getMetricData(state, region, body, fault);
    case 'ListMetrics':
      return listMetricsReply(body, { store, region, nowSeconds: clock.nowSeconds() });
    case 'PutDashboard':
      return JSON.stringify(dashboards.put(body));
    case 'GetDashboard':
      return JSON.stringify(dashboards.get(body));
    case 'ListDashboards':
      return JSON.stringify(dashboards.list(body));
    case 'DeleteDashboards':
      return JSON.stringify(dashboards.delete(body));
    default:
      throw new ServiceError(
        'UnknownOperationException',
        `The local CloudWatch does not know the operation ${operation || '(none)'}.`,
      );
  }
}

function parseBody(text: string): object {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = null;
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new ServiceError('SerializationException', 'The body must be a JSON object.');
}

async function call(
  state: CloudWatchState,
  region: string,
  operation: string,
  text: string,
): Promise<string> {
  const { account, counts, faults, quotas } = state;
  counts.called(region, operation);
  const fault = faults.take(account, region, operation);
  if (fault !== undefined) {
    counts.of(region).faulted++;
    if (fault.delayMs !== undefined) await wait(fault.delayMs, undefined, { ref: false });
    if (fault.error !== undefined) throw faultError(fault);
  }
  try {
    quotas?.takeCall(region, operation);
    return answer(state, region, operation, parseBody(text), fault);
  } catch (error) {
    if (error instanceof ServiceError && error.shape === 'ThrottlingException') counts.of(region).throttled++;
    throw error;
  }
}

export async function handleApi(
  accounts: Accounts,
  headers: IncomingHttpHeaders,
  text: string,
): Promise<Reply> {
  try {
    const { account, region } = scopeOf(headers);
    const target = String(headers['x-amz-target'] ?? '');
    const operation = target.startsWith(targetPrefix) ? target.slice(targetPrefix.length) : target;
    return reply(200, await call(accounts.of(account), region, operation, text));
  } catch (error) {
    if (error instanceof ServiceError) return errorReply(error);
    throw error;
  }
}
