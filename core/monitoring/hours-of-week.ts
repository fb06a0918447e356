/**
 * How near a volume came to its limits in each hour of the week, as far as it was seen: a character an hour, in steps of two
 * percent. What an hour brought is a guide to the same hour of the next week, and of the next day.
 */
import { hourOf, hoursPerWeek } from '../credits/rhythm.ts';
import { secondsPerHour } from '../units.ts';
import { pace } from './pace.ts';

const steps = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shareOfStep = 0.02;
const unseen = '.';
const hoursPerDay = 24;

export const noHours = unseen.repeat(hoursPerWeek);

/** The highest share of a limit in an hour of the week; null where it was not seen. */
function shareIn(hours: string, hour: number): number | null {
  const step = steps.indexOf(hours[((hour % hoursPerWeek) + hoursPerWeek) % hoursPerWeek] as string);
  return step < 0 ? null : step * shareOfStep;
}

/** With what an hour brought; what it brought a week ago fades. */
export function withHour(hours: string, epochSeconds: number, share: number): string {
  const slot = hourOf(epochSeconds) % hoursPerWeek;
  const counted = Math.max(share, pace.expectedFades * (shareIn(hours, slot) ?? 0));
  const step = Math.min(steps.length - 1, Math.round(counted / shareOfStep));
  return `${hours.slice(0, slot)}${steps[step]}${hours.slice(slot + 1)}`;
}

/**
 * The highest share that the same hours of last week, and of the day before, brought around a time. An hour that was never
 * seen may bring anything: it counts as half of the way.
 */
export function expectedShare(hours: string, nowEpochSeconds: number): number {
  let highest: number | null = null;
  for (const seconds of [-pace.expectedAroundSeconds, pace.expectedAroundSeconds]) {
    const hour = hourOf(nowEpochSeconds + seconds);
    for (const like of [hour, hour - hoursPerDay]) {
      const share = shareIn(hours, like);
      if (share !== null) highest = Math.max(highest ?? 0, share);
    }
  }
  return highest ?? pace.unseenShare;
}

export const endOfHour = (epochSeconds: number): number => (hourOf(epochSeconds) + 1) * secondsPerHour;
export const startOfHour = (epochSeconds: number): number => hourOf(epochSeconds) * secondsPerHour;
