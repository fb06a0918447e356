/** Answers to CloudFormation, put where it says, over real HTTP. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerCloudFormation } from '../../../adapters/aws/answer-cloudformation.ts';
import { Unavailable } from '../../../core/errors.ts';

let server: Server;
let url: string;
/** Of the next answers; 200 when there are none left. */
let statuses: number[] = [];
let received: { method: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method = '', headers } = request;
    received.push({ method, headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-address?Signature=abc`;
});
beforeEach(() => {
  statuses = [];
  received = [];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const request = () => ({
  ResponseURL: url,
  StackId: 'arn:stack',
  RequestId: 'request-1',
  LogicalResourceId: 'Emptied',
});
const done = { status: 'SUCCESS', reason: 'the bucket is empty' } as const;

test('puts the answer, with no type: the address was signed without one', async () => {
  await answerCloudFormation({ ...request(), PhysicalResourceId: 'as before' }, done);
  expect(received).toHaveLength(1);
  expect(received[0]?.method).toBe('PUT');
  expect(received[0]?.headers).not.toHaveProperty('content-type');
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    Status: 'SUCCESS',
    Reason: 'the bucket is empty',
    PhysicalResourceId: 'as before',
    StackId: 'arn:stack',
    RequestId: 'request-1',
    LogicalResourceId: 'Emptied',
  });
});

test('a resource that is being created is called as in the template, always the same', async () => {
  await answerCloudFormation(request(), done);
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ PhysicalResourceId: 'Emptied' });
});

test('a reason of any length fits', async () => {
  await answerCloudFormation(request(), { status: 'FAILED', reason: 'é'.repeat(10_000) });
  expect(Buffer.byteLength(received[0]?.body ?? '')).toBeLessThan(4_096);
});

test('is tried again where it did not arrive', async () => {
  statuses = [503];
  await answerCloudFormation(request(), done);
  expect(received).toHaveLength(2);
});

test('that it never arrived is an error, without the address', async () => {
  statuses = [503, 503, 503, 403];
  const notified = answerCloudFormation(request(), done).catch((error: unknown) => error as Error);
  expect(await notified).toBeInstanceOf(Unavailable);
  expect((await notified)?.message).toBe(
    'CloudFormation could not be sent SUCCESS in 4 attempts: it answered 403',
  );
  expect(received).toHaveLength(4);
});
