import { type EC2Client, paginateDescribeVolumesModifications } from '@aws-sdk/client-ec2';
import { z } from 'zod';
import {
  type Modifications,
  modificationStates,
  type VolumeModification,
} from '../../core/recommendations/modifications.ts';
import { msPerSecond } from '../../core/units.ts';
import { reading } from './failure.ts';
import { listed } from './garbled.ts';
import { pagesWithEnd } from './pages.ts';

/** EC2's most for one page. Source: EC2 API, DescribeVolumesModifications, read 2026-11-28. */
const pageSize = 500;

/** Of a volume that was never modified some of it is missing. */
const modificationSchema = z.object({
  VolumeId: z.string().min(1),
  ModificationState: z.enum(modificationStates).optional(),
  StartTime: z.date().optional(),
  EndTime: z.date().optional(),
});

const seconds = (time: Date): number => time.getTime() / msPerSecond;

/** Of every volume of a Region of one account the latest modification, page by page: EC2 tells no other. */
export const describeVolumeModifications = (client: EC2Client, region: string): Promise<Modifications> =>
  reading(`ec2:DescribeVolumesModifications in ${region}`, async () => {
    const found = new Map<string, VolumeModification[]>();
    const pages = pagesWithEnd(paginateDescribeVolumesModifications({ client, pageSize }, {}));
    for await (const { VolumesModifications } of pages) {
      for (const one of listed(VolumesModifications, 'modifications')) {
        const { VolumeId, ModificationState: state, StartTime, EndTime } = modificationSchema.parse(one);
        if (state === undefined || StartTime === undefined) continue;
        const endEpochSeconds = EndTime === undefined ? null : seconds(EndTime);
        // One that comes on two pages is one: the later page knows more of it.
        found.set(VolumeId, [{ state, startEpochSeconds: seconds(StartTime), endEpochSeconds }]);
      }
    }
    return found;
  });
