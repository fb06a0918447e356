/** The member's role, deployed alone into accounts of a local AWS that asks IAM: who may take it, and what it may do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AccountClient, ListRegionsCommand } from '@aws-sdk/client-account';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  GetMetricDataCommand,
  ListMetricsCommand,
  PutMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import {
  CreateSnapshotCommand,
  DeleteVolumeCommand,
  DescribeInstancesCommand,
  DescribeInstanceTypesCommand,
  DescribeSnapshotsCommand,
  DescribeVolumesCommand,
  EC2Client,
  ModifyVolumeCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { CreateRoleCommand, IAMClient, ListRolesCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { SendCommandCommand, SSMClient } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, type Credentials, STSClient } from '@aws-sdk/client-sts';
import { plantOrganization } from '../../local/organization.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { patience, plainTemplate } from '../lib/synthesized.ts';
import { eventually, type MiniStack, startMiniStack } from './ministack.ts';

const hub = '111122223333';
const stranger = '999988887777';
/** With the hub and the external id alone. */
const member = '444455556666';
/** With a value for each parameter. */
const bound = '777788889999';
/** As `bound`, for an organization that the hub is not in. */
const elsewhere = '222233334444';
const ExternalId = 'orders-2026';
const defaultRole = 'StripewiseMember';
const ownRole = 'ReadByStorage';

const directory = temporaryDirectory();
let ministack: MiniStack;
const clients: { destroy(): void }[] = [];

/** Whoever has an account's number is its root. */
const settingsOf = (who: string | Credentials) => ({
  ...{ region: 'us-east-1', endpoint: ministack.url, maxAttempts: 1 },
  credentials:
    typeof who === 'string'
      ? { accessKeyId: who, secretAccessKey: 'test' }
      : {
          accessKeyId: who.AccessKeyId ?? '',
          secretAccessKey: who.SecretAccessKey ?? '',
          sessionToken: who.SessionToken ?? '',
        },
});
function kept<Client extends { destroy(): void }>(client: Client): Client {
  clients.push(client);
  return client;
}

async function deploy(account: string, parameters: Record<string, string>): Promise<string | undefined> {
  const cloudFormation = kept(new CloudFormationClient(settingsOf(account)));
  await cloudFormation.send(
    new CreateStackCommand({
      StackName: 'member',
      TemplateBody: readFileSync(join(await plainTemplate('usual'), 'member.template.json'), 'utf8'),
      Capabilities: ['CAPABILITY_NAMED_IAM'],
      Parameters: Object.entries({ HubAccountId: hub, ExternalId, ...parameters }).map(
        ([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }),
      ),
    }),
  );
  const [ended] = await eventually(async () => {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName: 'member' }));
    return Stacks[0]?.StackStatus?.endsWith('IN_PROGRESS') ? undefined : Stacks;
  });
  expect(ended?.StackStatus).toBe('CREATE_COMPLETE');
  return ended?.Outputs?.[0]?.OutputValue;
}

const statement = (more: object): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', ...more }],
  });
/** A role that may take every other one, as a function has it or people have it. */
async function aRole(account: string, RoleName: string, Path = '/'): Promise<void> {
  const iam = kept(new IAMClient(settingsOf(account)));
  const AssumeRolePolicyDocument = statement({ Principal: { AWS: account } });
  await iam.send(new CreateRoleCommand({ RoleName, Path, AssumeRolePolicyDocument }));
  await iam.send(
    new PutRolePolicyCommand({ RoleName, PolicyName: 'May', PolicyDocument: statement({ Resource: '*' }) }),
  );
}

async function session(
  who: string | Credentials,
  RoleArn: string,
  externalId?: string,
): Promise<Credentials> {
  const sts = kept(new STSClient(settingsOf(who)));
  const { Credentials: given } = await sts.send(
    new AssumeRoleCommand({
      ...{ RoleArn, RoleSessionName: 'run' },
      ...(externalId === undefined ? {} : { ExternalId: externalId }),
    }),
  );
  if (given === undefined) throw new Error('a session without credentials');
  return given;
}

const arnOf = (account: string, name: string): string => `arn:aws:iam::${account}:role/${name}`;
const discover = 'Stripewise-hub-DiscoverVolumes';
const renamed = 'Storage-hub-WatchVolumes';
/** The path has the Region of IAM Identity Center, unless that is us-east-1. */
const sso = ['aws-reserved/sso.amazonaws.com/eu-west-1/', 'aws-reserved/sso.amazonaws.com/'] as const;
const ofSso = ['AWSReservedSSO_Storage_0123456789abcdef', 'AWSReservedSSO_Storage_fedcba9876543210'] as const;

beforeAll(async () => {
  ministack = await startMiniStack('all', directory.path, { AUTH: 'true' });
  const urls = { aws: ministack.url, ec2: '', cloudWatch: '', pricing: '', ssm: '', slack: '' };
  const { id: OrganizationId } = await plantOrganization({
    ...{ services: { urls }, externalId: ExternalId },
    accounts: [member, bound].map((id) => ({ id, name: id, role: 'absent' })),
  });
  for (const name of [discover, renamed, 'Deployer', `My-${discover}`, 'Stripewise-hubs', 'auditors'])
    await aRole(hub, name);
  await aRole(hub, ofSso[0], `/${sso[0]}`);
  await aRole(hub, ofSso[1], `/${sso[1]}`);
  await aRole(stranger, discover);
  const everyParameter = {
    ...{ OrganizationId, MemberRoleName: ownRole, HubStackName: 'Storage' },
    CommandLineRoleNames: 'auditors,aws-reserved/sso.amazonaws.com/*AWSReservedSSO_Storage_*',
  };
  expect(await deploy(member, {})).toBe(arnOf(member, defaultRole));
  expect(await deploy(bound, everyParameter)).toBe(arnOf(bound, ownRole));
  await deploy(elsewhere, { ...everyParameter, OrganizationId: 'o-anotherone1' });
}, patience);
afterAll(async () => {
  for (const client of clients) client.destroy();
  await ministack?.stop();
});

const ended = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    ({ message }: Error) => /is not authorized to perform: \S+/.exec(message)?.[0] ?? message,
  );
const endsOf = (calls: Record<string, Promise<unknown>>): Promise<string[]> =>
  Promise.all(Object.values(calls).map(ended));
const refused = (action: string): string => `is not authorized to perform: ${action}`;

/** How it ends that a session of a role asks for the role of a member. */
async function taking(
  of: string,
  role: string,
  externalId: string | undefined = ExternalId,
): Promise<string> {
  const [, , , , account = ''] = of.split(':');
  return ended(session(await session(account, of), role, externalId));
}

describe('the role of a member', () => {
  const role = arnOf(member, defaultRole);

  test('is taken by functions of the hub that say the external id', async () => {
    expect(await taking(arnOf(hub, discover), role)).toBe('answered');
  });

  test('is not given for another external id, nor without one', async () => {
    for (const wrong of ['orders-2025', 'ORDERS-2026', `${ExternalId}-`])
      expect([wrong, await taking(arnOf(hub, discover), role, wrong)]).toEqual([
        wrong,
        refused('sts:AssumeRole'),
      ]);
    const without = session(await session(hub, arnOf(hub, discover)), role);
    expect(await ended(without)).toBe(refused('sts:AssumeRole'));
  });

  test.each(['Deployer', `My-${discover}`, 'Stripewise-hubs', renamed, 'auditors'])(
    'is not given to %s of the hub, whose name is another one',
    async (name) => {
      expect(await taking(arnOf(hub, name), role)).toBe(refused('sts:AssumeRole'));
    },
  );

  test('is not given to a role with the right name of another account', async () => {
    expect(await taking(arnOf(stranger, discover), role)).toBe(refused('sts:AssumeRole'));
  });
});

describe('the role of a member with a value for each parameter', () => {
  const role = arnOf(bound, ownRole);

  test.each([
    [renamed, 'the stack with the name that was given'],
    ['auditors', 'people'],
    [`${sso[0]}${ofSso[0]}`, 'people of IAM Identity Center'],
    [`${sso[1]}${ofSso[1]}`, 'people of IAM Identity Center in us-east-1'],
  ])('is taken by %s: %s', async (name) => {
    expect(await taking(arnOf(hub, name), role)).toBe('answered');
  });

  test.each([discover, 'Deployer'])('is not given to %s', async (name) => {
    expect(await taking(arnOf(hub, name), role)).toBe(refused('sts:AssumeRole'));
  });

  test('is not given to a hub of another organization', async () => {
    for (const name of [renamed, 'auditors'])
      expect(await taking(arnOf(hub, name), arnOf(elsewhere, ownRole))).toBe(refused('sts:AssumeRole'));
  });
});

describe('a session of the role', () => {
  let settings: ReturnType<typeof settingsOf>;
  let ec2: EC2Client;
  let cloudWatch: CloudWatchClient;
  beforeAll(async () => {
    const function_ = await session(hub, arnOf(hub, discover));
    settings = settingsOf(await session(function_, arnOf(member, defaultRole), ExternalId));
    ec2 = kept(new EC2Client(settings));
    cloudWatch = kept(new CloudWatchClient(settings));
  });

  test('reads volumes, instances, their metrics and which Regions are enabled', async () => {
    const window = { StartTime: new Date(0), EndTime: new Date(3_600_000) };
    const calls = {
      'ec2:DescribeVolumes': ec2.send(new DescribeVolumesCommand({})),
      'ec2:DescribeInstances': ec2.send(new DescribeInstancesCommand({})),
      'account:ListRegions': kept(new AccountClient(settings)).send(new ListRegionsCommand({})),
      'cloudwatch:ListMetrics': cloudWatch.send(new ListMetricsCommand({})),
      'cloudwatch:GetMetricData': cloudWatch.send(
        new GetMetricDataCommand({ ...window, MetricDataQueries: [] }),
      ),
    };
    expect(await endsOf(calls)).toEqual(Object.keys(calls).map(() => 'answered'));
  });

  test('reads nothing else', async () => {
    const role = { RoleArn: arnOf(member, defaultRole), RoleSessionName: 'again', ExternalId };
    const calls = {
      'ec2:DescribeSnapshots': ec2.send(new DescribeSnapshotsCommand({})),
      'ec2:DescribeInstanceTypes': ec2.send(new DescribeInstanceTypesCommand({})),
      's3:ListAllMyBuckets': kept(new S3Client({ ...settings, forcePathStyle: true })).send(
        new ListBucketsCommand({}),
      ),
      'iam:ListRoles': kept(new IAMClient(settings)).send(new ListRolesCommand({})),
      'sts:AssumeRole': kept(new STSClient(settings)).send(new AssumeRoleCommand(role)),
    };
    expect(await endsOf(calls)).toEqual(Object.keys(calls).map(refused));
  });

  test('changes nothing', async () => {
    const VolumeId = 'vol-0123456789abcdef0';
    const InstanceIds = ['i-0123456789abcdef0'];
    const calls = {
      'ec2:ModifyVolume': ec2.send(new ModifyVolumeCommand({ VolumeId, Size: 200 })),
      'ec2:DeleteVolume': ec2.send(new DeleteVolumeCommand({ VolumeId })),
      'ec2:CreateSnapshot': ec2.send(new CreateSnapshotCommand({ VolumeId })),
      'ec2:TerminateInstances': ec2.send(new TerminateInstancesCommand({ InstanceIds })),
      'cloudwatch:PutMetricData': cloudWatch.send(
        new PutMetricDataCommand({ Namespace: 'AWS/EBS', MetricData: [] }),
      ),
      'ssm:SendCommand': kept(new SSMClient(settings)).send(
        new SendCommandCommand({ DocumentName: 'AWS-RunShellScript', InstanceIds }),
      ),
    };
    expect(await endsOf(calls)).toEqual(Object.keys(calls).map(refused));
  });
});

test('the role goes with its stack, and then nobody takes it', async () => {
  const cloudFormation = kept(new CloudFormationClient(settingsOf(elsewhere)));
  await cloudFormation.send(new DeleteStackCommand({ StackName: 'member' }));
  const left = await eventually(async () => {
    const { Roles = [] } = await kept(new IAMClient(settingsOf(elsewhere))).send(new ListRolesCommand({}));
    return Roles.length === 0 ? Roles : undefined;
  });
  expect(left).toEqual([]);
});
