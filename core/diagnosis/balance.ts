/** The credit balance of a volume over time: as published, or replayed where nothing was published. */
import { type CreditBucket, creditBucket, creditsAfter } from '../credits/volume-credits.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { thresholds } from './thresholds.ts';

export interface Balance {
  bucket: CreditBucket;
  /** One entry a period of the load; NaN where nothing was published (an idle minute publishes no balance). */
  percent: Float64Array;
  /** 'modelled': no BurstBalance at all, so the bucket is taken as full at the start and replayed from the load. */
  source: 'published' | 'modelled';
}

/** The rate that spends this bucket: operations as SSD counts them (large ones split), or MiB/s. */
export const bucketRate = ({ unit }: CreditBucket, { iops, mibps }: VolumeLoad): Float64Array =>
  unit === 'io' ? iops.map((rate, i) => countedSsdIops(rate, mibps[i] as number)) : mibps;

/** Unknown load, in a gap or a period without figures, neither spends nor refills: the balance stands still. */
function replayFromFull(bucket: CreditBucket, load: VolumeLoad): Float64Array {
  const rates = bucketRate(bucket, load);
  let credits = bucket.capacity;
  return rates.map((rate) => {
    if (!Number.isNaN(rate)) credits = creditsAfter(bucket, credits, rate, load.periodSeconds);
    return (credits / bucket.capacity) * 100;
  });
}

/** The balance on the load's time axis; null where the volume has no bucket or never spends it. */
export function volumeBalance(
  limits: VolumeLimits,
  load: VolumeLoad,
  published: Float64Array | null,
): Balance | null {
  const bucket = creditBucket(limits);
  if (bucket === null || bucket.burstPerSecond <= bucket.baselinePerSecond) return null;
  return published === null
    ? { bucket, percent: replayFromFull(bucket, load), source: 'modelled' }
    : { bucket, percent: published, source: 'published' };
}

export const isEmptyAt = (balance: Balance | null, period: number): boolean =>
  balance !== null && (balance.percent[period] as number) <= thresholds.emptyBalancePercent;
