/** When a bucket will be empty: at the recent rate, and if the coming hours are as their like were before. */
import { secondsPerHour } from '../units.ts';
import { hourOf, hoursPerWeek, type Rhythm, type RhythmBasis, rhythmBases } from './rhythm.ts';
import { type CreditBucket, changePerSecond, creditsAfter } from './volume-credits.ts';

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
