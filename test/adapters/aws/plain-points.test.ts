/** Points that are taken out of a reply before the SDK reads it: the same as the SDK would have made of them. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { resultsWithPoints, withPlainPoints } from '../../../adapters/aws/plain-points.ts';

let server: Server;
let reply: { status: number; type: string; body: string };
let client: CloudWatchClient;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new CloudWatchClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ region: 'us-east-1', maxAttempts: 1 },
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  });
});
afterAll(() => {
  client.destroy();
  server.close();
});

const json = (body: unknown, status = 200) => ({
  ...{ status, type: 'application/x-amz-json-1.0' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const command = () =>
  new GetMetricDataCommand({ MetricDataQueries: [], StartTime: new Date(), EndTime: new Date() });
const pointsRead = async (with_: (asked: GetMetricDataCommand) => GetMetricDataCommand) => {
  const answered = await client.send(with_(command()));
  return resultsWithPoints(answered).map(([{ Id, StatusCode }, points]) => ({ Id, StatusCode, ...points }));
};
const asTheSdk = (asked: GetMetricDataCommand): GetMetricDataCommand => asked;

test('times and values are what the SDK makes of them, with the id and the state of each metric', async () => {
  reply = json({
    MetricDataResults: [
      {
        Id: 'm0',
        Label: 'vol-ü',
        Timestamps: [1795132800, 1795132860.5],
        Values: [0.125, 3],
        StatusCode: 'PartialData',
      },
      { Id: 'm1', Label: 'vol-2', Timestamps: [], Values: [], StatusCode: 'Complete' },
      { Id: 'm2', Label: 'vol-3', StatusCode: 'Complete' },
    ],
  });
  const plain = await pointsRead(withPlainPoints);
  expect(plain).toEqual(await pointsRead(asTheSdk));
  expect(plain[0]).toEqual({
    ...{ Id: 'm0', StatusCode: 'PartialData' },
    epochSeconds: [1_795_132_800, 1_795_132_860.5],
    values: [0.125, 3],
  });
});

test('the points do not go through the SDK', async () => {
  reply = json({ MetricDataResults: [{ Id: 'm0', Timestamps: [1795132800], Values: [1] }] });
  const { MetricDataResults } = await client.send(withPlainPoints(command()));
  expect(MetricDataResults).toEqual([{ Id: 'm0' }]);
});

test('tokens and messages are the ones of the reply', async () => {
  const rest = { NextToken: 'page 2', Messages: [{ Code: 'Partial', Value: 'some of it' }] };
  reply = json({ MetricDataResults: [{ Id: 'm0', Timestamps: [1795132800], Values: [1] }], ...rest });
  expect(await client.send(withPlainPoints(command()))).toMatchObject(rest);
});

test('a refusal has the name and the words that the SDK gives it', async () => {
  reply = json({ __type: 'com.amazonaws.cloudwatch#AccessDenied', message: 'not you' }, 403);
  await expect(client.send(withPlainPoints(command()))).rejects.toMatchObject({
    name: 'AccessDenied',
    message: 'not you',
  });
});

test.each([
  ['a reply without results', {}],
  ['times that are no numbers', { MetricDataResults: [{ Id: 'm0', Timestamps: ['x'], Values: [1] }] }],
  ['text that is cut', '{"MetricDataResults":[{"Id":"m0","Timesta'],
])('%s is left to the SDK, whatever it makes of it', async (_what, body) => {
  reply = json(body);
  const outcome = (with_: typeof asTheSdk): Promise<unknown> =>
    pointsRead(with_).catch(({ name }: Error) => name);
  expect(await outcome(withPlainPoints)).toEqual(await outcome(asTheSdk));
});
