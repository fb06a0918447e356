/**
 * One metric over time: ascending, each timestamp once. Kept in typed arrays: a fleet has tens of millions of points.
 * A period that has no point is unknown: it is absent here, never 0.
 */
import { isoFromEpochSeconds } from '../units.ts';

export interface Series {
  /** Seconds that a point stands for, from its timestamp on. */
  periodSeconds: number;
  epochSeconds: Float64Array;
  values: Float64Array;
}

/** What was odd about the timestamps of a series; all of it is said, nothing is repaired in silence. */
export interface TimeQuality {
  /** Points dropped because a later one has the same timestamp (the last is kept). */
  repeatedPoints: number;
  repeatedAt: string[];
  /** Steps shorter than the period: two points that overlap in time. */
  shortSteps: { at: string; stepSeconds: number }[];
  gaps: { from: string; to: string; stepSeconds: number; unknownSeconds: number }[];
  unknownSeconds: number;
}

/** A step counts as the period when at least this share of the steps is not longer: one odd row decides nothing. */
const periodShareOfSteps = 0.01;

/**
 * The period of ascending timestamps: the smallest step between them, leaving out steps so rare (under 1 %) that they
 * are an irregularity of the recording (a clock change) and not its rhythm. One point alone has no step.
 */
export function periodOf(epochSeconds: Float64Array): number | null {
  if (epochSeconds.length < 2) return null;
  const countByStep = new Map<number, number>();
  for (let i = 1; i < epochSeconds.length; i++) {
    const step = (epochSeconds[i] as number) - (epochSeconds[i - 1] as number);
    countByStep.set(step, (countByStep.get(step) ?? 0) + 1);
  }
  let seen = 0;
  const ascending = [...countByStep].sort(([a], [b]) => a - b);
  for (const [step, count] of ascending) {
    seen += count;
    if (seen >= periodShareOfSteps * (epochSeconds.length - 1)) return step;
  }
  return null;
}

function isStrictlyAscending(times: ArrayLike<number>): boolean {
  for (let i = 1; i < times.length; i++) if ((times[i] as number) <= (times[i - 1] as number)) return false;
  return true;
}

/** Positions in ascending time, the last given of each timestamp, and the timestamps that stood there before. */
function orderOnce(times: ArrayLike<number>): { order: number[]; repeated: number[] } {
  const byTime = Array.from(times, (_, index) => index).sort(
    (a, b) => (times[a] as number) - (times[b] as number) || a - b,
  );
  const order: number[] = [];
  const repeated: number[] = [];
  byTime.forEach((index, position) => {
    const next = byTime[position + 1];
    if (next !== undefined && times[next] === times[index]) repeated.push(times[index] as number);
    else order.push(index);
  });
  return { order, repeated };
}

/** Sorted, de-duplicated columns that share one time axis, with the timestamps that were repeated. */
export function orderColumns(
  times: readonly number[],
  columns: readonly (readonly number[])[],
): { epochSeconds: Float64Array; columns: Float64Array[]; repeated: number[] } {
  if (isStrictlyAscending(times)) {
    return {
      epochSeconds: Float64Array.from(times),
      columns: columns.map((column) => Float64Array.from(column)),
      repeated: [],
    };
  }
  const { order, repeated } = orderOnce(times);
  const pick = (column: readonly number[]): Float64Array =>
    Float64Array.from(order, (index) => column[index] as number);
  return { epochSeconds: pick(times), columns: columns.map(pick), repeated };
}

/** What to say about a time axis of this period. */
export function timeQuality(
  epochSeconds: Float64Array,
  periodSeconds: number,
  repeated: readonly number[],
): TimeQuality {
  const quality: TimeQuality = {
    repeatedPoints: repeated.length,
    repeatedAt: [...new Set(repeated)].map(isoFromEpochSeconds),
    shortSteps: [],
    gaps: [],
    unknownSeconds: 0,
  };
  for (let i = 1; i < epochSeconds.length; i++) {
    const from = epochSeconds[i - 1] as number;
    const to = epochSeconds[i] as number;
    const stepSeconds = to - from;
    if (stepSeconds < periodSeconds) quality.shortSteps.push({ at: isoFromEpochSeconds(to), stepSeconds });
    if (stepSeconds <= periodSeconds) continue;
    const unknownSeconds = stepSeconds - periodSeconds;
    quality.unknownSeconds += unknownSeconds;
    quality.gaps.push({
      from: isoFromEpochSeconds(from),
      to: isoFromEpochSeconds(to),
      stepSeconds,
      unknownSeconds,
    });
  }
  return quality;
}

/**
 * The values of a series on another time axis: the point that stands for each time, NaN where none does.
 * A point of 300 s stands for the five minutes from its timestamp on.
 */
export function alignTo(epochSeconds: Float64Array, series: Series): Float64Array {
  if (series.epochSeconds === epochSeconds) return series.values;
  const aligned = new Float64Array(epochSeconds.length).fill(Number.NaN);
  let at = 0;
  for (let i = 0; i < epochSeconds.length; i++) {
    const time = epochSeconds[i] as number;
    while (at + 1 < series.epochSeconds.length && (series.epochSeconds[at + 1] as number) <= time) at++;
    const from = series.epochSeconds[at];
    if (from !== undefined && from <= time && time < from + series.periodSeconds) {
      aligned[i] = series.values[at] as number;
    }
  }
  return aligned;
}

/** Every time at which at least one of the series has a point, ascending. The first axis itself where all agree. */
export function unionOfTimes(all: readonly Series[]): Float64Array {
  const [first, ...others] = all;
  if (first === undefined) return new Float64Array(0);
  if (others.every(({ epochSeconds }) => epochSeconds === first.epochSeconds)) return first.epochSeconds;
  const times = new Set<number>();
  for (const { epochSeconds } of all) for (const time of epochSeconds) times.add(time);
  return Float64Array.from(times).sort();
}

/** The highest known value; null where none is known. */
export function maximum(column: Float64Array | null): number | null {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of column ?? []) if (value > top) top = value;
  return top === Number.NEGATIVE_INFINITY ? null : top;
}

/** The lowest known value; null where none is known. */
export function minimum(column: Float64Array | null): number | null {
  let low = Number.POSITIVE_INFINITY;
  for (const value of column ?? []) if (value < low) low = value;
  return low === Number.POSITIVE_INFINITY ? null : low;
}
