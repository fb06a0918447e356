/**
 * The benchmark beside the audit in an account without a default VPC: it is deployed into the VPC of the configuration, where
 * AWS refuses a part of it the audit stays as it is, and its own volumes are none of the audit's.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CreateVolumeCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeSecurityGroupsCommand,
  DetachVolumeCommand,
  type EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { campaignKeys } from '../../core/benchmark/campaign/campaign.ts';
import { tagsOf } from '../../core/benchmark/campaign/cells.ts';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import {
  bootstrap,
  clientSettings,
  deployBootstrapped,
  destroyStack,
  overTls,
  type StackOutputs,
} from '../../local/deploy.ts';
import { createHostNetwork, deleteDefaultVpc, type HostNetwork, localEc2 } from '../../local/host-network.ts';
import { runDeployedAudit } from '../../local/run-audit.ts';
import { requestsIn, type Services, startServices } from '../../local/services.ts';
import { aCampaign } from '../core/benchmark/campaign/campaigns.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { root } from '../lib/synthesized.ts';
import { validate } from '../requests/check-requests.ts';

const directory = temporaryDirectory();
let services: Services;
let ec2: EC2Client;
let cloudFormation: CloudFormationClient;
let lambda: LambdaClient;

beforeAll(async () => {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  services = await startServices({
    root,
    directory: join(directory.path, 'services'),
    say,
    recordsRequests: true,
  });
  ec2 = localEc2(services);
  cloudFormation = new CloudFormationClient(clientSettings(services));
  lambda = new LambdaClient(clientSettings(services));
  await deleteDefaultVpc(ec2);
  await bootstrap(root, services);
}, 600_000);
afterAll(async () => {
  ec2?.destroy();
  cloudFormation?.destroy();
  lambda?.destroy();
  await services?.stop();
});

let network: HostNetwork;
let outputs: StackOutputs;
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
  outputs = await deploy(network);
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

/** Of the function with this part in its name. @returns what it says, or how it failed. */
async function call(part: string, event: object): Promise<string> {
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const found = Functions.find(({ FunctionName }) => FunctionName?.includes(part));
  const { Payload } = await lambda.send(
    new InvokeCommand({ FunctionName: found?.FunctionName, Payload: JSON.stringify(event) }),
  );
  return Buffer.from(Payload ?? []).toString('utf8');
}

describe('volumes of a host of a campaign', () => {
  const cell = { campaignId: 'c1', cellId: 'stripe-m1-large' };
  const askedAt = new Date().toISOString();
  let instanceId: string;
  let theirs: string;

  function seenIn({ coverage, volumes: evaluated }: AuditResult) {
    const { volumes, benchmarkVolumes, instances, incomplete } = coverage;
    const ids = evaluated.map(({ volumeId }) => volumeId);
    return { ids, volumes, benchmarkVolumes, instances: instances.total, incomplete };
  }

  /** What the deployed audit has of the account. */
  async function audited() {
    const { status, result } = await runDeployedAudit(services, outputs, { lookbackDays: 1, notify: false });
    if (result === null) throw new Error(status);
    return seenIn(result);
  }

  /** What that of the command line has, which finds the bucket by the stack. */
  async function auditedFromHere() {
    const options = ['--region', 'us-east-1', '--lookback-days', '1', '--json'];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'bin/stripewise.ts'), 'audit', ...options],
      { env: { ...services.env, XDG_CACHE_HOME: join(directory.path, 'cache') } },
    );
    return seenIn(auditResultSchema.parse(JSON.parse(stdout)));
  }

  beforeAll(async () => {
    const s3 = overTls(new S3Client({ ...clientSettings(services), forcePathStyle: true }));
    const campaign = { ...aCampaign(), subnetIds: network.subnetIds };
    await new RunStore(s3, outputs.RunsBucket).putJson(campaignKeys('c1').campaign, campaign);
    s3.destroy();
    const launched = z.object({ instanceId: z.string() });
    const answer = await call('LaunchHost', { ...cell, askedAt });
    instanceId = launched.parse(JSON.parse(answer)).instanceId;
    // Of somebody who writes the tags of a campaign on a volume of their own.
    const Tags = Object.entries(tagsOf(cell.campaignId, cell.cellId, askedAt));
    const { VolumeId = '' } = await ec2.send(
      new CreateVolumeCommand({
        ...{ AvailabilityZone: 'us-east-1a', Size: 10, VolumeType: 'gp3' },
        TagSpecifications: [{ ResourceType: 'volume', Tags: Tags.map(([Key, Value]) => ({ Key, Value })) }],
      }),
    );
    theirs = VolumeId;
  }, 120_000);

  // Root and four members.
  const counted = { volumes: 1, benchmarkVolumes: 5, instances: 0, incomplete: [] };

  test('are not audited from its launch on, and counted; a tag of a campaign hides nothing', async () => {
    expect(await audited()).toEqual({ ids: [theirs], ...counted });
    expect(await auditedFromHere()).toEqual({ ids: [theirs], ...counted });
  }, 120_000);

  test('nor is one that it leaves behind, attached to nothing: recorded before Systems Manager knows the host', async () => {
    const said = await call('FindHost', { ...cell, instanceId, launchedAt: askedAt });
    expect(said).toContain('Systems Manager does not know it');
    const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [instanceId] }));
    const mappings = Reservations?.[0]?.Instances?.[0]?.BlockDeviceMappings ?? [];
    const member = mappings.find(({ DeviceName }) => DeviceName === '/dev/sdf');
    await ec2.send(
      new DetachVolumeCommand({
        InstanceId: instanceId,
        Device: '/dev/sdf',
        VolumeId: member?.Ebs?.VolumeId,
      }),
    );
    expect(await audited()).toEqual({ ids: [theirs], ...counted });
  }, 120_000);
});

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
  // Its roles are gone with it: models and limits alone.
  const { kinds, refused } = await validate(requestsIn(services.directory));
  expect(kinds.map(({ call }) => call)).toContain('ec2:TerminateInstances');
  expect(refused).toEqual([]);
}, 300_000);
