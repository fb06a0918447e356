/** What a volume could do in each period: at its best while it had burst credits, its baseline without. */
import { isHdd, ssdMiBPerIo, type VolumeLimits } from '../limits/volume-limits.ts';
import { topOf } from '../load/series.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
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
export function topShareOfLimit({ limits, load, attribution: { atBaseline } }: Diagnosed): number | null {
  const { iops, mibps } = load;
  const { burstIops, burstMiBps } = limits;
  const hdd = isHdd(limits.volumeType);
  const mostIops = hdd ? fixedThresholds.mergedShare * burstIops : Number.POSITIVE_INFINITY;
  let topIops = -1;
  let topMiBps = -1;
  let isAnyAtBaseline = false;
  if (atBaseline === null && !hdd) {
    topIops = topOf(iops);
    topMiBps = topOf(mibps);
  } else
    for (let i = 0; i < iops.length; i++) {
      if (atBaseline !== null && atBaseline[i] === 1) {
        isAnyAtBaseline = true;
        continue;
      }
      const rate = iops[i] as number;
      const mib = mibps[i] as number;
      if (rate > topIops && rate <= mostIops) topIops = rate;
      if (mib > topMiBps) topMiBps = mib;
    }
  const counted = hdd ? topIops : Math.max(topIops, topMiBps / ssdMiBPerIo);
  const top = Math.max(counted / burstIops, topMiBps / burstMiBps);
  return isAnyAtBaseline ? Math.max(top, topShareAtBaseline(limits, load, atBaseline)) : top < 0 ? null : top;
}

/** The same, where the credits are gone: no more was to be had than what was served. */
function topShareAtBaseline(
  limits: VolumeLimits,
  { iops, mibps }: VolumeLoad,
  atBaseline: Uint8Array | null,
): number {
  const hdd = isHdd(limits.volumeType);
  let top = 0;
  for (let i = 0; i < iops.length && top < 1; i++) {
    if (atBaseline?.[i] !== 1) continue;
    const rate = iops[i] as number;
    const mib = mibps[i] as number;
    const byNumber = (hdd ? rate : countedSsdIops(rate, mib)) / limits.baselineIops;
    const byBytes = mib / limits.baselineMiBps;
    // A figure that is unknown is larger than nothing.
    if (byNumber > top) top = Math.min(1, byNumber);
    if (byBytes > top) top = Math.min(1, byBytes);
  }
  return top;
}
