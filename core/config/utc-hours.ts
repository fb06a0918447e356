/** Quiet hours of a channel in UTC, as clocks stand on a day. */
import { isoFromEpochSeconds, msPerSecond, secondsPerDay } from '../units.ts';
import { momentOf, secondsOfDay, toLocalSeconds } from '../wall-clock.ts';
import type { QuietHours } from './config.ts';

const timeOf = (epochSeconds: number): string => isoFromEpochSeconds(epochSeconds).slice(11, 16);

/** @param now says which day it is where the channel is read. */
export function utcHours({ from, to, timeZone }: QuietHours, now: Date): { from: string; to: string } {
  const wallSeconds = toLocalSeconds(now.getTime() / msPerSecond, timeZone);
  const midnight = wallSeconds - (wallSeconds % secondsPerDay);
  const start = midnight + secondsOfDay(from);
  const end = midnight + secondsOfDay(to) + (to < from ? secondsPerDay : 0);
  return { from: timeOf(momentOf(start, timeZone)), to: timeOf(momentOf(end, timeZone)) };
}
