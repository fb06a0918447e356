/** Where hosts of campaigns are in the local EC2: a VPC that is named, as in an account without a default one. */
import {
  AttachInternetGatewayCommand,
  CreateInternetGatewayCommand,
  CreateRouteCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteSubnetCommand,
  DeleteVpcCommand,
  DescribeRouteTablesCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  EC2Client,
  ModifySubnetAttributeCommand,
} from '@aws-sdk/client-ec2';
import { clientSettings } from './deploy.ts';
import { localRegion, type Services } from './services.ts';

export const localEc2 = (services: Services): EC2Client =>
  new EC2Client({ ...clientSettings(services), endpoint: services.urls.ec2 });

export interface HostNetwork {
  vpcId: string;
  /** One in each of three zones. */
  subnetIds: string[];
}

export async function createHostNetwork(ec2: EC2Client): Promise<HostNetwork> {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.20.0.0/16' }));
  const vpcId = Vpc?.VpcId ?? '';
  const subnetIds: string[] = [];
  for (const [index, zone] of ['a', 'b', 'c'].entries()) {
    const CidrBlock = `10.20.${index}.0/24`;
    const AvailabilityZone = `${localRegion}${zone}`;
    const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId: vpcId, CidrBlock, AvailabilityZone }));
    const SubnetId = Subnet?.SubnetId ?? '';
    await ec2.send(new ModifySubnetAttributeCommand({ SubnetId, MapPublicIpOnLaunch: { Value: true } }));
    subnetIds.push(SubnetId);
  }
  await openRoute(ec2, vpcId);
  return { vpcId, subnetIds };
}

/** From all subnets of a VPC to the internet, as hosts need it. */
async function openRoute(ec2: EC2Client, VpcId: string): Promise<void> {
  const { InternetGateway } = await ec2.send(new CreateInternetGatewayCommand({}));
  const GatewayId = InternetGateway?.InternetGatewayId;
  await ec2.send(new AttachInternetGatewayCommand({ InternetGatewayId: GatewayId, VpcId }));
  const { RouteTables } = await ec2.send(
    new DescribeRouteTablesCommand({ Filters: [{ Name: 'vpc-id', Values: [VpcId] }] }),
  );
  const RouteTableId = RouteTables?.[0]?.RouteTableId;
  await ec2.send(new CreateRouteCommand({ RouteTableId, GatewayId, DestinationCidrBlock: '0.0.0.0/0' }));
}

/** The section of a configuration, in a VPC that is made for it; JSON is YAML. @param kmsKeyArn of its hosts' volumes. */
export async function benchmarkSection(
  services: Services,
  label: string,
  kmsKeyArn?: string,
): Promise<string> {
  const ec2 = localEc2(services);
  try {
    return `benchmark: ${JSON.stringify({ ...(await createHostNetwork(ec2)), label, kmsKeyArn })}\n`;
  } finally {
    ec2.destroy();
  }
}

/** As accounts of landing zones are. */
export async function deleteDefaultVpc(ec2: EC2Client): Promise<void> {
  const { Vpcs = [] } = await ec2.send(
    new DescribeVpcsCommand({ Filters: [{ Name: 'is-default', Values: ['true'] }] }),
  );
  for (const { VpcId = '' } of Vpcs) {
    const { Subnets = [] } = await ec2.send(
      new DescribeSubnetsCommand({ Filters: [{ Name: 'vpc-id', Values: [VpcId] }] }),
    );
    for (const { SubnetId } of Subnets) await ec2.send(new DeleteSubnetCommand({ SubnetId }));
    await ec2.send(new DeleteVpcCommand({ VpcId }));
  }
}
