/** What the published balance of a bucket says: how full it is, how fast it fell lately, when it will be empty. */
import { type CreditBucket, secondsToEmpty } from '../credits/credits.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds } from '../load/metrics.ts';
import type { Series } from '../load/series.ts';
import { endOf } from './seen.ts';

export interface Drain {
  /** Published last, and the end of its minute. */
  percent: number;
  untilEpochSeconds: number;
  /** Credits that it lost a second over the last 30 minutes; nothing where it rose or stood. */
  lostCreditsPerSecond: number;
  /** At that rate; null where it does not fall. */
  secondsToEmpty: number | null;
  /** Its rate in the last minute, in credits a second, as far as the balance fell; 0 where it did not. */
  spentCreditsPerSecond: number;
  /** At the rate of that minute; null where it did not fall in it. */
  secondsToEmptyAtLast: number | null;
}

/**
 * @param balance as published: a minute in which the volume did nothing has no point, and loses nothing.
 * @param before what was published last before these points, percent; null where nothing was.
 */
export function drainOf(bucket: CreditBucket, balance: Series, before: number | null): Drain {
  const { epochSeconds, values } = balance;
  const last = values.length - 1;
  const untilEpochSeconds = endOf(balance);
  const percent = values[last] as number;
  const earliest = untilEpochSeconds - finestEbsPeriodSeconds - fixedThresholds.recentRateSeconds;
  let first = last;
  while (first > 0 && (epochSeconds[first - 1] as number) >= earliest) first--;
  const isWhole = (epochSeconds[first] as number) < earliest + finestEbsPeriodSeconds;
  // Idle until the first point: it stood where it was, or higher.
  const start = isWhole ? (values[first] as number) : Math.max(values[first] as number, before ?? 0);
  const fallen = ((start - percent) / 100) * bucket.capacity;
  // Shorter than half an hour of points is no reason to take what fell for more: the rest of it was flat, or not published.
  const lostCreditsPerSecond = Math.max(0, fallen / fixedThresholds.recentRateSeconds);
  const credits = (percent / 100) * bucket.capacity;
  const follows =
    last > 0 && (epochSeconds[last - 1] as number) === untilEpochSeconds - 2 * finestEbsPeriodSeconds;
  const inLastMinute = follows ? (values[last - 1] as number) - percent : 0;
  const spentCreditsPerSecond =
    inLastMinute > 0
      ? bucket.baselinePerSecond + ((inLastMinute / 100) * bucket.capacity) / finestEbsPeriodSeconds
      : 0;
  return {
    ...{ percent, untilEpochSeconds, lostCreditsPerSecond, spentCreditsPerSecond },
    secondsToEmpty: secondsToEmpty(bucket, credits, bucket.baselinePerSecond + lostCreditsPerSecond),
    secondsToEmptyAtLast: secondsToEmpty(bucket, credits, spentCreditsPerSecond),
  };
}
