/**
 * What was the case, from the minutes of the simulation alone: which buckets ran dry, which volumes were throttled long
 * enough to be reported, and when somebody who reads everything that is published at every tick could have said so.
 */
import { defaultThresholds, fixedThresholds } from '../../core/diagnosis/thresholds.ts';
import { configurationOf } from '../../core/inventory.ts';
import type { volumeLimits } from '../../core/limits/volume-limits.ts';
import { secondsPerMinute } from '../../core/units.ts';
import type { WatchedVolume } from './monitoring-fleet.ts';

const minutesPerDay = 24 * 60;
const recentMinutes = fixedThresholds.recentRateSeconds / secondsPerMinute;

/** A bucket that ran dry under load: from the first such minute to the last one before it recovered. */
export interface Exhaustion {
  firstMinute: number;
  lastMinute: number;
  /** When it was empty, with load or without. */
  emptyMinute: number;
  /** Seconds from the start of the run until who reads everything would have warned; null: not before it was empty. */
  couldWarnAtSeconds: number | null;
}

/** Throttled by its own limits, long enough to be reported. */
export interface Throttling {
  /** The first throttled minute of those that are reported. */
  firstMinute: number;
  /** The one with which it is enough. */
  notifyingMinute: number;
  lastMinute: number;
  /** Above 80 % of its limit in some minute of the quarter of an hour before the first. */
  wasNear: boolean;
  /** Nothing of it stands from the 24 hours before: it is reported for the first time, and not as worse. */
  isFirst: boolean;
}

export interface Truth {
  exhaustions: Exhaustion[];
  throttlings: Throttling[];
  /** Per minute: 1 where the bucket is empty under load. */
  exhausted: Uint8Array;
  /** Per minute: 1 where I/O waited for a limit of its own, and the average came near that limit. */
  throttled: Uint8Array;
}

/** Minutes apart that belong together: what ends for less is the same trouble. */
const apartMinutes = 30;
const nearShare = 0.8;
/** I/O that waited in a minute whose average is below this share of the limit waited for seconds: a micro-burst. */
const throttledShare = 0.8;
const nearMinutes = 15;
/** Nobody is warned of what is further away. */
const mostWarnedMinutes = defaultThresholds.willExhaustSeconds / secondsPerMinute;

function limitsOf({ volume }: WatchedVolume): ReturnType<typeof volumeLimits> {
  const configured = configurationOf(volume);
  if (!configured.known) throw new Error(configured.reason.code);
  return configured.value.limits;
}

/** Would a balance of this minute be warned of, by the fall of the last 30 minutes? */
export function isWarned(balance: ArrayLike<number>, minute: number): boolean {
  const percent = balance[minute] as number;
  const fallen = (balance[Math.max(0, minute - recentMinutes)] as number) - percent;
  if (percent <= defaultThresholds.emptyBalancePercent || fallen <= 0) return false;
  return (percent / fallen) * fixedThresholds.recentRateSeconds <= defaultThresholds.willExhaustSeconds;
}

/** The end of the tick at which a minute is there. */
const notifiedAt = ({ history }: WatchedVolume, minute: number, tickSeconds: number): number => {
  const there = (minute + 1) * secondsPerMinute + (history.published[minute] as number);
  return Math.ceil(there / tickSeconds) * tickSeconds;
};

/** Runs of minutes that are set, with gaps that are too short to part them. */
function runsOf(minutes: Uint8Array, apart: number): [number, number][] {
  const runs: [number, number][] = [];
  for (let i = 0; i < minutes.length; i++) {
    if (minutes[i] === 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && i - last[1] <= apart) last[1] = i;
    else runs.push([i, i]);
  }
  return runs;
}

/** Since when the bucket was empty that ran dry under load in this minute: it may have been before the load came. */
function emptySince(balance: Float32Array, minute: number): number {
  let empty = minute;
  while (empty > 0 && (balance[empty - 1] as number) <= defaultThresholds.emptyBalancePercent) empty--;
  return empty;
}

/**
 * The first time at which a warning stands that still stands when the bucket is empty: one that is taken back before is none.
 * In an idle minute nothing is published.
 */
function couldWarnAt(watched: WatchedVolume, emptyMinute: number, tickSeconds: number): number | null {
  const { balance, iops } = watched.history;
  if (balance === null) return null;
  const emptyAt = (emptyMinute + 1) * secondsPerMinute;
  let could: number | null = null;
  for (let minute = emptyMinute - 1; minute >= 0 && emptyMinute - minute <= mostWarnedMinutes; minute--) {
    if ((iops[minute] as number) === 0) continue;
    if (!isWarned(balance, minute)) break;
    const at = notifiedAt(watched, minute, tickSeconds);
    if (at <= emptyAt) could = at;
  }
  return could;
}

function throttlingsOf(share: Float32Array, throttled: Uint8Array): Throttling[] {
  const found: Throttling[] = [];
  for (const [first, last] of runsOf(throttled, apartMinutes)) {
    const notifying = notifyingMinute(throttled, first, last);
    if (notifying === null) continue;
    let wasNear = false;
    for (let i = Math.max(0, notifying.first - nearMinutes); i < notifying.first; i++)
      wasNear ||= (share[i] as number) >= nearShare;
    const isFirst =
      countBetween(throttled, notifying.first - minutesPerDay, notifying.minute - 1) <
      defaultThresholds.throttledWarningMinutes;
    found.push({
      firstMinute: notifying.first,
      notifyingMinute: notifying.minute,
      lastMinute: last,
      wasNear,
      isFirst,
    });
  }
  return found;
}

function countBetween(minutes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let i = Math.max(0, from); i <= to; i++) count += minutes[i] as number;
  return count;
}

/**
 * The minute of a run with which it is enough to be reported: three of the last five, or five in 24 hours; and the first of those
 * that make it so: of the three, or the fifth itself where the others were long before.
 */
function notifyingMinute(
  throttled: Uint8Array,
  first: number,
  last: number,
): { first: number; minute: number } | null {
  const { throttledCriticalMinutesOfLastFive: ofFive, throttledWarningMinutes } = defaultThresholds;
  for (let minute = first; minute <= last; minute++) {
    if (throttled[minute] === 0) continue;
    if (countBetween(throttled, minute - 4, minute) >= ofFive) {
      let from = Math.max(first, minute - 4);
      while (throttled[from] === 0) from++;
      return { first: from, minute };
    }
    if (countBetween(throttled, minute - minutesPerDay + 1, minute) >= throttledWarningMinutes)
      return { first: minute, minute };
  }
  return null;
}

export function truthOf(watched: WatchedVolume, tickSeconds: number): Truth {
  const { history } = watched;
  const { iops, mibps, balance, held } = history;
  const limits = limitsOf(watched);
  const { length } = iops;
  const [exhausted, throttled] = [new Uint8Array(length), new Uint8Array(length)];
  const share = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    share[i] = Math.max((iops[i] as number) / limits.burstIops, (mibps[i] as number) / limits.burstMiBps);
    if (held[i] === 0) continue;
    const isEmpty = balance !== null && (balance[i] as number) <= defaultThresholds.emptyBalancePercent;
    if (isEmpty) exhausted[i] = 1;
    const least = isEmpty ? fixedThresholds.saturatedShare : throttledShare;
    if ((share[i] as number) >= least) throttled[i] = 1;
  }
  const exhaustions = runsOf(exhausted, apartMinutes).map(([firstMinute, lastMinute]) => {
    const emptyMinute = balance === null ? firstMinute : emptySince(balance, firstMinute);
    const couldWarnAtSeconds = couldWarnAt(watched, emptyMinute, tickSeconds);
    return { emptyMinute, firstMinute, lastMinute, couldWarnAtSeconds };
  });
  return { exhaustions, throttlings: throttlingsOf(share, throttled), exhausted, throttled };
}
