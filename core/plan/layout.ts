/** Volumes as one device: one volume, or several alike in a stripe, RAID10 or RAID5. */
import type { Deployment, VolumeConfiguration, VolumeType } from '../limits/volume-types.ts';

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

const takesIops = (volumeType: VolumeType): boolean =>
  volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';

/** Only what can be set: the IOPS of a gp2 follow from its size, and EC2 refuses them as a parameter. */
export function provisioned(
  { volumeType, sizeGiB, iops, throughputMiBps }: Layout,
  deployment: Deployment,
): VolumeConfiguration {
  return {
    volumeType,
    sizeGiB,
    ...(takesIops(volumeType) ? { iops } : {}),
    ...(volumeType === 'gp3' ? { throughputMiBps } : {}),
    deployment,
  };
}
