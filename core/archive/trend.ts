/**
 * Whether the demand of a volume grows, and when it meets its limit. Days are compared with days of the same weekday alone
 * (seasonal Theil-Sen: the median of all such slopes), so neither a week's shape nor a few peaks of a month's end make a trend.
 */
import { median, quantile } from 'simple-statistics';
import { type Trend, type TrendReason, weekdayNames } from '../schemas/history-trend.ts';
import { secondsPerDay } from '../units.ts';
import { dayOf, dayStart } from './keys.ts';
import { placesOf } from './rates.ts';

/** Of the minutes of a day: 72 of 1,440 are higher. */
const dailyPercentile = 95;
/** With points of fewer minutes a day's figure is not known. */
const leastOfDay = 0.5;
/** Known days that a trend rests on, and days between the first and the last. */
const leastDays = 30;
/** The farthest day that is told: a year, and twice as far as there are days behind. */
const farthestDays = 365;
const farthestFactor = 2;
/** Of an interval of 95 %, which is told; and of 99 %, which must not hold zero. */
const z = { told: 1.96, certain: 2.576 } as const;

const daysPerWeek = 7;
/** The spread of what is normal, from the median of what deviates. */
const spreadOfMad = 1.4826;
/** The error of a median against that of a mean. */
const errorOfMedian = 1.2533;

export interface DayDemand {
  /** 2026-11-23 */
  day: string;
  /** Null: not known. */
  value: number | null;
}

/** What each day with points asked for; a day of which too little is known has none. */
export function dailyDemand(times: Float64Array, values: Float64Array, periodSeconds: number): DayDemand[] {
  const least = (leastOfDay * secondsPerDay) / periodSeconds;
  return placesOf(times, secondsPerDay).map(({ start, from, end }) => {
    const known = [...values.subarray(from, end)].filter((value) => !Number.isNaN(value));
    return { day: dayOf(start), value: known.length < least ? null : quantile(known, dailyPercentile / 100) };
  });
}

interface Point {
  /** Days since 1970. */
  at: number;
  value: number;
}

const weekdayOf = (at: number): number => at % daysPerWeek;

type Slope = NonNullable<Trend['perDay']>;

/** Slopes between days of the same weekday, ascending, and how many pairs of that kind chance makes. */
function slopesOf(points: readonly Point[]): { slopes: number[]; variance: number } {
  const slopes: number[] = [];
  let variance = 0;
  for (let weekday = 0; weekday < daysPerWeek; weekday++) {
    const own = points.filter(({ at }) => weekdayOf(at) === weekday);
    for (const [i, a] of own.entries())
      for (const b of own.slice(i + 1)) slopes.push((b.value - a.value) / (b.at - a.at));
    // Of Kendall's S where nothing depends on time.
    variance += (own.length * (own.length - 1) * (2 * own.length + 5)) / 18;
  }
  return { slopes: slopes.sort((a, b) => a - b), variance };
}

/** By how much the variance grows since a day is like the day before; never below 1. */
function dependence(points: readonly Point[], residuals: readonly number[], spread: number): number {
  if (spread === 0) return 1;
  // A peak of a month's end is one, however high.
  const clipped = residuals.map((value) => Math.max(-3, Math.min(3, value / spread)));
  const of = new Map(points.map(({ at }, i) => [at, clipped[i] as number]));
  const square = clipped.reduce((sum, value) => sum + value * value, 0) / clipped.length;
  let sum = 0;
  for (let lag = 1; lag <= 2 * daysPerWeek; lag++) {
    let [products, count] = [0, 0];
    for (const [at, value] of of) {
      const before = of.get(at - lag);
      if (before === undefined) continue;
      products += value * before;
      count++;
    }
    const correlation = count === 0 ? 0 : products / count / square;
    if (correlation <= 0) break;
    sum += (1 - lag / points.length) * correlation;
  }
  return 1 + 2 * sum;
}

/** What is left of each day beside a line through the origin, and the median of that by weekday. */
function withoutSlope(points: readonly Point[], perDay: number, origin: number) {
  const left = points.map(({ at, value }) => value - perDay * (at - origin));
  const ofWeekday = Array.from({ length: daysPerWeek }, (_, weekday) => {
    const own = left.filter((_value, i) => weekdayOf((points[i] as Point).at) === weekday);
    return own.length === 0 ? null : { level: median(own), days: own.length };
  });
  const residuals = left.map(
    (value, i) => value - (ofWeekday[weekdayOf((points[i] as Point).at)]?.level ?? 0),
  );
  return { left, ofWeekday, residuals, spread: spreadOfMad * median(residuals.map(Math.abs)) };
}

/** Weekdays whose level cannot be told from that of the highest one. */
function busiestOf({ ofWeekday, spread }: ReturnType<typeof withoutSlope>): number[] {
  const known = ofWeekday.flatMap((one, weekday) => (one === null ? [] : [{ weekday, ...one }]));
  const highest = known.reduce((most, one) => (one.level > most.level ? one : most));
  const errorOf = (days: number): number => (errorOfMedian * spread) / Math.sqrt(days);
  return known
    .filter(
      ({ level, days }) =>
        highest.level - level <= 3 * Math.hypot(errorOf(days), errorOf(highest.days)) + 1e-9 * highest.level,
    )
    .map(({ weekday }) => weekday);
}

/** The interval after Sen: from the slopes as far from the middle as chance reaches. Null: there are too few. */
function slopeOf(
  { slopes, variance }: ReturnType<typeof slopesOf>,
  factor: number,
  errors: number,
): Slope | null {
  const reach = errors * Math.sqrt(variance * factor);
  const low = slopes[Math.floor((slopes.length - reach) / 2)];
  const high = slopes[Math.ceil((slopes.length + reach) / 2)];
  return low === undefined || high === undefined ? null : { slope: median(slopes), low, high };
}

const deviation = (values: readonly number[]): number => {
  const middle = median([...values]);
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0);
};

/** The least days on both sides of a step. */
const besideStep = 7;
/** A step must explain so much more than a line, and than a level where no trend is certain. */
const stepFactor = { line: 0.9, level: 0.65 } as const;

/** The first day of a new level, where one step says more than a line does. */
function stepIn(points: readonly Point[], level: readonly number[], bound: number): number | null {
  let [least, at] = [bound, null as number | null];
  for (let i = besideStep; i <= points.length - besideStep; i++) {
    const both = deviation(level.slice(0, i)) + deviation(level.slice(i));
    if (both < least) [least, at] = [both, (points[i] as Point).at];
  }
  return at;
}

const dayNumber = (day: string): number => Math.round(dayStart(day) / secondsPerDay);
/** 1970 began on a Thursday. */
const fromMonday = (weekday: number): number => (weekday + 3) % daysPerWeek;

/** From Monday on. */
const namesOf = (weekdays: readonly number[]) =>
  weekdayNames.filter((_, i) => weekdays.some((weekday) => fromMonday(weekday) === i));
const dayOfNumber = (at: number): string => dayOf(Math.round(at) * secondsPerDay);

/** Days of the busiest weekdays, and how much is certain of their trend. */
interface Told {
  own: readonly Point[];
  last: Point;
  spanDays: number;
  slope: Slope;
  /** Of the level, in its unit. */
  error: number;
}

const levelBy = ({ own, last }: Pick<Told, 'own' | 'last'>, slope: number): number =>
  median(own.map(({ at, value }) => value - slope * (at - last.at)));

/** When a growing demand is at the limit; a reason where that is too far off. */
function meeting(told: Told, limit: number): Pick<Trend, 'reason' | 'meetsLimit'> {
  const { last, spanDays, slope, error } = told;
  /** How long the way is by a slope, from the level that goes with it. */
  const daysBy = (perDay: number, more: number): number =>
    Math.max(0, (limit - levelBy(told, perDay) - more) / perDay);
  const farthest = Math.min(farthestDays, farthestFactor * spanDays);
  const days = daysBy(slope.slope, 0);
  if (days > farthest) return { reason: 'beyond-horizon', meetsLimit: null };
  const latest = daysBy(slope.low, -error);
  return {
    reason: null,
    meetsLimit: {
      on: dayOfNumber(last.at + days),
      earliest: dayOfNumber(last.at + Math.floor(daysBy(slope.high, error))),
      latest: latest > farthest ? null : dayOfNumber(last.at + Math.ceil(latest)),
    },
  };
}

/** What is served ends a little below the limit as well. */
const atLimit = 0.98;

/**
 * @param days ascending; one that is not known, or not there, counts for nothing.
 * @param limit null: not known.
 */
export function trendOf(days: readonly DayDemand[], limit: number | null): Trend {
  const trend = seenTrend(days, limit);
  const isAtLimit = limit !== null && trend.level !== null && trend.level >= atLimit * limit;
  return isAtLimit ? { ...trend, reason: 'at-limit', meetsLimit: null } : trend;
}

function seenTrend(days: readonly DayDemand[], limit: number | null): Trend {
  const points = days.flatMap(({ day, value }) => (value === null ? [] : [{ at: dayNumber(day), value }]));
  const nothing = {
    ...{ daysKnown: points.length, busiestWeekdays: [], level: null },
    ...{ perDay: null, meetsLimit: null, newLevelFrom: null },
  };
  const none = (state: Trend['state'], reason: TrendReason, more: Partial<Trend> = {}): Trend => ({
    ...{ ...nothing, state, reason, ...more },
  });
  const [first, last] = [points[0], points.at(-1)];
  const spanDays = first === undefined || last === undefined ? 0 : last.at - first.at + 1;
  if (last === undefined || points.length < leastDays || spanDays < leastDays)
    return none('unknown', 'too-few-days');

  const rough = withoutSlope(points, median(slopesOf(points).slopes), last.at);
  const busiest = busiestOf(rough);
  const own = points.filter(({ at }) => busiest.includes(weekdayOf(at)));
  const ofBusiest = { busiestWeekdays: namesOf(busiest) };
  const factor = dependence(points, rough.residuals, rough.spread);
  const pairs = slopesOf(own);
  const [slope, certain] = [slopeOf(pairs, factor, z.told), slopeOf(pairs, factor, z.certain)];
  if (slope === null || certain === null) return none('unknown', 'too-scattered', ofBusiest);
  const isTrend = certain.low > 0 || certain.high < 0;
  const levelOf = (some: readonly Point[]): number | null =>
    some.length === 0 ? null : median(some.map(({ value }) => value));

  // Without the week's shape: what a weekday adds is no step.
  const flattened = points.map(({ at, value }) => value - (rough.ofWeekday[weekdayOf(at)]?.level ?? 0));
  const besideLine = rough.residuals.reduce((sum, value) => sum + Math.abs(value), 0) * stepFactor.line;
  const besideLevel = isTrend ? besideLine : deviation(flattened) * stepFactor.level;
  const step = stepIn(points, flattened, Math.min(besideLine, besideLevel));
  if (step !== null)
    return none('none', 'level-changed', {
      ...ofBusiest,
      ...{ level: levelOf(own.filter(({ at }) => at >= step)), newLevelFrom: dayOfNumber(step) },
    });
  if (!isTrend) return none('none', 'no-trend', { ...ofBusiest, level: levelOf(own), perDay: slope });

  const error = (z.told * errorOfMedian * rough.spread * Math.sqrt(factor)) / Math.sqrt(own.length);
  const level = levelBy({ own, last }, slope.slope);
  const told = { ...nothing, ...ofBusiest, level, perDay: slope };
  if (slope.slope < 0) return { ...told, state: 'falling', reason: 'falling' };
  if (limit === null) return { ...told, state: 'growing', reason: 'no-limit' };
  return { ...told, state: 'growing', ...meeting({ own, last, spanDays, slope, error }, limit) };
}
