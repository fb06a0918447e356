/** What a volume costs a month. Prices are tables by Region, dated, with their source; no table means unknown. */
import { type Known, known, unknown } from '../known.ts';
import { gp3Figures } from './volume-limits.ts';
import type { VolumeConfiguration } from './volume-types.ts';

/** USD a month: per GiB, per provisioned IOPS (io2 in tiers of one volume), per provisioned MiB/s. */
export interface EbsPriceTable {
  region: string;
  /** The day the figures were published or, where the source has no date, read. */
  asOf: string;
  source: string;
  storagePerGiB: Record<VolumeConfiguration['volumeType'], number>;
  gp3PerIops: number;
  gp3PerMiBps: number;
  io1PerIops: number;
  /** Tiers of one io2 volume's IOPS, each up to and with `upTo`. */
  io2PerIops: readonly { upTo: number; usd: number }[];
  standardPerMillionIo: number;
}

export interface MonthlyUsd {
  storage: number;
  iops: number;
  throughput: number;
  total: number;
}

const usEast1: EbsPriceTable = {
  region: 'us-east-1',
  asOf: '2026-09-30',
  source:
    'AWS price list rows published 2026-09-30 (gp3, io2, I/O on standard) and the EBS pricing page (gp2, io1, st1, sc1; storage on standard not re-verified)',
  storagePerGiB: { gp3: 0.08, gp2: 0.1, io2: 0.125, io1: 0.125, st1: 0.045, sc1: 0.015, standard: 0.05 },
  gp3PerIops: 0.005,
  gp3PerMiBps: 0.04,
  io1PerIops: 0.065,
  io2PerIops: [
    { upTo: 32_000, usd: 0.065 },
    { upTo: 64_000, usd: 0.0455 },
    { upTo: Number.POSITIVE_INFINITY, usd: 0.03185 },
  ],
  standardPerMillionIo: 0.05,
};

const tables = new Map([[usEast1.region, usEast1]]);

/** The price table of a Region, or why there is none. */
export function ebsPrices(region: string): Known<EbsPriceTable> {
  const table = tables.get(region);
  return table === undefined
    ? unknown(`no EBS price table for ${region} yet (built in: ${[...tables.keys()].join(', ')})`)
    : known(table);
}

/** USD with cents, the precision of a bill. */
export const roundUsd = (usd: number): number => Math.round((usd + Number.EPSILON) * 100) / 100;

function tieredIops(iops: number, tiers: EbsPriceTable['io2PerIops']): number {
  let charged = 0;
  let usd = 0;
  for (const tier of tiers) {
    const inTier = Math.max(0, Math.min(iops, tier.upTo) - charged);
    usd += inTier * tier.usd;
    charged += inTier;
  }
  return usd;
}

function iopsUsd({ volumeType, iops }: VolumeConfiguration, prices: EbsPriceTable): number {
  if (volumeType === 'gp3')
    return Math.max(0, (iops ?? gp3Figures.freeIops) - gp3Figures.freeIops) * prices.gp3PerIops;
  if (volumeType === 'io1') return (iops ?? 0) * prices.io1PerIops;
  if (volumeType === 'io2') return tieredIops(iops ?? 0, prices.io2PerIops);
  return 0;
}

/**
 * The price of one volume in USD a month, by part. The configuration is taken as legal (`volumeLimits` checks it).
 * standard also pays per I/O (`standardPerMillionIo`), which a configuration does not tell: storage only.
 */
export function monthlyUsd(config: VolumeConfiguration, prices: EbsPriceTable): MonthlyUsd {
  const storage = config.sizeGiB * prices.storagePerGiB[config.volumeType];
  const iops = iopsUsd(config, prices);
  const paidMiBps =
    config.volumeType === 'gp3'
      ? Math.max(0, (config.throughputMiBps ?? gp3Figures.freeMiBps) - gp3Figures.freeMiBps)
      : 0;
  const throughput = paidMiBps * prices.gp3PerMiBps;
  return {
    storage: roundUsd(storage),
    iops: roundUsd(iops),
    throughput: roundUsd(throughput),
    total: roundUsd(storage + iops + throughput),
  };
}
