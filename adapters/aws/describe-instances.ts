import { type EC2Client, paginateDescribeInstances } from '@aws-sdk/client-ec2';
import type { Instance } from '../../core/inventory.ts';
import { describedInstanceSchema, instanceOf, type TagKeys } from '../ec2-resources.ts';
import { requestsByIds } from './by-ids.ts';
import { reading } from './failure.ts';
import { listed } from './garbled.ts';
import { pagesWithEnd } from './pages.ts';

/** EC2's most for one page. */
const pageSize = 1_000;

export interface DescribedInstances {
  instances: Instance[];
  /** Of the volumes that EC2 names as theirs. */
  attachedVolumeIds: string[];
}

/**
 * Every instance of one Region of one account, page by page.
 * @param instanceIds those of them alone that are there.
 * @param tagKeys the tags that are kept of each.
 */
export const describeInstances = (
  client: EC2Client,
  place: { region: string; account: string },
  instanceIds?: readonly string[],
  tagKeys: TagKeys = [],
): Promise<DescribedInstances> =>
  reading(`ec2:DescribeInstances in ${place.region}`, async () => {
    const instances = new Map<string, Instance>();
    const attached = new Set<string>();
    for (const request of requestsByIds('instance-id', instanceIds)) {
      const pages = paginateDescribeInstances({ client, pageSize }, request);
      for await (const { Reservations } of pagesWithEnd(pages)) {
        for (const instance of listed(Reservations, 'reservations').flatMap(
          (reservation) => reservation.Instances ?? [],
        )) {
          const read = instanceOf(describedInstanceSchema.parse(instance), place, tagKeys);
          instances.set(read.instanceId, read);
          for (const { Ebs } of instance.BlockDeviceMappings ?? []) {
            if (Ebs?.VolumeId !== undefined) attached.add(Ebs.VolumeId);
          }
        }
      }
    }
    return { instances: [...instances.values()], attachedVolumeIds: [...attached] };
  });
