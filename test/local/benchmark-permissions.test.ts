/** What the roles of the benchmark's functions allow, asked of IAM with the policies as they are deployed. */
import {
  CreateLaunchTemplateCommand,
  CreateTagsCommand,
  CreateVolumeCommand,
  DescribeInstancesCommand,
  DescribeTagsCommand,
  type EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  CreateRoleCommand,
  IAMClient,
  PutRolePolicyCommand,
  SimulatePrincipalPolicyCommand,
} from '@aws-sdk/client-iam';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { authoriser, type Decision } from '../../local/gateway/authorise.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { idOf, patience, type Synthesized, synthesizedBenchmark } from '../lib/synthesized.ts';
import { imageOfTemplate } from '../requests/lookups.ts';
import { account, type LocalEc2, startEc2 } from './ec2.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

const directory = temporaryDirectory();
const region = 'us-east-1';
const ImageId = 'ami-03c3da4cfa8e8943a';
const newest = 'resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-';
const profileArn = (name: string) => `arn:aws:iam::${account}:instance-profile/${name}`;

let local: LocalEc2;
let ministack: MiniStack;
let ec2: EC2Client;
let iam: IAMClient;
let stack: Synthesized;
let isAllowed: ReturnType<typeof authoriser>;
/** What the launch templates are called in EC2: of this stack, one for each architecture, and of another one. */
let ours = '';
let oursForArm = '';
let theirs = '';

async function aTemplate(name: string, cpu = 'x86_64'): Promise<string> {
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: `${name}-${cpu}`,
      LaunchTemplateData: { ImageId: `${newest}${cpu}`, IamInstanceProfile: { Arn: profileArn(name) } },
    }),
  );
  return LaunchTemplate?.LaunchTemplateId ?? '';
}

/** A value of the template as it is in the account. */
function deployed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deployed);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, inner] = ['', '']] = Object.entries(value);
  const known: Record<string, string> = {
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  if (name === 'Fn::Join') {
    const [between, parts] = inner as [string, unknown[]];
    return parts.map(deployed).join(between);
  }
  const id = [inner].flat()[0] as string;
  if (name === 'Ref' && id.startsWith('BenchmarkHostsTemplateArm64')) return oursForArm;
  if (name === 'Ref' && id.startsWith('BenchmarkHostsTemplate')) return ours;
  if (name === 'Fn::GetAtt' && id.startsWith('BenchmarkHostsProfile')) return profileArn('ours');
  if (name === 'Ref' || name === 'Fn::GetAtt') return known[id] ?? id;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, deployed(part)]));
}

/** With the policy of the function with this part in its id. */
async function aRole(part: string, of: Synthesized = stack, RoleName: string = part): Promise<void> {
  await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: '{}' }));
  const role = idOf(of.one('AWS::Lambda::Function', part).Properties['Role']);
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: deployed(of.statementsOf(role)),
  });
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument }));
}

const functions = [
  'BenchmarkCleanupCleanUpOrphans',
  'BenchmarkFunctionsTerminateHost',
  'BenchmarkFunctionsRunCommand',
  'BenchmarkFunctionsLaunchHost',
];

/** The function of a stack whose configuration names a key. */
const launchWithKey = 'LaunchHostWithKey';

beforeAll(async () => {
  stack = await synthesizedBenchmark('benchmark');
  local = await startEc2(directory.path);
  ec2 = local.client(region);
  ministack = await startMiniStack('all', directory.path, { AWS_ENDPOINT_URL_EC2: local.url });
  const credentials = { accessKeyId: account, secretAccessKey: 'test' };
  iam = new IAMClient({ region, endpoint: ministack.url, credentials });
  ours = await aTemplate('ours');
  theirs = await aTemplate('theirs');
  oursForArm = await aTemplate('ours', 'arm64');
  for (const one of functions) await aRole(one);
  await aRole(
    'BenchmarkFunctionsLaunchHost',
    await synthesizedBenchmark('benchmarkWithValues'),
    launchWithKey,
  );
  const lambda = mockClient(LambdaClient);
  lambda
    .on(GetFunctionConfigurationCommand)
    .callsFake(({ FunctionName }) => ({ Role: `arn:aws:iam::${account}:role/${FunctionName}` }));
  isAllowed = authoriser({
    ...{ iam, lambda: new LambdaClient({ region }), account },
    tagsOf: async (_, id) => {
      const Filters = [{ Name: 'resource-id', Values: [id] }];
      const { Tags = [] } = await ec2.send(new DescribeTagsCommand({ Filters }));
      return Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
    },
    profileOf: async (_, id) => {
      const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
      return Reservations?.[0]?.Instances?.[0]?.IamInstanceProfile?.Arn ?? null;
    },
    imageOf: (_, id) => imageOfTemplate(ec2, id),
  });
}, patience);
afterAll(async () => {
  iam?.destroy();
  await ministack?.stop();
  await local?.stop();
});

const may = (functionName: string, service: string, operation: string, text: string): Promise<Decision> =>
  isAllowed({ service, operation, region, functionName, accessKeyId: 'ASIA' }, text);
const mayEnd = (functionName: string, id: string) =>
  may(functionName, 'ec2', 'TerminateInstances', `Action=TerminateInstances&InstanceId.1=${id}`);

const tags = [
  { Key: 'stripewise:campaign', Value: 'c1' },
  { Key: 'stripewise:cell', Value: 'stripe' },
  { Key: 'stripewise:expires', Value: '2020-01-01T00:00:00Z' },
];
/** Launched by whomever; then somebody who may tag writes our tags on it. */
async function launched(LaunchTemplateId?: string): Promise<string> {
  const { Instances } = await ec2.send(
    new RunInstancesCommand({
      ...{ ImageId, InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 },
      ...(LaunchTemplateId === undefined ? {} : { LaunchTemplate: { LaunchTemplateId } }),
    }),
  );
  const id = Instances?.[0]?.InstanceId ?? '';
  await ec2.send(new CreateTagsCommand({ Resources: [id], Tags: tags }));
  return id;
}

describe.each(functions.slice(0, 2))('%s', (name) => {
  test('may end a host of the stack, of either architecture', async () => {
    expect(await mayEnd(name, await launched(ours))).toBe(true);
    expect(await mayEnd(name, await launched(oursForArm))).toBe(true);
  });

  test('may not end what others launched and tagged, nor a host of another stack', async () => {
    expect(await mayEnd(name, await launched())).toBe(false);
    expect(await mayEnd(name, await launched(theirs))).toBe(false);
  });

  test('may delete no volume, whatever its tags say', async () => {
    const { VolumeId } = await ec2.send(
      new CreateVolumeCommand({
        ...{ AvailabilityZone: 'us-east-1a', Size: 1 },
        TagSpecifications: [{ ResourceType: 'volume', Tags: tags }],
      }),
    );
    expect(await may(name, 'ec2', 'DeleteVolume', `Action=DeleteVolume&VolumeId=${VolumeId}`)).toBe(false);
  });
});

test('commands go to hosts of the stack alone', async () => {
  const [statement] = stack
    .statementsOf(idOf(stack.one('AWS::Lambda::Function', 'BenchmarkFunctionsRunCommand').Properties['Role']))
    .filter(({ Action, Resource }) => Action.includes('ssm:SendCommand') && Resource.length > 1);
  const [document = ''] = (deployed(statement?.Resource) as string[]).map((arn) => arn.split('/').at(-1));
  const maySend = async (id: string) =>
    may(
      'BenchmarkFunctionsRunCommand',
      'ssm',
      'SendCommand',
      JSON.stringify({ DocumentName: document, InstanceIds: [id] }),
    );
  expect(await maySend(await launched(ours))).toBe(true);
  expect(await maySend(await launched())).toBe(false);
  expect(await maySend(await launched(theirs))).toBe(false);
});

describe('launching', () => {
  interface Asked {
    template?: string | null;
    tag?: string;
    type?: string;
    subnet?: string;
    image?: string;
  }
  const mayLaunch = ({ template = ours, tag = 'stripewise:campaign', ...asked }: Asked) => {
    const tagged = ['instance', 'volume', 'network-interface'].map(
      (type, index) =>
        `TagSpecification.${index + 1}.ResourceType=${type}&TagSpecification.${index + 1}.Tag.1.Key=${tag}&TagSpecification.${index + 1}.Tag.1.Value=c1`,
    );
    const { type = 'm5.large', subnet = 'subnet-12345678', image } = asked;
    const more = [
      ...(template === null ? [] : [`LaunchTemplate.LaunchTemplateId=${template}`]),
      ...(image === undefined ? [] : [`ImageId=${image}`]),
    ];
    const text = ['Action=RunInstances', `InstanceType=${type}`, `SubnetId=${subnet}`, ...tagged, ...more];
    return may('BenchmarkFunctionsLaunchHost', 'ec2', 'RunInstances', text.join('&'));
  };

  test('goes by the launch templates of the stack, and by no other', async () => {
    expect(await mayLaunch({})).toBe(true);
    expect(await mayLaunch({ template: oursForArm })).toBe(true);
    expect(await mayLaunch({ template: theirs })).toBe(false);
    expect(await mayLaunch({ template: null, image: ImageId })).toBe(false);
  });

  test('takes the image of the template: a request may name none, not even the same', async () => {
    expect(await mayLaunch({ image: 'ami-12c6146b' })).toBe(false);
    expect(await mayLaunch({ image: ImageId })).toBe(false);
  });

  test.each([
    ['c7g.16xlarge', true],
    ['im4gn.4xlarge', true],
    ['p5.48xlarge', false],
    ['u7in-32tb.224xlarge', false],
    ['mac2.metal', false],
  ])('%s: %s, by the types of the configuration', async (type, expected) => {
    expect(await mayLaunch({ type })).toBe(expected);
  });

  test('goes to the subnets of the configuration alone', async () => {
    expect(await mayLaunch({ subnet: 'subnet-87654321' })).toBe(true);
    expect(await mayLaunch({ subnet: 'subnet-1' })).toBe(false);
  });

  test('uses the key of the configuration by EC2 alone, and makes grants for AWS only', async () => {
    const key = 'arn:aws:kms:us-east-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
    const mayUse = async (action: string, context: Record<string, string>, ResourceArn = key) => {
      const { EvaluationResults = [] } = await iam.send(
        new SimulatePrincipalPolicyCommand({
          PolicySourceArn: `arn:aws:iam::${account}:role/${launchWithKey}`,
          ...{ ActionNames: [action], ResourceArns: [ResourceArn] },
          ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
            ...{ ContextKeyName, ContextKeyType: 'string' as const, ContextKeyValues: [value] },
          })),
        }),
      );
      return EvaluationResults.map(({ EvalDecision }) => EvalDecision === 'allowed');
    };
    const byEc2 = { 'kms:ViaService': 'ec2.us-east-1.amazonaws.com' };
    const forAws = { ...byEc2, 'kms:GrantIsForAWSResource': 'true' };
    for (const action of ['kms:GenerateDataKeyWithoutPlaintext', 'kms:DescribeKey', 'kms:ReEncryptTo'])
      expect([action, ...(await mayUse(action, byEc2))]).toEqual([action, true]);
    expect(await mayUse('kms:CreateGrant', forAws)).toEqual([true]);
    expect(await mayUse('kms:CreateGrant', byEc2)).toEqual([false]);
    expect(await mayUse('kms:Decrypt', { 'kms:ViaService': 's3.us-east-1.amazonaws.com' })).toEqual([false]);
    expect(await mayUse('kms:Decrypt', byEc2, `${key}-of-others`)).toEqual([false]);
  });

  test('needs the tag of a campaign', async () => {
    expect(await mayLaunch({ tag: 'other' })).toBe(false);
  });
});
