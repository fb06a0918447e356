/** One io1 or io2 volume whose IOPS can be lowered: what it costs, and the throughput that follows. */
import { provisionedFigures, volumeLimits } from '../limits/volume-limits.ts';
import type { VolumeConfiguration } from '../limits/volume-types.ts';
import type { EbsPrices } from '../prices/price-book.ts';
import { exactMonthlyUsd } from '../prices/volume-price.ts';
import { tiny } from './gp3-together.ts';

/** Where throughput takes another course with the IOPS (EBS user guide, provisioned-iops). */
const throughputBends = { io1: [2_000, 32_000], io2: [16_000] } as const;

/** The smallest whole number from..to for which it holds; `to` where it holds for none. */
export function smallest(from: number, to: number, holds: (value: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class ProvisionedLeg {
  readonly least: number;
  readonly most: number;
  /** Between two of these both price and throughput are straight lines; the least and the most are among them. */
  readonly bends: readonly number[];
  /** Volumes of the same key are alike. */
  readonly key: string;
  private readonly config: VolumeConfiguration;
  private readonly prices: EbsPrices;
  /** A search asks for the same again and again. */
  private readonly mibpsByIops = new Map<number, number>();

  constructor(config: VolumeConfiguration & { volumeType: 'io1' | 'io2' }, prices: EbsPrices) {
    const { volumeType } = config;
    const { minIops } = provisionedFigures[volumeType];
    const iops = config.iops ?? minIops;
    this.config = config;
    this.prices = prices;
    this.least = minIops;
    this.most = iops;
    this.key = `${volumeType} ${iops}`;
    const tiers = volumeType === 'io2' ? prices.io2PerIops.flatMap(({ upTo }) => upTo ?? []) : [];
    const inside = [...throughputBends[volumeType], ...tiers].filter((bend) => bend > minIops && bend < iops);
    this.bends = [...new Set([minIops, ...inside, iops])].sort((a, b) => a - b);
  }

  usd(iops: number): number {
    return exactMonthlyUsd({ ...this.config, iops }, this.prices).iops;
  }

  mibps(iops: number): number {
    const before = this.mibpsByIops.get(iops);
    if (before !== undefined) return before;
    const mibps = volumeLimits({ ...this.config, iops }).baselineMiBps;
    this.mibpsByIops.set(iops, mibps);
    return mibps;
  }

  within(iops: number): number {
    return Math.min(this.most, Math.max(this.least, Math.ceil(iops - tiny)));
  }

  /** The fewest IOPS whose throughput is enough; the most where none is. */
  iopsFor(mibps: number): number {
    return smallest(this.least, this.most, (iops) => this.mibps(iops) >= mibps - tiny);
  }
}
