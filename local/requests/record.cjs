/**
 * Required by a process of the local AWS before its program (NODE_OPTIONS): writes each request that it signs for AWS as one line of
 * JSON below STRIPEWISE_REQUESTS, as it leaves the process. What an object of S3 holds and what is secret is not written: their length is.
 */
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const { appendFileSync, mkdirSync } = require('node:fs');
const { join } = require('node:path');

const { STRIPEWISE_REQUESTS: directory, AWS_LAMBDA_FUNCTION_NAME: functionName = '' } = process.env;

/** What decides about protocol, operation and parameters; no credentials. */
const isKept = (name) =>
  /^(content-(type|length|encoding|md5)|x-amz-.*|x-amzn-query-mode|if-(none-)?match|smithy-protocol)$/.test(
    name,
  ) && !/^x-amz-(security-token|content-sha256|date|user-agent)$/.test(name);

/** Query parameters of a presigned request that are credentials. */
const withoutSignature = (path) => path.replace(/([?&]X-Amz-(?:Signature|Security-Token)=)[^&]*/g, '$1');

/** A stand-in of the same length: limits of length can still be looked at. */
const hidden = (text) =>
  text.replace(
    /("(?:SecretString|SecretBinary)"\s*:\s*")((?:[^"\\]|\\.)*)"/g,
    (_, start, secret) => `${start}${'x'.repeat(secret.length)}"`,
  );

/** The account of the key, the Region and the service: of a header, or of a presigned address. */
const scopeOf = (authorization, path) =>
  /Credential=[^/]+\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(authorization) ??
  /X-Amz-Credential=[^/&]+\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(decodeURIComponent(path));

function write(request, chunks) {
  const headers = request.getHeaders();
  const scope = scopeOf(String(headers.authorization ?? ''), request.path);
  if (scope === null) return;
  const [, region, service] = scope;
  const isObject = service === 's3' && request.method === 'PUT' && !request.path.includes('?');
  const body = Buffer.concat(chunks);
  const line = {
    ...{ by: functionName, service, region, method: request.method, path: withoutSignature(request.path) },
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name))),
    bodyBytes: body.length,
    body:
      isObject || (service === 's3' && request.path.includes('x-id=PutObject'))
        ? ''
        : hidden(body.toString('utf8')),
  };
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`);
}

if (directory) {
  subscribe('http.client.request.created', ({ request }) => {
    const chunks = [];
    const keep = (chunk, encoding) => {
      if (chunk === undefined || chunk === null || typeof chunk === 'function') return;
      chunks.push(
        typeof chunk === 'string'
          ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8')
          : Buffer.from(chunk),
      );
    };
    const { write: usualWrite, end: usualEnd } = request;
    let ended = false;
    request.write = function (chunk, encoding, ...rest) {
      keep(chunk, encoding);
      return usualWrite.call(this, chunk, encoding, ...rest);
    };
    request.end = function (chunk, encoding, ...rest) {
      if (!ended) {
        ended = true;
        keep(chunk, encoding);
        write(request, chunks);
      }
      return usualEnd.call(this, chunk, encoding, ...rest);
    };
  });
}
