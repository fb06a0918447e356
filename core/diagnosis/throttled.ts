/** Counts of held-back minutes and how bad they are: shared by volumes and instances. */
import type { TimeAxis } from '../load/series.ts';
import type { Finding, Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerHour } from '../units.ts';
import { lastMinutes, type WorstDay, worstDay } from './rolling.ts';
import type { Thresholds } from './thresholds.ts';

export interface HeldBack {
  worst: WorstDay;
  /** Minutes in the whole window. */
  minutesInWindow: number;
  lastFive: number;
  /** The clock hour (UTC) with the most of them; null when there are none. */
  worstHour: { epochSeconds: number; minutes: number } | null;
  periodSeconds: number;
}

function worstClockHour(epochSeconds: Float64Array, minutes: Float64Array): HeldBack['worstHour'] {
  let worst: HeldBack['worstHour'] = null;
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

const noWorstDay = { minutes: 0, firstEpochSeconds: null, lastEpochSeconds: null };

const minutesOfLastFive = 5;

/** Held-back minutes of one cause on a time axis, one figure a period; "the last five" end where the audit ends. */
export function countHeldBack(
  { epochSeconds, periodSeconds }: TimeAxis,
  minutes: Float64Array,
  windowEndEpochSeconds: number,
): HeldBack {
  const minutesInWindow = sumOf(minutes);
  const isNothing = minutesInWindow === 0;
  return {
    worst: isNothing ? noWorstDay : worstDay(epochSeconds, minutes),
    minutesInWindow,
    lastFive: isNothing ? 0 : lastMinutes(epochSeconds, minutes, windowEndEpochSeconds, minutesOfLastFive),
    worstHour: isNothing ? null : worstClockHour(epochSeconds, minutes),
    periodSeconds,
  };
}

const isOngoing = ({ lastFive }: HeldBack, thresholds: Thresholds): boolean =>
  lastFive >= thresholds.throttledCriticalMinutesOfLastFive;

/** The severity of a throttled-* finding, or null where there are too few minutes to tell anybody. */
export function throttledSeverity(held: HeldBack, thresholds: Thresholds): Severity | null {
  const { minutes } = held.worst;
  if (minutes >= thresholds.throttledCriticalMinutes || isOngoing(held, thresholds)) return 'critical';
  return minutes >= thresholds.throttledWarningMinutes ? 'warning' : null;
}

/** The severity of an empty bucket under load, or null where it never was. */
export function exhaustedSeverity({ worst }: HeldBack, thresholds: Thresholds): Severity | null {
  if (worst.minutes === 0) return null;
  return worst.minutes >= thresholds.creditsExhaustedCriticalMinutes ? 'critical' : 'warning';
}

/** When, from the first to the end of the last such period of the peak 24 hours, and whether it goes on. */
export function whenSeen({
  worst: { firstEpochSeconds: first, lastEpochSeconds: last },
  lastFive,
  periodSeconds,
}: HeldBack): Pick<Finding, 'status' | 'firstSeen' | 'lastSeen'> {
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
export const countEvidence = (held: HeldBack) => ({
  heldBackMinutesWorst24h: held.worst.minutes,
  heldBackMinutesInWindow: held.minutesInWindow,
  heldBackMinutesOfLastFive: held.lastFive,
  worstHour: held.worstHour === null ? null : isoFromEpochSeconds(held.worstHour.epochSeconds),
  heldBackMinutesInWorstHour: held.worstHour?.minutes ?? 0,
});
