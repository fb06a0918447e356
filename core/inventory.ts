/** What the account has: volumes and instances, as the engine sees them, whoever described them. */

import { IllegalConfiguration } from './errors.ts';
import { type Known, known, unknown } from './known.ts';
import {
  type Deployment,
  isVolumeType,
  type VolumeConfiguration,
  type VolumeLimits,
  volumeLimits,
} from './limits/volume-limits.ts';
import type { LeftOut } from './schemas/evidence.ts';
import type { KubernetesVolume } from './schemas/kubernetes-volume.ts';
import type { ConfigurationReason } from './schemas/unknown-reasons.ts';

/** Values by key. */
export type Tags = Record<string, string>;

interface Attachment {
  instanceId: string;
  /** Which of the instance's EBS cards it is on; null where nobody told. */
  ebsCardIndex: number | null;
}

export interface Volume {
  volumeId: string;
  /** As EC2 says it: it may be a type that this version does not know. */
  volumeType: string;
  sizeGiB: number;
  /** As EC2 reports it: also on gp2, where it follows from the size. */
  iops: number | null;
  throughputMiBps: number | null;
  state: string;
  region: string;
  account: string | null;
  deployment: Deployment;
  multiAttach: boolean;
  attachments: Attachment[];
  name: string | null;
  /** The value of its tag `stripewise:stripe`: volumes of one instance with the same are one stripe; null without. */
  stripeTag: string | null;
  /** Of its tags those alone that the configuration or `--resource` asks about: others are nobody's business here. */
  tags: Tags;
  /** What its tags say of Kubernetes; absent: nothing. */
  kubernetes?: KubernetesVolume | undefined;
  /** That it was made from, and when; absent: from none, or nobody told. */
  snapshotId?: string | undefined;
  createdEpochSeconds?: number | undefined;
  /** MiB/s at which it was asked to be initialized; absent: at none. */
  initializationRateMiBps?: number | undefined;
}

export interface Instance {
  instanceId: string;
  /** Null for an instance that nobody described. */
  instanceType: string | null;
  /** `unknown` for an instance that nobody described. */
  state: string;
  region: string;
  account: string | null;
  name: string | null;
  /** How it shares its bandwidth between network and EBS: `default`, `ebs-1`, `vpc-1`; null where nobody told. */
  bandwidthWeighting: string | null;
  /** As of a volume. */
  tags?: Tags | undefined;
  /** Where it runs: a volume is attached within it. Absent where nobody told. */
  availabilityZone?: string | undefined;
  /** What it starts from. Absent where nobody told. */
  rootVolumeId?: string | undefined;
  /** Attached volumes that the configuration excludes: there, and not looked at. Absent: none. */
  excludedVolumes?: number | undefined;
}

/** Volumes that are attached to it, excluded ones too. */
export const attachedCount = ({ excludedVolumes = 0 }: Instance, volumes: readonly Volume[]): number =>
  volumes.length + excludedVolumes;

// What a volume is configured as, and what it can do with it.

export interface Configured {
  config: VolumeConfiguration;
  limits: VolumeLimits;
}

/** The configuration that counts for a type: EC2 also reports IOPS on gp2, where they follow from the size. */
export function configurationOf(volume: Volume): Known<Configured, ConfigurationReason> {
  const { volumeType, sizeGiB, deployment } = volume;
  if (!isVolumeType(volumeType)) {
    return unknown({ code: 'volume-type-unknown', volumeType });
  }
  const provisioned = volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';
  const config: VolumeConfiguration = {
    volumeType,
    sizeGiB,
    deployment,
    iops: provisioned ? (volume.iops ?? undefined) : undefined,
    throughputMiBps: volumeType === 'gp3' ? (volume.throughputMiBps ?? undefined) : undefined,
  };
  try {
    return known({ config, limits: volumeLimits(config) });
  } catch (error) {
    if (!(error instanceof IllegalConfiguration)) throw error;
    return unknown({ code: 'configuration-refused', reason: error.message });
  }
}

// The volumes of one instance with what they are configured as, and those that a rule cannot count.

export interface AttachedVolume extends Configured {
  volume: Volume;
}

export interface AttachedVolumes {
  counted: AttachedVolume[];
  leftOut: LeftOut[];
}

export const isShared = ({ multiAttach, attachments }: Volume): boolean =>
  multiAttach || attachments.length > 1;

/** @param countShared whether a Multi-Attach volume counts: other instances use it too. */
export function attachedVolumes(volumes: readonly Volume[], countShared: boolean): AttachedVolumes {
  const found: AttachedVolumes = { counted: [], leftOut: [] };
  for (const volume of volumes) {
    const configured = configurationOf(volume);
    const { volumeId } = volume;
    if (!configured.known)
      found.leftOut.push({ code: 'configuration-unknown', volumeId, reason: configured.reason });
    else if (!countShared && isShared(volume)) found.leftOut.push({ code: 'multi-attach', volumeId });
    else found.counted.push({ volume, ...configured.value });
  }
  return found;
}

export interface Sums {
  iops: number;
  mibps: number;
}

/** What the volumes have all the time, together. */
export const sumsOf = (volumes: readonly AttachedVolume[]): Sums =>
  volumes.reduce(
    ({ iops, mibps }, { limits }) => ({
      iops: iops + limits.baselineIops,
      mibps: mibps + limits.baselineMiBps,
    }),
    { iops: 0, mibps: 0 },
  );
