/** Dates and times of day as sysstat prints them, in the languages of its hosts. */
import { msPerSecond, secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
/** 11/27/2026, 11/27/26; the same with the day first. */
const slashDate = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/;
/** 27.11.2026, 27-11-2026: the day comes first wherever dates are written so. */
const dayFirstDate = /^(\d{1,2})[.-](\d{1,2})[.-](\d{2}|\d{4})$/;
const timeOfDay = /^(\d{1,2}):(\d{2}):(\d{2})$/;

interface DateOrder {
  monthFirst: boolean;
  /** Nothing shows the order: it is assumed. */
  isAssumed: boolean;
}

/** By a date that can be only one of both; without one the month comes first, as sysstat has it without a locale. */
export function dateOrder(dates: readonly string[]): DateOrder {
  const parts = dates.flatMap((date) => {
    const match = slashDate.exec(date);
    return match === null ? [] : [[Number(match[1]), Number(match[2])] as const];
  });
  if (parts.some(([first]) => first > 12)) return { monthFirst: false, isAssumed: false };
  const isShown = parts.some(([, second]) => second > 12);
  return { monthFirst: true, isAssumed: parts.some(([a, b]) => a !== b) && !isShown };
}

export const isDate = (text: string): boolean =>
  isoDate.test(text) || slashDate.test(text) || dayFirstDate.test(text);

function partsOf(text: string, monthFirst: boolean): (string | undefined)[] {
  const iso = isoDate.exec(text);
  if (iso !== null) return iso.slice(1);
  const slash = slashDate.exec(text);
  const [, first, second, year] = slash ?? dayFirstDate.exec(text) ?? [];
  return slash !== null && monthFirst ? [year, first, second] : [year, second, first];
}

/** Seconds since 1970 of a day's begin, taken as UTC; NaN where it is no date. */
export function daySeconds(text: string, monthFirst: boolean): number {
  const [year, month, day] = partsOf(text, monthFirst).map(Number);
  if (year === undefined || month === undefined || day === undefined) return Number.NaN;
  const whole = year < 100 ? 2000 + year : year;
  const date = new Date(Date.UTC(whole, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.getTime() / msPerSecond
    : Number.NaN;
}

/** Seconds since midnight; null where it is no time. @param half AM or PM; undefined: of 24 hours. */
export function timeSeconds(text: string, half?: string): number | null {
  const [, hours, minutes, seconds] = timeOfDay.exec(text)?.map(Number) ?? [];
  if (hours === undefined || minutes === undefined || seconds === undefined) return null;
  const is12h = half !== undefined && /^[AP]M$/i.test(half);
  const hour = is12h ? (hours % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : hours;
  // 60: a leap second.
  if (hour > 23 || minutes > 59 || seconds > 60 || (is12h && (hours < 1 || hours > 12))) return null;
  return hour * secondsPerHour + minutes * secondsPerMinute + seconds;
}

/** What a day later reads as earlier by more than half a day. */
export const halfDaySeconds = secondsPerDay / 2;
