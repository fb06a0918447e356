/** Where hosts can be. */
import { DescribeSubnetsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { mockClient } from 'aws-sdk-client-mock';
import { subnetsFor } from '../../../../adapters/aws/bench/places.ts';
import { BadInput, Unavailable } from '../../../../core/errors.ts';
import { answerInTurn } from '../answer-in-turn.ts';
import { awsError } from '../aws-error.ts';

const ec2 = mockClient(EC2Client);
const ofEc2 = new EC2Client({ region: 'us-east-1' });

beforeEach(() => {
  ec2.reset();
});

test('those that are given, in their order', async () => {
  const given = ['subnet-b', 'subnet-a'];
  const asked = answerInTurn(ec2.on(DescribeSubnetsCommand), [
    { Subnets: [{ SubnetId: 'subnet-a', AvailableIpAddressCount: 9 }, { SubnetId: 'subnet-b' }] },
  ]);
  expect(await subnetsFor(ofEc2, 'us-east-1', given)).toEqual(given);
  expect(asked).toEqual([{ SubnetIds: given }]);
});

test('one that EC2 does not list is named', async () => {
  ec2.on(DescribeSubnetsCommand).resolves({ Subnets: [{ SubnetId: 'subnet-a' }] });
  const finding = subnetsFor(ofEc2, 'us-east-1', ['subnet-a', 'subnet-b']);
  await expect(finding).rejects.toThrow(BadInput);
  await expect(finding).rejects.toThrow(
    /^us-east-1 has no subnet-b: name other subnets in the configuration \(benchmark\.subnetIds\)/,
  );
});

test('subnets that are not there, and a reply without a list', async () => {
  answerInTurn(ec2.on(DescribeSubnetsCommand), [awsError('InvalidSubnetID.NotFound', 'No subnet-a.'), {}]);
  await expect(subnetsFor(ofEc2, 'us-east-1', ['subnet-a'])).rejects.toThrow(
    'ec2:DescribeSubnets in us-east-1 failed: InvalidSubnetID.NotFound: No subnet-a.',
  );
  await expect(subnetsFor(ofEc2, 'us-east-1', ['subnet-a'])).rejects.toThrow(Unavailable);
});
