import { type EC2Client, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import type { Instance } from '../../core/inventory.ts';
import { describedInstanceSchema, instanceOf } from '../ec2-resources.ts';
import { reading } from './failure.ts';

/** EC2's most for one page. */
const pageSize = 1_000;

/** Every instance of one Region of one account, page by page. */
export const describeInstances = (
  client: EC2Client,
  place: { region: string; account: string },
): Promise<Instance[]> =>
  reading(`ec2:DescribeInstances in ${place.region}`, async () => {
    const instances = new Map<string, Instance>();
    for await (const { Reservations } of paginateDescribeInstances({ client, pageSize }, {})) {
      for (const instance of (Reservations ?? []).flatMap((reservation) => reservation.Instances ?? [])) {
        const read = instanceOf(describedInstanceSchema.parse(instance), place);
        instances.set(read.instanceId, read);
      }
    }
    return [...instances.values()];
  });
