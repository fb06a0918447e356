/**
 * A schedule of IOPS and throughput: high in the hours of a day that need it, low in the rest. Made of what a load showed over
 * weeks, minute by minute; tried on days that it was not made of.
 */
import { hourOf } from '../credits/rhythm.ts';
import { type Known, known, unknown } from '../known.ts';
import { usualChunkKiB } from '../load/load-summary.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Layout, Rates } from '../plan/layout.ts';
import { type ScheduledDays, scheduledDays } from '../schemas/recommendation.ts';
import { kibFromMiB, secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import {
  type ModificationTime,
  type ModificationTimeUnknown,
  modificationTimeOf,
  type VolumeModification,
} from './modifications.ts';

// The rule of the rhythm, in figures.

const hoursPerDay = 24;
const minutesPerDay = 24 * 60;
const daysPerWeek = 7;
/** Two weeks: each weekday is seen twice, once in each half. */
export const leastHistorySeconds = 14 * secondsPerDay;
/** What is low must not be enough on at least so many of the scheduled days: what comes seldom is no rhythm. */
const leastBusyShare = 0.75;
/** Times are given in steps of so many minutes. */
const stepMinutes = 5;

const daysOf: Record<ScheduledDays, number> = { daily: 7, 'monday-to-friday': 5 };

/** Hours of high figures, in UTC; they may end on the next day. */
export interface BusyHours {
  days: ScheduledDays;
  /** 0 to 23. */
  fromHour: number;
  /** 1 to 23. */
  hours: number;
}

/** 1970 began on a Thursday; 0 is Sunday. */
const weekdayOf = (epochDay: number): number => (epochDay + 4) % daysPerWeek;

/** The UTC day that an hour's schedule began on; null where the hour is outside of it. */
function scheduledDayOf({ days, fromHour, hours }: BusyHours, epochHour: number): number | null {
  const offset = (((epochHour - fromHour) % hoursPerDay) + hoursPerDay) % hoursPerDay;
  if (offset >= hours) return null;
  const day = Math.floor((epochHour - offset) / hoursPerDay);
  const weekday = weekdayOf(day);
  return days === 'daily' || (weekday >= 1 && weekday <= 5) ? day : null;
}

export const isBusyAt = (busy: BusyHours, epochSeconds: number): boolean =>
  scheduledDayOf(busy, hourOf(epochSeconds)) !== null;

// The highest that each hour of the history needed.

interface HourlyPeaks {
  firstHour: number;
  /** One entry an hour; NaN where nothing of it is known. */
  iops: Float64Array;
  mibps: Float64Array;
}

const isBetween = (hour: number, [from, end]: readonly [number, number]): boolean =>
  hour >= from && hour < end;

/** As the need of a volume counts them: over the non-idle seconds, and large I/O by 256 KiB. */
function hourlyPeaks(load: VolumeLoad): HourlyPeaks {
  const { epochSeconds, iops, mibps, activeTimeIops, busyMiBps } = load;
  const firstHour = hourOf(epochSeconds[0] as number);
  const length = hourOf(epochSeconds.at(-1) as number) - firstHour + 1;
  const peaks: HourlyPeaks = {
    firstHour,
    iops: new Float64Array(length).fill(Number.NaN),
    mibps: new Float64Array(length).fill(Number.NaN),
  };
  for (let i = 0; i < epochSeconds.length; i++) {
    const average = iops[i] as number;
    if (Number.isNaN(average)) continue;
    const busy = activeTimeIops === null ? Number.NaN : (activeTimeIops[i] as number);
    const busyMiB = busyMiBps === null ? Number.NaN : (busyMiBps[i] as number);
    const rate = busy > average ? busy : average;
    const averageMiB = (mibps[i] as number) || 0;
    const mib = busyMiB > averageMiB ? busyMiB : averageMiB;
    const isLarge = average > 0 && kibFromMiB(averageMiB) / average > usualChunkKiB;
    const counted = isLarge ? rate + 4 * mib : rate;
    const hour = hourOf(epochSeconds[i] as number) - firstHour;
    if (!(counted <= (peaks.iops[hour] as number))) peaks.iops[hour] = counted;
    if (!(mib <= (peaks.mibps[hour] as number))) peaks.mibps[hour] = mib;
  }
  return peaks;
}

/** What was needed outside of some hours, within a part of the history; null where nothing is known there. */
function peakOutside(
  { firstHour, iops, mibps }: HourlyPeaks,
  busy: BusyHours | null,
  part: readonly [number, number],
): Rates | null {
  const peak = { iops: -1, throughputMiBps: -1 };
  for (let n = 0; n < iops.length; n++) {
    const hour = firstHour + n;
    if (!isBetween(hour, part) || (busy !== null && scheduledDayOf(busy, hour) !== null)) continue;
    if ((iops[n] as number) > peak.iops) peak.iops = iops[n] as number;
    if ((mibps[n] as number) > peak.throughputMiBps) peak.throughputMiBps = mibps[n] as number;
  }
  return peak.iops < 0 ? null : peak;
}

/** Of the scheduled days of a part those on which some hour needed more than is low, as a share. */
function busyShare(
  { firstHour, iops, mibps }: HourlyPeaks,
  busy: BusyHours,
  low: Layout,
  part: readonly [number, number],
): number {
  const needed = new Map<number, boolean>();
  for (let n = 0; n < iops.length; n++) {
    const hour = firstHour + n;
    const day = isBetween(hour, part) ? scheduledDayOf(busy, hour) : null;
    if (day === null) continue;
    const isMore = (iops[n] as number) > low.iops || (mibps[n] as number) > low.throughputMiBps;
    needed.set(day, needed.get(day) === true || isMore);
  }
  const days = [...needed.values()];
  return days.length === 0 ? 0 : days.filter((is) => is).length / days.length;
}

// The schedule: which hours, which figures, when they are changed.

export interface PricedLayout {
  layout: Layout;
  monthlyUsd: number;
}

interface Schedule {
  busy: BusyHours;
  low: PricedLayout;
  high: PricedLayout;
  /** The raise begins so long before the busy hours. */
  leadMinutes: number;
  /** Of all time, the part that is charged as high: from the beginning of a raise to that of the lowering. */
  highShare: number;
  monthlyUsd: number;
}

/** A raise is charged from its beginning on, a lowering too. */
const highShareOf = ({ days, hours }: BusyHours, leadMinutes: number): number =>
  (daysOf[days] * (hours * 60 + leadMinutes)) / (daysPerWeek * minutesPerDay);

/** The lowering must be completed before the next raise, which takes as long. */
const gapMinutes = ({ hours }: BusyHours): number => minutesPerDay - hours * 60;
const hasRoom = (busy: BusyHours, leadMinutes: number): boolean => gapMinutes(busy) >= 2 * leadMinutes;

const allHours: readonly BusyHours[] = scheduledDays.flatMap((days) =>
  Array.from({ length: hoursPerDay - 1 }, (_, n) => n + 1).flatMap((hours) =>
    Array.from({ length: hoursPerDay }, (_, fromHour) => ({ days, fromHour, hours })),
  ),
);

/** High in the busy hours, low in all others: also while a modification goes on. */
export interface ScheduledLayouts {
  low: Layout;
  high: Layout;
  busy: BusyHours;
}

export interface ScheduleInput {
  load: VolumeLoad;
  /** The earlier modifications of the volume; null where nobody told. */
  modifications: readonly VolumeModification[] | null;
  /** The cheapest of its type and size, in place, that has these rates with headroom, and no more than it can do today. */
  layoutFor: (peak: Rates) => PricedLayout | null;
  /** The least that serves it all month without a schedule. */
  allMonthUsd: number;
  /** A schedule must save so much beside it. */
  leastSavingUsd: number;
  /**
   * Minutes between two times in which the volume's own limits would throttle its load, with what is low and what is high at its
   * times.
   */
  throttledMinutesWith: (at: ScheduledLayouts, part: readonly [from: number, end: number]) => number;
}

/** Why there is no schedule. */
export type NoSchedule =
  | ModificationTimeUnknown
  | { code: 'points-over-a-minute' }
  | { code: 'short-history'; days: number }
  | { code: 'no-rhythm' }
  | { code: 'modifications-too-slow'; longestMinutes: number }
  | { code: 'differs-on-other-days'; throttledMinutes: number }
  | { code: 'throttles'; throttledMinutes: number };

/** Of all hours those that cost the least; null where none cost so much less. */
function cheapest(
  peaks: HourlyPeaks,
  part: readonly [number, number],
  leadMinutes: number,
  { layoutFor, allMonthUsd, leastSavingUsd }: ScheduleInput,
): Schedule | null {
  const most = peakOutside(peaks, null, part);
  const high = most === null ? null : layoutFor(most);
  if (high === null) return null;
  // Most volumes cost no more than their type's minimum: no hours can be so much cheaper, and none are tried.
  const least = layoutFor({ iops: 0, throughputMiBps: 0 });
  if (least !== null && least.monthlyUsd > allMonthUsd - leastSavingUsd + 1e-9) return null;
  const layouts = new Map<string, PricedLayout | null>();
  const lowFor = (peak: Rates): PricedLayout | null => {
    const key = `${peak.iops} ${peak.throughputMiBps}`;
    const before = layouts.get(key);
    if (before !== undefined) return before;
    const made = layoutFor(peak);
    layouts.set(key, made);
    return made;
  };
  let best: Schedule | null = null;
  for (const busy of allHours) {
    if (!hasRoom(busy, leadMinutes)) continue;
    const highShare = highShareOf(busy, leadMinutes);
    const outside = peakOutside(peaks, busy, part);
    const low = outside === null ? null : lowFor(outside);
    if (low === null) continue;
    const monthlyUsd = low.monthlyUsd + highShare * (high.monthlyUsd - low.monthlyUsd);
    if (monthlyUsd > allMonthUsd - leastSavingUsd + 1e-9) continue;
    if (best !== null && monthlyUsd >= best.monthlyUsd - 1e-9) continue;
    if (busyShare(peaks, busy, low.layout, part) < leastBusyShare) continue;
    best = { busy, low, high, leadMinutes, highShare, monthlyUsd };
  }
  return best;
}

const layoutsOf = ({ busy, low, high }: Schedule): ScheduledLayouts => ({
  busy,
  low: low.layout,
  high: high.layout,
});

export interface ScheduleFound extends Schedule {
  modifications: ModificationTime;
  historyDays: number;
  /** Days that it was tried on without being made of them. */
  heldOutDays: number;
}

/** What fits the whole history, tried on the half that it was not made of. */
function triedSchedule(
  input: ScheduleInput,
  peaks: HourlyPeaks,
  leadMinutes: number,
  [start, end]: readonly [number, number],
): Known<Schedule & { heldOutDays: number }, NoSchedule> {
  const [firstHour, endHour] = [hourOf(start), Math.ceil(end / secondsPerHour)];
  const found = cheapest(peaks, [firstHour, endHour], leadMinutes, input);
  if (found === null) return unknown({ code: 'no-rhythm' });
  const middleHour = firstHour + Math.ceil((endHour - firstHour) / 2);
  const ofEarlier = cheapest(peaks, [firstHour, middleHour], leadMinutes, input);
  if (ofEarlier === null) return unknown({ code: 'no-rhythm' });
  const middle = middleHour * secondsPerHour;
  const onOtherDays = input.throttledMinutesWith(layoutsOf(ofEarlier), [middle, end]);
  if (onOtherDays > 0) return unknown({ code: 'differs-on-other-days', throttledMinutes: onOtherDays });
  const throttledMinutes = input.throttledMinutesWith(layoutsOf(found), [start, end]);
  if (throttledMinutes > 0) return unknown({ code: 'throttles', throttledMinutes });
  return known({ ...found, heldOutDays: (end - middle) / secondsPerDay });
}

/**
 * High in the same hours of every day, or of Monday to Friday, by UTC; low in the rest, for all that the rest ever needed. Needs two
 * weeks of one-minute points, and on three quarters of the scheduled days more than what is low. One made of the earlier half
 * must throttle no minute of the later half, and the one that is made of all no minute at all.
 * - The raise begins as long before the hours as the longest earlier modification took: until it is completed a volume does no
 *   more than the lower of the two.
 * - The lowering begins when the hours end. It must be completed before the next raise.
 * - Where modifications are the reason for none, all else is there: quick ones would make a schedule.
 */
export function scheduleOf(input: ScheduleInput): Known<ScheduleFound, NoSchedule> {
  const { load, modifications } = input;
  if (load.periodSeconds !== secondsPerMinute) return unknown({ code: 'points-over-a-minute' });
  const start = load.epochSeconds[0] as number;
  const end = (load.epochSeconds.at(-1) as number) + load.periodSeconds;
  const historyDays = (end - start) / secondsPerDay;
  if (end - start < leastHistorySeconds) return unknown({ code: 'short-history', days: historyDays });
  const peaks = hourlyPeaks(load);
  const triedWith = (leadMinutes: number) => triedSchedule(input, peaks, leadMinutes, [start, end]);
  const time = modificationTimeOf(modifications ?? []);
  if (!time.known) {
    const quick = triedWith(stepMinutes);
    return quick.known ? time : quick;
  }
  const { longestMinutes } = time.value;
  const tried = triedWith(Math.max(stepMinutes, Math.ceil(longestMinutes / stepMinutes) * stepMinutes));
  if (tried.known) return known({ ...tried.value, modifications: time.value, historyDays });
  if (tried.reason.code !== 'no-rhythm') return tried;
  const quick = triedWith(stepMinutes);
  return quick.known ? unknown({ code: 'modifications-too-slow', longestMinutes }) : quick;
}

/** Minutes of the UTC day at which the two modifications begin; the raise may begin on the day before. */
export function timesOf({ busy: { fromHour, hours }, leadMinutes }: Pick<Schedule, 'busy' | 'leadMinutes'>) {
  const raise = fromHour * 60 - leadMinutes;
  const dayMinute = (minute: number): number => ((minute % minutesPerDay) + minutesPerDay) % minutesPerDay;
  return {
    raiseMinuteOfDay: dayMinute(raise),
    /** Of the day on which the hours begin. */
    raiseDaysEarlier: -Math.floor(raise / minutesPerDay),
    lowerMinuteOfDay: dayMinute((fromHour + hours) * 60),
    lowerDaysLater: Math.floor(((fromHour + hours) * 60) / minutesPerDay),
  };
}
