/** Where hosts of a benchmark would be, with which key, and whether they may be launched. */
import {
  EC2Client,
  GetEbsDefaultKmsKeyIdCommand,
  paginateDescribeRouteTables,
  paginateDescribeSubnets,
  paginateDescribeVpcEndpoints,
  paginateDescribeVpcs,
  type Route,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { DecodeAuthorizationMessageCommand, STSClient } from '@aws-sdk/client-sts';
import { z } from 'zod';
import { vcpuQuota } from '../../../core/benchmark/campaign/preflight.ts';
import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import type { BenchmarkConfig } from '../../../core/doctor/benchmark-checks.ts';
import type {
  BenchmarkFacts,
  DecodedRefusal,
  LaunchTry,
  Network,
  Read,
  RouteTable,
  Subnet,
} from '../../../core/doctor/facts.ts';
import { Unreadable } from '../../../core/errors.ts';
import { jsonOrNull } from '../../../core/json.ts';
import { known } from '../../../core/known.ts';
import { sanitizeFirstLine } from '../../../core/sanitize.ts';
import { listed } from '../garbled.ts';
import { pagesWithEnd } from '../pages.ts';
import { quotaIn } from './account.ts';
import { type Asking, asked, clientOf } from './asked.ts';

/** All pages of a list; of what EC2 does not know the list is empty. */
async function allOf<P extends { NextToken?: string | undefined }, T>(
  pages: AsyncIterable<P>,
  itemsOf: (page: P) => T[],
): Promise<T[]> {
  const all: T[] = [];
  try {
    for await (const page of pagesWithEnd(pages)) all.push(...itemsOf(page));
  } catch (error) {
    if (!/^Invalid\w+\.NotFound$/.test((error as Error).name)) throw error;
  }
  return all;
}

const filter = (Name: string, Value: string) => ({ Filters: [{ Name, Values: [Value] }] });

const vpcIdsOf = (asking: Asking, { vpcId }: BenchmarkConfig): Promise<Read<string[]>> =>
  asked('ec2:DescribeVpcs', asking.session.region, () =>
    allOf(
      paginateDescribeVpcs(
        { client: clientOf(EC2Client, asking) },
        vpcId === undefined ? filter('is-default', 'true') : filter('vpc-id', vpcId),
      ),
      ({ Vpcs }) => listed(Vpcs, 'Vpcs').flatMap(({ VpcId }) => (VpcId === undefined ? [] : [VpcId])),
    ),
  );

/** By a filter: one that is not there is left out of the answer, and the others come. */
const subnetsOf = (asking: Asking, { subnetIds }: BenchmarkConfig): Promise<Read<Subnet[]>> =>
  asked('ec2:DescribeSubnets', asking.session.region, () =>
    allOf(
      paginateDescribeSubnets(
        { client: clientOf(EC2Client, asking) },
        subnetIds.length === 0
          ? filter('default-for-az', 'true')
          : { Filters: [{ Name: 'subnet-id', Values: subnetIds }] },
      ),
      ({ Subnets }) =>
        listed(Subnets, 'Subnets').map((one) => ({
          subnetId: one.SubnetId ?? '',
          vpcId: one.VpcId ?? '',
          freeAddresses: one.AvailableIpAddressCount ?? 0,
          givesPublicAddress: one.MapPublicIpOnLaunch ?? false,
        })),
    ),
  );

function defaultRouteOf(routes: readonly Route[]): RouteTable['defaultRoute'] {
  const route = routes.find(({ DestinationCidrBlock }) => DestinationCidrBlock === '0.0.0.0/0');
  if (route === undefined) return null;
  const target =
    route.NatGatewayId ??
    route.GatewayId ??
    route.TransitGatewayId ??
    route.VpcPeeringConnectionId ??
    route.NetworkInterfaceId ??
    'another target';
  return { target, isBlackhole: route.State === 'blackhole' };
}

const routeTablesOf = (asking: Asking, vpcId: string): Promise<Read<RouteTable[]>> =>
  asked('ec2:DescribeRouteTables', asking.session.region, () =>
    allOf(
      paginateDescribeRouteTables({ client: clientOf(EC2Client, asking) }, filter('vpc-id', vpcId)),
      ({ RouteTables }) =>
        listed(RouteTables, 'RouteTables').map(({ Associations = [], Routes = [] }) => ({
          isMain: Associations.some(({ Main }) => Main === true),
          subnetIds: Associations.flatMap(({ SubnetId }) => (SubnetId === undefined ? [] : [SubnetId])),
          defaultRoute: defaultRouteOf(Routes),
        })),
    ),
  );

const endpointsOf = (asking: Asking, vpcId: string): Promise<Read<string[]>> =>
  asked('ec2:DescribeVpcEndpoints', asking.session.region, () =>
    allOf(
      paginateDescribeVpcEndpoints({ client: clientOf(EC2Client, asking) }, filter('vpc-id', vpcId)),
      ({ VpcEndpoints }) =>
        listed(VpcEndpoints, 'VpcEndpoints').flatMap(({ ServiceName, State }) =>
          ServiceName === undefined || State?.toLowerCase() !== 'available' ? [] : [ServiceName],
        ),
    ),
  );

async function networkOf(asking: Asking, benchmark: BenchmarkConfig): Promise<Network> {
  const [vpcIds, subnets] = await Promise.all([vpcIdsOf(asking, benchmark), subnetsOf(asking, benchmark)]);
  const vpcId = subnets.known ? subnets.value[0]?.vpcId : undefined;
  if (vpcId === undefined) return { vpcIds, subnets, routeTables: known([]), endpoints: known([]) };
  const [routeTables, endpoints] = await Promise.all([
    routeTablesOf(asking, vpcId),
    endpointsOf(asking, vpcId),
  ]);
  return { vpcIds, subnets, routeTables, endpoints };
}

const ebsKeyId = (asking: Asking): Promise<Read<string>> =>
  asked('ec2:GetEbsDefaultKmsKeyId', asking.session.region, async () => {
    const { KmsKeyId } = await clientOf(EC2Client, asking).send(new GetEbsDefaultKmsKeyIdCommand({}));
    if (KmsKeyId === undefined) throw new Unreadable('no key came');
    return KmsKeyId;
  });

/** As sts:DecodeAuthorizationMessage writes it; what else it has is not read. */
const decodedSchema = z.object({
  explicitDeny: z.boolean().default(false),
  matchedStatements: z
    .object({ items: z.array(z.object({ statementId: z.string().default('') })).default([]) })
    .default({ items: [] }),
  context: z.object({ action: z.string(), resource: z.string() }),
});

const maxCharacters = 300;

/** Null: it may not be decoded, or there is nothing to decode. */
async function decodedOf(asking: Asking, message: string): Promise<DecodedRefusal | null> {
  const [, EncodedMessage] = /Encoded authorization failure message:\s*(\S+)/.exec(message) ?? [];
  if (EncodedMessage === undefined) return null;
  const read = await asked('sts:DecodeAuthorizationMessage', asking.session.region, () =>
    clientOf(STSClient, asking).send(new DecodeAuthorizationMessageCommand({ EncodedMessage })),
  );
  const decoded = decodedSchema.safeParse(read.known ? jsonOrNull(read.value.DecodedMessage ?? '') : null);
  if (!decoded.success) return null;
  const { explicitDeny, matchedStatements, context } = decoded.data;
  const statements = matchedStatements.items.map(({ statementId }) => statementId);
  return {
    action: sanitizeFirstLine(context.action, maxCharacters),
    resource: sanitizeFirstLine(context.resource, maxCharacters),
    isExplicit: explicitDeny,
    statements: statements.filter((id) => id !== '').map((id) => sanitizeFirstLine(id, maxCharacters)),
  };
}

const withoutCode = (message: string): string =>
  message.replace(/\s*Encoded authorization failure message:.*/s, '');

const imageOf = ({ architectures }: InstanceType): string =>
  `resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1-${architectures.includes('x86_64') ? 'x86_64' : 'arm64'}`;

/** EC2 checks all of a launch and launches nothing: `DryRun`. */
const launchTried = (
  asking: Asking,
  instanceType: InstanceType,
  subnetId: string,
): Promise<Read<LaunchTry>> =>
  asked<LaunchTry>('ec2:RunInstances', asking.session.region, async () => {
    try {
      await clientOf(EC2Client, asking).send(
        new RunInstancesCommand({
          ...{ DryRun: true, MinCount: 1, MaxCount: 1, SubnetId: subnetId },
          ImageId: imageOf(instanceType),
          InstanceType: instanceType.instanceType as never,
          BlockDeviceMappings: [
            {
              DeviceName: '/dev/xvda',
              Ebs: { VolumeType: 'gp3', VolumeSize: 8, Encrypted: true, DeleteOnTermination: true },
            },
          ],
          MetadataOptions: { HttpTokens: 'required' },
        }),
      );
    } catch (error) {
      const { name, message, $fault } = error as Error & { $fault?: string };
      if (name === 'DryRunOperation') return { outcome: 'allowed' };
      if (name === 'UnauthorizedOperation') {
        const decoded = await decodedOf(asking, message);
        return {
          outcome: 'refused',
          reason: sanitizeFirstLine(withoutCode(message), maxCharacters),
          decoded,
        };
      }
      if ($fault !== 'client' || name === 'RequestLimitExceeded') throw error;
      return { outcome: 'fails', error: name, reason: sanitizeFirstLine(message, maxCharacters) };
    }
    throw new Unreadable('DryRun was answered as a launch is');
  });

/** @param smallest of the configured types; undefined: none is known. */
export async function benchmarkFacts(
  asking: Asking,
  benchmark: BenchmarkConfig,
  smallest: InstanceType | undefined,
): Promise<BenchmarkFacts> {
  const [network, keyId, quota] = await Promise.all([
    networkOf(asking, benchmark),
    ebsKeyId(asking),
    quotaIn(asking, vcpuQuota),
  ]);
  const subnetId = network.subnets.known ? network.subnets.value[0]?.subnetId : undefined;
  const launch =
    smallest === undefined || subnetId === undefined
      ? null
      : {
          ...{ instanceType: smallest.instanceType, subnetId },
          tried: await launchTried(asking, smallest, subnetId),
        };
  return { network, ebsKeyId: keyId, vcpuQuota: quota, launch };
}
