/** All that the diagnosis says of one volume, period by period: what a finding is made from. */
import type { Demand } from '../demand/demand.ts';
import type { Volume } from '../inventory.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Attribution } from './attribute.ts';

export interface DiagnosedVolume {
  volume: Volume;
  limits: VolumeLimits;
  load: VolumeLoad;
  attribution: Attribution;
  demand: Demand;
}
