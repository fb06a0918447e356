/** Times of a day as people write them, "07:30", and what clocks on the wall of a zone show. */
import { msPerSecond, secondsPerHour, secondsPerMinute } from './units.ts';

export const timeOfDayPattern = /^([01]\d|2[0-3]):[0-5]\d$/;

export function hoursAndMinutes(time: string): { hours: number; minutes: number } {
  const [hours = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number);
  return { hours, minutes };
}

/** Seconds since midnight. */
export function secondsOfDay(time: string): number {
  const { hours, minutes } = hoursAndMinutes(time);
  return hours * secondsPerHour + minutes * secondsPerMinute;
}

/** What clocks of a zone show at a moment, in seconds since 1970 as if it were UTC. */
export function toLocalSeconds(epochSeconds: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(epochSeconds * msPerSecond);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((one) => one.type === type)?.value);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')) / msPerSecond;
}

/** The moment at which clocks show this; of an hour that is not there, because clocks are set on, the one after it. */
export function momentOf(wallSeconds: number, timeZone: string): number {
  const before = wallSeconds - (toLocalSeconds(wallSeconds, timeZone) - wallSeconds);
  return wallSeconds - (toLocalSeconds(before, timeZone) - before);
}
