/** Does I/O wait longer than it needs to? The queue of a period against what its rate keeps in flight when calm. */
import { median } from 'simple-statistics';
import type { VolumeLoad } from '../load/volume-load.ts';
import { thresholds } from './thresholds.ts';

/** Calm periods: the binary logarithm of MiB per I/O, and seconds that an I/O spent in the volume. */
interface CalmPeriods {
  count: number;
  sizePower: Float64Array;
  secondsPerIo: Float64Array;
}

export class Waiting {
  private readonly load: VolumeLoad;
  private readonly isCalm: (period: number) => boolean;
  private readonly slowDevice: boolean;
  /** Made when it is asked for: of most volumes it never is. */
  private calm: CalmPeriods | null = null;
  private readonly secondsBySize = new Map<number, number>();

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
  at(period: number, times: number = thresholds.queueTimesUnthrottled): boolean | null {
    const { queueLength } = this.load;
    if (queueLength === null) return null;
    return (queueLength[period] as number) >= times * this.inFlightWhenCalm(period);
  }

  /** The same, and null too in a period whose queue has no figure. */
  whereKnown(period: number, times: number = thresholds.queueTimesUnthrottled): boolean | null {
    return Number.isNaN(this.load.queueLength?.[period] ?? Number.NaN) ? null : this.at(period, times);
  }

  /** More waiting than this rate needs, and at least one I/O more in flight all the time: not just a slow disk. */
  isLongAt(period: number): boolean {
    const queue = this.load.queueLength?.[period] ?? Number.NaN;
    if (!(queue >= 1)) return false;
    const calm = this.inFlightWhenCalm(period);
    return queue >= thresholds.queueTimesUnthrottled * calm && queue >= calm + 1;
  }

  /** What the rate of a period keeps in flight when nothing holds it back (Little). */
  inFlightWhenCalm(period: number): number {
    const rate = this.load.iops[period] as number;
    return rate * this.calmSecondsPerIo((this.load.mibps[period] as number) / rate);
  }

  /**
   * Seconds that an operation of this size spends in the volume when nothing holds it back: the median of queue length /
   * rate (Little) over calm periods with a like I/O size, or what is typical. Sizes are alike by power of two.
   */
  calmSecondsPerIo(mibPerIo: number): number {
    const power = Math.round(Math.log2(mibPerIo));
    const before = this.secondsBySize.get(power);
    if (before !== undefined) return before;
    const like = this.likeCalm(power);
    const seconds =
      like.length >= thresholds.calmPeriodsForQueue ? median(like) : this.typicalSecondsPerIo(power);
    this.secondsBySize.set(power, seconds);
    return seconds;
  }

  private calmPeriods(): CalmPeriods {
    if (this.calm !== null) return this.calm;
    const { queueLength, iops, mibps } = this.load;
    const periods = iops.length;
    const calm = {
      count: 0,
      sizePower: new Float64Array(periods),
      secondsPerIo: new Float64Array(periods),
    };
    for (let i = 0; queueLength !== null && i < periods; i++) {
      const rate = iops[i] as number;
      const queue = queueLength[i] as number;
      if (!(rate > 0) || Number.isNaN(queue) || !this.isCalm(i)) continue;
      calm.sizePower[calm.count] = Math.log2((mibps[i] as number) / rate);
      calm.secondsPerIo[calm.count++] = queue / rate;
    }
    this.calm = calm;
    return calm;
  }

  private likeCalm(power: number): number[] {
    const { count, sizePower, secondsPerIo } = this.calmPeriods();
    const most = Math.log2(thresholds.likeIoSizeFactor);
    const like: number[] = [];
    for (let i = 0; i < count; i++) {
      const isLike = !Number.isFinite(power) || Math.abs((sizePower[i] as number) - power) <= most;
      if (isLike) like.push(secondsPerIo[i] as number);
    }
    return like;
  }

  private typicalSecondsPerIo(power: number): number {
    const { ssd, hdd, perMiB } = thresholds.typicalSecondsPerIo;
    return (this.slowDevice ? hdd : ssd) + (Number.isFinite(power) ? perMiB * 2 ** power : 0);
  }
}
