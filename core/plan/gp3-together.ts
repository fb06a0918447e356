/**
 * The cheapest figures of several gp3 volumes that together give at least so many IOPS and MiB/s. Their prices are
 * alike, so only the two sums count: as few MiB/s as needed, laid out so that they ask for as few IOPS as they can
 * (a volume has 3,000 IOPS for nothing, which carry 750 MiB/s), and as many IOPS as are then still missing.
 */
import { gp3Figures, ssdMiBPerIo } from '../limits/volume-limits.ts';
import type { EbsPrices } from '../prices/price-book.ts';

export interface Figures {
  iops: number;
  mibps: number;
}

/** Sums of quarters and of limits with three decimals: what differs by less is equal. */
export const tiny = 1e-6;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The highest whole level at which what `at` gives does not exceed the total. */
function levelFor(total: number, from: number, to: number, at: (level: number) => number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (at(middle) <= total) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Shares a total: the highest come down to one level, so that volumes that are alike stay alike (but for 1). */
function levelled(total: number, least: readonly number[], most: readonly number[]): number[] {
  const at = (level: number): number[] =>
    most.map((top, i) => Math.min(top, Math.max(least[i] as number, level)));
  const figures = at(levelFor(total, 0, Math.max(0, ...most), (level) => sum(at(level))));
  let left = total - sum(figures);
  return figures.map((value, i) => {
    const more = left > 0 && value < (most[i] as number) ? 1 : 0;
    left -= more;
    return value + more;
  });
}

export class Gp3Together {
  readonly most: Figures;
  readonly least: Figures;
  /** MiB/s that ask for no IOPS beyond the free ones. */
  readonly mibpsWithoutIops: number;
  private readonly volumes: readonly Figures[];
  private readonly prices: EbsPrices;

  /** @param volumes as they are today: none may have more. */
  constructor(volumes: readonly Figures[], prices: EbsPrices) {
    const { freeIops, freeMiBps } = gp3Figures;
    this.volumes = volumes;
    this.prices = prices;
    this.most = { iops: sum(volumes.map(({ iops }) => iops)), mibps: sum(volumes.map(({ mibps }) => mibps)) };
    this.least = { iops: freeIops * volumes.length, mibps: freeMiBps * volumes.length };
    this.mibpsWithoutIops = sum(volumes.map(({ mibps }) => Math.min(mibps, freeIops * ssdMiBPerIo)));
  }

  /** IOPS that so many MiB/s ask for. */
  iopsFor(mibps: number): number {
    return this.least.iops + Math.max(0, mibps - this.mibpsWithoutIops) / ssdMiBPerIo;
  }

  /** The smallest sums that are enough; null where all that they have is not. */
  cheapest(need: Figures): Figures | null {
    const mibps = Math.max(this.least.mibps, Math.ceil(need.mibps - tiny));
    const iops = Math.max(this.iopsFor(mibps), Math.ceil(need.iops - tiny));
    return mibps > this.most.mibps || iops > this.most.iops ? null : { iops, mibps };
  }

  /** USD a month beyond the free figures; infinite where it cannot be. */
  usd(need: Figures): number {
    const sums = this.cheapest(need);
    if (sums === null) return Number.POSITIVE_INFINITY;
    return (
      (sums.iops - this.least.iops) * this.prices.gp3PerIops +
      (sums.mibps - this.least.mibps) * this.prices.gp3PerMiBps
    );
  }

  /** Each volume's figures, in the order given. */
  figures(need: Figures): Figures[] {
    const sums = this.cheapest(need) ?? this.most;
    const { freeIops, freeMiBps } = gp3Figures;
    const mibps = levelled(
      sums.mibps,
      this.volumes.map(() => freeMiBps),
      this.volumes.map((volume) => volume.mibps),
    );
    const iops = levelled(
      sums.iops,
      mibps.map((value) => Math.max(freeIops, value / ssdMiBPerIo)),
      this.volumes.map((volume) => volume.iops),
    );
    return iops.map((value, i) => ({ iops: value, mibps: mibps[i] as number }));
  }
}
