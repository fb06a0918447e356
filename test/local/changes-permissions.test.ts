/** What the role that makes changes allows, asked of IAM with its policy as it is deployed: volumes by their tags, and nothing else. */
import { CreateVolumeCommand, DescribeTagsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { authoriser, type Decision } from '../../local/gateway/authorise.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { patience, synthesized } from '../lib/synthesized.ts';
import { account, type LocalEc2, startEc2 } from './ec2.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

const region = 'us-east-1';
const directory = temporaryDirectory();
const RoleName = 'ChangesAdvanceChange';

let local: LocalEc2;
let ministack: MiniStack;
let ec2: EC2Client;
let iam: IAMClient;
let may: (operation: string, text: string) => Promise<Decision>;

const pseudo: Record<string, string> = { Partition: 'aws', Region: region, AccountId: account };

beforeAll(async () => {
  const stack = await synthesized('changes');
  local = await startEc2(directory.path);
  ec2 = local.client(region);
  ministack = await startMiniStack('all', directory.path, { AWS_ENDPOINT_URL_EC2: local.url });
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  iam = new IAMClient({ region, endpoint: ministack.url, credentials });
  const { id } = stack.one('AWS::IAM::Role', 'ChangesAdvanceChangeRole');
  // What is not of EC2 has references to other resources, and is of no interest here.
  const Statement = stack
    .statementsOf(id)
    .filter(({ Action }) => Action.every((action) => action.startsWith('ec2:')))
    .map(({ Resource, ...statement }) => ({
      ...statement,
      Resource: Resource.map((one) => {
        const parts =
          typeof one === 'string' ? [one] : (one as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1];
        return parts
          .map((part) => (typeof part === 'string' ? part : pseudo[(part as { Ref: string }).Ref.slice(5)]))
          .join('');
      }),
    }));
  await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: '{}' }));
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument }));
  const lambda = mockClient(LambdaClient);
  lambda
    .on(GetFunctionConfigurationCommand)
    .callsFake(({ FunctionName }) => ({ Role: `arn:aws:iam::${account}:role/${FunctionName}` }));
  const isAllowed = authoriser({
    ...{ iam, lambda: new LambdaClient({ region }), account },
    tagsOf: async (_, volumeId) => {
      const Filters = [{ Name: 'resource-id', Values: [volumeId] }];
      const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters }));
      return Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
    },
    ...{ profileOf: async () => null, imageOf: async () => null },
  });
  may = (operation, text) =>
    isAllowed({ service: 'ec2', operation, region, functionName: RoleName, accessKeyId: 'ASIA' }, text);
}, patience);
afterAll(async () => {
  iam?.destroy();
  await ministack?.stop();
  await local?.stop();
});

async function aVolume(tags: Record<string, string>): Promise<string> {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  const { VolumeId = '' } = await ec2.send(
    new CreateVolumeCommand({
      ...{ AvailabilityZone: `${region}a`, Size: 100, VolumeType: 'gp3' },
      ...(Tags.length === 0 ? {} : { TagSpecifications: [{ ResourceType: 'volume', Tags }] }),
    }),
  );
  return VolumeId;
}

const mayModify = async (tags: Record<string, string>) =>
  may('ModifyVolume', `Action=ModifyVolume&VolumeId=${await aVolume(tags)}&VolumeType=gp3&Iops=4000`);

test('a volume is modified where no tag refuses it', async () => {
  expect(await mayModify({})).toBe(true);
  expect(await mayModify({ Name: 'db', environment: 'production' })).toBe(true);
  expect(await mayModify({ 'stripewise:changes': 'allowed' })).toBe(true);
});

test.each([
  ['somebody said never', { 'stripewise:changes': 'never' }],
  ['Compute Optimizer is told to leave it', { 'exclude-from-compute-optimizer-automation': 'true' }],
  ['so it is, whatever the value', { 'exclude-from-compute-optimizer-automation': '' }],
  ['somebody else describes it', { 'stripewise:owner': 'terraform' }],
])('not where %s', async (_, tags) => {
  expect(await mayModify(tags)).toBe(false);
});

test.each(['DeleteVolume', 'DetachVolume'])('%s is not allowed', async (operation) => {
  expect(await may(operation, `Action=${operation}&VolumeId=${await aVolume({})}`)).toBe(false);
});

test.each(['RebootInstances', 'StopInstances', 'TerminateInstances', 'CreateVolume', 'CreateTags'])(
  '%s is not allowed',
  async (operation) => {
    expect(await may(operation, `Action=${operation}&InstanceId.1=i-1`)).toBe(false);
  },
);
