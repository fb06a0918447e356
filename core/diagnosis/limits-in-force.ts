/** What a volume could do in each period: at its best while it had burst credits, its baseline without. */
import { isHdd } from '../limits/volume-limits.ts';
import { countedSsdIops } from '../load/volume-load.ts';
import type { DiagnosedVolume } from './diagnosed-volume.ts';
import { fixedThresholds } from './thresholds.ts';

type Diagnosed = Pick<DiagnosedVolume, 'limits' | 'load' | 'attribution'>;

/** As the limit counts them: a large operation on SSD is several. NaN where the load is unknown. */
function countedIops({ limits, load }: Diagnosed, i: number): number {
  const iops = load.iops[i] as number;
  return isHdd(limits.volumeType) ? iops : countedSsdIops(iops, load.mibps[i] as number);
}

/**
 * Without credits the baseline. In the period in which they ran out it lies between baseline and burst: what was served,
 * for more was not to be had.
 */
function inForce(isAtBaseline: boolean, served: number, baseline: number, burst: number): number {
  if (!isAtBaseline) return burst;
  return served > baseline ? Math.min(served, burst) : baseline;
}

function limitIops(diagnosed: Diagnosed, i: number): number {
  const { baselineIops, burstIops } = diagnosed.limits;
  const isAtBaseline = diagnosed.attribution.atBaseline?.[i] === 1;
  return inForce(isAtBaseline, countedIops(diagnosed, i), baselineIops, burstIops);
}

function limitMiBps({ limits, load, attribution }: Diagnosed, i: number): number {
  const isAtBaseline = attribution.atBaseline?.[i] === 1;
  return inForce(isAtBaseline, load.mibps[i] as number, limits.baselineMiBps, limits.burstMiBps);
}

/** The limits that held in this period. */
export const limitsInForce = (diagnosed: Diagnosed, i: number): { iops: number; mibps: number } => ({
  iops: limitIops(diagnosed, i),
  mibps: limitMiBps(diagnosed, i),
});

/**
 * Of the IOPS or MiB/s that were in force, in the period that came nearest to them; null where the load of none is known. On
 * HDD by bytes alone where more operations passed than the limit: they had merged.
 */
export function topShareOfLimit(diagnosed: Diagnosed): number | null {
  const { limits, load } = diagnosed;
  const hdd = isHdd(limits.volumeType);
  let top = -1;
  for (let i = 0; i < load.iops.length; i++) {
    const byNumber = countedIops(diagnosed, i) / limitIops(diagnosed, i);
    const byBytes = (load.mibps[i] as number) / limitMiBps(diagnosed, i);
    // A figure that is unknown is larger than nothing.
    if (byBytes > top) top = byBytes;
    if (byNumber > top && !(hdd && byNumber > fixedThresholds.mergedShare)) top = byNumber;
  }
  return top < 0 ? null : top;
}
