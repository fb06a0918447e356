/** Ids and Regions go into lines that people copy: anything that is not one is left for them to fill in. */
import { isRegionName } from '../region.ts';
import { isInstanceId, isVolumeId } from '../resource-id.ts';

export const safeVolumeId = (id: string): string => (isVolumeId(id) ? id : '<volume-id>');
export const safeInstanceId = (id: string): string => (isInstanceId(id) ? id : '<instance-id>');
const safeRegion = (region: string): string => (isRegionName(region) ? region : '<region>');

interface VolumeTarget {
  volumeId: string;
  region: string;
}

interface InstanceTarget {
  instanceId: string;
  region: string;
}

export const volumeTarget = ({ volumeId, region }: VolumeTarget): string =>
  `--volume-id ${safeVolumeId(volumeId)} --region ${safeRegion(region)}`;

export const instanceTarget = ({ instanceId, region }: InstanceTarget): string =>
  `--instance-id ${safeInstanceId(instanceId)} --region ${safeRegion(region)}`;

/** For commands that take several. */
export const volumesTarget = ({ volumeId, region }: VolumeTarget): string =>
  `--volume-ids ${safeVolumeId(volumeId)} --region ${safeRegion(region)}`;

export const instancesTarget = ({ instanceId, region }: InstanceTarget): string =>
  `--instance-ids ${safeInstanceId(instanceId)} --region ${safeRegion(region)}`;
