/** What is known of an instance and of what passes through it. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import type { MetricSet } from '../load/metrics.ts';
import type { VolumeLoad } from '../load/volume-load.ts';

export interface InstanceSeen {
  metrics: MetricSet;
  /** Of its type, as its bandwidth is weighted; null where they are not known. */
  figures: EbsFigures | null;
  /** Of its volumes, as far as they are known. */
  loads: readonly VolumeLoad[];
  /** Volumes attached to it, excluded ones too. */
  volumes: number;
}
