/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import { CloudWatchClient, ListDashboardsCommand } from '@aws-sdk/client-cloudwatch';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { type LocalCloudWatch, startCloudWatch } from '../../local/cloudwatch/server.ts';
import type { MiniStack } from './ministack.ts';
import { create, physicalId, remove } from './stacks.ts';
import { twoMiniStacks } from './two-ministacks.ts';

let cloudWatch: LocalCloudWatch;
beforeAll(async () => {
  cloudWatch = await startCloudWatch();
});
afterAll(() => cloudWatch.stop());
const servers = twoMiniStacks(() => ({ AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch.url }));

describe('a bucket that holds an object', () => {
  const deletion = async (server: MiniStack): Promise<string> => {
    await create(server, 'full', { Bucket: { Type: 'AWS::S3::Bucket' } });
    const Bucket = await physicalId(server, 'full', 'Bucket');
    await server.s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'b' }));
    return remove(server, 'full');
  };

  test('goes with its stack without its patch', async () => {
    expect(await deletion(servers.stock)).toBe('GONE');
  });

  test('holds its stack up', async () => {
    expect(await deletion(servers.patched)).toBe('DELETE_FAILED');
  });
});

describe('what a resource depends on', () => {
  /** A custom resource whose first deletion fails. */
  const code = `
    let failures = 1;
    exports.handler = async ({ RequestType, ResponseURL, StackId, RequestId, LogicalResourceId }) => {
      const Status = RequestType === 'Delete' && failures-- > 0 ? 'FAILED' : 'SUCCESS';
      const answer = { Status, Reason: 'once', PhysicalResourceId: 'it', StackId, RequestId, LogicalResourceId };
      await fetch(ResponseURL, { method: 'PUT', body: JSON.stringify(answer) });
    };`;
  const resources = {
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: { AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [] } },
    },
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Code: { ZipFile: code },
      },
    },
    Custom: { Type: 'Custom::Once', Properties: { ServiceToken: { 'Fn::GetAtt': ['Function', 'Arn'] } } },
  };
  const functions = async ({ lambda }: MiniStack): Promise<number> =>
    (await lambda.send(new ListFunctionsCommand({}))).Functions?.length ?? 0;

  test('goes though the resource stays, without its patch', async () => {
    await create(servers.stock, 'custom', resources);
    expect(await remove(servers.stock, 'custom')).toBe('DELETE_FAILED');
    expect(await functions(servers.stock)).toBe(0);
  });

  test('stays with it, and a second deletion takes both', async () => {
    await create(servers.patched, 'custom', resources);
    expect(await remove(servers.patched, 'custom')).toBe('DELETE_FAILED');
    expect(await functions(servers.patched)).toBe(1);
    expect(await remove(servers.patched, 'custom')).toBe('GONE');
    expect(await functions(servers.patched)).toBe(0);
  });
});

describe('a dashboard of a template', () => {
  const resources = {
    Dashboard: {
      Type: 'AWS::CloudWatch::Dashboard',
      Properties: { DashboardName: 'drawn', DashboardBody: '{"widgets":[]}' },
    },
  };
  /** In the CloudWatch that functions speak to. */
  async function dashboards(): Promise<number> {
    const client = new CloudWatchClient({
      endpoint: cloudWatch.url,
      region: 'us-east-1',
      credentials: { accessKeyId: cloudWatch.account, secretAccessKey: 'test' },
    });
    const { DashboardEntries = [] } = await client.send(new ListDashboardsCommand({}));
    client.destroy();
    return DashboardEntries.length;
  }

  test('is not in the CloudWatch of the functions without its patch', async () => {
    await create(servers.stock, 'dashboard', resources);
    expect(await dashboards()).toBe(0);
  });

  test('is there, and goes with its stack', async () => {
    await create(servers.patched, 'dashboard', resources);
    expect(await dashboards()).toBe(1);
    expect(await remove(servers.patched, 'dashboard')).toBe('GONE');
    expect(await dashboards()).toBe(0);
  });
});
