/** How near a volume was to its limits in each period, and whether its I/O waited. */
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { type Balance, isEmptyAt } from './balance.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { Waiting } from './waiting.ts';

export interface Shares {
  iops: number;
  mibps: number;
}

export class VolumeShares {
  readonly hdd: boolean;
  readonly waiting: Waiting;
  private readonly limits: VolumeLimits;
  private readonly load: VolumeLoad;
  private readonly balance: Balance | null;
  private readonly thresholds: Thresholds;

  /** @param isThrottledByOther something else throttles this period: what waits then says nothing of calm ones. */
  constructor(
    limits: VolumeLimits,
    load: VolumeLoad,
    balance: Balance | null,
    isThrottledByOther: (period: number) => boolean,
    thresholds: Thresholds,
  ) {
    this.limits = limits;
    this.load = load;
    this.balance = balance;
    this.thresholds = thresholds;
    this.hdd = isHdd(limits.volumeType);
    this.waiting = new Waiting(
      load,
      (i) => this.isCalm(i) && !isThrottledByOther(i),
      this.hdd || this.isApproximate,
    );
  }

  get isApproximate(): boolean {
    return this.limits.approximate !== undefined;
  }

  /**
   * The limits of the empty bucket, or what AWS says of `standard` on average; else those of the burst. Who does the burst's
   * rate on average has credits left, however few.
   */
  isAtBaseline(i: number): boolean {
    if (this.isApproximate) return true;
    return isEmptyAt(this.balance, i) && this.ofBurst(i) < fixedThresholds.saturatedShare;
  }

  private limitIops(i: number): number {
    return this.isAtBaseline(i) ? this.limits.baselineIops : this.limits.burstIops;
  }

  private limitMiBps(i: number): number {
    return this.isAtBaseline(i) ? this.limits.baselineMiBps : this.limits.burstMiBps;
  }

  /** Average shares of the limits in force; NaN where unknown. On HDD an operation counts as one, merged or not. */
  average(i: number): Shares {
    const iops = this.load.iops[i] as number;
    const mibps = this.load.mibps[i] as number;
    const counted = this.hdd ? iops : countedSsdIops(iops, mibps);
    return { iops: counted / this.limitIops(i), mibps: mibps / this.limitMiBps(i) };
  }

  /** The larger share of the limits in force, without a pair: NaN where the operations are not known. */
  nearestLimit(i: number): number {
    const iops = this.load.iops[i] as number;
    const mibps = this.load.mibps[i] as number;
    const byNumber = (this.hdd ? iops : countedSsdIops(iops, mibps)) / this.limitIops(i);
    const byBytes = mibps / this.limitMiBps(i);
    return Number.isNaN(byBytes) ? byNumber : Math.max(byNumber, byBytes);
  }

  /**
   * The larger of the average's shares of what the volume can do at its best, credits and all. On HDD by bytes, and by number
   * where that is the burst's rate itself and no more: had they merged, more of them would pass.
   */
  ofBurst(i: number): number {
    const { burstIops, burstMiBps } = this.limits;
    const mibps = this.load.mibps[i] as number;
    const byBytes = Number.isNaN(mibps) ? 0 : mibps / burstMiBps;
    const iops = this.load.iops[i] as number;
    if (!this.hdd) return Math.max(byBytes, countedSsdIops(iops, mibps) / burstIops);
    const byNumber = iops / burstIops;
    const isOfNumber = byNumber >= fixedThresholds.saturatedShare && !this.mergesForSure(byNumber);
    return isOfNumber ? Math.max(byBytes, byNumber) : byBytes;
  }

  /** Well below the limit: by both figures on SSD; on HDD by bytes, and not where the number of I/O is the limit. */
  private isCalm(i: number): boolean {
    const { iops, mibps } = this.average(i);
    const below = this.thresholds.microBurstAverageShare;
    return this.hdd
      ? mibps < below && !(iops >= below && !this.mergesForSure(iops))
      : Math.max(iops, mibps) < below;
  }

  /** More I/O than the limit on HDD: they must have merged. */
  mergesForSure(iopsShare: number): boolean {
    return iopsShare > fixedThresholds.mergedShare;
  }

  /** Shares that can prove something: on HDD operations count only where a queue shows that they wait. */
  private proving(i: number, iops: number, mibps: number): Shares {
    const limitIops = this.limitIops(i);
    const byBytes = Number.isNaN(mibps) ? 0 : mibps / this.limitMiBps(i);
    if (!this.hdd) return { iops: countedSsdIops(iops, mibps) / limitIops, mibps: byBytes };
    const byNumber = this.waiting.at(i) === true && !this.mergesForSure(iops / limitIops);
    return { iops: byNumber ? iops / limitIops : 0, mibps: byBytes };
  }

  ofAverage(i: number): Shares {
    return this.proving(i, this.load.iops[i] as number, this.load.mibps[i] as number);
  }

  /** Over the seconds in which the volume was not idle; nothing where the idle time is not known. */
  ofActiveSeconds(i: number): Shares {
    const { activeTimeIops, busyMiBps } = this.load;
    return this.proving(i, activeTimeIops?.[i] ?? Number.NaN, busyMiBps?.[i] ?? Number.NaN);
  }

  /** The average is the limit itself. Not where the limit is approximate, or on HDD by number. */
  isSaturated(i: number): boolean {
    if (this.isApproximate) return false;
    const { iops, mibps } = this.average(i);
    return Math.max(this.hdd ? 0 : iops, mibps) >= fixedThresholds.saturatedShare;
  }
}
