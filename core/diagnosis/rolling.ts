/** Counting minutes in a rolling window. */
import { secondsPerDay, secondsPerMinute } from '../units.ts';

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
