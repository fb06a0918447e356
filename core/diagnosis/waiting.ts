/** Does I/O wait longer than it needs to? The queue of a period against what its rate keeps in flight when calm. */
import { median } from 'simple-statistics';
import type { VolumeLoad } from '../load/volume-load.ts';
import { thresholds } from './thresholds.ts';

interface CalmPeriod {
  mibPerIo: number;
  secondsPerIo: number;
}

export class Waiting {
  private readonly load: VolumeLoad;
  private readonly slowDevice: boolean;
  private readonly calm: CalmPeriod[];
  private readonly secondsBySize = new Map<number, number>();

  /**
   * @param isCalm is the period well below every limit of the volume?
   * @param slowDevice HDD and magnetic volumes take longer for an operation.
   */
  constructor(load: VolumeLoad, isCalm: (period: number) => boolean, slowDevice: boolean) {
    this.load = load;
    this.slowDevice = slowDevice;
    this.calm = [];
    load.queueLength?.forEach((queue, i) => {
      const iops = load.iops[i] as number;
      if (!(iops > 0) || Number.isNaN(queue) || !isCalm(i)) return;
      this.calm.push({ mibPerIo: (load.mibps[i] as number) / iops, secondsPerIo: queue / iops });
    });
  }

  /** Is more waiting than this rate needs? Null where there is no queue metric; a period without a figure proves nothing. */
  at(period: number): boolean | null {
    const { queueLength, iops, mibps } = this.load;
    if (queueLength === null) return null;
    const rate = iops[period] as number;
    const inFlightWhenCalm = rate * this.calmSecondsPerIo((mibps[period] as number) / rate);
    return (queueLength[period] as number) >= thresholds.queueTimesUnthrottled * inFlightWhenCalm;
  }

  /**
   * Seconds that an operation of this size spends in the volume when nothing holds it back: the median of queue length /
   * rate (Little) over calm periods with a like I/O size, or what is typical. Sizes are alike by power of two.
   */
  private calmSecondsPerIo(mibPerIo: number): number {
    const power = Math.round(Math.log2(mibPerIo));
    const before = this.secondsBySize.get(power);
    if (before !== undefined) return before;
    const like = this.calm.filter((calm) => !Number.isFinite(power) || isLike(calm.mibPerIo, 2 ** power));
    const seconds =
      like.length >= thresholds.calmPeriodsForQueue
        ? median(like.map(({ secondsPerIo }) => secondsPerIo))
        : this.typicalSecondsPerIo(power);
    this.secondsBySize.set(power, seconds);
    return seconds;
  }

  private typicalSecondsPerIo(power: number): number {
    const { ssd, hdd, perMiB } = thresholds.typicalSecondsPerIo;
    return (this.slowDevice ? hdd : ssd) + (Number.isFinite(power) ? perMiB * 2 ** power : 0);
  }
}

function isLike(mibPerIo: number, other: number): boolean {
  const factor = mibPerIo / other;
  return factor <= thresholds.likeIoSizeFactor && factor >= 1 / thresholds.likeIoSizeFactor;
}
