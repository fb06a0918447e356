/** What changes came to: claimed and realised, of one and of all. */
import type { LedgerTotals } from '../schemas/changes-answers.ts';
import type { Comparison, VolumeChange } from '../schemas/volume-change.ts';
import { hoursPerMonth, secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';
import { isFinal } from './plan.ts';

/**
 * What the bill differs by now: as claimed where EC2 completed the change and nobody undid it, else 0. Null: the price is not known.
 * The claim is of on-demand prices on the day of the plan.
 */
export function realisedMonthlyUsd({ plan, made, undo, end }: VolumeChange): number | null {
  if (end?.code === 'volume-gone') return 0;
  // The larger size is billed on.
  if (undo?.completedSeconds != null && isFinal(plan)) return null;
  const stands = made !== null && made.completedSeconds !== null && undo?.completedSeconds == null;
  return stands ? plan.monthlyUsdDelta : 0;
}

/**
 * What the bill differed by until the undo, or until now: EC2 bills new settings from when their modification begins. Null: the
 * price is not known. Source: EBS User Guide, Elastic Volumes, charges.
 */
export function realisedUsd(
  { plan, made, undo, end, endedSeconds }: VolumeChange,
  nowSeconds: number,
): number | null {
  if (made?.completedSeconds == null) return 0;
  const isUndone = undo?.completedSeconds != null;
  if (plan.monthlyUsdDelta === null || (isUndone && isFinal(plan))) return null;
  const from = made.startSeconds ?? made.completedSeconds;
  const endsAt = end?.code === 'volume-gone' ? (endedSeconds ?? nowSeconds) : nowSeconds;
  const until = isUndone ? (undo.startSeconds ?? undo.completedSeconds ?? endsAt) : endsAt;
  return (plan.monthlyUsdDelta * Math.max(0, until - from)) / (hoursPerMonth * secondsPerHour);
}

const minutesPerDay = secondsPerDay / secondsPerMinute;

/** Throttled minutes a day, before and after; NaN of a comparison without minutes. */
export function minutesADay({ minutes, throttledBefore, throttledAfter }: Comparison): {
  before: number;
  after: number;
} {
  const aDay = (throttled: number): number => (throttled * minutesPerDay) / minutes;
  return { before: aDay(throttledBefore), after: aDay(throttledAfter) };
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0);

/** What the bill differed by until now, of all. Null: a price is not known. */
export const realisedUsdOfAll = (changes: readonly VolumeChange[], nowSeconds: number): number | null =>
  sumOrNull(changes.map((change) => realisedUsd(change, nowSeconds)));

export function ledgerTotals(changes: readonly VolumeChange[]): LedgerTotals {
  const ends = changes.map(({ end }) => end?.code ?? 'open');
  const count = (...codes: string[]) => ends.filter((code) => codes.includes(code)).length;
  const completed = changes.filter(({ made }) => made !== null && made.completedSeconds !== null);
  const compared = changes.flatMap(({ end, comparison }) =>
    end?.code === 'kept' && end.outcome !== 'not-comparable' && comparison !== null ? [comparison] : [],
  );
  const days = compared.map(minutesADay);
  return {
    changes: changes.length,
    open: count('open'),
    kept: count('kept'),
    undone: count('undone'),
    undoNotMade: count('undo-not-made'),
    notMade: count('not-made', 'modification-failed'),
    realisedMonthlyUsd: sumOrNull(completed.map(realisedMonthlyUsd)),
    claimedMonthlyUsd: sumOrNull(completed.map(({ plan }) => plan.monthlyUsdDelta)),
    throttledMinutesADayBefore: days.reduce((sum, { before }) => sum + before, 0),
    throttledMinutesADayAfter: days.reduce((sum, { after }) => sum + after, 0),
  };
}
