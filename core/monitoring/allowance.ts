/** What a budget for audits and monitoring together leaves monitoring. */
import { secondsPerDay, secondsPerHour } from '../units.ts';
import { metricsForUsd, secondsPerMonth } from './budget.ts';

/** Nothing is left: it asks for as good as nothing, and an alarm says so. */
const leastMetrics = 1;

export interface Spent {
  /** USD of audits since the month began. */
  auditUsd: number;
  /** Since the month began, and of all of it: AWS bills by the month of the calendar, which has 28 to 31 days. */
  elapsedSeconds: number;
  monthSeconds: number;
  auditEveryHours: number;
}

/**
 * What audits cost in the whole month, going on as since it began: each run stands for the time until the next. What is
 * shorter than a day is taken as a day, and grows with each run.
 */
function auditUsdOfMonth({ auditUsd, elapsedSeconds, monthSeconds, auditEveryHours }: Spent): number {
  const everySeconds = auditEveryHours * secondsPerHour;
  const runs = Math.max(1, Math.ceil(elapsedSeconds / everySeconds));
  return auditUsd * (monthSeconds / Math.max(runs * everySeconds, secondsPerDay));
}

/** Metrics that monitoring may ask for in a month of usual length, so that the month of the calendar keeps to the budget. */
export function allowance(apiUsdPerMonth: number, spent: Spent): number {
  const metrics = metricsForUsd(Math.max(0, apiUsdPerMonth - auditUsdOfMonth(spent)));
  return Math.max(leastMetrics, Math.floor(metrics * (secondsPerMonth / spent.monthSeconds)));
}
