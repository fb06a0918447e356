/** Replies that end in the middle, of a server that says all is well: asked again later, and never half a list. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EC2Client } from '@aws-sdk/client-ec2';
import { PricingClient } from '@aws-sdk/client-pricing';
import { S3Client } from '@aws-sdk/client-s3';
import { SSMClient } from '@aws-sdk/client-ssm';
import { describeStripes } from '../../../adapters/aws/describe-stripes.ts';
import { describeVolumes } from '../../../adapters/aws/describe-volumes.ts';
import { getPrices } from '../../../adapters/aws/get-prices.ts';
import { listPublishedChecks } from '../../../adapters/aws/list-published-checks.ts';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { Unavailable, type Unreadable } from '../../../core/errors.ts';

const region = 'us-east-1';
let server: Server;
let reply: { contentType: string; body: string };
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': reply.contentType }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const settings = () => ({
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ...{ region, maxAttempts: 1, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } },
});

const volume = (id: string) =>
  `<item><volumeId>${id}</volumeId><size>100</size><volumeType>gp3</volumeType><status>available</status><availabilityZone>us-east-1a</availabilityZone></item>`;
const volumes = `<DescribeVolumesResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><volumeSet>${volume('vol-1')}${volume('vol-2')}</volumeSet></DescribeVolumesResponse>`;
const keys = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>runs</Name><Contents><Key>a</Key></Contents><Contents><Key>b</Key></Contents></ListBucketResult>`;

const reads: Record<string, { contentType: string; whole: string; read: () => Promise<unknown> }> = {
  'ec2:DescribeVolumes, XML,': {
    contentType: 'text/xml',
    whole: volumes,
    read: () => describeVolumes(new EC2Client(settings()), { region, account: '1' }),
  },
  's3:ListBucket, XML,': {
    contentType: 'application/xml',
    whole: keys,
    read: () => new RunStore(new S3Client({ ...settings(), forcePathStyle: true }), 'runs').list(''),
  },
  'cloudwatch:ListMetrics, JSON,': {
    contentType: 'application/x-amz-json-1.0',
    whole: '{"Metrics":[{"MetricName":"VolumeStalledIOCheck"}]}',
    read: () => listPublishedChecks(new CloudWatchClient(settings()), region),
  },
  'pricing:GetProducts, JSON,': {
    contentType: 'application/x-amz-json-1.1',
    whole: '{"FormatVersion":"aws_v1","PriceList":[]}',
    read: () => getPrices(new PricingClient(settings()), region),
  },
};

test.each(Object.keys(reads))('%s is read whole, and cut anywhere it is Unavailable', async (name) => {
  const { contentType, whole, read } = reads[name] as (typeof reads)[string];
  reply = { contentType, body: whole };
  await expect(read()).resolves.toBeDefined();
  for (const share of [0.25, 0.5, 0.75, 0.95]) {
    reply = { contentType, body: whole.slice(0, Math.floor(share * whole.length)) };
    const failed = await read().catch((thrown: Unreadable) => thrown);
    expect(failed).toBeInstanceOf(Unavailable);
    expect((failed as Error).message).toMatch(/^[a-z0-9]+:[A-Za-z]+ .*failed: [A-Za-z]*Error: .+$/);
  }
});

test('of a host list that is cut it is said that no host was asked', async () => {
  reply = { contentType: 'application/x-amz-json-1.1', body: '{"InstanceInformationList":[{"Insta' };
  const asked = await describeStripes(new SSMClient(settings()), ['i-1'], {
    region,
    documentName: 'stripewise-stripes',
  });
  expect(asked).toEqual({
    hosts: new Map(),
    notRead: [
      {
        instanceIds: [],
        reason: {
          code: 'call-failed',
          reason: expect.stringMatching(
            /^ssm:DescribeInstanceInformation in us-east-1 failed: SyntaxError: /,
          ),
        },
      },
    ],
    denied: [],
  });
});
