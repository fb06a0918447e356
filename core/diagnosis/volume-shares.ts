/** How near a volume was to its limits in each period, and whether its I/O waited. */
import { median } from 'simple-statistics';
import { isHdd, type VolumeLimits } from '../limits/volume-limits.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { msPerSecond } from '../units.ts';
import { type Balance, isEmptyAt } from './balance.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';

// Does I/O wait longer than it needs to? The queue of a period against what its rate keeps in flight when calm.

/** The seconds of an operation, and whether calm periods told them; else they are what is typical. */
interface CalmSeconds {
  seconds: number;
  isLearned: boolean;
}

const mostCalmPeriods = 1_000;

/** Calm periods: MiB per I/O, and seconds that an I/O spent in the volume. */
interface CalmPeriods {
  count: number;
  mibPerIo: Float64Array;
  secondsPerIo: Float64Array;
}

export class Waiting {
  private readonly load: VolumeLoad;
  private readonly isCalm: (period: number) => boolean;
  private readonly slowDevice: boolean;
  /** Made when it is asked for: of most volumes it never is. */
  private calm: CalmPeriods | null = null;
  private last: { fromMiB: number; toMiB: number; found: CalmSeconds } | null = null;
  private readonly secondsBySize = new Map<number, CalmSeconds>();

  /**
   * @param isCalm is the period well below every limit of the volume?
   * @param slowDevice HDD and magnetic volumes take longer for an operation.
   */
  constructor(load: VolumeLoad, isCalm: (period: number) => boolean, slowDevice: boolean) {
    this.load = load;
    this.isCalm = isCalm;
    this.slowDevice = slowDevice;
  }

  /** Is more waiting than this rate needs? Null where there is no queue metric; a period without a figure proves nothing. */
  at(period: number, times: number = fixedThresholds.queueTimesUnthrottled): boolean | null {
    return this.isMeasured ? this.queueOf(period) >= times * this.inFlightWhenCalm(period) : null;
  }

  /** Is there a metric that tells how much waits: the queue, or the time that operations took? */
  get isMeasured(): boolean {
    return this.load.queueLength !== null || this.load.latencyMs !== null;
  }

  /** The same as `at`, and null too in a period whose queue has no figure. */
  whereKnown(period: number, times: number = fixedThresholds.queueTimesUnthrottled): boolean | null {
    return Number.isNaN(this.queueOf(period)) ? null : this.at(period, times);
  }

  /** The same, and null too where no calm period tells what the rate needs: what is typical proves waiting, never its absence. */
  whereLearned(period: number, times: number): boolean | null {
    const waits = this.whereKnown(period, times);
    return waits === false && !this.calmSecondsOf(this.mibPerIo(period)).isLearned ? null : waits;
  }

  /** More waiting than this rate needs, and at least one I/O more in flight all the time: not just a slow disk. */
  isLongAt(period: number): boolean {
    const queue = this.queueOf(period);
    if (!(queue >= 1)) return false;
    const calm = this.inFlightWhenCalm(period);
    return queue >= fixedThresholds.queueTimesUnthrottled * calm && queue >= calm + 1;
  }

  /** What the rate of a period keeps in flight when nothing throttles it (Little). */
  inFlightWhenCalm(period: number): number {
    return (this.load.iops[period] as number) * this.calmSecondsPerIo(this.mibPerIo(period));
  }

  private mibPerIo(period: number): number {
    return (this.load.mibps[period] as number) / (this.load.iops[period] as number);
  }

  /** What is in flight or waiting: the queue, else rate x latency (Little); NaN where neither is known. */
  private queueOf(period: number): number {
    const { queueLength, latencyMs, iops } = this.load;
    const queue = queueLength === null ? Number.NaN : (queueLength[period] as number);
    if (!Number.isNaN(queue) || latencyMs === null) return queue;
    return ((iops[period] as number) * (latencyMs[period] as number)) / msPerSecond;
  }

  /**
   * Seconds that an operation of this size spends in the volume when nothing throttles it: the median of queue length /
   * rate (Little) over calm periods with a like I/O size, or what is typical. Sizes are alike by power of two.
   */
  calmSecondsPerIo(mibPerIo: number): number {
    return this.calmSecondsOf(mibPerIo).seconds;
  }

  private calmSecondsOf(mibPerIo: number): CalmSeconds {
    // Sizes seldom change from one period to the next: no logarithm is needed to see that.
    const { last } = this;
    if (last !== null && mibPerIo > last.fromMiB && mibPerIo < last.toMiB) return last.found;
    const power = Math.round(Math.log2(mibPerIo));
    const found = this.calmSecondsOfPower(power);
    this.last = { fromMiB: 2 ** (power - 0.5), toMiB: 2 ** (power + 0.5), found };
    return found;
  }

  private calmSecondsOfPower(power: number): CalmSeconds {
    const before = this.secondsBySize.get(power);
    if (before !== undefined) return before;
    const like = this.likeCalm(power);
    const isLearned = like.length >= fixedThresholds.calmPeriodsForQueue;
    const found = { seconds: isLearned ? median(like) : this.typicalSecondsPerIo(power), isLearned };
    this.secondsBySize.set(power, found);
    return found;
  }

  /** Of a long load evenly spread ones are enough: the median of a thousand is that of all. */
  private calmPeriods(): CalmPeriods {
    if (this.calm !== null) return this.calm;
    const { iops, mibps } = this.load;
    const step = Math.max(1, Math.floor(iops.length / mostCalmPeriods));
    const most = Math.ceil(iops.length / step);
    const calm = { count: 0, mibPerIo: new Float64Array(most), secondsPerIo: new Float64Array(most) };
    for (let i = 0; this.isMeasured && i < iops.length; i += step) {
      const rate = iops[i] as number;
      const queue = this.queueOf(i);
      if (!(rate > 0) || Number.isNaN(queue) || !this.isCalm(i)) continue;
      calm.mibPerIo[calm.count] = (mibps[i] as number) / rate;
      calm.secondsPerIo[calm.count++] = queue / rate;
    }
    this.calm = calm;
    return calm;
  }

  private likeCalm(power: number): number[] {
    const { count, mibPerIo, secondsPerIo } = this.calmPeriods();
    const { likeIoSizeFactor } = fixedThresholds;
    const [least, most] = [2 ** power / likeIoSizeFactor, 2 ** power * likeIoSizeFactor];
    const like: number[] = [];
    for (let i = 0; i < count; i++) {
      const size = mibPerIo[i] as number;
      if (!Number.isFinite(power) || (size >= least && size <= most)) like.push(secondsPerIo[i] as number);
    }
    return like;
  }

  private typicalSecondsPerIo(power: number): number {
    const { ssd, hdd, perMiB } = fixedThresholds.typicalSecondsPerIo;
    return (this.slowDevice ? hdd : ssd) + (Number.isFinite(power) ? perMiB * 2 ** power : 0);
  }
}

// Load that came all at once: so much more than beside it, or than usual, that it may have waited for a limit.

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
