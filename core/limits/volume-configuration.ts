/** What a volume is configured as, and what it can do with it. */
import { IllegalConfiguration } from '../errors.ts';
import type { Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import type { ConfigurationReason } from './configuration-reason.ts';
import { type VolumeLimits, volumeLimits } from './volume-limits.ts';
import { isVolumeType, type VolumeConfiguration } from './volume-types.ts';

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
