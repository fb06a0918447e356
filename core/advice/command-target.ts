/** Ids and Regions go into lines that people copy: anything that is not one is left for them to fill in. */
import { isRegionName } from '../region.ts';

export const safeVolumeId = (id: string): string => (/^vol-[0-9a-f]{8,17}$/.test(id) ? id : '<volume-id>');
const safeInstanceId = (id: string): string => (/^i-[0-9a-f]{8,17}$/.test(id) ? id : '<instance-id>');
const safeRegion = (region: string): string => (isRegionName(region) ? region : '<region>');

export const volumeTarget = ({ volumeId, region }: { volumeId: string; region: string }): string =>
  `--volume-id ${safeVolumeId(volumeId)} --region ${safeRegion(region)}`;

export const instanceTarget = ({ instanceId, region }: { instanceId: string; region: string }): string =>
  `--instance-id ${safeInstanceId(instanceId)} --region ${safeRegion(region)}`;
