/** When an approved change may begin: windows by tag, how many at once and a day, and what increases may cost a month. */
import type { ChangesConfig } from '../config/changes.ts';
import type { Tags } from '../inventory.ts';
import type { PlannedChange, VolumeChange } from '../schemas/volume-change.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';
import { secondsOfDay, toLocalSeconds } from '../wall-clock.ts';
import { isReduction } from './plan.ts';

/** Weekdays as ISO 8601 counts them: Monday is 1. */
interface ChangeWindow {
  /** Volumes that have all of these; none: every volume. */
  tags: Tags;
  days: readonly number[];
  from: string;
  to: string;
  timeZone: string;
}

export interface ChangeRules {
  /** None: at any time. */
  windows: readonly ChangeWindow[];
  mostAtOnce: number;
  mostADay: number;
  /** Of what increases cost a month, all of a calendar month together; null: no bound. */
  mostUsdPerMonth: number | null;
}

export const rulesOf = ({
  windows,
  maxAtOnce,
  maxPerDay,
  maxIncreaseUsdPerMonth,
}: Pick<ChangesConfig, 'windows' | 'maxAtOnce' | 'maxPerDay' | 'maxIncreaseUsdPerMonth'>): ChangeRules => ({
  ...{ windows, mostAtOnce: maxAtOnce, mostADay: maxPerDay, mostUsdPerMonth: maxIncreaseUsdPerMonth },
});

const lookAgainSeconds = 5 * secondsPerMinute;
/** 1970-01-01 was a Thursday. */
const firstWeekday = 3;
const daysPerWeek = 7;

/** The weekday on which a window that is open at that local time began; null: it is not open. */
function isOpen({ days, from, to }: ChangeWindow, localSeconds: number): boolean {
  const time = localSeconds % secondsPerDay;
  const weekday = ((Math.floor(localSeconds / secondsPerDay) + firstWeekday) % daysPerWeek) + 1;
  const before = ((weekday + daysPerWeek - 2) % daysPerWeek) + 1;
  const [start, end] = [secondsOfDay(from), secondsOfDay(to)];
  if (start < end) return days.includes(weekday) && time >= start && time < end;
  return (days.includes(weekday) && time >= start) || (days.includes(before) && time < end);
}

const isOf = ({ tags }: ChangeWindow, own: Tags): boolean =>
  Object.entries(tags).every(([key, value]) => own[key] === value);

/** Windows for some tags go before those for all. A volume that no window is for may not begin, unless there are no windows. */
function isInWindow(windows: readonly ChangeWindow[], tags: Tags, nowSeconds: number): boolean {
  const own = windows.filter((window) => isOf(window, tags));
  const named = own.filter((window) => Object.keys(window.tags).length > 0);
  const counting = named.length > 0 ? named : own;
  if (counting.length === 0) return windows.length === 0;
  return counting.some((window) => isOpen(window, toLocalSeconds(nowSeconds, window.timeZone)));
}

const monthOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 7);

/** An undo too: it waits for no other, and others wait for it. */
export const isRunning = ({ made, undo, end }: VolumeChange): boolean =>
  end === null && [made, undo].some((one) => one !== null && one.completedSeconds === null);

/** What an increase costs must be known where there is a bound. @param spent by others in the month, USD a month */
function isAboveBound(plan: PlannedChange, spent: number, bound: number | null): boolean {
  if (bound === null) return false;
  const { monthlyUsdDelta } = plan;
  if (monthlyUsdDelta === null) return !isReduction(plan);
  return monthlyUsdDelta > 0 && spent + monthlyUsdDelta > bound;
}

/** By its price alone, or for want of a window: nothing that happens lets it begin. */
export const neverBegins = (
  plan: PlannedChange,
  tags: Tags,
  { windows, mostUsdPerMonth }: ChangeRules,
): boolean =>
  isAboveBound(plan, 0, mostUsdPerMonth) ||
  (windows.length > 0 && !windows.some((window) => isOf(window, tags)));

/** Null: it may begin now; else seconds until it is looked at again. @param all of the ledger, this one too. */
export function secondsToWait(
  change: VolumeChange,
  tags: Tags,
  all: readonly VolumeChange[],
  { windows, mostAtOnce, mostADay, mostUsdPerMonth }: ChangeRules,
  nowSeconds: number,
): number | null {
  const others = all.filter(({ id }) => id !== change.id);
  const made = others.flatMap(({ made: one, plan }) => (one === null ? [] : [{ ...one, plan }]));
  const ofDay = made.filter(({ askedSeconds }) => askedSeconds > nowSeconds - secondsPerDay);
  const spent = made
    .filter(({ askedSeconds }) => monthOf(askedSeconds) === monthOf(nowSeconds))
    .reduce((sum, { plan }) => sum + Math.max(0, plan.monthlyUsdDelta ?? 0), 0);
  const isTooDear = isAboveBound(change.plan, spent, mostUsdPerMonth);
  const mayBegin =
    isInWindow(windows, tags, nowSeconds) &&
    others.filter(isRunning).length < mostAtOnce &&
    ofDay.length < mostADay &&
    !isTooDear;
  return mayBegin ? null : lookAgainSeconds;
}
