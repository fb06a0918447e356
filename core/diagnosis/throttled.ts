/** Counts of throttled minutes and how bad they are: shared by volumes and instances. */

import type { TimeAxis } from '../load/series.ts';
import type { Finding, Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import type { Thresholds } from './thresholds.ts';

// Counting minutes in a rolling window.

/**
 * Counted minutes of the 24 hours with the most of them.
 * @param minutes one figure a period, in the order of `epochSeconds` (ascending).
 */
export function peakDayMinutes(epochSeconds: Float64Array, minutes: Float64Array): number {
  let start = 0;
  let sum = 0;
  let most = 0;
  for (let end = 0; end < minutes.length; end++) {
    sum += minutes[end] as number;
    while ((epochSeconds[end] as number) - (epochSeconds[start] as number) >= secondsPerDay) {
      sum -= minutes[start] as number;
      start++;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** First and last period with counted minutes. */
export interface Episode {
  firstEpochSeconds: number;
  lastEpochSeconds: number;
}

/**
 * The latest episode: its counted periods follow each other within 24 hours, so what comes back each night is one. Null where
 * none is counted.
 * @param minutes one figure a period, in the order of `epochSeconds` (ascending).
 */
export function latestEpisode(epochSeconds: Float64Array, minutes: Float64Array): Episode | null {
  let last = minutes.length - 1;
  while (last >= 0 && minutes[last] === 0) last--;
  if (last < 0) return null;
  let first = last;
  for (let i = last - 1; i >= 0; i--) {
    if ((epochSeconds[first] as number) - (epochSeconds[i] as number) > secondsPerDay) break;
    if ((minutes[i] as number) > 0) first = i;
  }
  return { firstEpochSeconds: epochSeconds[first] as number, lastEpochSeconds: epochSeconds[last] as number };
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
  minutesPeak24h: number;
  latest: Episode | null;
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
    minutesPeak24h: isNothing ? 0 : peakDayMinutes(epochSeconds, minutes),
    latest: isNothing ? null : latestEpisode(epochSeconds, minutes),
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
  const { minutesPeak24h } = held;
  if (minutesPeak24h >= thresholds.throttledCriticalMinutes || isOngoing(held, thresholds)) return 'critical';
  return minutesPeak24h >= thresholds.throttledWarningMinutes ? 'warning' : null;
}

/** The severity of an empty bucket under load, or null where it never was. */
export function exhaustedSeverity({ minutesPeak24h }: Throttled, thresholds: Thresholds): Severity | null {
  if (minutesPeak24h === 0) return null;
  return minutesPeak24h >= thresholds.creditsExhaustedCriticalMinutes ? 'critical' : 'warning';
}

/** Its times: from the start of the first period to the end of the last one. */
export const seenIn = (
  episode: Episode | null,
  periodSeconds: number,
): Pick<Finding, 'firstSeen' | 'lastSeen'> => ({
  firstSeen: episode === null ? null : isoFromEpochSeconds(episode.firstEpochSeconds),
  lastSeen: episode === null ? null : isoFromEpochSeconds(episode.lastEpochSeconds + periodSeconds),
});

/** When the latest episode was, and whether it goes on. */
export const whenSeen = ({
  latest,
  lastFive,
  periodSeconds,
}: Throttled): Pick<Finding, 'status' | 'firstSeen' | 'lastSeen'> => ({
  status: lastFive > 0 ? 'ongoing' : 'ended',
  ...seenIn(latest, periodSeconds),
});

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
  throttledMinutesPeak24h: held.minutesPeak24h,
  throttledMinutesInWindow: held.minutesInWindow,
  throttledMinutesOfLastFive: held.lastFive,
  peakHour: held.peakHour === null ? null : isoFromEpochSeconds(held.peakHour.epochSeconds),
  throttledMinutesInPeakHour: held.peakHour?.minutes ?? 0,
});
