/** What monitoring may ask for a month, as a bucket of tokens: a token is a metric. */
import { z } from 'zod';
import { usdOfMetrics } from '../load/metrics.ts';
import { secondsPerDay } from '../units.ts';

/** AWS bills by month: 30 days here. */
export const secondsPerMonth = 30 * secondsPerDay;

export const budgetSchema = z.strictObject({
  metricsPerMonth: z.number().positive(),
  /** What is left to ask for now, and as of when. */
  left: z.number(),
  atEpochSeconds: z.number(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** What was not used in quiet hours can be spent in busy ones: up to a day's worth. */
const mostSavedSeconds = secondsPerDay;
const usdPerMillion = usdOfMetrics(1_000_000);

/** Metrics that a sum of USD pays for. */
export const metricsForUsd = (usd: number): number => Math.floor((usd / usdPerMillion) * 1_000_000);

const mostSaved = (metricsPerMonth: number): number => (metricsPerMonth / secondsPerMonth) * mostSavedSeconds;

/** Full, as on the first day. */
export const newBudget = (metricsPerMonth: number, nowEpochSeconds: number): Budget => ({
  metricsPerMonth,
  left: mostSaved(metricsPerMonth),
  atEpochSeconds: nowEpochSeconds,
});

/**
 * With what came in since; another allowance counts from now on.
 * @param budget as it was kept; null on the first day.
 */
export function budgetNow(budget: Budget | null, metricsPerMonth: number, nowEpochSeconds: number): Budget {
  if (budget === null) return newBudget(metricsPerMonth, nowEpochSeconds);
  const seconds = Math.max(0, nowEpochSeconds - budget.atEpochSeconds);
  const left = budget.left + (metricsPerMonth / secondsPerMonth) * seconds;
  return {
    metricsPerMonth,
    left: Math.min(left, mostSaved(metricsPerMonth)),
    atEpochSeconds: Math.max(nowEpochSeconds, budget.atEpochSeconds),
  };
}

export const spent = (budget: Budget, metrics: number): Budget => ({
  ...budget,
  left: budget.left - metrics,
});
