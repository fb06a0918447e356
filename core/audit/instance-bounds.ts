/** What an instance has at least, and what its volumes can do at most: by their configuration, whatever their load does. */
import { type EbsFigures, type InstanceType, weightedFigures } from '../catalog/instance-types.ts';
import type { Configured, Instance } from '../inventory.ts';
import { isHdd } from '../limits/volume-limits.ts';
import { kibFromMiB } from '../units.ts';

/** Instance limits are reported for I/O of 16 KiB. Sequential I/O on HDD counts there one by one, not merged to 1 MiB. */
const instanceIoKiB = 16;

interface Sums {
  iops: number;
  mibps: number;
}

/** The most that the volumes can do together, credits and all. */
export const mostOf = (volumes: readonly Configured[]): Sums =>
  volumes.reduce(
    (sum, { config, limits }) => ({
      iops:
        sum.iops +
        (isHdd(config.volumeType) ? kibFromMiB(limits.burstMiBps) / instanceIoKiB : limits.burstIops),
      mibps: sum.mibps + limits.burstMiBps,
    }),
    { iops: 0, mibps: 0 },
  );

/** The lowest that may bind: of a type with several EBS cards, those of one card. Null where it is not known. */
export function lowestFigures({ bandwidthWeighting }: Instance, type: InstanceType): EbsFigures | null {
  const parts = type.cards.length > 1 ? type.cards : type.ebs === null ? [] : [type.ebs];
  // Nobody told how a type that can be weighted shares its bandwidth: it may have less for EBS than by default.
  if (parts.length === 0 || (bandwidthWeighting === null && type.bandwidthWeightings.length > 0)) return null;
  const weighted = parts.map((part) => weightedFigures(part, type.instanceType, bandwidthWeighting));
  if (weighted.some(({ mibpsUnknownReason }) => mibpsUnknownReason !== null)) return null;
  const least = (of: keyof EbsFigures): number => Math.min(...weighted.map(({ figures }) => figures[of]));
  return {
    baselineIops: least('baselineIops'),
    maximumIops: least('maximumIops'),
    baselineMiBps: least('baselineMiBps'),
    maximumMiBps: least('maximumMiBps'),
  };
}
