/** Requests that AWS would refuse, planted: as a program sends them with the SDK, written down, and held against models, limits and roles. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordingIn, requestsIn } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { validate } from '../requests/check-requests.ts';
import { organizations } from '../requests/organizations.ts';
import { decide, type Policy } from '../requests/simulate.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();

/** Sends requests with the SDK to somebody who answers all with nothing. @param sends lines of a program. */
async function recorded(name: string, sends: string): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const place = join(directory.path, name);
  const program = `
    import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
    import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
    import { EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
    import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
    import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
    import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
    import { SendCommandCommand, SSMClient } from '@aws-sdk/client-ssm';
    const client = { endpoint: 'http://127.0.0.1:${port}', region: 'us-east-1', forcePathStyle: true, maxAttempts: 1,
      credentials: { accessKeyId: 'A', secretAccessKey: 'not to be written' } };
    const send = (one, command) => one.send(command).catch(() => {});
    ${sends}`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { ...process.env, ...recordingIn(root, place), AWS_LAMBDA_FUNCTION_NAME: 'planted' },
  });
  server.close();
  return requestsIn(place);
}

test('what a model does not take is named: missing, no enum, too long, a wrong pattern', async () => {
  const { kinds, refused } = await validate(
    await recorded(
      'models',
      `await send(new EC2Client(client), new RunInstancesCommand({ InstanceType: 'm5.huge', MinCount: 1 }));
       await send(new SSMClient(client), new SendCommandCommand({ DocumentName: 'a b', Comment: 'x'.repeat(101), InstanceIds: ['i-1234567890abcdef0'] }));
       await send(new SSMClient(client), new SendCommandCommand({ DocumentName: 'right', InstanceIds: ['i-1234567890abcdef0'] }));`,
    ),
  );
  expect(kinds).toHaveLength(3);
  expect(refused).toEqual([
    'planted ec2:RunInstances (1): .MaxCount is missing',
    expect.stringContaining("planted ec2:RunInstances (1): .InstanceType: 'm5.huge' is none of "),
    expect.stringContaining("planted ssm:SendCommand (1): .DocumentName: 'a b' does not match "),
    'planted ssm:SendCommand (1): .Comment: length 101, and at most 100 is taken',
  ]);
});

test('what no model says is a limit of the table: queries, periods, bytes, expressions', async () => {
  const { refused } = await validate(
    await recorded(
      'limits',
      `const MetricStat = { Metric: { Namespace: 'AWS/EBS', MetricName: 'VolumeReadOps' }, Period: 60, Stat: 'Sum' };
       const window = { StartTime: new Date('2026-11-01'), EndTime: new Date('2026-11-02') };
       const queries = (count) => Array.from({ length: count }, (_, i) => ({ Id: 'q' + i, MetricStat }));
       const cloudWatch = new CloudWatchClient(client);
       await send(cloudWatch, new GetMetricDataCommand({ ...window, MetricDataQueries: queries(500) }));
       await send(cloudWatch, new GetMetricDataCommand({ ...window, MetricDataQueries: queries(501) }));
       await send(cloudWatch, new GetMetricDataCommand({ ...window, StartTime: new Date('2026-10-01'), MetricDataQueries: queries(1) }));
       await send(new SNSClient(client), new PublishCommand({ TopicArn: 'arn:aws:sns:us-east-1:111122223333:t', Message: 'x'.repeat(256 * 1024 + 1) }));
       await send(new S3Client(client), new PutObjectCommand({ Bucket: 'some-bucket', Key: 'k'.repeat(1025), Body: 'what an object holds' }));
       await send(new DynamoDBClient(client), new UpdateItemCommand({ TableName: 'table', Key: { id: { S: '1' } },
         UpdateExpression: 'SET #a = :a', ExpressionAttributeNames: { '#a': 'a', '#b': 'b' }, ExpressionAttributeValues: { ':a': { S: 'x'.repeat(400 * 1024) } } }));
       await send(new EC2Client(client), new RunInstancesCommand({ InstanceType: 'm5.large', MinCount: 1, MaxCount: 1, UserData: Buffer.alloc(16 * 1024 + 1).toString('base64') }));`,
    ),
  );
  expect(refused).toEqual([
    'planted cloudwatch:GetMetricData (1): MetricDataQueries: 501, and at most 500 are taken',
    'planted cloudwatch:GetMetricData (1): Period 60 of a window of 32 days: a multiple of 300 is taken',
    'planted sns:Publish (1): bytes of the message: 262,145, and at most 262,144 are taken',
    'planted s3:PutObject (1): bytes of Key: 1,025, and at most 1,024 are taken',
    'planted dynamodb:UpdateItem (1): bytes of the item: 409,606, and at most 409,600 are taken',
    'planted dynamodb:UpdateItem (1): ExpressionAttributeNames: #b is used by no expression',
    'planted ec2:RunInstances (1): bytes of UserData: 16,385, and at most 16,384 are taken',
  ]);
});

test('neither secrets nor what objects hold are written down', async () => {
  const place = await recorded(
    'secrets',
    `await send(new SecretsManagerClient(client), new PutSecretValueCommand({ SecretId: 's', SecretString: 'very secret' }));
     await send(new S3Client(client), new PutObjectCommand({ Bucket: 'some-bucket', Key: 'key', Body: 'what an object holds' }));`,
  );
  const written = readdirSync(place)
    .map((file) => readFileSync(join(place, file), 'utf8'))
    .join('');
  expect(written).toContain('PutSecretValue');
  expect(written).not.toMatch(/very secret|what an object holds|not to be written|authorization/i);
  expect((await validate(place)).refused).toEqual([]);
});

describe('IAM, simulated', () => {
  const policy: Policy = {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::runs/work/*'] },
      { Effect: 'Allow', Action: 'lambda:CreateFunctionUrlConfig', Resource: '*' },
    ],
  };
  const role = { roleName: 'role', policies: [{ name: 'May', policy }] };

  test('allows what a role has, and names what it lacks', async () => {
    const work = { action: 's3:GetObject', resource: 'arn:aws:s3:::runs/work/1' };
    expect(await decide(role, work)).toMatchObject({ allowed: true, by: ['arn:aws:s3:::runs/work/*'] });
    expect(await decide(role, { ...work, action: 's3:PutObject' })).toMatchObject({ allowed: false });
    expect(await decide(role, { ...work, resource: 'arn:aws:s3:::runs/runs/1' })).toMatchObject({
      allowed: false,
    });
    expect(await decide(role, { ...work, action: 's3:ReadObject' })).toMatchObject({
      allowed: false,
      reason: 'invalid.action',
    });
  });

  test('an organization without public function URLs refuses one, and no other', async () => {
    const name = 'no public function URL';
    const url = (authType: string) =>
      decide(
        role,
        {
          ...{
            action: 'lambda:CreateFunctionUrlConfig',
            context: { 'lambda:FunctionUrlAuthType': authType },
          },
          resource: 'arn:aws:lambda:us-east-1:111122223333:function:f',
        },
        [{ name, policy: organizations[name]?.policy ?? policy }],
      );
    expect((await url('NONE')).allowed).toBe(false);
    expect((await url('AWS_IAM')).allowed).toBe(true);
  });

  test.each(
    Object.entries(organizations).flatMap(([name, { refuses }]) =>
      Object.entries(refuses).map(([action, outcome]) => ({ name, action, outcome })),
    ),
  )('an organization with "$name" refuses $action: $outcome', async ({ name, action }) => {
    const resources: Record<string, string> = {
      'ec2:RunInstances': 'arn:aws:ec2:us-east-1:111122223333:volume/new',
      's3:PutObject': 'arn:aws:s3:::runs/work/1',
    };
    const may: Policy = {
      ...{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] },
    };
    const everybody = { roleName: 'role', policies: [{ name: 'May', policy: may }] };
    const about = { action, resource: resources[action] ?? '*' };
    expect((await decide(everybody, about)).allowed).toBe(true);
    const organization = [{ name, policy: organizations[name]?.policy ?? may }];
    expect((await decide(everybody, about, organization)).allowed).toBe(false);
  });
});
