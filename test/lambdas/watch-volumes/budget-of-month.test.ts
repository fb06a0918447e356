/** What monitoring may ask for: the month's budget without what audits cost, and what was saved or spent of it. */
import type { Budget } from '../../../core/monitoring/pace.ts';
import { type BudgetFrom, budgetOfMonth } from '../../../lambdas/watch-volumes/budget-of-month.ts';

/** 0.01 USD for 1,000 metrics; a month is 30 days. */
const metricsPerUsd = 100_000;
const eleventh = Date.UTC(2026, 10, 11) / 1_000;
const from = (values: Partial<BudgetFrom> = {}): BudgetFrom => ({
  ...{ apiUsdPerMonth: 20, auditEveryHours: 24, auditUsd: async () => 0, kept: async () => null },
  ...values,
});
const neverAsked = () => Promise.reject(new Error('nobody asks'));

test('no bound: nothing is asked of anybody', async () => {
  const unbounded = from({ apiUsdPerMonth: null, auditUsd: neverAsked, kept: neverAsked });
  expect(await budgetOfMonth(unbounded, eleventh)).toBeNull();
});

test("on the first day there is a day's worth", async () => {
  // 20 USD pay for 2 million metrics.
  const budget = await budgetOfMonth(from(), eleventh);
  expect(budget?.metricsPerMonth).toBeCloseTo(20 * metricsPerUsd, -1);
  expect(budget?.left).toBeCloseTo((20 * metricsPerUsd) / 30, -1);
});

test('what audits cost since the month began is theirs for the rest of it', async () => {
  // 2 USD in ten days are 6 in 30: 14 of 20 are left.
  const budget = await budgetOfMonth(from({ auditUsd: async () => 2 }), eleventh);
  expect(budget?.metricsPerMonth).toBeCloseTo(14 * metricsPerUsd, -1);
});

test('the month begins at midnight UTC of its first day, and has the days that it has', async () => {
  const december = Date.UTC(2026, 11, 1) / 1_000;
  // One second before, 2 USD of 30 days are 2.
  const last = await budgetOfMonth(from({ auditUsd: async () => 2 }), december - 1);
  expect(last?.metricsPerMonth).toBeCloseTo(18 * metricsPerUsd, -3);
  // In its first second 0.1 USD of one run stand for a day of 31: 3.1. What 16.9 USD pay for is spread over 31 days.
  const first = await budgetOfMonth(from({ auditUsd: async () => 0.1 }), december);
  expect(first?.metricsPerMonth).toBeCloseTo((16.9 * metricsPerUsd * 30) / 31, -1);
});

test('what was kept goes on, with what came in since', async () => {
  const kept: Budget = { metricsPerMonth: 2_000_000, left: -50, atEpochSeconds: eleventh - 60 };
  const budget = await budgetOfMonth(from({ kept: async () => kept }), eleventh);
  // 2 million in 43,200 minutes: 46.3 a minute.
  expect(budget?.left).toBeCloseTo(46.3 - 50, 1);
  expect(budget?.atEpochSeconds).toBe(eleventh);
});
