/** Where hosts of a campaign can be. */
import { DescribeSubnetsCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { BadInput } from '../../../core/errors.ts';
import { reading } from '../failure.ts';
import { listed } from '../garbled.ts';

/** The subnets of the configuration, in its order. @throws BadInput where one of them is not there. */
export async function subnetsFor(
  client: EC2Client,
  region: string,
  given: readonly string[],
): Promise<string[]> {
  const found = await reading(`ec2:DescribeSubnets in ${region}`, async () => {
    const { Subnets } = await client.send(new DescribeSubnetsCommand({ SubnetIds: [...given] }));
    return listed(Subnets, 'subnets').map(({ SubnetId }) => SubnetId);
  });
  const missing = given.filter((id) => !found.includes(id));
  if (missing.length > 0)
    throw new BadInput(
      `${region} has no ${missing.join(', ')}: name other subnets in the configuration (benchmark.subnetIds), and deploy again`,
    );
  return [...given];
}
