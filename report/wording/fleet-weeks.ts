/** The fleet by week: throttled minutes, USD a month and findings, as far as they are known. */
import { figure, usdText } from '../../core/figures.ts';
import type { FleetSpan } from '../../core/schemas/fleet-days.ts';
import { severityText } from './severities.ts';

const daysOfSpan = 7;

/** "at least 4,812.00 USD": there are volumes without a known price, or accounts that could not be read. */
export function usdOfWeek({ fleet }: Pick<FleetSpan, 'fleet'>): string | null {
  if (fleet === null || fleet.usdMonth === null) return null;
  return `${fleet.unpriced > 0 || fleet.partial ? 'at least ' : ''}${usdText(fleet.usdMonth)}`;
}

/** "312", or "312 in 5 of 7 days". */
export function throttledOfWeek({ throttledMinutes, daysEvaluated }: FleetSpan): string | null {
  if (throttledMinutes === null) return null;
  const days = daysEvaluated < daysOfSpan ? ` in ${daysEvaluated} of ${daysOfSpan} days` : '';
  return `${figure(throttledMinutes, 0)}${days}`;
}

export function findingsOfWeek({ fleet }: Pick<FleetSpan, 'fleet'>): string | null {
  if (fleet === null || fleet.findings === null) return null;
  return `${fleet.partial ? 'at least ' : ''}${severityText(fleet.findings) || 'none'}`;
}

/** Of a digest; nothing where nothing is known. */
export function weeksLines(weeks: readonly FleetSpan[] | undefined): string[] {
  const [before, last] = weeks ?? [];
  if (before === undefined || last === undefined) return [];
  const [minutes, minutesBefore] = [throttledOfWeek(last), throttledOfWeek(before)];
  const [usd, usdBefore] = [usdOfWeek(last), usdOfWeek(before)];
  const was = usdBefore === null ? '' : ` (a week before ${usdBefore})`;
  return [
    [
      `7 days to ${last.to}: throttled minutes ${minutes ?? 'unknown'}, in the 7 days before ${minutesBefore ?? 'unknown'}.`,
      `EBS: ${usd === null ? 'USD a month unknown' : `${usd} a month${was}`}.`,
    ].join(' '),
  ];
}
