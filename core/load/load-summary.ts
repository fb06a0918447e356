/** What a load comes to at its highest, found in one walk: a fleet has tens of millions of periods, and many ask. */
import { ssdMiBPerIo } from '../limits/volume-limits.ts';
import { kibFromMiB, mibFromKiB } from '../units.ts';
import { activeSeconds, countedSsdIops, timesAverage, type VolumeLoad } from './volume-load.ts';

/** The chunk that a stripe is made with where nobody says another. */
export const usualChunkKiB = 64;
/** Exact: a power of two. */
const usualMiBPerIo = mibFromKiB(usualChunkKiB);
const ssdUnitsPerMiB = 1 / ssdMiBPerIo;
/** Below so much of a bound it is below it, however it was computed. */
const noRounding = 1 - 1e-9;

/** The busiest of everything that a need is made of, over the non-idle seconds where they are known; 0 where there was no I/O. */
export interface Busiest {
  iops: number;
  throughputMiBps: number;
  /**
   * Operations as EBS counts them on SSD, by 256 KiB. Of a period with large I/O among small the average does not tell how many
   * there were: at most as many more as its bytes have units.
   */
  countedIops: number;
  /** The same as a replay counts them: by the bytes of the period, or their number. */
  replayedIops: number;
  /** Each I/O cut at the usual chunk of a stripe. */
  cutIops: number;
  /** A period with I/O whose bytes, or whose rate over the non-idle seconds, are not known. */
  isMibUnknown: boolean;
  isBusyUnknown: boolean;
}

export interface LoadSummary {
  /** The first of the periods with the highest average IOPS; -1 where none is known. */
  topPeriod: number;
  /** Periods with operations. */
  activePeriods: number;
  /** Periods whose rate over the non-idle seconds is more than twice the average; null where those are not known. */
  periodsBusyOverTwiceAverage: number | null;
  /** Over the non-idle seconds: the highest, and that of `topPeriod`; null where they are not known. */
  topActiveTimeIops: number | null;
  topBusyMiBps: number | null;
  activeTimeIopsInTopPeriod: number | null;
  /** The operations of some period are not known. */
  isAnyUnknown: boolean;
  /** No I/O is larger than a chunk, as far as their size is known: on SSD each counts as one. */
  isSmallThroughout: boolean;
  busiest: Busiest;
  /**
   * The queue of each period against its rate: seconds that an I/O spends in the volume (Little), the least and the most of all.
   * Null where a queue is not known, or there is one without a rate.
   */
  secondsPerIo: { least: number; most: number } | null;
}

/** The tops so far. */
class Tops {
  average = Number.NEGATIVE_INFINITY;
  period = -1;
  active = -1;
  busyMiB = -1;
  /** The seconds of an I/O: the least and the most. */
  least = Number.POSITIVE_INFINITY;
  most = 0;
  activePeriods = 0;
  busyOverTwice = 0;
  isAnyUnknown = false;
  isSmallThroughout = true;
  isQueueKnown = true;
  busyInTopPeriod = Number.NaN;
  readonly busiest: Busiest = {
    ...{ iops: 0, throughputMiBps: 0, countedIops: 0, replayedIops: 0, cutIops: 0 },
    ...{ isMibUnknown: false, isBusyUnknown: false },
  };

  /** Averages of a period, the rates over its non-idle seconds, and its queue; NaN where one is not known. */
  add(
    period: number,
    average: number,
    averageMiB: number,
    busy: number,
    busyMiB: number,
    queue: number,
  ): void {
    if (busy > this.active) this.active = busy;
    if (busyMiB > this.busyMiB) this.busyMiB = busyMiB;
    if (average > this.average) {
      this.average = average;
      this.period = period;
      this.busyInTopPeriod = busy;
    }
    if (busy > 2 * average) this.busyOverTwice++;
    if (!(average > 0)) {
      if (Number.isNaN(average)) this.isAnyUnknown = true;
      if (averageMiB > 0) this.isSmallThroughout = false;
      // Nothing was done: a queue without a rate waits for ever.
      if (!(queue < 1)) this.isQueueKnown = false;
      return;
    }
    this.activePeriods++;
    if (!(queue >= this.least * average)) this.least = queue / average;
    if (queue > this.most * average) this.most = queue / average;
    if (Number.isNaN(queue)) this.isQueueKnown = false;
    this.addIo(
      kibFromMiB(averageMiB) / average,
      busy >= 0 ? busy : average,
      busyMiB >= 0 ? busyMiB : averageMiB,
    );
    if (Number.isNaN(busy)) this.busiest.isBusyUnknown = true;
  }

  private addIo(ioKiB: number, rate: number, mib: number): void {
    const { busiest } = this;
    const counted = ioKiB > usualChunkKiB ? rate + ssdUnitsPerMiB * mib : rate;
    // Where the size is not known it is at least the rate.
    const cut = ioKiB > usualChunkKiB ? rate * Math.ceil(ioKiB / usualChunkKiB) : rate;
    const replayed = countedSsdIops(rate, mib);
    if (rate > busiest.iops) busiest.iops = rate;
    if (mib > busiest.throughputMiBps) busiest.throughputMiBps = mib;
    if (counted > busiest.countedIops) busiest.countedIops = counted;
    if (replayed > busiest.replayedIops) busiest.replayedIops = replayed;
    if (cut > busiest.cutIops) busiest.cutIops = cut;
    if (Number.isNaN(ioKiB)) busiest.isMibUnknown = true;
    if (ioKiB > usualChunkKiB) this.isSmallThroughout = false;
  }
}

/** A load as it is walked. */
interface Columns {
  periodSeconds: number;
  averages: Float64Array;
  averageMiB: Float64Array;
  idleSeconds: Float64Array;
  queues: Float64Array;
}

/**
 * Most periods have I/O of a usual size and are the top of nothing: that is seen without a division or a call.
 * @returns the first period from one on that is not such a one; of those before it only their number is of interest.
 */
function skipPlain({ periodSeconds, ...columns }: Columns, from: number, tops: Tops): number {
  const { averages, averageMiB, idleSeconds, queues } = columns;
  const { average: topAverage, least, most } = tops;
  // The tops as shares of a period, with room for rounding.
  const topActivePart = (noRounding * tops.active) / periodSeconds;
  const topBusyPart = (noRounding * tops.busyMiB) / periodSeconds;
  let busyOverTwice = 0;
  let i = from;
  for (; i < averages.length; i++) {
    const average = averages[i] as number;
    const mib = averageMiB[i] as number;
    const queue = queues[i] as number;
    const active = activeSeconds(periodSeconds, idleSeconds[i] as number);
    const isPlain =
      average > 0 &&
      average <= topAverage &&
      average <= topActivePart * active &&
      mib <= topBusyPart * active &&
      mib <= usualMiBPerIo * average &&
      queue >= least * average &&
      queue <= most * average;
    if (!isPlain) break;
    if (2 * active < periodSeconds) busyOverTwice++;
  }
  tops.activePeriods += i - from;
  tops.busyOverTwice += busyOverTwice;
  return i;
}

function summarize(load: VolumeLoad): LoadSummary {
  const { periodSeconds, iops, mibps, queueLength, idleSeconds = null } = load;
  // Columns of their own are seldom asked for: they are not made here.
  const activeTimeIops = idleSeconds === null ? load.activeTimeIops : null;
  const busyMiBps = idleSeconds === null ? load.busyMiBps : null;
  const columns = {
    ...{ periodSeconds, averages: iops, averageMiB: mibps },
    idleSeconds: idleSeconds ?? new Float64Array(iops.length).fill(Number.NaN),
    // Without the metric nothing is made of the queue; NaN would make every period a slow one.
    queues: queueLength ?? new Float64Array(iops.length),
  };
  const tops = new Tops();
  for (let i = 0; i < iops.length; i++) {
    i = skipPlain(columns, i, tops);
    if (i === iops.length) break;
    const average = iops[i] as number;
    const averageMiB = mibps[i] as number;
    const times = timesAverage(periodSeconds, columns.idleSeconds[i] as number);
    const busy = activeTimeIops === null ? average * times : (activeTimeIops[i] as number);
    const busyMiB = busyMiBps === null ? averageMiB * times : (busyMiBps[i] as number);
    tops.add(i, average, averageMiB, busy, busyMiB, columns.queues[i] as number);
  }
  const { least, most } = tops;
  const isBusyKnown = idleSeconds !== null || activeTimeIops !== null;
  return {
    topActiveTimeIops: tops.active < 0 ? null : tops.active,
    topBusyMiBps: tops.busyMiB < 0 ? null : tops.busyMiB,
    activeTimeIopsInTopPeriod: isBusyKnown && tops.period >= 0 ? tops.busyInTopPeriod : null,
    topPeriod: tops.period,
    activePeriods: tops.activePeriods,
    periodsBusyOverTwiceAverage: isBusyKnown ? tops.busyOverTwice : null,
    isAnyUnknown: tops.isAnyUnknown,
    isSmallThroughout: tops.isSmallThroughout,
    busiest: { ...tops.busiest, isBusyUnknown: tops.busiest.isBusyUnknown || !isBusyKnown },
    secondsPerIo: queueLength !== null && tops.isQueueKnown ? { least, most } : null,
  };
}

const summaries = new WeakMap<VolumeLoad, LoadSummary>();

/** Found when it is asked for first. @param load nobody writes to its columns any more. */
export function summaryOf(load: VolumeLoad): LoadSummary {
  let summary = summaries.get(load);
  if (summary === undefined) {
    summary = summarize(load);
    summaries.set(load, summary);
  }
  return summary;
}
