/** Volumes as one device: one volume, or several alike in a stripe, RAID10 or RAID5. */
import type { VolumeType } from '../limits/volume-types.ts';

export const layoutKinds = ['single', 'stripe', 'raid10', 'raid5'] as const;
export type LayoutKind = (typeof layoutKinds)[number];

/** Figures per member. */
export interface Layout {
  kind: LayoutKind;
  members: number;
  volumeType: VolumeType;
  sizeGiB: number;
  /** Provisioned on gp3, io1 and io2; on other types what it has all the time. */
  iops: number;
  /** Provisioned on gp3; on other types what it has all the time. */
  throughputMiBps: number;
}
