/** Load that came all at once: so much more than beside it, or than usual, that it may have waited for a limit. */
import { median } from 'simple-statistics';
import type { VolumeLoad } from '../load/volume-load.ts';
import { fixedThresholds } from './thresholds.ts';
import type { VolumeShares } from './volume-shares.ts';

/** A burst over several periods is compared with what is beside all of them, if it is no longer than this to either side. */
const mostBurstPeriods = 5;

/** So much more than in both of two periods. */
const isPeak = (rates: Float64Array, i: number, before: number, after: number): boolean => {
  const least = (rates[i] as number) / fixedThresholds.burstTimesBeside;
  return least >= (rates[before] as number) && least >= (rates[after] as number);
};

export class SuddenLoad {
  private readonly load: VolumeLoad;
  private readonly shares: VolumeShares;
  /** Made when it is asked for. */
  private usual: number | null = null;

  constructor(load: VolumeLoad, shares: VolumeShares) {
    this.load = load;
    this.shares = shares;
  }

  /**
   * A sudden load with a queue that its rate does not explain: it waited. A volume that is slow for another reason does
   * less than before, not more.
   */
  isBurst(i: number): boolean {
    const { shares } = this;
    if (shares.hdd || shares.isApproximate || !shares.waiting.isLongAt(i)) return false;
    return this.isSudden(i);
  }

  /** As much more than usual as a burst is: what is slow for another reason does less than before, not more. */
  isMoreThanUsual(i: number): boolean {
    const { shares } = this;
    if (shares.hdd || shares.isApproximate) return false;
    return !(shares.nearestLimit(i) < fixedThresholds.burstTimesBeside * this.usualShare());
  }

  /** The next period on one side in which I/O does not wait long: a burst can go on for several. */
  private beside(i: number, step: 1 | -1): number {
    let at = i + step;
    for (let n = 1; n < mostBurstPeriods && this.shares.waiting.isLongAt(at); n++) at += step;
    return at;
  }

  /** More than beside it, and what is more fills a second at the limit at least. */
  private isSudden(i: number): boolean {
    const { shares, load } = this;
    const [before, after] = [this.beside(i, -1), this.beside(i, 1)];
    if (!isPeak(load.iops, i, before, after) && !isPeak(load.mibps, i, before, after)) return false;
    const here = shares.nearestLimit(i);
    const beside = Math.max(shares.nearestLimit(before), shares.nearestLimit(after));
    const secondsAtLimit = (load.periodSeconds * (here - beside)) / (1 - beside);
    return here >= fixedThresholds.burstTimesBeside * beside && secondsAtLimit >= 1;
  }

  /** Share of the nearer limit in half of the periods with load whose I/O does not wait long; NaN where there is none. */
  private usualShare(): number {
    if (this.usual === null) {
      const { ops } = this.load;
      const calm: number[] = [];
      for (let i = 0; i < ops.length; i++)
        if ((ops[i] as number) > 0 && !this.shares.waiting.isLongAt(i))
          calm.push(this.shares.nearestLimit(i));
      this.usual = calm.length === 0 ? Number.NaN : median(calm);
    }
    return this.usual;
  }
}
