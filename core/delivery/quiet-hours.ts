/** Hours of a channel in which what can wait waits. */
import type { QuietHours } from '../config/config.ts';
import { secondsPerDay } from '../units.ts';
import { secondsOfDay, toLocalSeconds } from '../wall-clock.ts';

/**
 * When they end; null where it is not quiet. Where clocks are set meanwhile the end is an hour off: who waits until then asks
 * again.
 */
export function quietUntil({ from, to, timeZone }: QuietHours, nowEpochSeconds: number): number | null {
  const now = toLocalSeconds(nowEpochSeconds, timeZone) % secondsPerDay;
  const [start, end] = [secondsOfDay(from), secondsOfDay(to)];
  const isQuiet = start < end ? now >= start && now < end : now >= start || now < end;
  return isQuiet ? nowEpochSeconds + ((end - now + secondsPerDay) % secondsPerDay) : null;
}
