/** The local EC2 makes a security group in a VPC that is there, and in no other. */
import { CreateSecurityGroupCommand, DescribeVpcsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { createHostNetwork, deleteDefaultVpc } from '../../local/host-network.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type LocalEc2, startEc2 } from './ec2.ts';

const directory = temporaryDirectory();
let local: LocalEc2;
let ec2: EC2Client;
beforeAll(async () => {
  local = await startEc2(directory.path);
  ec2 = local.client('us-east-1');
}, 300_000);
afterAll(() => local?.stop());

const create = (GroupName: string, VpcId?: string) =>
  ec2.send(new CreateSecurityGroupCommand({ GroupName, Description: 'hosts', VpcId }));

test('in a VPC that is not there it is refused', async () => {
  await expect(create('elsewhere', 'vpc-0123456789abcdef0')).rejects.toMatchObject({
    name: 'InvalidVpcID.NotFound',
  });
});

test('without a VPC it is in the default one, and refused where there is none', async () => {
  await create('in-default');
  await deleteDefaultVpc(ec2);
  const { Vpcs } = await ec2.send(new DescribeVpcsCommand({}));
  expect(Vpcs).toEqual([]);
  await expect(create('in-none')).rejects.toMatchObject({ name: 'VPCIdNotSpecified' });
  const { vpcId } = await createHostNetwork(ec2);
  expect((await create('in-own', vpcId)).GroupId).toMatch(/^sg-/);
});
