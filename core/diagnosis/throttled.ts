/** Counts of held-back minutes, and how bad they are: shared by volumes and instances. */
import type { Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../units.ts';
import { lastMinutes, type WorstDay, worstDay } from './rolling.ts';
import { thresholds } from './thresholds.ts';

export interface HeldBack {
  worst: WorstDay;
  /** Minutes in the whole window. */
  minutesInWindow: number;
  lastFive: number;
}

/** Held-back minutes of one cause on a time axis. */
export function countHeldBack(
  epochSeconds: Float64Array,
  minutes: Float64Array,
  periodSeconds: number,
): HeldBack {
  const { of } = thresholds.throttledCriticalOfLast;
  return {
    worst: worstDay(epochSeconds, minutes),
    minutesInWindow: minutes.reduce((total, value) => total + value, 0),
    lastFive: lastMinutes(epochSeconds, minutes, periodSeconds, of),
  };
}

/** The severity of a throttled-* finding, or null where there are too few minutes to tell anybody. */
export function throttledSeverity({ worst, lastFive }: HeldBack): Severity | null {
  if (worst.minutes >= thresholds.throttledCriticalMinutes) return 'critical';
  if (lastFive >= thresholds.throttledCriticalOfLast.minutes) return 'critical';
  return worst.minutes >= thresholds.throttledWarningMinutes ? 'warning' : null;
}

/** The severity of an empty bucket under load, or null where it never was. */
export function exhaustedSeverity({ worst }: HeldBack): Severity | null {
  if (worst.minutes === 0) return null;
  return worst.minutes >= thresholds.creditsExhaustedCriticalMinutes ? 'critical' : 'warning';
}

export const sinceOf = ({ worst }: HeldBack): string | null =>
  worst.firstEpochSeconds === null ? null : isoFromEpochSeconds(worst.firstEpochSeconds);

export const untilOf = ({ worst }: HeldBack, periodSeconds = secondsPerMinute): string | null =>
  worst.lastEpochSeconds === null ? null : isoFromEpochSeconds(worst.lastEpochSeconds + periodSeconds);
