/** What monitoring may ask for now: what audits leave of the month's budget, and what it saved or spent of it before. */
import { allowance, type Budget, budgetNow } from '../../core/monitoring/pace.ts';
import { msPerSecond } from '../../core/units.ts';

export interface BudgetFrom {
  /** For audits and monitoring together; null: no bound. */
  apiUsdPerMonth: number | null;
  auditEveryHours: number;
  /** USD of audits since the month began. */
  auditUsd(): Promise<number>;
  /** As it was kept; null where none was. */
  kept(): Promise<Budget | null>;
}

/** Of the calendar month in UTC; the next one begins where it ends. */
function monthOf(epochSeconds: number): { start: number; end: number } {
  const at = new Date(epochSeconds * msPerSecond);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  return { start: Date.UTC(year, month) / msPerSecond, end: Date.UTC(year, month + 1) / msPerSecond };
}

/** Null: no bound. */
export async function budgetOfMonth(
  { apiUsdPerMonth, auditEveryHours, auditUsd, kept }: BudgetFrom,
  nowEpochSeconds: number,
): Promise<Budget | null> {
  if (apiUsdPerMonth === null) return null;
  const { start, end } = monthOf(nowEpochSeconds);
  const metricsPerMonth = allowance(apiUsdPerMonth, {
    auditUsd: await auditUsd(),
    elapsedSeconds: nowEpochSeconds - start,
    monthSeconds: end - start,
    auditEveryHours,
  });
  return budgetNow(await kept(), metricsPerMonth, nowEpochSeconds);
}
