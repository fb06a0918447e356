/** Volumes with paid figures, what they have together and what their figures cost. */
import { type VolumeConfiguration, volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { PaidConfiguration } from '../../../core/plan/cheapest-member.ts';
import { builtInPrices, type EbsPrices, exactMonthlyUsd } from '../../../core/prices/prices.ts';

export const prices = builtInPrices('us-east-1').ebs as EbsPrices;

export const gp3 = (iops: number, throughputMiBps: number): PaidConfiguration => ({
  volumeType: 'gp3',
  sizeGiB: 500,
  iops,
  throughputMiBps,
  deployment: 'region',
});
export const io = (volumeType: 'io1' | 'io2', iops: number): PaidConfiguration => ({
  volumeType,
  sizeGiB: 2_000,
  iops,
  deployment: 'region',
});

export const paidUsd = (config: VolumeConfiguration, with_ = prices): number =>
  exactMonthlyUsd(config, with_).iops + exactMonthlyUsd(config, with_).throughput;
export const totalUsd = (volumes: readonly VolumeConfiguration[], with_ = prices): number =>
  volumes.reduce((total, config) => total + paidUsd(config, with_), 0);
export const sums = (volumes: readonly VolumeConfiguration[]) =>
  volumes.reduce(
    (total, config) => {
      const { baselineIops, baselineMiBps } = volumeLimits(config);
      return { iops: total.iops + baselineIops, mibps: total.mibps + baselineMiBps };
    },
    { iops: 0, mibps: 0 },
  );
