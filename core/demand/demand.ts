/** What a load wanted, as an interval: what was served tells the need only where nothing held it back. */
import type { Attribution } from '../diagnosis/attribute.ts';
import type { VolumeLoad } from '../load/volume-load.ts';

/**
 * One entry a period, rates per second; NaN where the load is unknown. Where nothing was held back, low and high are what
 * was served (the very same arrays where nothing ever was).
 */
export interface Demand {
  lowIops: Float64Array;
  highIops: Float64Array;
  lowMiBps: Float64Array;
  highMiBps: Float64Array;
  /** What the upper bound rests on, in words; empty where nothing was held back. */
  assumptions: string[];
}

export function demandOf(load: VolumeLoad, _attribution: Attribution): Demand {
  const { iops, mibps } = load;
  return { lowIops: iops, highIops: iops, lowMiBps: mibps, highMiBps: mibps, assumptions: [] };
}
