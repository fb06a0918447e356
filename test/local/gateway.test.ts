/** The gateway before the services: hands calls on as they came, and makes troubles that the SDK takes for AWS's. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Gateway, startGateway } from '../../local/gateway/gateway.ts';
import { eventually } from './ministack.ts';

/** EC2 with seven volumes, five a page; anything else gets an empty JSON document. */
const volumes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `vol-${name}`);
function describeVolumes(body: string): string {
  const asked = new URLSearchParams(body);
  const from = Number(asked.get('NextToken') ?? 0);
  const size = Number(asked.get('MaxResults') ?? volumes.length);
  const items = volumes.slice(from, from + size).map((id) => `<item><volumeId>${id}</volumeId></item>`);
  const next = from + size < volumes.length ? `<nextToken>${from + size}</nextToken>` : '';
  return `<DescribeVolumesResponse><volumeSet>${items.join('')}</volumeSet>${next}</DescribeVolumesResponse>`;
}

let upstream: Server;
let upstreamUrl: string;
let gateway: Gateway;
let settings: { endpoint: string; region: string; maxAttempts: number; credentials: object };
const hosts: (string | undefined)[] = [];
const bodies: string[] = [];

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      hosts.push(request.headers.host);
      bodies.push(body);
      response.end(body.includes('DescribeVolumes') ? describeVolumes(body) : '{}');
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  gateway = await startGateway({ visibilityScale: 0.03 });
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  gateway.route({ ec2: upstreamUrl, cloudwatch: upstreamUrl }, upstreamUrl);
  settings = {
    endpoint: gateway.url,
    region: 'eu-west-1',
    maxAttempts: 1,
    credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
  };
});
afterAll(async () => {
  await gateway.stop();
  upstream.close();
});
beforeEach(() => gateway.reset());

const ec2 = () => new EC2Client(settings as never);
const described = async (NextToken?: string) => {
  const reply = await ec2().send(new DescribeVolumesCommand(NextToken === undefined ? {} : { NextToken }));
  return { ids: (reply.Volumes ?? []).map(({ VolumeId }) => VolumeId), next: reply.NextToken };
};
const errorOf = async (call: Promise<unknown>): Promise<string> => {
  const error = (await call.then(
    () => ({ name: 'none' }),
    (thrown: Error) => thrown,
  )) as Error & { $metadata?: { httpStatusCode?: number } };
  return `${error.name} ${error.$metadata?.httpStatusCode ?? ''}`.trim();
};

test('a call is handed on with the Host that was signed, and known by service, operation, account and Region', async () => {
  expect((await described()).ids).toEqual(volumes);
  expect(hosts.at(-1)).toBe(new URL(gateway.url).host);
  expect(gateway.calls).toEqual([
    {
      ...{ service: 'ec2', operation: 'DescribeVolumes', region: 'eu-west-1' },
      ...{ functionName: '', accessKeyId: '111122223333', account: '111122223333' },
    },
  ]);
});

test.each([
  ['throttled', 'RequestLimitExceeded 503'],
  ['internal-error', 'InternalError 500'],
  ['access-denied', 'UnauthorizedOperation 403'],
  ['expired-credentials', 'RequestExpired 400'],
] as const)('EC2: %s once is %s, and over after it', async (kind, expected) => {
  gateway.faults.add({ kind, times: 1, service: 'ec2' });
  expect(await errorOf(described())).toBe(expected);
  expect(await errorOf(described())).toBe('none');
  expect(gateway.faults.met).toBe(1);
});

test('a call whose answer is lost has gone through; one that hangs has not', async () => {
  const requestHandler = { requestTimeout: 300, throwOnRequestTimeout: true };
  const impatient = new EC2Client({ ...settings, requestHandler } as never);
  const before = hosts.length;
  gateway.faults.add({ kind: 'answer-lost', times: 1 });
  expect(await errorOf(impatient.send(new DescribeVolumesCommand({})))).toMatch(/^TimeoutError/);
  // On a busy machine it is handed on after the caller has given up.
  expect(await eventually(async () => (hosts.length > before ? hosts.length : undefined))).toBe(before + 1);
  gateway.faults.add({ kind: 'hangs', times: 1 });
  expect(await errorOf(impatient.send(new DescribeVolumesCommand({})))).toMatch(/^TimeoutError/);
  expect(hosts).toHaveLength(before + 1);
});

test('a call may go elsewhere than others of its service', async () => {
  const before = hosts.length;
  const nowhere = 'http://127.0.0.1:1';
  gateway.route({ ec2: nowhere, 'ec2:DescribeVolumes': upstreamUrl }, upstreamUrl);
  expect(await errorOf(described())).toBe('none');
  expect(hosts).toHaveLength(before + 1);
  gateway.route({ ec2: upstreamUrl, cloudwatch: upstreamUrl }, upstreamUrl);
});

test('each protocol has its own words for the same trouble', async () => {
  gateway.faults.add({ kind: 'throttled', times: -1 });
  const metrics = new GetMetricDataCommand({
    StartTime: new Date(0),
    EndTime: new Date(1),
    MetricDataQueries: [],
  });
  expect(await errorOf(new CloudWatchClient(settings as never).send(metrics))).toBe(
    'ThrottlingException 400',
  );
  const object = new GetObjectCommand({ Bucket: 'runs', Key: 'work/a.json' });
  const s3 = new S3Client({ ...settings, forcePathStyle: true } as never);
  expect(await errorOf(s3.send(object))).toBe('SlowDown 503');
  const message = new PublishCommand({ TopicArn: 'arn:aws:sns:eu-west-1:111122223333:news', Message: 'x' });
  expect(await errorOf(new SNSClient(settings as never).send(message))).toMatch(/^Throttl/);
  expect(gateway.calls.map(({ service, operation }) => `${service}:${operation}`)).toEqual([
    'cloudwatch:GetMetricData',
    's3:GetObject',
    'sns:Publish',
  ]);
});

test('a fault for one Region, operation or function meets no other', async () => {
  gateway.faults.add({ kind: 'access-denied', times: -1, region: 'eu-central-1' });
  gateway.faults.add({ kind: 'access-denied', times: -1, operation: 'DescribeInstances' });
  gateway.faults.add({ kind: 'access-denied', times: -1, functionPart: 'EvaluateBatch' });
  expect(await errorOf(described())).toBe('none');
});

test('of several calls of an operation it is the one that sends this', async () => {
  gateway.faults.add({ kind: 'access-denied', times: -1, sends: 'NextToken=5' });
  expect(await errorOf(described())).toBe('none');
  expect(await errorOf(described('5'))).toBe('UnauthorizedOperation 403');
});

test('who dies before a call has not made it, who dies after it has', async () => {
  const before = hosts.length;
  gateway.faults.add({ kind: 'crash-before', times: 1 });
  expect(await errorOf(described())).not.toBe('none');
  expect(hosts).toHaveLength(before);
  gateway.faults.add({ kind: 'crash', times: 1 });
  expect(await errorOf(described())).toBe('none');
  expect(hosts).toHaveLength(before + 1);
});

test('a message that is put off comes again sooner', async () => {
  const queue = { QueueUrl: 'https://queue', ReceiptHandle: 'receipt', VisibilityTimeout: 50 };
  await new SQSClient(settings as never).send(new ChangeMessageVisibilityCommand(queue));
  // 50 x 0.03 = 1.5
  expect(JSON.parse(bodies.at(-1) ?? '')).toEqual({ ...queue, VisibilityTimeout: 2 });
});

test('half of a reply cannot be read', async () => {
  gateway.faults.add({ kind: 'truncated', times: 1 });
  expect(await errorOf(described())).not.toBe('none');
});

test('a page that is missing: the first leads past the second, of two the list ends early', async () => {
  gateway.faults.add({ kind: 'page-missing', times: 1 });
  expect(await described()).toEqual({ ids: volumes.slice(0, 5), next: undefined });
  expect(gateway.faults.met).toBe(1);
});

test('a page that comes again is the one before, once', async () => {
  gateway.faults.add({ kind: 'page-repeated', times: 1 });
  const first = await described();
  expect(first).toEqual({ ids: volumes.slice(0, 5), next: '5' });
  expect(await described('5')).toEqual(first);
  expect(await described('5')).toEqual({ ids: volumes.slice(5), next: undefined });
});
