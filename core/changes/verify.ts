/** Whether a change helped: the minutes after it beside the same minutes of the same weekdays before it. */
import type { Comparison, Outcome } from '../schemas/volume-change.ts';
import { secondsPerDay, secondsPerMinute } from '../units.ts';

/** A minute of a volume, as the archive has it; null: not known. */
export interface Minute {
  epochSeconds: number;
  isThrottled: boolean | null;
  /** Reads and writes. */
  operations: number | null;
  queue: number | null;
}

const daysPerWeek = 7;
/** The same hours of the same weekday: a week before, or two where the first has no figures. */
const weeksBack = [1, 2];

const isKnown = (minute: Minute | undefined): minute is Minute =>
  minute !== undefined && minute.isThrottled !== null;

interface Sums {
  throttled: number;
  operations: number;
  /** Of minutes whose queue is known: operations waited for, in seconds. */
  waitedSeconds: number;
  served: number;
}

function add(sums: Sums, { isThrottled, operations, queue }: Minute): void {
  if (isThrottled === true) sums.throttled += 1;
  sums.operations += operations ?? 0;
  if (queue === null || operations === null) return;
  sums.waitedSeconds += queue * 60;
  sums.served += operations;
}

const latencyMs = ({ waitedSeconds, served }: Sums): number | null =>
  served === 0 ? null : (1_000 * waitedSeconds) / served;

/** Minutes with a partner: what one side does not have counts on neither. */
export function compare(before: readonly Minute[], after: readonly Minute[]): Comparison {
  const known = new Map(before.filter(isKnown).map((minute) => [minute.epochSeconds, minute]));
  const none = (): Sums => ({ throttled: 0, operations: 0, waitedSeconds: 0, served: 0 });
  const [earlier, later] = [none(), none()];
  let minutes = 0;
  for (const minute of after.filter(isKnown)) {
    const partner = weeksBack
      .map((weeks) => known.get(minute.epochSeconds - weeks * daysPerWeek * secondsPerDay))
      .find(isKnown);
    if (partner === undefined) continue;
    minutes += 1;
    add(earlier, partner);
    add(later, minute);
  }
  return {
    minutes,
    throttledBefore: earlier.throttled,
    throttledAfter: later.throttled,
    loadRatio: earlier.operations === 0 ? null : later.operations / earlier.operations,
    latencyMsBefore: latencyMs(earlier),
    latencyMsAfter: latencyMs(later),
  };
}

/** An increase shows in a day; whether a reduction hurts shows in a week. */
const minutesNeeded = { increase: 1_440, reduction: 10_080 } as const;
/** Of these so many must have a partner: polls and points can be missing. */
const shareNeeded = 0.8;
/** More or less load than by so much: what differs may be the load. */
const loadChange = 1 / 3;
/** Throttled minutes that differ by less are the same: so many a day, or a tenth of those before. */
const sameMinutesADay = 5;
const sameShare = 0.1;
const sameLatency = 0.25;

export const secondsToVerify = (isReduction: boolean): number =>
  minutesNeeded[isReduction ? 'reduction' : 'increase'] * 60;

/** Called once the time to verify is over. */
export function outcomeOf(
  { minutes, throttledBefore, throttledAfter, loadRatio, latencyMsBefore, latencyMsAfter }: Comparison,
  isReduction: boolean,
): Outcome {
  const needed = shareNeeded * minutesNeeded[isReduction ? 'reduction' : 'increase'];
  if (minutes < needed || loadRatio === null || Math.abs(loadRatio - 1) > loadChange) return 'not-comparable';
  const same = Math.max((sameMinutesADay * minutes) / 1_440, sameShare * throttledBefore);
  const more = throttledAfter - throttledBefore;
  if (Math.abs(more) > same) return more > 0 ? 'worse' : 'better';
  if (latencyMsBefore === null || latencyMsAfter === null) return 'same';
  if (latencyMsAfter > (1 + sameLatency) * latencyMsBefore) return 'worse';
  return latencyMsAfter < latencyMsBefore / (1 + sameLatency) ? 'better' : 'same';
}

/** Of five minutes. */
const hurtingMinutes = 3;
const lastMinutes = 5;
/** What throttled every night begins a little earlier or later. */
const aroundSeconds = 5 * secondsPerMinute;

/**
 * Whether a reduction is undone without anybody: in five minutes after it three were throttled, around the same minutes before it fewer
 * were, and there are more throttled minutes than in all the same minutes before. As who looks every minute would see it,
 * however seldom it is looked at. A backup that always throttled at night undoes nothing.
 */
export function hurts(before: readonly Minute[], after: readonly Minute[]): boolean {
  const { minutes, throttledBefore, throttledAfter } = compare(before, after);
  if (minutes === 0 || throttledAfter <= throttledBefore) return false;
  const throttled = after.filter(({ isThrottled }) => isThrottled === true);
  return throttled.some(({ epochSeconds: last }, i) => {
    const from = last - lastMinutes * secondsPerMinute;
    const ofFive = throttled.slice(Math.max(0, i + 1 - lastMinutes), i + 1);
    if (ofFive.filter(({ epochSeconds }) => epochSeconds > from).length < hurtingMinutes) return false;
    const around = after.filter(
      ({ epochSeconds }) => epochSeconds > from - aroundSeconds && epochSeconds <= last + aroundSeconds,
    );
    return compare(before, around).throttledBefore < hurtingMinutes;
  });
}
