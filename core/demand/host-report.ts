/** What a host or a database recorded of its own load: rates by interval, and what they come to. */
import { BadInput } from '../errors.ts';
import { type TimeQuality, timeQuality } from '../load/series.ts';
import type { RecordedSums } from '../replay/recorded-rates.ts';
import type { HostDemand, HostNote, HostSource } from '../schemas/host-demand.ts';
import { bytesPerMiB, isoFromEpochSeconds, kibFromMiB, secondsPerMinute } from '../units.ts';

/** Means of one interval. */
export interface HostInterval {
  fromEpochSeconds: number;
  toEpochSeconds: number;
  iops: number;
  /** Of the IOPS those that read; null where the source does not split them. */
  readIops: number | null;
  readMiBps: number;
  writeMiBps: number;
}

export interface HostRecording {
  source: HostSource;
  /** null: the source has no devices. */
  device: string | null;
  /** Ascending in time, none overlaps another. */
  intervals: readonly HostInterval[];
  notes: readonly HostNote[];
}

const secondsOf = ({ fromEpochSeconds, toEpochSeconds }: HostInterval): number =>
  toEpochSeconds - fromEpochSeconds;

function sumOf(intervals: readonly HostInterval[], value: (one: HostInterval) => number): number {
  return intervals.reduce((sum, one) => sum + value(one) * secondsOf(one), 0);
}

/** The step between reports that half of them have. @param intervals at least one. */
function usualSeconds(intervals: readonly HostInterval[]): number {
  const seconds = intervals.map(secondsOf).sort((a, b) => a - b);
  return seconds[Math.floor(seconds.length / 2)] as number;
}

/** The mean of several intervals, by how long each is. */
function meanOf(intervals: readonly HostInterval[]): HostInterval {
  const [first, last] = [intervals[0] as HostInterval, intervals.at(-1) as HostInterval];
  const seconds = sumOf(intervals, () => 1);
  const mean = (value: (one: HostInterval) => number): number => sumOf(intervals, value) / seconds;
  return {
    fromEpochSeconds: first.fromEpochSeconds,
    toEpochSeconds: last.toEpochSeconds,
    iops: mean(({ iops }) => iops),
    readIops: intervals.some(({ readIops }) => readIops === null)
      ? null
      : mean(({ readIops }) => readIops ?? 0),
    readMiBps: mean(({ readMiBps }) => readMiBps),
    writeMiBps: mean(({ writeMiBps }) => writeMiBps),
  };
}

/** Of a minute at least so much must be known. */
const minKnownShare = 0.5;

/** Shorter intervals put together to minutes, counted from the first. Those of a minute or more stay. */
function byMinute(intervals: readonly HostInterval[]): readonly HostInterval[] {
  const [first] = intervals;
  if (first === undefined || usualSeconds(intervals) >= secondsPerMinute) return intervals;
  const minutes = new Map<number, HostInterval[]>();
  for (const one of intervals) {
    const minute = Math.floor((one.fromEpochSeconds - first.fromEpochSeconds) / secondsPerMinute);
    minutes.set(minute, [...(minutes.get(minute) ?? []), one]);
  }
  const known = [...minutes.values()].filter(
    (parts) => sumOf(parts, () => 1) >= minKnownShare * secondsPerMinute,
  );
  return (known.length > 0 ? known : [[...intervals]]).map(meanOf);
}

const nearestRank = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number;

function spread(values: readonly number[], mean: number): HostDemand['iops'] {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    peak: sorted.at(-1) as number,
    p99: nearestRank(sorted, 0.99),
    p95: nearestRank(sorted, 0.95),
    mean,
  };
}

const shareOrNull = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

/**
 * What a recording comes to: peak, percentiles and mean of IOPS and MiB/s over minutes, or over its own intervals where these are
 * longer. Percentiles are of the periods, by nearest rank; the mean is by time.
 * @throws BadInput where no interval is known.
 */
export function hostDemand({ source, device, intervals, notes }: HostRecording): HostDemand {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined) throw noInterval();
  const periods = byMinute(intervals);
  const whole = meanOf(intervals);
  const mibpsOf = ({ readMiBps, writeMiBps }: HostInterval): number => readMiBps + writeMiBps;
  const periodSeconds = Math.max(secondsPerMinute, usualSeconds(intervals));
  const peak = periods.reduce((top, one) => (one.iops > top.iops ? one : top));
  const isShort = periods.every((one) => secondsOf(one) < secondsPerMinute);
  return {
    ...{ source, device },
    from: isoFromEpochSeconds(first.fromEpochSeconds),
    to: isoFromEpochSeconds(last.toEpochSeconds),
    knownMinutes: sumOf(intervals, () => 1) / secondsPerMinute,
    periodSeconds: isShort ? sumOf(intervals, () => 1) : periodSeconds,
    iops: spread(
      periods.map(({ iops }) => iops),
      whole.iops,
    ),
    mibps: spread(periods.map(mibpsOf), mibpsOf(whole)),
    peakIopsAt: isoFromEpochSeconds(peak.fromEpochSeconds),
    meanIoSizeKiB: shareOrNull(kibFromMiB(mibpsOf(whole)), whole.iops),
    readShare: whole.readIops === null ? null : shareOrNull(whole.readIops, whole.iops),
    readByteShare: shareOrNull(whole.readMiBps, mibpsOf(whole)),
    notes: [
      ...notes,
      ...(periodSeconds > secondsPerMinute ? [{ code: 'averages-hide-peaks' as const, periodSeconds }] : []),
    ],
  };
}

const noInterval = (): BadInput =>
  new BadInput('no interval in it is known; give two reports or more with I/O between them');

export interface HostSums {
  sums: RecordedSums;
  quality: TimeQuality;
  /** false: which of the I/O read is not known, and the sums have half of each. */
  isSplitKnown: boolean;
  notes: HostNote[];
}

/** Steps that are so much longer or shorter than the usual one are another interval. */
const maxOffShare = 0.5;

/**
 * The same as sums of one period, as a replay asks for them. Clocks of reports go by seconds and wander: a step within half of
 * the usual one counts as one period. An interval that is longer or shorter than that is left out: its mean is not that of a period.
 * @throws BadInput where no interval is known.
 */
export function hostSums({ intervals, notes }: HostRecording): HostSums {
  if (intervals.length === 0) throw noInterval();
  const periodSeconds = usualSeconds(intervals);
  const isUsual = (one: HostInterval): boolean =>
    Math.abs(secondsOf(one) - periodSeconds) <= maxOffShare * periodSeconds;
  const kept = intervals.filter(isUsual);
  const epochSeconds = new Float64Array(kept.length);
  kept.forEach(({ fromEpochSeconds }, i) => {
    const [before, one] = [epochSeconds[i - 1], kept[i - 1]];
    if (before === undefined || one === undefined) epochSeconds[i] = fromEpochSeconds;
    else {
      const steps = Math.round((fromEpochSeconds - one.fromEpochSeconds) / periodSeconds);
      epochSeconds[i] = before + Math.max(1, steps) * periodSeconds;
    }
  });
  const column = (value: (one: HostInterval) => number): Float64Array =>
    Float64Array.from(kept, (one) => value(one) * periodSeconds);
  const readsOf = ({ iops, readIops }: HostInterval): number => readIops ?? iops / 2;
  const leftOut = intervals.length - kept.length;
  return {
    sums: {
      ...{ periodSeconds, epochSeconds },
      readOps: column(readsOf),
      writeOps: column((one) => one.iops - readsOf(one)),
      readBytes: column(({ readMiBps }) => readMiBps * bytesPerMiB),
      writeBytes: column(({ writeMiBps }) => writeMiBps * bytesPerMiB),
      idleSeconds: null,
    },
    quality: timeQuality(epochSeconds, periodSeconds, []),
    isSplitKnown: kept.every(({ readIops }) => readIops !== null),
    notes: [
      ...notes,
      ...(leftOut > 0 ? [{ code: 'other-intervals' as const, intervals: leftOut, periodSeconds }] : []),
    ],
  };
}
