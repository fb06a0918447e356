/**
 * A load of weeks in few points: of each bin the least and the most of every figure, so that no peak is lost to an average.
 * Null stands where nothing is known.
 */
import { type Cause, causeCode, causes } from '../diagnosis/causes.ts';
import { secondsPerMinute } from '../units.ts';

/** One entry a bin; null where no period of it has a figure. */
export type Column = (number | null)[];

export interface Band {
  min: Column;
  max: Column;
}

interface ThrottledColumns {
  /** Minutes of the bin in which load was throttled. */
  minutes: Column;
  /** What throttled the most of them; null where nothing did. */
  cause: (Cause | null)[];
  /** In the whole span, most first: of a bin with several causes each has its own minutes. */
  minutesByCause: { cause: Cause; minutes: number }[];
  /** Minutes of the bin without figures, or in which nobody can tell. */
  unknownMinutes: Column;
}

/** All columns have one entry a bin; the bin `i` begins at `startEpochSeconds + i * binSeconds`. */
export interface Envelope {
  startEpochSeconds: number;
  /** The last bin may be shorter than the others. */
  endEpochSeconds: number;
  binSeconds: number;
  /** Of the points that it was made from. */
  periodSeconds: number;
  iops: Band;
  mibps: Band;
  queueLength: Band | null;
  latencyMs: Band | null;
  /** Burst credits of a volume. */
  balancePercent: Band | null;
  /** Of an instance: EBSIOBalance% and EBSByteBalance%. */
  ioBalancePercent: Band | null;
  byteBalancePercent: Band | null;
  /** The most that was demanded, where that is more than what was served. */
  demandIops: Column | null;
  demandMiBps: Column | null;
  throttled: ThrottledColumns;
}

/** Columns of one time axis, one entry a period; NaN where a figure is unknown, null where there is none of it. */
export interface ColumnsOverTime {
  periodSeconds: number;
  epochSeconds: Float64Array;
  iops: Float64Array;
  mibps: Float64Array;
  queueLength: Float64Array | null;
  latencyMs: Float64Array | null;
  balancePercent: Float64Array | null;
  ioBalancePercent: Float64Array | null;
  byteBalancePercent: Float64Array | null;
  demandIops: Float64Array | null;
  demandMiBps: Float64Array | null;
  /** `causeCode` a period. */
  cause: Uint8Array;
  throttledMinutes: Float64Array;
}

export interface TimeSpan {
  startEpochSeconds: number;
  endEpochSeconds: number;
}

/** What fits into a chart; and 500 of them into a file that opens at once. */
export const maxBins = 700;

const digits = 3;
/** To so many digits as a chart shows. */
const rounded = (value: number): number => (value === 0 ? 0 : Number(value.toPrecision(digits)));

interface Bins {
  startEpochSeconds: number;
  endEpochSeconds: number;
  binSeconds: number;
  count: number;
  /** The bin of each period; -1 where it is outside of the span. */
  of: Int32Array;
}

/** As many periods a bin as it takes to stay within `maxBins`, from the first period of the span. */
function binsOf({ epochSeconds, periodSeconds }: ColumnsOverTime, span: TimeSpan): Bins {
  const seconds = Math.max(periodSeconds, span.endEpochSeconds - span.startEpochSeconds);
  const periods = Math.ceil(seconds / periodSeconds);
  const binSeconds = Math.ceil(periods / maxBins) * periodSeconds;
  const count = Math.ceil(seconds / binSeconds);
  const of = new Int32Array(epochSeconds.length);
  for (let i = 0; i < of.length; i++) {
    const bin = Math.floor(((epochSeconds[i] as number) - span.startEpochSeconds) / binSeconds);
    of[i] = bin >= 0 && bin < count ? bin : -1;
  }
  const { startEpochSeconds } = span;
  return { startEpochSeconds, endEpochSeconds: startEpochSeconds + seconds, binSeconds, count, of };
}

function bandOf(values: Float64Array, { count, of }: Bins): Band {
  const min: Column = new Array(count).fill(null);
  const max: Column = new Array(count).fill(null);
  for (let i = 0; i < values.length; i++) {
    const [value, bin] = [values[i] as number, of[i] as number];
    if (bin < 0 || !Number.isFinite(value)) continue;
    if (min[bin] === null || value < (min[bin] as number)) min[bin] = value;
    if (max[bin] === null || value > (max[bin] as number)) max[bin] = value;
  }
  const notified = (value: number | null): number | null => (value === null ? null : rounded(value));
  return { min: min.map(notified), max: max.map(notified) };
}

/** The most demanded of each bin in which more was demanded than served; null where that never was. */
function demandOf(demand: Float64Array, served: Float64Array, bins: Bins): Column | null {
  const more = new Float64Array(demand.length);
  let isAny = false;
  for (let i = 0; i < demand.length; i++) {
    const isMore = (demand[i] as number) > (served[i] as number);
    more[i] = isMore ? (demand[i] as number) : Number.NaN;
    isAny ||= isMore;
  }
  return isAny ? bandOf(more, bins).max : null;
}

/** @param byCause for each bin one entry a cause. */
function sumsByCause(byCause: Float64Array): ThrottledColumns['minutesByCause'] {
  const sums = causes.map(() => 0);
  for (let i = 0; i < byCause.length; i++)
    sums[i % causes.length] = (sums[i % causes.length] as number) + (byCause[i] as number);
  return causes
    .map((cause, code) => ({ cause, minutes: sums[code] as number }))
    .filter(({ minutes }) => minutes > 0)
    .sort((a, b) => b.minutes - a.minutes);
}

function throttledOf(
  { cause, throttledMinutes, periodSeconds }: ColumnsOverTime,
  { count, of, binSeconds, startEpochSeconds, endEpochSeconds }: Bins,
): ThrottledColumns {
  const minutes = new Array<number>(count).fill(0);
  const known = new Array<number>(count).fill(0);
  const byCause = new Float64Array(count * causes.length);
  for (let i = 0; i < cause.length; i++) {
    const [bin, code] = [of[i] as number, cause[i] as number];
    if (bin < 0 || code === causeCode.unknown) continue;
    known[bin] = (known[bin] as number) + periodSeconds / secondsPerMinute;
    const held = throttledMinutes[i] as number;
    if (code === causeCode.none || !(held > 0)) continue;
    minutes[bin] = (minutes[bin] as number) + held;
    const place = bin * causes.length + code;
    byCause[place] = (byCause[place] as number) + held;
  }
  const most = (bin: number): Cause | null => {
    if (minutes[bin] === 0) return null;
    const held = byCause.subarray(bin * causes.length, (bin + 1) * causes.length);
    return causes[held.indexOf(Math.max(...held))] as Cause;
  };
  return {
    minutes: minutes.map(rounded),
    cause: minutes.map((_, bin) => most(bin)),
    minutesByCause: sumsByCause(byCause),
    unknownMinutes: known.map((one, bin) => {
      const seconds = Math.min(binSeconds, endEpochSeconds - startEpochSeconds - bin * binSeconds);
      return rounded(Math.max(0, seconds / secondsPerMinute - one));
    }),
  };
}

/** The columns within a span as at most `maxBins` bins of least and most. */
export function envelope(columns: ColumnsOverTime, span: TimeSpan): Envelope {
  const bins = binsOf(columns, span);
  const band = (values: Float64Array | null): Band | null => (values === null ? null : bandOf(values, bins));
  const { startEpochSeconds, endEpochSeconds, binSeconds } = bins;
  const { iops, mibps, demandIops, demandMiBps } = columns;
  return {
    ...{ startEpochSeconds, endEpochSeconds, binSeconds, periodSeconds: columns.periodSeconds },
    ...{ iops: bandOf(iops, bins), mibps: bandOf(mibps, bins) },
    ...{ queueLength: band(columns.queueLength), latencyMs: band(columns.latencyMs) },
    balancePercent: band(columns.balancePercent),
    ioBalancePercent: band(columns.ioBalancePercent),
    byteBalancePercent: band(columns.byteBalancePercent),
    demandIops: demandIops && demandOf(demandIops, iops, bins),
    demandMiBps: demandMiBps && demandOf(demandMiBps, mibps, bins),
    throttled: throttledOf(columns, bins),
  };
}
