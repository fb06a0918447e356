/** Hours of a channel in which what can wait waits. */
import type { QuietHours } from '../config/config.ts';
import { msPerSecond, secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';

function secondsOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * secondsPerHour + minutes * secondsPerMinute;
}

/** What a clock on the wall of the zone shows, in seconds since midnight. */
function secondsOnTheWall(epochSeconds: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(
    epochSeconds * msPerSecond,
  );
  const [hours = 0, minutes = 0, seconds = 0] = parts.split(':').map(Number);
  return hours * secondsPerHour + minutes * secondsPerMinute + seconds;
}

/**
 * When they end; null where it is not quiet. Where clocks are set meanwhile the end is an hour off: who waits until then asks
 * again.
 */
export function quietUntil({ from, to, timeZone }: QuietHours, nowEpochSeconds: number): number | null {
  const now = secondsOnTheWall(nowEpochSeconds, timeZone);
  const [start, end] = [secondsOfDay(from), secondsOfDay(to)];
  const isQuiet = start < end ? now >= start && now < end : now >= start || now < end;
  return isQuiet ? nowEpochSeconds + ((end - now + secondsPerDay) % secondsPerDay) : null;
}
