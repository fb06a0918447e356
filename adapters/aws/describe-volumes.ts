import { type EC2Client, paginateDescribeVolumes } from '@aws-sdk/client-ec2';
import type { Volume } from '../../core/inventory.ts';
import { describedVolumeSchema, volumeOf } from '../ec2-resources.ts';
import { reading } from './failure.ts';

/** EC2's most for one page. */
const pageSize = 500;

/** Every volume of one Region of one account, page by page. */
export const describeVolumes = (
  client: EC2Client,
  place: { region: string; account: string },
): Promise<Volume[]> =>
  reading(`ec2:DescribeVolumes in ${place.region}`, async () => {
    const volumes = new Map<string, Volume>();
    for await (const { Volumes } of paginateDescribeVolumes({ client, pageSize }, {})) {
      // A volume that comes on two pages, because others were made meanwhile, is one volume.
      for (const volume of Volumes ?? []) {
        const read = volumeOf(describedVolumeSchema.parse(volume), place);
        volumes.set(read.volumeId, read);
      }
    }
    return [...volumes.values()];
  });
