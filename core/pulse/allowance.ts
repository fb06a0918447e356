/** What a budget for audits and pulse together leaves the pulse. */
import { secondsPerDay, secondsPerHour } from '../units.ts';
import { metricsForUsd, secondsPerMonth } from './budget.ts';

/** Nothing is left: it asks for as good as nothing, and an alarm says so. */
const leastMetrics = 1;

export interface Spent {
  /** USD of audits since the month began. */
  auditUsd: number;
  /** Since the month began. */
  elapsedSeconds: number;
  auditEveryHours: number;
}

/**
 * What audits cost in a whole month, going on as since it began: each run stands for the time until the next, so of the first
 * one, made in the first hours, no multiple is taken.
 */
const auditUsdOfMonth = ({ auditUsd, elapsedSeconds, auditEveryHours }: Spent): number =>
  auditUsd * (secondsPerMonth / Math.max(elapsedSeconds, auditEveryHours * secondsPerHour, secondsPerDay));

/** Metrics that the pulse may ask for in a month. */
export const allowance = (apiUsdPerMonth: number, spent: Spent): number =>
  Math.max(leastMetrics, metricsForUsd(Math.max(0, apiUsdPerMonth - auditUsdOfMonth(spent))));
