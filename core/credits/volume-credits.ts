/**
 * Burst credits of gp2 (I/O operations), st1 and sc1 (MiB).
 * Credits are spent at (rate - baseline) and earned back at (baseline - rate) per second, within the bucket.
 * Source: EBS user guide, general-purpose and hdd-vols. Its gp2 prose says "3 credits per GiB per second", its table
 * refills at the baseline (100 a second up to 33 GiB): the table is followed.
 */
import { BadInput } from '../errors.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';

/** A bucket with its rates in its own unit: I/O and IOPS, or MiB and MiB/s. */
export interface CreditBucket {
  unit: 'io' | 'mib';
  capacity: number;
  baselinePerSecond: number;
  burstPerSecond: number;
  /** Credits earned for each unit of the baseline that is not used: 1 on volumes. */
  refillFactor: number;
}

/** The bucket of a volume, or null where it has none (on a large st1 or sc1 the two rates can be equal). */
export function creditBucket(limits: VolumeLimits): CreditBucket | null {
  if (limits.bucket === null) return null;
  const bucket = { ...limits.bucket, refillFactor: 1 };
  return bucket.unit === 'io'
    ? { ...bucket, baselinePerSecond: limits.baselineIops, burstPerSecond: limits.burstIops }
    : { ...bucket, baselinePerSecond: limits.baselineMiBps, burstPerSecond: limits.burstMiBps };
}

/** Credits earned (positive) or spent (negative) in a second at a rate; unknown (NaN) at an unknown rate. */
export function changePerSecond(bucket: CreditBucket, ratePerSecond: number): number {
  const unused = bucket.baselinePerSecond - Math.min(ratePerSecond, bucket.burstPerSecond);
  return unused > 0 ? unused * bucket.refillFactor : unused;
}

/** Seconds until the credits are gone at a rate per second; null when the rate does not drain them. */
export function secondsToEmpty(bucket: CreditBucket, credits: number, ratePerSecond: number): number | null {
  const change = changePerSecond(bucket, ratePerSecond);
  return change < 0 ? credits / -change : null;
}

/** Seconds until the bucket is full at a rate per second: 0 when full, null when it never fills. */
function secondsToFull(bucket: CreditBucket, credits: number, ratePerSecond: number): number | null {
  if (credits >= bucket.capacity) return 0;
  const change = changePerSecond(bucket, ratePerSecond);
  return change > 0 ? (bucket.capacity - credits) / change : null;
}

/** Credits after a time at a rate, never below nothing or above the bucket. */
export function creditsAfter(
  bucket: CreditBucket,
  credits: number,
  ratePerSecond: number,
  seconds: number,
): number {
  const change = changePerSecond(bucket, ratePerSecond) * seconds;
  return Math.min(bucket.capacity, Math.max(0, credits + change));
}

export interface BurstAnswer {
  creditBalance: number | null;
  burstDurationSeconds: number | null;
  secondsToEmpty: number | null;
  secondsToFull: number | null;
}

/**
 * How long a volume bursts from a balance, and how long the balance lasts and takes to refill at a rate.
 * @param balancePercent 0 to 100, as BurstBalance reports it.
 * @param ratePerSecond IOPS on gp2, MiB/s on HDD; null means idle.
 * @returns creditBalance in I/O or MiB, null where the type has no bucket at this size; the durations in seconds, null
 * where the volume does not burst or the event never comes.
 * @throws BadInput where the balance or the rate cannot be.
 */
export function burst(
  limits: VolumeLimits,
  balancePercent: number,
  ratePerSecond: number | null,
): BurstAnswer {
  if (!(balancePercent >= 0 && balancePercent <= 100)) {
    throw new BadInput(`balance ${balancePercent} % cannot be: give 0 to 100, as BurstBalance reports it`);
  }
  if (ratePerSecond !== null && !(ratePerSecond >= 0)) {
    throw new BadInput(`rate ${ratePerSecond} cannot be: give 0 or more a second`);
  }
  const bucket = creditBucket(limits);
  if (bucket === null) {
    return { creditBalance: null, burstDurationSeconds: null, secondsToEmpty: null, secondsToFull: null };
  }
  const creditBalance = (bucket.capacity * balancePercent) / 100;
  return {
    creditBalance,
    burstDurationSeconds: secondsToEmpty(bucket, creditBalance, bucket.burstPerSecond),
    secondsToEmpty: ratePerSecond === null ? null : secondsToEmpty(bucket, creditBalance, ratePerSecond),
    secondsToFull: secondsToFull(bucket, creditBalance, ratePerSecond ?? 0),
  };
}
