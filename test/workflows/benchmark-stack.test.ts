/**
 * The benchmark beside the audit in an account without a default VPC: it is deployed into the VPC of the configuration, and where
 * AWS refuses a part of it the audit stays as it is.
 */
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeSecurityGroupsCommand,
  type EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import {
  bootstrap,
  clientSettings,
  deployBootstrapped,
  destroyStack,
  type StackOutputs,
} from '../../local/deploy.ts';
import { createHostNetwork, deleteDefaultVpc, type HostNetwork, localEc2 } from '../../local/host-network.ts';
import { type Services, startServices } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root } from '../lib/synthesized.ts';

const directory = temporaryDirectory();
let services: Services;
let ec2: EC2Client;
let cloudFormation: CloudFormationClient;

beforeAll(async () => {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  services = await startServices({ root, directory: join(directory.path, 'services'), say });
  ec2 = localEc2(services);
  cloudFormation = new CloudFormationClient(clientSettings(services));
  await deleteDefaultVpc(ec2);
  await bootstrap(root, services);
}, 600_000);
afterAll(async () => {
  ec2?.destroy();
  cloudFormation?.destroy();
  await services?.stop();
});

let network: HostNetwork;
const fileFor = (benchmark: HostNetwork): string =>
  directory.write('stripewise.yaml', { regions: ['us-east-1'], monitoring: { enabled: false }, benchmark });
const deploy = (benchmark: HostNetwork): Promise<StackOutputs> =>
  deployBootstrapped(root, services, fileFor(benchmark));

async function statusOf(StackName: string): Promise<string> {
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
  return Stacks?.[0]?.StackStatus ?? 'none';
}

/** In one order: the second deployment finds what the first one left. */
test('where EC2 refuses the VPC, the benchmark fails and the audit is deployed', async () => {
  const nowhere = { vpcId: 'vpc-0123456789abcdef0', subnetIds: ['subnet-0123456789abcdef0'] };
  await expect(deploy(nowhere)).rejects.toThrow('InvalidVpcID.NotFound');
  expect(await statusOf('Stripewise')).toBe('CREATE_COMPLETE');
  expect(await statusOf('Stripewise-Bench')).toBe('ROLLBACK_COMPLETE');
}, 300_000);

test('in a VPC that is there it is deployed, beside the same audit', async () => {
  network = await createHostNetwork(ec2);
  const outputs = await deploy(network);
  expect(await statusOf('Stripewise')).toBe('CREATE_COMPLETE');
  expect(await statusOf('Stripewise-Bench')).toBe('CREATE_COMPLETE');
  expect(outputs.BenchStateMachine).toMatch(/^arn:aws:states:/);
  const { SecurityGroups = [] } = await ec2.send(
    new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'vpc-id', Values: [network.vpcId] }] }),
  );
  const ways = SecurityGroups.filter(({ GroupName }) => GroupName !== 'default').map(
    ({ IpPermissions, IpPermissionsEgress = [] }) => [
      IpPermissions,
      IpPermissionsEgress.map(({ IpProtocol, FromPort, ToPort, IpRanges, Ipv6Ranges = [] }) => [
        ...[IpProtocol, FromPort, ToPort, IpRanges?.map(({ CidrIp }) => CidrIp), Ipv6Ranges],
      ]),
    ],
  );
  expect(ways).toEqual([[[], [['tcp', 443, 443, ['0.0.0.0/0'], []]]]]);
}, 300_000);

test('a host that runs is terminated before its group and its role go', async () => {
  const { LaunchTemplates = [] } = await ec2.send(new DescribeLaunchTemplatesCommand({}));
  const [LaunchTemplateId] = LaunchTemplates.map((one) => one.LaunchTemplateId);
  const { Instances } = await ec2.send(
    new RunInstancesCommand({
      ...{ LaunchTemplate: { LaunchTemplateId }, SubnetId: network.subnetIds[0] },
      ...{ InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 },
    }),
  );
  await destroyStack(root, services, fileFor(network));
  const { Reservations } = await ec2.send(
    new DescribeInstancesCommand({ InstanceIds: [Instances?.[0]?.InstanceId ?? ''] }),
  );
  expect(Reservations?.[0]?.Instances?.[0]?.State?.Name).toBe('terminated');
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  expect(SecurityGroups.map(({ GroupName }) => GroupName)).toEqual(['default']);
}, 300_000);
