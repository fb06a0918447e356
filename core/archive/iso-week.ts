/** Weeks of ISO 8601, from Monday on, UTC. */
import { epochSecondsOf, isoFromEpochSeconds, secondsPerDay } from '../units.ts';

const daysPerWeek = 7;
/** The week of a year is the one that its Thursday is in; 1970 began on one. */
const toThursday = 3;

const dayNumber = (day: string): number => epochSecondsOf(day) / secondsPerDay;
const dayOf = (number: number): string =>
  isoFromEpochSeconds(number * secondsPerDay).slice(0, '2026-11-23'.length);

/** The Monday of the week that a day is in. */
export function mondayOf(day: string): string {
  const days = dayNumber(day);
  return dayOf(days - ((days + toThursday) % daysPerWeek));
}

/** 2026-W48, of its Monday. */
export function isoWeek(monday: string): string {
  const thursday = dayNumber(monday) + toThursday;
  const year = dayOf(thursday).slice(0, 4);
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / daysPerWeek) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
