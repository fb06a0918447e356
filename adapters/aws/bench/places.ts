/** Where hosts of a campaign can be. */
import { DescribeSubnetsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { BadInput } from '../../../core/errors.ts';
import { reading } from '../failure.ts';
import { listed } from '../garbled.ts';

/**
 * Those that are given, in their order; where none are, the default one of each zone, those with most room first.
 * @throws BadInput where there is none of them.
 */
export async function subnetsFor(
  client: EC2Client,
  region: string,
  given: readonly string[],
): Promise<string[]> {
  const request =
    given.length > 0
      ? { SubnetIds: [...given] }
      : { Filters: [{ Name: 'default-for-az', Values: ['true'] }] };
  const found = await reading(`ec2:DescribeSubnets in ${region}`, async () => {
    const { Subnets } = await client.send(new DescribeSubnetsCommand(request));
    return listed(Subnets, 'subnets').flatMap(({ SubnetId, AvailableIpAddressCount = 0 }) =>
      SubnetId === undefined ? [] : [{ SubnetId, AvailableIpAddressCount }],
    );
  });
  if (found.length === 0)
    throw new BadInput(
      `${region} has no default subnet for hosts to be in: name some in the configuration (benchmark.subnetIds), and deploy again`,
    );
  if (given.length > 0) return [...given];
  return found
    .sort((a, b) => b.AvailableIpAddressCount - a.AvailableIpAddressCount)
    .map(({ SubnetId }) => SubnetId);
}
