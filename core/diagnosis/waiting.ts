/** Does I/O wait longer than it needs to? The queue of a period against what its rate keeps in flight when calm. */
import { median } from 'simple-statistics';
import { summaryOf } from '../load/load-summary.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { msPerSecond } from '../units.ts';
import { fixedThresholds } from './thresholds.ts';

/** The seconds of an operation, and whether calm periods showed them; else they are what is typical. */
interface CalmSeconds {
  seconds: number;
  isLearned: boolean;
}

const mostCalmPeriods = 500;
/** Below so much of a bound it is below it, however it was computed. */
const noRounding = 1 - 1e-9;

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
  private long: Uint8Array | null = null;
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

  /** Is there a metric of how much waits: the queue, or the time that operations took? */
  get isMeasured(): boolean {
    return this.load.queueLength !== null || this.load.latencyMs !== null;
  }

  /** The same as `at`, and null too in a period whose queue has no figure. */
  whereKnown(period: number, times: number = fixedThresholds.queueTimesUnthrottled): boolean | null {
    return Number.isNaN(this.queueOf(period)) ? null : this.at(period, times);
  }

  /** Is the queue of its rate when calm known from periods of its own? Else it is what is typical. */
  isCalmLearned(period: number): boolean {
    return this.calmSecondsOf(this.mibPerIo(period)).isLearned;
  }

  /** More waiting than this rate needs, and at least one I/O more in flight all the time: not just a slow disk. */
  isLongAt(period: number): boolean {
    return this.isLong[period] === 1;
  }

  /**
   * Does nothing wait in any period, as far as it is plain? No I/O took so many times as long as the fastest or the typical
   * one: then whatever calm periods show, none is above it.
   */
  isNeverSeen(times: number = fixedThresholds.queueTimesUnthrottled): boolean {
    const { secondsPerIo } = summaryOf(this.load);
    if (secondsPerIo === null) return false;
    const { ssd, hdd } = fixedThresholds.typicalSecondsPerIo;
    const least = Math.min(secondsPerIo.least, this.slowDevice ? hdd : ssd);
    return secondsPerIo.most < noRounding * times * least;
  }

  /** The same, one entry a period. */
  get isLong(): Uint8Array {
    this.long ??= this.longPeriods();
    return this.long;
  }

  /** In one walk: a fleet has tens of millions of periods. */
  private longPeriods(): Uint8Array {
    const { iops, mibps, queueLength } = this.load;
    const long = new Uint8Array(iops.length);
    if (!this.isMeasured) return long;
    const times = fixedThresholds.queueTimesUnthrottled;
    // Sizes seldom change from one period to the next: no logarithm is needed to see that.
    let fromMiB = Number.NaN;
    let toMiB = Number.NaN;
    let seconds = Number.NaN;
    for (let i = 0; i < long.length; i++) {
      const measured = queueLength === null ? Number.NaN : (queueLength[i] as number);
      const queue = Number.isNaN(measured) ? this.queueOf(i) : measured;
      if (!(queue >= 1)) continue;
      const rate = iops[i] as number;
      const mib = mibps[i] as number;
      if (!(mib > fromMiB * rate && mib < toMiB * rate)) {
        const power = Math.round(Math.log2(mib / rate));
        fromMiB = 2 ** (power - 0.5);
        toMiB = 2 ** (power + 0.5);
        seconds = this.calmSecondsOfPower(power).seconds;
      }
      const calm = rate * seconds;
      if (queue >= times * calm && queue >= calm + 1) long[i] = 1;
    }
    return long;
  }

  /** What the rate of a period keeps in flight when nothing throttles it (Little). */
  inFlightWhenCalm(period: number): number {
    return (this.load.iops[period] as number) * this.calmSecondsPerIo(this.mibPerIo(period));
  }

  private mibPerIo(period: number): number {
    return (this.load.mibps[period] as number) / (this.load.iops[period] as number);
  }

  /** What is in flight or waiting: the queue, else rate x latency (Little); NaN where neither is known. */
  queueOf(period: number): number {
    const { queueLength, iops } = this.load;
    const queue = queueLength === null ? Number.NaN : (queueLength[period] as number);
    if (!Number.isNaN(queue)) return queue;
    const { latencyMs } = this.load;
    return latencyMs === null
      ? queue
      : ((iops[period] as number) * (latencyMs[period] as number)) / msPerSecond;
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
    const isAnySize = !Number.isFinite(power);
    const like: number[] = [];
    for (let i = 0; i < count; i++) {
      const size = mibPerIo[i] as number;
      if (isAnySize || (size >= least && size <= most)) like.push(secondsPerIo[i] as number);
    }
    return like;
  }

  private typicalSecondsPerIo(power: number): number {
    const { ssd, hdd, perMiB } = fixedThresholds.typicalSecondsPerIo;
    return (this.slowDevice ? hdd : ssd) + (Number.isFinite(power) ? perMiB * 2 ** power : 0);
  }
}
