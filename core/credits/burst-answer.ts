/** How long credits last and how long they take to come back at a steady rate, with what there is without and with them. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { BadInput } from '../errors.ts';
import { isHdd, type VolumeType, volumeLimits } from '../limits/volume-limits.ts';
import type { BurstAnswer } from '../schemas/answers.ts';
import { type BurstTimes, bucketTimes, burst, instanceBuckets } from './credits.ts';

/** How the two rates are called where they are asked for: options of a command line, arguments of a tool. */
export type RateNames = Readonly<Record<'iops' | 'throughputMiBps', string>>;

/**
 * Of the two rates the one that spends the credits of a type: IOPS of gp2, MiB/s of HDD; null: none is given.
 * @throws BadInput where the other is given.
 */
export function burstRate(
  type: VolumeType,
  rates: Partial<Record<keyof RateNames, number | undefined>>,
  names: RateNames,
): number | null {
  const [right, wrong]: [keyof RateNames, keyof RateNames] = isHdd(type)
    ? ['throughputMiBps', 'iops']
    : ['iops', 'throughputMiBps'];
  if (rates[wrong] === undefined) return rates[right] ?? null;
  throw new BadInput(
    `${names[wrong]} does not spend the credits of ${type}: give the rate as ${names[right]}`,
  );
}

/**
 * @param ratePerSecond IOPS on gp2, MiB/s on HDD; null: no rate is given, and it is taken as idle.
 * @throws IllegalConfiguration where EBS has no such volume, BadInput where the balance or the rate cannot be.
 */
export function burstAnswer(
  { volumeType, sizeGiB }: { volumeType: VolumeType; sizeGiB: number },
  { balancePercent, ratePerSecond }: { balancePercent: number; ratePerSecond: number | null },
): BurstAnswer {
  const limits = volumeLimits({ volumeType, sizeGiB, deployment: 'region' });
  const times = burst(limits, balancePercent, ratePerSecond);
  const { baselineIops, burstIops, baselineMiBps, burstMiBps } = limits;
  const most = isHdd(volumeType) ? burstMiBps : burstIops;
  const rateLimitedTo = ratePerSecond !== null && ratePerSecond > most ? most : null;
  return isHdd(volumeType)
    ? { baselineMiBps, burstMiBps, ...times, rateLimitedTo }
    : { baselineIops, burstIops, ...times, rateLimitedTo };
}

/** One of the two buckets of an instance. */
export interface InstanceBucketAnswer extends BurstTimes {
  baseline: number;
  maximum: number;
  /** As in `BurstAnswer`. */
  rateLimitedTo: number | null;
}

export interface InstanceBurstAnswer {
  /** In I/O and IOPS. */
  io: InstanceBucketAnswer;
  /** In MiB and MiB/s. */
  bytes: InstanceBucketAnswer;
}

interface InstanceLoad {
  /** Of both buckets. */
  balancePercent: { io: number; bytes: number };
  iops: number;
  mibps: number;
}

/**
 * The same of an instance. Where one of the rates is above its maximum, the other passes at the same share, as it is the
 * same I/O.
 * @throws BadInput where a balance or a rate cannot be.
 */
export function instanceBurstAnswer(
  figures: EbsFigures,
  { balancePercent, iops, mibps }: InstanceLoad,
): InstanceBurstAnswer {
  const { io, bytes } = instanceBuckets(figures);
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = figures;
  const share = Math.min(1, maximumIops / iops, maximumMiBps / mibps);
  const limitedTo = (rate: number, most: number): number | null => (rate > most ? most : null);
  return {
    io: {
      ...{ baseline: baselineIops, maximum: maximumIops },
      ...bucketTimes(io, balancePercent.io, iops * share),
      rateLimitedTo: limitedTo(iops, maximumIops),
    },
    bytes: {
      ...{ baseline: baselineMiBps, maximum: maximumMiBps },
      ...bucketTimes(bytes, balancePercent.bytes, mibps * share),
      rateLimitedTo: limitedTo(mibps, maximumMiBps),
    },
  };
}
