/** A volume as a layout. */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { Layout } from '../plan/layout.ts';

/** A single volume as it stands. */
export const layoutNow = ({ volumeType, sizeGiB, baselineIops, baselineMiBps }: VolumeLimits): Layout => ({
  kind: 'single',
  members: 1,
  volumeType,
  sizeGiB,
  iops: baselineIops,
  throughputMiBps: baselineMiBps,
});
