/** Which call of AWS an HTTP request is: by its signature's scope and the protocol of its service. */
import type { IncomingHttpHeaders } from 'node:http';

export interface AwsCall {
  /** As policies name it: `cloudwatch`, not the `monitoring` of signatures. */
  service: string;
  operation: string;
  /** Of the signature: the Region that is asked. */
  region: string;
  /** The function that asks (see function-conditions.cjs); empty where it is somebody else. */
  functionName: string;
  accessKeyId: string;
}

export type Protocol = 'json' | 'query' | 'rest-xml';

const serviceOfScope: Readonly<Record<string, string>> = { monitoring: 'cloudwatch' };

const functionHeader = 'x-stripewise-function';

export function protocolOf(headers: IncomingHttpHeaders): Protocol {
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

function operationOf(method: string, url: URL, headers: IncomingHttpHeaders, body: Buffer): string {
  switch (protocolOf(headers)) {
    case 'json':
      return String(headers['x-amz-target'] ?? '').replace(/^.*\./, '');
    case 'query':
      return new URLSearchParams(body.toString('utf8')).get('Action') ?? '';
    case 'rest-xml':
      return s3Operation(method, url);
  }
}

/** Null for a request that is not signed: it is no call of a service. */
export function awsCallOf(
  method: string,
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
): AwsCall | null {
  const scope = /Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? '');
  if (scope === null) return null;
  const [, accessKeyId = '', region = '', signedFor = ''] = scope;
  return {
    service: serviceOfScope[signedFor] ?? signedFor,
    operation: operationOf(method, url, headers, body),
    region,
    functionName: String(headers[functionHeader] ?? ''),
    accessKeyId,
  };
}
