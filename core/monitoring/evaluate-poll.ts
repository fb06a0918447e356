/** One poll of a volume or an instance, evaluated: what its newest minutes say, and when its credits run out. */
import { type CreditBucket, secondsToEmpty } from '../credits/credits.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import {
  countThrottled,
  exhaustedSeverity,
  type Throttled,
  throttledSeverity,
} from '../diagnosis/throttled.ts';
import { baselineLimit, limitOf } from '../diagnosis/volume-findings.ts';
import { finestEbsPeriodSeconds } from '../load/metrics.ts';
import type { Series } from '../load/series.ts';
import type { RememberedEvidence } from '../schemas/evidence.ts';
import type { ByKind, FindingFields, Severity } from '../schemas/finding.ts';
import { secondsPerMinute } from '../units.ts';
import { pace } from './pace.ts';
import { endOf } from './seen.ts';
import { minutesByCause, type ThrottledMinutes, type ThrottlingCause } from './throttled-minutes.ts';
import type { MonitoringKind } from './watch.ts';
import type { Watched } from './watched.ts';

// What the published balance of a bucket says: how full it is, how fast it fell lately, when it will be empty.

export interface Drain {
  /** Published last, and the end of its minute. */
  percent: number;
  untilEpochSeconds: number;
  /** At the rate of the last 30 minutes; null where it rose or stood. */
  secondsToEmpty: number | null;
  /** The same at the rate of the last few minutes, and of the last hour. */
  secondsToEmptyNow: number | null;
  secondsToEmptyByHour: number | null;
  /** At full speed. */
  secondsToEmptyAtMost: number | null;
  /** Its rate in the last minute, in credits a second, as far as the balance fell; 0 where it did not. */
  spentCreditsPerSecond: number;
  /** At the rate of that minute; null where it did not fall in it. */
  secondsToEmptyAtLast: number | null;
}

/** Percent that it fell by over so many seconds before the last point; 0 where it rose or stood. */
function fallenOver({ epochSeconds, values }: Series, seconds: number, before: number | null): number {
  const last = values.length - 1;
  const earliest = (epochSeconds[last] as number) - seconds;
  let first = last;
  while (first > 0 && (epochSeconds[first - 1] as number) >= earliest) first--;
  const isWhole = (epochSeconds[first] as number) < earliest + finestEbsPeriodSeconds;
  // Idle until the first point: it stood where it was, or higher.
  const start = isWhole ? (values[first] as number) : Math.max(values[first] as number, before ?? 0);
  return Math.max(0, start - (values[last] as number));
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
  const credits = (percent / 100) * bucket.capacity;
  // Less than that of points is no reason to take what fell for more: the rest of it was flat, or not published.
  const at = (seconds: number): number | null => {
    const lost = ((fallenOver(balance, seconds, before) / 100) * bucket.capacity) / seconds;
    return secondsToEmpty(bucket, credits, bucket.baselinePerSecond + lost);
  };
  const follows =
    last > 0 && (epochSeconds[last - 1] as number) === untilEpochSeconds - 2 * finestEbsPeriodSeconds;
  const inLastMinute = follows ? (values[last - 1] as number) - percent : 0;
  const spentCreditsPerSecond =
    inLastMinute > 0
      ? bucket.baselinePerSecond + ((inLastMinute / 100) * bucket.capacity) / finestEbsPeriodSeconds
      : 0;
  return {
    ...{ percent, untilEpochSeconds, spentCreditsPerSecond },
    secondsToEmpty: at(fixedThresholds.recentRateSeconds),
    secondsToEmptyNow: at(pace.warning.nowSeconds),
    secondsToEmptyByHour: at(pace.warning.longSeconds),
    secondsToEmptyAtMost: secondsToEmpty(bucket, credits, bucket.burstPerSecond),
    secondsToEmptyAtLast: secondsToEmpty(bucket, credits, spentCreditsPerSecond),
  };
}

// The findings of a poll: exactly by the words and figures of the audit, in the last 24 hours.

interface FoundFields extends Pick<FindingFields, 'severity' | 'status' | 'limit' | 'confidence'> {
  sinceEpochSeconds: number;
  untilEpochSeconds: number;
}
export type Found<Kind extends MonitoringKind = MonitoringKind> = ByKind<
  FoundFields,
  RememberedEvidence,
  Kind
>;

/** What is said of one kind of finding; what is not in the list of a poll was not polled. */
export interface Evaluated {
  kind: MonitoringKind;
  /** Null: it was polled, and is not there. */
  found: Found | null;
}

function throttledAt(minutes: readonly number[], endEpochSeconds: number): Throttled {
  const axis = { epochSeconds: Float64Array.from(minutes), periodSeconds: finestEbsPeriodSeconds };
  return countThrottled(axis, new Float64Array(minutes.length).fill(1), endEpochSeconds);
}

/**
 * As it was reported at its most urgent while nobody polled: three of five minutes that are over since a few minutes would
 * have been reported by who polled all the time.
 */
function throttledLately(minutes: readonly number[], endEpochSeconds: number): Throttled {
  const now = throttledAt(minutes, endEpochSeconds);
  const fresh = minutes.filter((minute) => minute >= endEpochSeconds - pace.freshSeconds);
  const lastFive = fresh.map((last) => {
    const from = last - 4 * secondsPerMinute;
    return fresh.filter((minute) => minute >= from && minute <= last).length;
  });
  return { ...now, lastFive: Math.max(now.lastFive, ...lastFive) };
}

/** From the first to the end of the last of them, and whether that is now. */
function spanOf(minutes: readonly number[], endEpochSeconds: number) {
  const untilEpochSeconds = (minutes.at(-1) as number) + secondsPerMinute;
  const isOn = untilEpochSeconds > endEpochSeconds - 5 * secondsPerMinute;
  return {
    status: isOn ? ('ongoing' as const) : ('ended' as const),
    ...{ sinceEpochSeconds: minutes[0] as number, untilEpochSeconds },
  };
}

/** Of the counts the part that is remembered. */
const minutesOf = ({ minutesPeak24h, peakHour }: Throttled) => ({
  throttledMinutesPeak24h: minutesPeak24h,
  throttledMinutesInPeakHour: peakHour?.minutes ?? 0,
});

type ThrottledKind = 'throttled-volume-iops' | 'throttled-volume-throughput';

function throttledBy(
  watched: Watched,
  cause: 'volume-iops' | 'volume-throughput',
  minutes: readonly number[],
  endEpochSeconds: number,
): Found<ThrottledKind> | null {
  if (minutes.length === 0) return null;
  const held = throttledLately(minutes, endEpochSeconds);
  const severity = throttledSeverity(held, watched.thresholds);
  if (severity === null) return null;
  const own = cause === 'volume-iops' ? 'iops' : 'throughput';
  return {
    kind: `throttled-${cause}`,
    ...{ severity, ...spanOf(minutes, endEpochSeconds), limit: limitOf(watched.limits, own) },
    confidence: watched.checks.length > 0 ? 'high' : 'medium',
    evidence: minutesOf(held),
  };
}

/** By each limit alone; where neither is enough, by both together under the name of the one that held for longer. */
function throttled(
  watched: Watched,
  { 'volume-iops': iops, 'volume-throughput': throughput }: Record<ThrottlingCause, number[]>,
  endEpochSeconds: number,
): Evaluated[] {
  const alone = {
    'volume-iops': throttledBy(watched, 'volume-iops', iops, endEpochSeconds),
    'volume-throughput': throttledBy(watched, 'volume-throughput', throughput, endEpochSeconds),
  };
  const isNone = alone['volume-iops'] === null && alone['volume-throughput'] === null;
  if (isNone && iops.length > 0 && throughput.length > 0) {
    const both = [...iops, ...throughput].sort((a, b) => a - b);
    const longer = iops.length >= throughput.length ? 'volume-iops' : 'volume-throughput';
    alone[longer] = throttledBy(watched, longer, both, endEpochSeconds);
  }
  return [
    { kind: 'throttled-volume-iops', found: alone['volume-iops'] },
    { kind: 'throttled-volume-throughput', found: alone['volume-throughput'] },
  ];
}

const limitWithoutCredits = ({ bucket }: Watched): FindingFields['limit'] => bucket && baselineLimit(bucket);

function exhausted(
  watched: Watched,
  minutes: readonly number[],
  endEpochSeconds: number,
): Found<'credits-exhausted'> | null {
  if (minutes.length === 0) return null;
  const held = throttledAt(minutes, endEpochSeconds);
  const severity = exhaustedSeverity(held, watched.thresholds);
  if (severity === null) return null;
  return {
    kind: 'credits-exhausted',
    ...{ severity, ...spanOf(minutes, endEpochSeconds), limit: limitWithoutCredits(watched) },
    confidence: 'high',
    evidence: minutesOf(held),
  };
}

/** What the poll says of minutes that were throttled. */
export function evaluateThrottled(
  watched: Watched,
  throttledMinutes: ThrottledMinutes,
  endEpochSeconds: number,
): Evaluated[] {
  const minutes = minutesByCause(throttledMinutes, endEpochSeconds);
  const found = throttled(watched, minutes, endEpochSeconds);
  if (watched.bucket === null) return found;
  const ofCredits = exhausted(watched, minutes['volume-credits'], endEpochSeconds);
  return [...found, { kind: 'credits-exhausted', found: ofCredits }];
}

/** Where the last minute's rate leaves less than this share of the time, both are said. */
const maxAtLast = 0.8;

const never = Number.POSITIVE_INFINITY;

/** What is known of a bucket beside its balance. */
export interface DrainBefore {
  /** As it is said now; null: it is not. */
  severity: Severity | null;
  /** The lowest balance of the coming hours, the day before, percent; null where none was seen, or it ran dry. */
  lowestPercent: number | null;
}

/**
 * Empty within `willExhaustSeconds` at the rate of the last 30 minutes, and the load is likely to go on: it goes on now, has
 * done so for a while, and took more than at this hour before. What will be empty within minutes is always said.
 * @returns null where it is not said.
 */
function severityOf({ thresholds }: Watched, drain: Drain, before: DrainBefore): Severity | null {
  const { willExhaustSeconds, willExhaustCriticalSeconds, emptyBalancePercent } = thresholds;
  const {
    percent,
    secondsToEmpty: mean,
    secondsToEmptyNow: now,
    secondsToEmptyByHour,
    secondsToEmptyAtMost,
  } = drain;
  // A balance that rises or stands is none, and one that is gone is exhausted.
  if (percent <= emptyBalancePercent || mean === null || mean > willExhaustSeconds) return null;
  const slowest = Math.max(mean, now ?? never, secondsToEmptyByHour ?? never);
  const soonest = Math.min(mean, now ?? mean);
  const isUsual =
    before.lowestPercent !== null && percent >= pace.warning.shareOfLowest * before.lowestPercent;
  const isSoon =
    now !== null &&
    (soonest <= pace.warning.alwaysSeconds ||
      (secondsToEmptyAtMost ?? never) <= pace.warning.alwaysAtMostSeconds);
  // What was said holds by the mean alone: a load that pauses takes nothing back.
  if (before.severity === null && !isSoon && (isUsual || slowest > willExhaustSeconds)) return null;
  const isCritical =
    before.severity === 'critical'
      ? mean <= willExhaustCriticalSeconds
      : (now !== null && soonest <= pace.warning.alwaysCriticalSeconds) ||
        (slowest <= willExhaustCriticalSeconds && !isUsual);
  return isCritical ? 'critical' : 'warning';
}

export function evaluateDrain(watched: Watched, drain: Drain, before: DrainBefore): Evaluated {
  const { percent, untilEpochSeconds, secondsToEmpty, secondsToEmptyAtLast } = drain;
  const severity = severityOf(watched, drain, before);
  if (severity === null || secondsToEmpty === null) return { kind: 'credits-will-exhaust', found: null };
  // A drain that began a moment ago is slow in the mean of 30 minutes.
  const isFaster = secondsToEmptyAtLast !== null && secondsToEmptyAtLast < maxAtLast * secondsToEmpty;
  return {
    kind: 'credits-will-exhaust',
    found: {
      kind: 'credits-will-exhaust',
      ...{ severity, status: 'forecast', sinceEpochSeconds: untilEpochSeconds, untilEpochSeconds },
      ...{ limit: limitWithoutCredits(watched), confidence: 'high' },
      evidence: {
        ...{ balancePercent: percent, secondsToEmpty },
        ...(isFaster ? { secondsToEmptyAtLastMinute: secondsToEmptyAtLast } : {}),
      },
    },
  };
}
