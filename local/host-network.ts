/** Where hosts of campaigns are in the local EC2: a VPC that is named, as in an account without a default one. */
import {
  CreateSubnetCommand,
  CreateVpcCommand,
  DeleteSubnetCommand,
  DeleteVpcCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
  EC2Client,
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
    subnetIds.push(Subnet?.SubnetId ?? '');
  }
  return { vpcId, subnetIds };
}

/** The section of a configuration, in a VPC that is made for it; JSON is YAML. */
export async function benchmarkSection(services: Services, label: string): Promise<string> {
  const ec2 = localEc2(services);
  try {
    return `benchmark: ${JSON.stringify({ ...(await createHostNetwork(ec2)), label })}\n`;
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
