/** A volume as a layout, and a layout in a sentence. */
import { figure } from '../figures.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { Layout } from '../plan/layout.ts';

/** "gp3 with 6,000 IOPS and 250 MiB/s", "a stripe of 4 gp3, each 250 GiB with 3,000 IOPS and 125 MiB/s". */
export function figuresText({ volumeType, iops, throughputMiBps, sizeGiB, members }: Layout): string {
  const rates =
    volumeType === 'gp3'
      ? ` with ${figure(iops)} IOPS and ${figure(throughputMiBps)} MiB/s`
      : volumeType === 'io1' || volumeType === 'io2'
        ? ` with ${figure(iops)} IOPS`
        : '';
  return members === 1
    ? `${volumeType}${rates}`
    : `a stripe of ${members} ${volumeType}, each ${figure(sizeGiB)} GiB${rates}`;
}

/** A single volume as it stands. */
export const layoutNow = ({ volumeType, sizeGiB, baselineIops, baselineMiBps }: VolumeLimits): Layout => ({
  kind: 'single',
  members: 1,
  volumeType,
  sizeGiB,
  iops: baselineIops,
  throughputMiBps: baselineMiBps,
});
