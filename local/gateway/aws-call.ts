/** Which call of AWS an HTTP request is: by its signature's scope and the protocol of its service. */
import type { IncomingHttpHeaders } from 'node:http';
import { accountOfKey } from '../account-of-key.ts';

export interface AwsCall {
  /** As policies name it: `cloudwatch`, not the `monitoring` of signatures. */
  service: string;
  operation: string;
  /** Of the signature: the Region that is asked. */
  region: string;
  /** The function that asks (see function-conditions.cjs); empty where it is somebody else. */
  functionName: string;
  accessKeyId: string;
  /** The account that the key says, or that the role is in where the call is for a session of it; absent where none is said. */
  account?: string;
  /** The role that the call is for a session of (sts:AssumeRole). */
  assumes?: string;
  /** The role whose session makes the call, where the gateway saw it given. */
  role?: string;
}

export type Protocol = 'json' | 'query' | 'rest-json' | 'rest-xml';

const serviceOfScope: Readonly<Record<string, string>> = { monitoring: 'cloudwatch' };

const functionHeader = 'x-stripewise-function';

/** Services of which the clients here speak no other. */
const restJsonServices = new Set(['account']);

export function protocolOf(headers: IncomingHttpHeaders, service: string): Protocol {
  if (restJsonServices.has(service)) return 'rest-json';
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/x-amz-json')) return 'json';
  return type.startsWith('application/x-www-form-urlencoded') ? 'query' : 'rest-xml';
}

/** S3's operations as policies name them: those that the functions use. */
function s3Operation(method: string, { pathname, searchParams }: URL): string {
  const isObject = pathname.split('/').length > 2 && !pathname.endsWith('/');
  if (method === 'GET' && !isObject)
    return searchParams.has('versions') ? 'ListBucketVersions' : 'ListBucket';
  if (method === 'POST' && searchParams.has('delete')) return 'DeleteObject';
  return { GET: 'GetObject', PUT: 'PutObject', DELETE: 'DeleteObject', HEAD: 'GetObject' }[method] ?? method;
}

/** `/listRegions` is ListRegions. */
const restJsonOperation = ({ pathname }: URL): string =>
  pathname.slice(1).replace(/^./, (first) => first.toUpperCase());

interface Request {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function operationOf({ method, url, headers, body }: Request, service: string): string {
  switch (protocolOf(headers, service)) {
    case 'json':
      return String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
    case 'query':
      return new URLSearchParams(body.toString('utf8')).get('Action') ?? '';
    case 'rest-json':
      return restJsonOperation(url);
    case 'rest-xml':
      return s3Operation(method, url);
  }
}

const accountOfArn = (arn: string): string | null => arn.split(':')[4] ?? null;

/**
 * Null for a request that is not signed: it is no call of a service.
 * @param roles of sessions, by their key.
 */
export function awsCallOf(request: Request, roles: ReadonlyMap<string, string>): AwsCall | null {
  const { headers, body } = request;
  const scope = /Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? '');
  if (scope === null) return null;
  const [, accessKeyId = '', region = '', signedFor = ''] = scope;
  const service = serviceOfScope[signedFor] ?? signedFor;
  const operation = operationOf(request, service);
  const assumes =
    operation === 'AssumeRole' ? (new URLSearchParams(body.toString('utf8')).get('RoleArn') ?? '') : null;
  const account = assumes === null ? accountOfKey(accessKeyId) : accountOfArn(assumes);
  const role = roles.get(accessKeyId);
  return {
    ...{ service, operation, region, functionName: String(headers[functionHeader] ?? ''), accessKeyId },
    ...(account === null ? {} : { account }),
    ...(assumes === null ? {} : { assumes }),
    ...(role === undefined ? {} : { role }),
  };
}
