import { type EC2Client, paginateDescribeVolumes } from '@aws-sdk/client-ec2';
import type { Volume } from '../../core/inventory.ts';
import { describedVolumeSchema, type TagKeys, volumeOf } from '../ec2-resources.ts';
import { requestsByIds } from './by-ids.ts';
import { reading } from './failure.ts';
import { listed } from './garbled.ts';
import { pagesWithEnd } from './pages.ts';

/** EC2's most for one page. */
const pageSize = 500;

/**
 * Every volume of one Region of one account, page by page.
 * @param volumeIds those of them alone that are there.
 * @param tagKeys the tags that are kept of each.
 */
export const describeVolumes = (
  client: EC2Client,
  place: { region: string; account: string },
  volumeIds?: readonly string[],
  tagKeys: TagKeys = [],
): Promise<Volume[]> =>
  reading(`ec2:DescribeVolumes in ${place.region}`, async () => {
    const volumes = new Map<string, Volume>();
    for (const request of requestsByIds('volume-id', volumeIds)) {
      for await (const { Volumes } of pagesWithEnd(paginateDescribeVolumes({ client, pageSize }, request))) {
        // A volume that comes on two pages, because others were made meanwhile, is one volume.
        for (const volume of listed(Volumes, 'volumes')) {
          const read = volumeOf(describedVolumeSchema.parse(volume), place, tagKeys);
          volumes.set(read.volumeId, read);
        }
      }
    }
    return [...volumes.values()];
  });
