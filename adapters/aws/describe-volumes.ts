import { type EC2Client, paginateDescribeVolumes } from '@aws-sdk/client-ec2';
import { chunk } from 'es-toolkit/array';
import type { Volume } from '../../core/inventory.ts';
import { describedVolumeSchema, volumeOf } from '../ec2-resources.ts';
import { reading } from './failure.ts';
import { listed } from './garbled.ts';
import { pagesWithEnd } from './pages.ts';

/** EC2's most for one page. */
const pageSize = 500;
/** EC2's most in one filter (EC2 user guide, "Filter using the CLI": 200 values, read 2026-11-22). */
export const mostFilterValues = 200;

/** Every volume of one Region of one account, page by page; @param volumeIds those of them alone that are there. */
export const describeVolumes = (
  client: EC2Client,
  place: { region: string; account: string },
  volumeIds?: readonly string[],
): Promise<Volume[]> =>
  reading(`ec2:DescribeVolumes in ${place.region}`, async () => {
    const volumes = new Map<string, Volume>();
    const requests =
      volumeIds === undefined
        ? [{}]
        : chunk(volumeIds, mostFilterValues).map((Values) => ({ Filters: [{ Name: 'volume-id', Values }] }));
    for (const request of requests) {
      for await (const { Volumes } of pagesWithEnd(paginateDescribeVolumes({ client, pageSize }, request))) {
        // A volume that comes on two pages, because others were made meanwhile, is one volume.
        for (const volume of listed(Volumes, 'volumes')) {
          const read = volumeOf(describedVolumeSchema.parse(volume), place);
          volumes.set(read.volumeId, read);
        }
      }
    }
    return [...volumes.values()];
  });
