/** Counts of throttled minutes and how bad they are: shared by volumes and instances. */

import type { TimeAxis } from '../load/series.ts';
import type { Finding, Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import type { Thresholds } from './thresholds.ts';

// Counting minutes in a rolling window.

export interface PeakDay {
  minutes: number;
  /** First and last period with a counted minute in the worst 24 hours; null when there is none. */
  firstEpochSeconds: number | null;
  lastEpochSeconds: number | null;
}

/**
 * The 24 hours with the most counted minutes.
 * @param minutes one figure a period, in the order of `epochSeconds` (ascending).
 */
export function peakDay(epochSeconds: Float64Array, minutes: Float64Array): PeakDay {
  let start = 0;
  let sum = 0;
  let best = { minutes: 0, start: 0, end: -1 };
  for (let end = 0; end < minutes.length; end++) {
    sum += minutes[end] as number;
    while ((epochSeconds[end] as number) - (epochSeconds[start] as number) >= secondsPerDay) {
      sum -= minutes[start] as number;
      start++;
    }
    if (sum > best.minutes) best = { minutes: sum, start, end };
  }
  const counted = (minutes.subarray(best.start, best.end + 1) as Float64Array).map((m) => (m > 0 ? 1 : 0));
  const first = counted.indexOf(1);
  return {
    minutes: best.minutes,
    firstEpochSeconds: first < 0 ? null : (epochSeconds[best.start + first] as number),
    lastEpochSeconds: first < 0 ? null : (epochSeconds[best.start + counted.lastIndexOf(1)] as number),
  };
}

/** Counted minutes among the last so many minutes before an end; none where the time axis ends earlier. */
export function lastMinutes(
  epochSeconds: Float64Array,
  minutes: Float64Array,
  endEpochSeconds: number,
  lastSoMany: number,
): number {
  const from = endEpochSeconds - lastSoMany * secondsPerMinute;
  let sum = 0;
  for (let i = minutes.length - 1; i >= 0 && (epochSeconds[i] as number) >= from; i--)
    sum += minutes[i] as number;
  return sum;
}

export interface Throttled {
  worst: PeakDay;
  /** Minutes in the whole window. */
  minutesInWindow: number;
  lastFive: number;
  /** The clock hour (UTC) with the most of them; null when there are none. */
  peakHour: { epochSeconds: number; minutes: number } | null;
  periodSeconds: number;
}

function peakClockHour(epochSeconds: Float64Array, minutes: Float64Array): Throttled['peakHour'] {
  let worst: Throttled['peakHour'] = null;
  let hourStart = Number.NaN;
  let inHour = 0;
  for (let i = 0; i < minutes.length; i++) {
    const held = minutes[i] as number;
    if (held === 0) continue;
    const start = Math.floor((epochSeconds[i] as number) / secondsPerHour) * secondsPerHour;
    inHour = start === hourStart ? inHour + held : held;
    hourStart = start;
    if (inHour > (worst?.minutes ?? 0)) worst = { epochSeconds: start, minutes: inHour };
  }
  return worst;
}

function sumOf(minutes: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < minutes.length; i++) sum += minutes[i] as number;
  return sum;
}

const noPeakDay = { minutes: 0, firstEpochSeconds: null, lastEpochSeconds: null };

const minutesOfLastFive = 5;

/** Throttled minutes of one cause on a time axis, one figure a period; "the last five" end where the audit ends. */
export function countThrottled(
  { epochSeconds, periodSeconds }: TimeAxis,
  minutes: Float64Array,
  windowEndEpochSeconds: number,
): Throttled {
  const minutesInWindow = sumOf(minutes);
  const isNothing = minutesInWindow === 0;
  return {
    worst: isNothing ? noPeakDay : peakDay(epochSeconds, minutes),
    minutesInWindow,
    lastFive: isNothing ? 0 : lastMinutes(epochSeconds, minutes, windowEndEpochSeconds, minutesOfLastFive),
    peakHour: isNothing ? null : peakClockHour(epochSeconds, minutes),
    periodSeconds,
  };
}

const isOngoing = ({ lastFive }: Throttled, thresholds: Thresholds): boolean =>
  lastFive >= thresholds.throttledCriticalMinutesOfLastFive;

/** The severity of a throttled-* finding, or null where there are too few minutes to tell anybody. */
export function throttledSeverity(held: Throttled, thresholds: Thresholds): Severity | null {
  const { minutes } = held.worst;
  if (minutes >= thresholds.throttledCriticalMinutes || isOngoing(held, thresholds)) return 'critical';
  return minutes >= thresholds.throttledWarningMinutes ? 'warning' : null;
}

/** The severity of an empty bucket under load, or null where it never was. */
export function exhaustedSeverity({ worst }: Throttled, thresholds: Thresholds): Severity | null {
  if (worst.minutes === 0) return null;
  return worst.minutes >= thresholds.creditsExhaustedCriticalMinutes ? 'critical' : 'warning';
}

/** When, from the first to the end of the last such period of the peak 24 hours, and whether it goes on. */
export function whenSeen({
  worst: { firstEpochSeconds: first, lastEpochSeconds: last },
  lastFive,
  periodSeconds,
}: Throttled): Pick<Finding, 'status' | 'firstSeen' | 'lastSeen'> {
  return {
    status: lastFive > 0 ? 'ongoing' : 'ended',
    firstSeen: first === null ? null : isoFromEpochSeconds(first),
    lastSeen: last === null ? null : isoFromEpochSeconds(last + periodSeconds),
  };
}

/** What is configured, and not what happens: nobody knows since when. */
export const standing = { status: 'standing', firstSeen: null, lastSeen: null } as const;

/** The metrics behind a finding. */
export function evidenceOver(
  { epochSeconds, periodSeconds }: TimeAxis,
  knownSeconds: number,
): Pick<Finding, 'evidenceWindow' | 'provisional'> {
  const [first, last] = [epochSeconds[0] as number, epochSeconds.at(-1) as number];
  const days = Number((knownSeconds / secondsPerDay).toFixed(2));
  const end = isoFromEpochSeconds(last + periodSeconds);
  return {
    evidenceWindow: { start: isoFromEpochSeconds(first), end, days },
    provisional: knownSeconds < secondsPerDay,
  };
}

/** No metrics are behind it: what is configured says it. */
export const byConfiguration = { evidenceWindow: null, provisional: false } as const;

/** The counts behind a finding. */
export const countEvidence = (held: Throttled) => ({
  throttledMinutesPeak24h: held.worst.minutes,
  throttledMinutesInWindow: held.minutesInWindow,
  throttledMinutesOfLastFive: held.lastFive,
  peakHour: held.peakHour === null ? null : isoFromEpochSeconds(held.peakHour.epochSeconds),
  throttledMinutesInPeakHour: held.peakHour?.minutes ?? 0,
});
