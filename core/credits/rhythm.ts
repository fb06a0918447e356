/** The rhythm of a rate by hour of the week, in UTC: what the coming hours will want if they are as those before. */
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import { type Known, known, unknown } from '../known.ts';
import type { TimeAxis } from '../load/series.ts';
import { secondsPerDay, secondsPerHour } from '../units.ts';
import { type CreditBucket, changePerSecond, creditsAfter } from './credits.ts';

export const hoursPerWeek = 168;
const hoursPerDay = 24;

/** What an hour of the rhythm rests on. */
export const rhythmBases = ['nothing', 'one-day', 'hour-of-day', 'hour-of-week'] as const;
type RhythmBasis = (typeof rhythmBases)[number];

const basisCode = Object.fromEntries(rhythmBases.map((basis, code) => [basis, code])) as Record<
  RhythmBasis,
  number
>;

function basisOfDays(daysSeen: number): number {
  if (daysSeen > 1) return basisCode['hour-of-day'];
  return daysSeen === 1 ? basisCode['one-day'] : basisCode.nothing;
}

/** Columns have one entry an hour of the week; entry 0 is Thursday 00:00 UTC, as 1970 began. */
export interface Rhythm {
  /** Mean rate of the hour, in the unit of the history; NaN where no such hour is known. */
  ratePerSecond: Float64Array;
  /** The position in `rhythmBases`. */
  basis: Uint8Array;
  historyDays: number;
}

/** Why a history has no rhythm: of a short one how many hours there are. */
export type NoRhythm =
  | { code: 'points-over-an-hour' | 'hours-differ' }
  | { code: 'short-history'; hours: number };

export const hourOf = (epochSeconds: number): number => Math.floor(epochSeconds / secondsPerHour);

/** Mean rates of whole hours, oldest first; NaN where too little of the hour is known. */
function hourlyMeans(
  { epochSeconds, periodSeconds }: TimeAxis,
  ratePerSecond: Float64Array,
  [firstHour, endHour]: readonly [number, number],
): Float64Array {
  const sums = new Float64Array(endHour - firstHour);
  const counts = new Uint32Array(endHour - firstHour);
  for (let i = 0; i < epochSeconds.length; i++) {
    const hour = Math.floor((epochSeconds[i] as number) / secondsPerHour) - firstHour;
    const rate = ratePerSecond[i] as number;
    if (hour < 0 || hour >= sums.length || Number.isNaN(rate)) continue;
    sums[hour] = (sums[hour] as number) + rate;
    counts[hour] = (counts[hour] as number) + 1;
  }
  const enough = (fixedThresholds.rhythmHourKnownShare * secondsPerHour) / periodSeconds;
  for (let hour = 0; hour < sums.length; hour++) {
    const count = counts[hour] as number;
    sums[hour] = count > 0 && count >= enough ? (sums[hour] as number) / count : Number.NaN;
  }
  return sums;
}

/** Of the known hours that are alike: how many, and the lower of the two in the middle (of three the middle one). */
function alike(means: Float64Array, firstHour: number, slot: number, every: number): [number, number] {
  const values: number[] = [];
  const first = (((slot - firstHour) % every) + every) % every;
  for (let i = first; i < means.length; i += every) {
    const mean = means[i] as number;
    if (!Number.isNaN(mean)) values.push(mean);
  }
  values.sort((a, b) => a - b);
  return [values.length, values[(values.length - 1) >> 1] ?? Number.NaN];
}

/** Hour by hour of the week what the same hours before brought: see `rhythmOf`. */
function profileOf(means: Float64Array, firstHour: number, isWeekly: boolean): Omit<Rhythm, 'historyDays'> {
  const ratePerSecond = new Float64Array(hoursPerWeek);
  const basis = new Uint8Array(hoursPerWeek);
  const days = Array.from({ length: hoursPerDay }, (_, hour) => alike(means, firstHour, hour, hoursPerDay));
  for (let hour = 0; hour < hoursPerWeek; hour++) {
    const [daysSeen, ofDay] = days[hour % hoursPerDay] as [number, number];
    const [weeksSeen, ofWeek] = isWeekly ? alike(means, firstHour, hour, hoursPerWeek) : [0, Number.NaN];
    if (weeksSeen > 1) ratePerSecond[hour] = ofWeek;
    else ratePerSecond[hour] = weeksSeen === 1 ? Math.min(ofWeek, ofDay) : ofDay;
    basis[hour] = weeksSeen > 1 ? basisCode['hour-of-week'] : basisOfDays(daysSeen);
  }
  return { ratePerSecond, basis };
}

/**
 * The share of the variance of the hours that their rhythm explains: 1 - residual / total. 0 for hours that come at random,
 * 1 where they do not vary; of hours seen once nothing is known, and they are left out.
 */
function explainedShare(
  means: Float64Array,
  firstHour: number,
  { ratePerSecond, basis }: Omit<Rhythm, 'historyDays'>,
): number {
  let [count, sum, squares, residual] = [0, 0, 0, 0];
  for (let i = 0; i < means.length; i++) {
    const mean = means[i] as number;
    const slot = (firstHour + i) % hoursPerWeek;
    if (Number.isNaN(mean) || basis[slot] === basisCode['one-day']) continue;
    count++;
    sum += mean;
    squares += mean * mean;
    residual += (mean - (ratePerSecond[slot] as number)) ** 2;
  }
  const total = squares - (sum * sum) / count;
  return residual === 0 || count === 0 ? 1 : 1 - residual / total;
}

/**
 * The rhythm of a history up to now, in one pass over its points.
 *
 * What only one odd day did is no rhythm: an hour is expected to bring what the same hour brought before by the lower
 * median, which of two hours is the lower and of three the middle one. By hour of the week from 7 days on; an hour of the
 * week that was seen once only brings no more than this hour of the day does by its own lower median. Before 7 days by
 * hour of the day, from 24 h on; an hour that was seen on one day only says so in its basis. And hours that come at random
 * are no rhythm, though two of them may look alike: the rhythm must explain half of how the hours vary.
 * @param ratePerSecond one rate a period of the axis, NaN where unknown.
 */
export function rhythmOf(
  axis: TimeAxis,
  ratePerSecond: Float64Array,
  nowEpochSeconds: number,
): Known<Rhythm, NoRhythm> {
  if (axis.periodSeconds > secondsPerHour) return unknown({ code: 'points-over-an-hour' });
  const oldest = nowEpochSeconds - fixedThresholds.oldestRhythmSeconds;
  const start = Math.max(axis.epochSeconds[0] ?? nowEpochSeconds, oldest);
  const historySeconds = nowEpochSeconds - start;
  if (historySeconds < fixedThresholds.dailyRhythmSeconds) {
    return unknown({ code: 'short-history', hours: Math.floor(historySeconds / secondsPerHour) });
  }
  const firstHour = hourOf(start);
  const means = hourlyMeans(axis, ratePerSecond, [firstHour, hourOf(nowEpochSeconds)]);
  const profile = profileOf(means, firstHour, historySeconds >= fixedThresholds.weeklyRhythmSeconds);
  if (explainedShare(means, firstHour, profile) < fixedThresholds.rhythmExplainedShare) {
    return unknown({ code: 'hours-differ' });
  }
  return known({ ...profile, historyDays: historySeconds / secondsPerDay });
}

// When a bucket will be empty: at the recent rate, and if the coming hours are as their like were before.

export interface RhythmForecast {
  secondsToEmpty: number;
  /** What the hour in which it becomes empty rests on. */
  basis: Exclude<RhythmBasis, 'nothing'>;
}

/**
 * Hour by hour from now on: credits + (baseline - rate) x seconds, the rate capped at the burst, until nothing is left.
 * An hour is known by its mean: a batch shorter than an hour is spread over its hour, so its bucket is forecast empty
 * later than it will be, or not at all where the rest of the hour earns it back.
 * @param credits what is left now.
 * @returns null where it does not come within the next 7 days, or an hour before it is unknown.
 */
export function forecastByRhythm(
  bucket: CreditBucket,
  credits: number,
  { ratePerSecond, basis }: Rhythm,
  nowEpochSeconds: number,
): RhythmForecast | null {
  let left = credits;
  let now = nowEpochSeconds;
  const end = nowEpochSeconds + hoursPerWeek * secondsPerHour;
  while (now < end) {
    const slot = hourOf(now) % hoursPerWeek;
    const rate = ratePerSecond[slot] as number;
    if (Number.isNaN(rate)) return null;
    const seconds = Math.min(end, (hourOf(now) + 1) * secondsPerHour) - now;
    const change = changePerSecond(bucket, rate);
    if (change < 0 && left + change * seconds <= 0) {
      return {
        secondsToEmpty: now - nowEpochSeconds + left / -change,
        // An hour that rests on nothing has no rate.
        basis: rhythmBases[basis[slot] as number] as RhythmForecast['basis'],
      };
    }
    left = creditsAfter(bucket, left, rate, seconds);
    now += seconds;
  }
  return null;
}
