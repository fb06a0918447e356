/** What a volume costs a month. */
import { gp3Figures } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { EbsPrices } from './price-book.ts';

export interface MonthlyUsd {
  storage: number;
  iops: number;
  throughput: number;
  total: number;
}

/** USD with cents, the precision of a bill. */
export const roundUsd = (usd: number): number => Math.round((usd + Number.EPSILON) * 100) / 100;

function tieredIops(iops: number, tiers: EbsPrices['io2PerIops']): number {
  let charged = 0;
  let usd = 0;
  for (const tier of tiers) {
    const inTier = Math.max(0, Math.min(iops, tier.upTo ?? Number.POSITIVE_INFINITY) - charged);
    usd += inTier * tier.usd;
    charged += inTier;
  }
  return usd;
}

function iopsUsd({ volumeType, iops }: VolumeConfiguration, prices: EbsPrices): number {
  if (volumeType === 'gp3')
    return Math.max(0, (iops ?? gp3Figures.freeIops) - gp3Figures.freeIops) * prices.gp3PerIops;
  if (volumeType === 'io1') return (iops ?? 0) * prices.io1PerIops;
  if (volumeType === 'io2') return tieredIops(iops ?? 0, prices.io2PerIops);
  return 0;
}

/**
 * The price of one volume in USD a month, by part, not rounded. The configuration is taken as legal (`volumeLimits`
 * checks it). standard also pays per I/O (`standardPerMillionIo`), which a configuration does not tell: storage only.
 */
export function exactMonthlyUsd(config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd {
  const storage = config.sizeGiB * prices.storagePerGiB[config.volumeType];
  const iops = iopsUsd(config, prices);
  const paidMiBps =
    config.volumeType === 'gp3'
      ? Math.max(0, (config.throughputMiBps ?? gp3Figures.freeMiBps) - gp3Figures.freeMiBps)
      : 0;
  const throughput = paidMiBps * prices.gp3PerMiBps;
  return { storage, iops, throughput, total: storage + iops + throughput };
}

/** The same with cents. */
export function monthlyUsd(config: VolumeConfiguration, prices: EbsPrices): MonthlyUsd {
  const { storage, iops, throughput, total } = exactMonthlyUsd(config, prices);
  return {
    storage: roundUsd(storage),
    iops: roundUsd(iops),
    throughput: roundUsd(throughput),
    total: roundUsd(total),
  };
}
