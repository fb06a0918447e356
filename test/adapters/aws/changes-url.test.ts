/** What is sent to the address of the function of changes: signed as AWS reads it; and what its answers mean. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { callChanges } from '../../../adapters/aws/changes-url.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { jsonReply, listen, type Reply, type RunningServer, readText } from '../../../local/http.ts';

const credentials = {
  ...{ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG' },
  sessionToken: 'a token',
};
const session = { region: 'eu-central-1', credentials: async () => credentials };

let server: RunningServer;
let reply: Reply;
let received: { headers: IncomingHttpHeaders; body: string; method: string; url: string };
beforeAll(async () => {
  server = await listen(0, async (request) => {
    const { headers, method = '', url = '' } = request;
    received = { headers, method, url, body: await readText(request) };
    return reply;
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  reply = jsonReply({ killSwitch: 'stop' });
});

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Source: IAM user guide, "Create a signed AWS API request", read 2026-11-28. */
function signatureOf({ headers, body, method, url }: typeof received, service: string): string {
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? [];
  const time = String(headers['x-amz-date']);
  const canonical = [
    ...[method, url, ''],
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    ...['', names, hash(body)],
  ].join('\n');
  const parts = [time.slice(0, 8), 'eu-central-1', service, 'aws4_request'];
  const key = parts.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, parts.join('/'), hash(canonical)].join('\n')).toString('hex');
}
const sent = (): string => /Signature=(\w+)$/.exec(received.headers.authorization ?? '')?.[1] ?? '';

test('a request is signed for Lambda in the Region of the stack, token and body too', async () => {
  expect(await callChanges(session, `${server.url}/`, { do: 'stop' })).toEqual({ killSwitch: 'stop' });
  expect(received.body).toBe('{"do":"stop"}');
  expect(received.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-central-1\/lambda\/aws4_request, /,
  );
  expect(received.headers.authorization).toMatch(/SignedHeaders=[^,]*host[^,]*x-amz-security-token/);
  expect(sent()).toBe(signatureOf(received, 'lambda'));
  expect(sent()).not.toBe(signatureOf(received, 'execute-api'));
  expect(sent()).not.toBe(signatureOf({ ...received, body: '{"do":"go"}' }, 'lambda'));
});

test('an address below a path is signed with it', async () => {
  await callChanges(session, `${server.url}/_aws/lambda-url/abc/`, { do: 'stop' });
  expect(received.url).toBe('/_aws/lambda-url/abc/');
  expect(sent()).toBe(signatureOf(received, 'lambda'));
});

test.each<[Reply, new (text: string) => Unreadable, RegExp]>([
  [jsonReply({ Message: 'Forbidden' }, 403), AccessDenied, /403: Forbidden; sign in as a role of changes/],
  [jsonReply({ message: 'no token' }, 401), AccessDenied, /401: no token; sign in/],
  [jsonReply({ Reason: 'slow' }, 429), Throttled, /429: .*; try again in a minute$/],
  [{ status: 502, body: '<html>\nbad' }, Unavailable, /502: <html>; whether it was done is not known/],
  [jsonReply({ error: 'the request: id: bad' }, 400), Unreadable, /400: the request: id: bad$/],
  [
    { status: 200, body: 'no JSON' },
    Unreadable,
    /^the answer to changes stop failed: SyntaxError: .*; whether it was done is not known, `changes list` says it$/,
  ],
  [jsonReply({ killSwitch: 'half' }), Unreadable, /^the answer to changes stop failed: ZodError: killSwitch/],
  [{ status: 302, body: '', headers: { location: '/' } }, Unavailable, /could not be reached/],
])('%j', async (answer, kind, text) => {
  reply = answer;
  const failure = await callChanges(session, `${server.url}/`, { do: 'stop' }).catch((error) => error);
  expect(failure).toBeInstanceOf(kind);
  expect(failure.message).toMatch(text);
  expect(failure.message.split('\n')).toHaveLength(1);
});

test('where nobody answers a decision is not known, and a question is just not answered', async () => {
  const gone = await listen(0, async () => jsonReply({}));
  await gone.stop();
  const failed = (request: Parameters<typeof callChanges>[2]) =>
    callChanges(session, `${gone.url}/`, request).catch((error) => error.message);
  expect(await failed({ do: 'undo', id: 'c-1' })).toBe(
    'changes undo: the function could not be reached (TypeError); whether it was done is not known, `changes show c-1` says it',
  );
  expect(await failed({ do: 'show', id: 'c-1' })).toBe(
    'changes show: the function could not be reached (TypeError)',
  );
});

test('without credentials nothing is sent', async () => {
  const none = async () => {
    throw Object.assign(new Error('Could not load credentials'), { name: 'CredentialsProviderError' });
  };
  reply = { status: 500, body: 'it was sent' };
  await expect(
    callChanges({ region: 'us-east-1', credentials: none }, `${server.url}/`, { do: 'list' }),
  ).rejects.toThrow(/^the credentials failed: CredentialsProviderError: Could not load credentials$/);
});
