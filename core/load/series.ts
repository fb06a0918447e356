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
  // Steps come in long runs of the same: counted by run.
  let [run, runStep] = [0, Number.NaN];
  for (let i = 1; i < epochSeconds.length; i++) {
    const step = (epochSeconds[i] as number) - (epochSeconds[i - 1] as number);
    if (step === runStep) {
      run++;
      continue;
    }
    if (run > 0) countByStep.set(runStep, (countByStep.get(runStep) ?? 0) + run);
    [run, runStep] = [1, step];
  }
  countByStep.set(runStep, (countByStep.get(runStep) ?? 0) + run);
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

interface OrderedColumns {
  epochSeconds: Float64Array;
  columns: Float64Array[];
  /** Timestamps that came again; of each the last given is kept. */
  repeated: number[];
  /** Those of them that came with another value. */
  conflicting: number;
}

/** Sorted, de-duplicated columns that share one time axis. */
export function orderColumns(
  times: readonly number[],
  columns: readonly (readonly number[])[],
): OrderedColumns {
  if (isStrictlyAscending(times)) {
    const whole = columns.map((column) => new Float64Array(column));
    return { epochSeconds: new Float64Array(times), columns: whole, repeated: [], conflicting: 0 };
  }
  const byTime = Array.from(times, (_, index) => index).sort(
    (a, b) => (times[a] as number) - (times[b] as number) || a - b,
  );
  const order: number[] = [];
  const repeated: number[] = [];
  let conflicting = 0;
  byTime.forEach((index, position) => {
    const next = byTime[position + 1];
    if (next === undefined || times[next] !== times[index]) {
      order.push(index);
      return;
    }
    repeated.push(times[index] as number);
    if (columns.some((column) => column[next] !== column[index])) conflicting++;
  });
  const pick = (column: readonly number[]): Float64Array =>
    Float64Array.from(order, (index) => column[index] as number);
  return { epochSeconds: pick(times), columns: columns.map(pick), repeated, conflicting };
}

const consecutiveForRhythm = 12;

/** A step longer than the period that comes twelve times in a row; null where none does. */
function secondRhythm(epochSeconds: Float64Array, periodSeconds: number): number | null {
  let [run, before] = [0, Number.NaN];
  for (let i = 1; i < epochSeconds.length; i++) {
    const step = (epochSeconds[i] as number) - (epochSeconds[i - 1] as number);
    run = step > periodSeconds && step === before ? run + 1 : 0;
    if (run + 1 >= consecutiveForRhythm) return step;
    before = step;
  }
  return null;
}

/** How the times of an axis follow each other, as far as two of them are there. */
interface Rhythm {
  periodSeconds: number;
  /** A second period in the same axis; null where there is none. */
  secondSeconds: number | null;
  /** Some steps are shorter than the period: what is between them is known twice. */
  overlaps: boolean;
}

function overlaps(epochSeconds: Float64Array, periodSeconds: number): boolean {
  for (let i = 1; i < epochSeconds.length; i++)
    if ((epochSeconds[i] as number) - (epochSeconds[i - 1] as number) < periodSeconds) return true;
  return false;
}

function findRhythm(epochSeconds: Float64Array): Rhythm | null {
  const periodSeconds = periodOf(epochSeconds);
  if (periodSeconds === null) return null;
  return {
    periodSeconds,
    secondSeconds: secondRhythm(epochSeconds, periodSeconds),
    overlaps: overlaps(epochSeconds, periodSeconds),
  };
}

const rhythms = new WeakMap<Float64Array, Rhythm | null>();

/** Null where one point alone tells no period. Series of a fleet share their axes: each is walked once. */
export function rhythmOf(epochSeconds: Float64Array): Rhythm | null {
  const before = rhythms.get(epochSeconds);
  if (before !== undefined) return before;
  const found = findRhythm(epochSeconds);
  rhythms.set(epochSeconds, found);
  return found;
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
  };
  for (let i = 1; i < epochSeconds.length; i++) {
    const from = epochSeconds[i - 1] as number;
    const to = epochSeconds[i] as number;
    const stepSeconds = to - from;
    if (stepSeconds < periodSeconds) quality.shortSteps.push({ at: isoFromEpochSeconds(to), stepSeconds });
    if (stepSeconds <= periodSeconds) continue;
    const unknownSeconds = stepSeconds - periodSeconds;
    quality.gaps.push({
      from: isoFromEpochSeconds(from),
      to: isoFromEpochSeconds(to),
      stepSeconds,
      unknownSeconds,
    });
  }
  return quality;
}

/** A time axis: each timestamp stands for one period from it on. */
export interface TimeAxis {
  epochSeconds: Float64Array;
  periodSeconds: number;
}

export function sameTimes(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

type Combine = (values: readonly number[]) => number;
const combineBy: Record<'Sum' | 'Average' | 'Minimum' | 'Maximum', Combine> = {
  Sum: (values) => values.reduce((total, value) => total + value, 0),
  Average: (values) => values.reduce((total, value) => total + value, 0) / values.length,
  Minimum: (values) => Math.min(...values),
  Maximum: (values) => Math.max(...values),
};

/** Basic CloudWatch points stand for five minutes: a level is carried no further. */
const carrySeconds = 300;

/**
 * The values of a series on another time axis, NaN where it has none. Points inside a period are combined by their own
 * statistic. A level (not a Sum) also stands for later times within its own period; a Sum is never spread.
 */
export function alignTo(axis: TimeAxis, series: Series, statistic: keyof typeof combineBy): Float64Array {
  const { epochSeconds, periodSeconds } = axis;
  if (series.epochSeconds === epochSeconds) return series.values;
  const carry =
    statistic === 'Sum' ? 0 : Math.min(series.periodSeconds, Math.max(carrySeconds, periodSeconds));
  const aligned = new Float64Array(epochSeconds.length).fill(Number.NaN);
  let at = 0;
  for (let i = 0; i < epochSeconds.length; i++) {
    const from = epochSeconds[i] as number;
    const to = Math.min(from + periodSeconds, epochSeconds[i + 1] ?? Number.POSITIVE_INFINITY);
    while (at < series.epochSeconds.length && (series.epochSeconds[at] as number) < from) at++;
    const inside: number[] = [];
    while (at < series.epochSeconds.length && (series.epochSeconds[at] as number) < to) {
      inside.push(series.values[at] as number);
      at++;
    }
    const before = at - 1;
    if (inside.length > 0) aligned[i] = combineBy[statistic](inside);
    else if (before >= 0 && from < (series.epochSeconds[before] as number) + carry) {
      aligned[i] = series.values[before] as number;
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
  if (column === null) return null;
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < column.length; i++) if ((column[i] as number) > top) top = column[i] as number;
  return top === Number.NEGATIVE_INFINITY ? null : top;
}

const tops = new WeakMap<Float64Array, number>();

/** For who finds it on the way. @param column nobody may write to it any more. */
export const rememberTop = (column: Float64Array, top: number): unknown => tops.set(column, top);

/** The same of a column of rates that nobody writes to any more, -1 where none is known: found once, many ask for it. */
export function topOf(column: Float64Array): number {
  const before = tops.get(column);
  if (before !== undefined) return before;
  const top = maximum(column) ?? -1;
  rememberTop(column, top);
  return top;
}

/** Of a column the entries at some places. */
export function entriesAt(column: Float64Array, places: Int32Array): Float64Array {
  const entries = new Float64Array(places.length);
  for (let n = 0; n < places.length; n++) entries[n] = column[places[n] as number] as number;
  return entries;
}

/** The lowest known value; null where none is known. */
export function minimum(column: Float64Array | null): number | null {
  if (column === null) return null;
  let low = Number.POSITIVE_INFINITY;
  for (let i = 0; i < column.length; i++) if ((column[i] as number) < low) low = column[i] as number;
  return low === Number.POSITIVE_INFINITY ? null : low;
}
