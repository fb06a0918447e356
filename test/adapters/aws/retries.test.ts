/** The SDK's own retries in front of a server that throttles: survived or said, and every attempt counted. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EC2Client } from '@aws-sdk/client-ec2';
import { CallCounter } from '../../../adapters/aws/call-counter.ts';
import { describeVolumes } from '../../../adapters/aws/describe-volumes.ts';
import { Throttled, Unavailable } from '../../../core/errors.ts';

const place = { region: 'us-east-1', account: '111122223333' };

interface Answer {
  status: number;
  body: string;
}
const error = (status: number, code: string): Answer => ({
  status,
  body: `<Response><Errors><Error><Code>${code}</Code><Message>Request limit exceeded.</Message></Error></Errors><RequestID>r</RequestID></Response>`,
});
const limitExceeded = error(503, 'RequestLimitExceeded');
const noVolumes: Answer = {
  status: 200,
  body: '<DescribeVolumesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><volumeSet/></DescribeVolumesResponse>',
};

let server: Server;
let answers: Answer[];
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const { status, body } = answers.shift() ?? noVolumes;
    response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Describes the volumes of a server that gives these answers first, with three attempts a call. */
async function describeAfter(first: Answer[]): Promise<{ read: unknown; calls: number }> {
  answers = first;
  const counter = new CallCounter();
  const client = new EC2Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: place.region,
    maxAttempts: 3,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  client.middlewareStack.use(counter.plugin());
  const read = await describeVolumes(client, place).catch((thrown: unknown) => thrown);
  client.destroy();
  return { read, calls: counter.total };
}

test('one call that is answered at once counts as one', async () => {
  expect(await describeAfter([])).toEqual({ read: [], calls: 1 });
});

test('throttled twice and then answered: nothing is lost, and 2 + 1 = 3 calls are counted', async () => {
  expect(await describeAfter([limitExceeded, limitExceeded])).toEqual({ read: [], calls: 3 });
});

test('throttled at each of three attempts is Throttled, which says so', async () => {
  const { read, calls } = await describeAfter([limitExceeded, limitExceeded, limitExceeded]);
  expect(read).toBeInstanceOf(Throttled);
  expect((read as Error).message).toBe(
    'ec2:DescribeVolumes in us-east-1 failed (tried 3 times): RequestLimitExceeded: Request limit exceeded.',
  );
  expect(calls).toBe(3);
});

test('a server that fails at each of three attempts is Unavailable', async () => {
  const failing = error(500, 'InternalError');
  const { read } = await describeAfter([failing, failing, failing]);
  expect(read).toBeInstanceOf(Unavailable);
});
