/** The EBS volume types, and where a volume can stand. */
export const volumeTypes = ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1', 'standard'] as const;
export type VolumeType = (typeof volumeTypes)[number];

export const deployments = ['region', 'outposts'] as const;
export type Deployment = (typeof deployments)[number];

export const isVolumeType = (text: string): text is VolumeType =>
  (volumeTypes as readonly string[]).includes(text);

/** What a volume was asked to be. IOPS can be set on gp3, io1 and io2, throughput on gp3 only. */
export interface VolumeConfiguration {
  volumeType: VolumeType;
  sizeGiB: number;
  /** Provisioned IOPS; gp3 without it has 3,000. */
  iops?: number | undefined;
  /** Provisioned MiB/s; gp3 without it has 125. */
  throughputMiBps?: number | undefined;
  deployment: Deployment;
}

export const isHdd = (volumeType: VolumeType): volumeType is 'st1' | 'sc1' =>
  volumeType === 'st1' || volumeType === 'sc1';
