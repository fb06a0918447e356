/** Ends of months, in UTC. */
import { msPerSecond, secondsPerDay } from './units.ts';

/** Whether the whole last day of a month is in a window. */
export function hasMonthEnd(fromSeconds: number, endSeconds: number): boolean {
  const first = new Date(fromSeconds * msPerSecond);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()];
  // The end of the month that it begins in, or of the next one where that month has begun its last day.
  return [1, 2].some((more) => {
    const end = Date.UTC(year, month + more, 1) / msPerSecond;
    return end - secondsPerDay >= fromSeconds && end <= endSeconds;
  });
}
