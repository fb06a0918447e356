/** Weeks of ISO 8601, from Monday on, UTC. */
import { secondsPerDay } from '../units.ts';
import { dayOf, dayStart } from './keys.ts';

const daysPerWeek = 7;
/** The week of a year is the one that its Thursday is in; 1970 began on one. */
const toThursday = 3;

/** The Monday of the week that a day is in. */
export function mondayOf(day: string): string {
  const days = dayStart(day) / secondsPerDay;
  return dayOf((days - ((days + toThursday) % daysPerWeek)) * secondsPerDay);
}

/** 2026-W48, of its Monday. */
export function isoWeek(monday: string): string {
  const thursday = dayStart(monday) / secondsPerDay + toThursday;
  const year = dayOf(thursday * secondsPerDay).slice(0, 4);
  const week = Math.floor((thursday - dayStart(`${year}-01-01`) / secondsPerDay) / daysPerWeek) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}
