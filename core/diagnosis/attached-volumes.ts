/** The volumes of one instance with what they are configured as, and those that a rule cannot count. */
import type { Volume } from '../inventory.ts';
import { type Configured, configurationOf } from '../limits/volume-configuration.ts';
import type { LeftOut } from '../schemas/evidence.ts';

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
