/** The fleet by day: throttled minutes as evaluation says, USD a month and findings as the last audit of the day found them. */
import { isReadInPart } from '../audit/accounts.ts';
import { groupBy } from '../group-by.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import type { FleetDay, FleetSpan, MinutesOfDay } from '../schemas/fleet-days.ts';
import { secondsPerDay } from '../units.ts';
import type { EvaluatedMinutes } from './evaluated.ts';
import { mondayOf } from './iso-week.ts';
import { dayOf, dayStart } from './keys.ts';

/** By day, counted from 1970 on. */
export type MinuteCounts = Map<number, { evaluated: number; throttled: number }>;

export const dayNumber = (epochSeconds: number): number => Math.floor(epochSeconds / secondsPerDay);

export function addMinutes(counts: MinuteCounts, day: number, evaluated: number, throttled: number): void {
  const sum = counts.get(day);
  if (sum === undefined) counts.set(day, { evaluated, throttled });
  else {
    sum.evaluated += evaluated;
    sum.throttled += throttled;
  }
}

/** What was not evaluated counts for nothing. */
export function addEvaluated(counts: MinuteCounts, minutes: EvaluatedMinutes): void {
  for (const [time, { status }] of minutes)
    if (status !== 'unknown') addMinutes(counts, dayNumber(time), 1, status === 'throttled' ? 1 : 0);
}

export const minutesByDay = (counts: MinuteCounts): MinutesOfDay[] =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([day, minutes]) => ({ day: dayOf(day * secondsPerDay), ...minutes }));

/** Of several batches. */
export function sumOfMinutes(all: readonly MinutesOfDay[]): MinutesOfDay[] {
  const counts: MinuteCounts = new Map();
  for (const { day, evaluated, throttled } of all)
    addMinutes(counts, dayNumber(dayStart(day)), evaluated, throttled);
  return minutesByDay(counts);
}

type Found = Pick<AuditResult, 'coverage' | 'accountCoverage' | 'volumes' | 'summary'>;

function fleetOf(result: Found): NonNullable<FleetDay['fleet']> {
  const { volumes, incomplete } = result.coverage;
  const prices = result.volumes.map(({ monthlyUsd }) => monthlyUsd).filter((usd) => usd !== null);
  const partial = incomplete.length > 0 || (result.accountCoverage ?? []).some(isReadInPart);
  const nothing = volumes === 0 && partial;
  return {
    volumes,
    unpriced: volumes - prices.length,
    usdMonth:
      nothing || (prices.length === 0 && volumes > 0) ? null : prices.reduce((sum, usd) => sum + usd, 0),
    findings: nothing ? null : result.summary.findingsBySeverity,
    partial,
  };
}

const mostDays = 400;

/** With what a run says: of the days of its window the minutes, of its own day the rest. */
export function withRun(
  before: readonly FleetDay[],
  run: { day: string; minutes: readonly MinutesOfDay[]; result: Found },
): FleetDay[] {
  const days = new Map(before.map((one) => [one.day, one]));
  const dayIn = (day: string): FleetDay =>
    days.get(day) ?? { day, fleet: null, throttledMinutes: null, evaluatedMinutes: 0 };
  for (const { day, evaluated, throttled } of run.minutes) {
    const old = dayIn(day);
    // A window that begins within the day, a run that could not read all, a volume that is gone: the run before knew more.
    if (evaluated === 0 || evaluated < old.evaluatedMinutes) continue;
    days.set(day, { ...old, throttledMinutes: throttled, evaluatedMinutes: evaluated });
  }
  days.set(run.day, { ...dayIn(run.day), fleet: fleetOf(run.result) });
  return [...days.values()].sort((a, b) => dayStart(a.day) - dayStart(b.day)).slice(-mostDays);
}

const daysPerWeek = 7;
const plusDays = (day: string, days: number): string => dayOf(dayStart(day) + days * secondsPerDay);

/** The seven days from a day on. */
function spanFrom(from: string, days: readonly FleetDay[]): FleetSpan {
  const to = plusDays(from, daysPerWeek - 1);
  const own = days.filter(({ day }) => day >= from && day <= to);
  const known = own.map((one) => one.throttledMinutes).filter((minutes) => minutes !== null);
  const last = own.findLast(({ fleet }) => fleet !== null);
  return {
    ...{ from, to, daysEvaluated: known.length },
    throttledMinutes: known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0),
    fleet: last?.fleet ? { day: last.day, ...last.fleet } : null,
  };
}

/** The last ISO weeks that there is anything of, the oldest first. */
export const lastWeeks = (days: readonly FleetDay[], most: number): FleetSpan[] =>
  [...groupBy(days, ({ day }) => mondayOf(day))].slice(-most).map(([monday, own]) => spanFrom(monday, own));

/**
 * The last seven whole days, and the seven before them. The day of the last run is not whole.
 * @returns the earlier ones first; null where there is nothing of the later ones.
 */
export function lastSevenDays(
  days: readonly FleetDay[],
  atEpochSeconds: number,
): [FleetSpan, FleetSpan] | null {
  const lastRun = days.findLast(({ fleet }) => fleet !== null);
  const now = dayOf(atEpochSeconds);
  if (lastRun === undefined || lastRun.day < plusDays(now, -daysPerWeek)) return null;
  const end = lastRun.day < now ? lastRun.day : now;
  const [before, last] = [
    spanFrom(plusDays(end, -2 * daysPerWeek), days),
    spanFrom(plusDays(end, -daysPerWeek), days),
  ];
  return last.throttledMinutes === null && last.fleet === null ? null : [before, last];
}
