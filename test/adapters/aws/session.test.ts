/** How every client speaks to AWS: a call that hangs is given up, and tried again. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EC2Client } from '@aws-sdk/client-ec2';
import { CallCounter } from '../../../adapters/aws/call-counter.ts';
import { describeVolumes } from '../../../adapters/aws/describe-volumes.ts';
import {
  cloudWatchClient,
  ec2Client,
  ownResources,
  pricingClient,
  ssmClient,
} from '../../../adapters/aws/session.ts';
import { Unavailable } from '../../../core/errors.ts';

const place = { region: 'us-east-1', account: '111122223333' };
const givesUp = {
  connectionTimeout: 5_000,
  requestTimeout: 30_000,
  socketTimeout: 30_000,
  throwOnRequestTimeout: true,
};

test.each([
  ['EC2', ec2Client],
  ['CloudWatch', cloudWatchClient],
  ['Systems Manager', ssmClient],
  ['the Price List', pricingClient],
])('the client of %s gives up a connection after 5 s and a call after 30 s, eight times', async (_, make) => {
  const { config } = make({ region: place.region }, new CallCounter());
  // What the handler was made with is its own affair until its first request: its type hides it, hence the cast.
  const handler = config.requestHandler as unknown as { configProvider: Promise<object> };
  expect(await handler.configProvider).toMatchObject(givesUp);
  expect(await config.maxAttempts()).toBe(8);
});

test("those of the stack's own resources do so too, and try five times", () => {
  expect(ownResources).toEqual({ maxAttempts: 5, requestHandler: givesUp });
});

describe('a server that takes the call and never answers', () => {
  let server: Server;
  let asked = 0;
  beforeAll(async () => {
    server = createServer((request) => {
      asked += 1;
      request.resume();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  test('is given up after the time of each attempt, and Unavailable after the last', async () => {
    const counter = new CallCounter();
    const client = new EC2Client({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: place.region,
      maxAttempts: 2,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      requestHandler: { ...ownResources.requestHandler, requestTimeout: 200 },
    });
    client.middlewareStack.use(counter.plugin());
    const read = await describeVolumes(client, place).catch((thrown: unknown) => thrown);
    client.destroy();
    expect(read).toBeInstanceOf(Unavailable);
    expect((read as Error).message).toMatch(
      /^ec2:DescribeVolumes in us-east-1 failed \(tried 2 times\): TimeoutError: /,
    );
    expect([asked, counter.total]).toEqual([2, 2]);
  });
});
