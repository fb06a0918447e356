/** Each gap of the emulator, without its patch and with it: when the test of a gap fails, take the patch out. */
import {
  CreateStackCommand,
  DescribeStacksCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeVpcsCommand,
  type EC2Client,
} from '@aws-sdk/client-ec2';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type LocalEc2, startEc2 } from './ec2.ts';
import { eventually, type MiniStack } from './ministack.ts';
import { remove } from './stacks.ts';
import { json, twoMiniStacks } from './two-ministacks.ts';

const directory = temporaryDirectory();
let local: LocalEc2;
let ec2: EC2Client;
beforeAll(async () => {
  local = await startEc2(directory.path);
  ec2 = local.client('us-east-1');
}, 300_000);
afterAll(() => local?.stop());
const servers = twoMiniStacks(() => ({ AWS_ENDPOINT_URL_EC2: local.url }));

interface Version {
  instanceType?: string;
  group?: object;
}
const template = ({ instanceType = 'c6in.large', group = {} }: Version = {}): string =>
  json({
    Resources: {
      Group: {
        Type: 'AWS::EC2::SecurityGroup',
        Properties: { GroupDescription: 'nothing comes in', ...group },
      },
      Template: {
        Type: 'AWS::EC2::LaunchTemplate',
        Properties: {
          LaunchTemplateData: {
            InstanceType: instanceType,
            InstanceInitiatedShutdownBehavior: 'terminate',
            MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: '1' },
            Monitoring: { Enabled: 'false' },
            SecurityGroupIds: [{ 'Fn::GetAtt': ['Group', 'GroupId'] }],
            TagSpecifications: [{ ResourceType: 'instance', Tags: [{ Key: 'from', Value: 'template' }] }],
          },
          TagSpecifications: [{ ResourceType: 'launch-template', Tags: [{ Key: 'of', Value: 'stack' }] }],
        },
      },
    },
    Outputs: {
      groupRef: { Value: { Ref: 'Group' } },
      groupId: { Value: { 'Fn::GetAtt': ['Group', 'GroupId'] } },
      templateRef: { Value: { Ref: 'Template' } },
      latest: { Value: { 'Fn::GetAtt': ['Template', 'LatestVersionNumber'] } },
    },
  });

type Outputs = Record<'groupRef' | 'groupId' | 'templateRef' | 'latest', string>;

/** Waits for its end. */
const outputs = (server: MiniStack, StackName: string, status: string): Promise<Outputs> =>
  eventually(async () => {
    const { Stacks } = await server.cloudFormation.send(new DescribeStacksCommand({ StackName }));
    const { StackStatus, StackStatusReason, Outputs = [] } = Stacks?.[0] ?? {};
    if (StackStatus?.endsWith('IN_PROGRESS')) return undefined;
    if (StackStatus !== status) throw new Error(`${StackStatus}: ${StackStatusReason}`);
    return Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  });
const created = async (server: MiniStack, StackName: string, TemplateBody: string): Promise<Outputs> => {
  await server.cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody }));
  return outputs(server, StackName, 'CREATE_COMPLETE');
};
const updated = async (server: MiniStack, StackName: string, TemplateBody: string): Promise<Outputs> => {
  await server.cloudFormation.send(new UpdateStackCommand({ StackName, TemplateBody }));
  return outputs(server, StackName, 'UPDATE_COMPLETE');
};

const groups = async (...GroupIds: string[]) =>
  (await ec2.send(new DescribeSecurityGroupsCommand({ GroupIds }))).SecurityGroups ?? [];
const dataOf = async (LaunchTemplateId: string, version: string) => {
  const asked = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: [version] });
  return (await ec2.send(asked)).LaunchTemplateVersions?.[0]?.LaunchTemplateData;
};
const noGroup = { name: 'InvalidGroup.NotFound' };
const everywhere = { IpProtocol: '-1', IpRanges: [{ CidrIp: '0.0.0.0/0' }] };

test('a security group of a stack is not in the local EC2 without its patch', async () => {
  const { groupId } = await created(servers.stock, 'stock', template());
  await expect(groups(groupId)).rejects.toMatchObject(noGroup);
});

test('a launch template of a stack is not in the local EC2 without its patch', async () => {
  const { templateRef } = await outputs(servers.stock, 'stock', 'CREATE_COMPLETE');
  const { LaunchTemplates = [] } = await ec2.send(new DescribeLaunchTemplatesCommand({}));
  expect(LaunchTemplates.map(({ LaunchTemplateId }) => LaunchTemplateId)).not.toContain(templateRef);
});

test('a stack makes both, changes them, and takes them away', async () => {
  const first = await created(servers.patched, 'bench', template());
  const [group] = await groups(first.groupId);
  expect(group).toMatchObject({
    ...{ GroupName: first.groupRef, Description: 'nothing comes in', IpPermissions: [] },
    IpPermissionsEgress: [expect.objectContaining(everywhere)],
  });
  expect(first).toMatchObject({ groupRef: expect.stringMatching(/^bench-Group-/), latest: '1' });
  expect(await dataOf(first.templateRef, '$Latest')).toMatchObject({
    ...{ InstanceType: 'c6in.large', SecurityGroupIds: [first.groupId], Monitoring: { Enabled: false } },
    MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
  });

  const egress = [{ IpProtocol: 'tcp', FromPort: 443, ToPort: 443, CidrIp: '0.0.0.0/0' }];
  const changed = { SecurityGroupEgress: egress, Tags: [{ Key: 'of', Value: 'stack' }] };
  const second = await updated(
    servers.patched,
    'bench',
    template({ instanceType: 'c7gn.large', group: changed }),
  );
  expect(second).toEqual({ ...first, latest: '2' });
  expect((await dataOf(first.templateRef, '$Latest'))?.InstanceType).toBe('c7gn.large');
  expect((await dataOf(first.templateRef, '$Default'))?.InstanceType).toBe('c6in.large');
  const [narrowed] = await groups(first.groupId);
  expect(narrowed?.IpPermissionsEgress?.map(({ FromPort }) => FromPort)).toEqual([443]);
  expect(narrowed?.Tags).toEqual(expect.arrayContaining([{ Key: 'of', Value: 'stack' }]));

  // Another description is another group, and the template follows it.
  const third = await updated(
    servers.patched,
    'bench',
    template({ group: { GroupDescription: 'still nothing' } }),
  );
  expect(third.groupId).not.toBe(first.groupId);
  expect((await dataOf(third.templateRef, '$Latest'))?.SecurityGroupIds).toEqual([third.groupId]);
  await expect(groups(first.groupId)).rejects.toMatchObject(noGroup);

  expect(await remove(servers.patched, 'bench')).toBe('GONE');
  await expect(groups(third.groupId)).rejects.toMatchObject(noGroup);
  const { LaunchTemplates = [] } = await ec2.send(new DescribeLaunchTemplatesCommand({}));
  expect(LaunchTemplates).toEqual([]);
});

test('Ref of a group is its id where the VPC is given', async () => {
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({}));
  const { VpcId } = Vpcs?.[0] ?? {};
  const { groupRef, groupId } = await created(servers.patched, 'vpc', template({ group: { VpcId } }));
  expect(groupRef).toBe(groupId);
  expect((await groups(groupId))[0]?.VpcId).toBe(VpcId);
  expect(await remove(servers.patched, 'vpc')).toBe('GONE');
  await expect(groups(groupId)).rejects.toMatchObject(noGroup);
});
