/** What a budget for audits and monitoring together leaves monitoring. */
import { allowance, type Spent, secondsPerMonth } from '../../../core/monitoring/pace.ts';

/** 0.01 USD for 1,000 metrics. */
const metricsPerUsd = 100_000;
const days = (count: number): number => count * 86_400;
const spent = (values: Partial<Spent> = {}): Spent => ({
  ...{ auditUsd: 0, elapsedSeconds: days(10), monthSeconds: secondsPerMonth, auditEveryHours: 24 },
  ...values,
});

test.each([
  ['nothing spent: all of it', 20, spent(), 20],
  // 2 USD in 10 days are 6 in 30.
  ['audits go on as since the month began', 20, spent({ auditUsd: 2 }), 14],
  // The same at the end of the month.
  [
    'at the end of the month they cost what they cost',
    20,
    spent({ auditUsd: 6, elapsedSeconds: days(30) }),
    14,
  ],
  // The first of 30 daily runs: 0.2 USD, whether it was an hour ago or 24.
  ['the first run stands for a day', 20, spent({ auditUsd: 0.2, elapsedSeconds: 3_600 }), 14],
  // Every 48 hours: 15 runs, of which one was made in the first hour.
  [
    'a run each two days stands for two',
    20,
    spent({ auditUsd: 0.4, elapsedSeconds: 3_600, auditEveryHours: 48 }),
    14,
  ],
  // Hourly: 12 of 24 runs of a day. What is shorter than a day is taken as a day, and grows with each run.
  [
    'hourly runs count by the day',
    20,
    spent({ auditUsd: 0.1, elapsedSeconds: days(0.5), auditEveryHours: 1 }),
    17, // 0.1 x 30 = 3
  ],
])('%s', (_, budgetUsd, so, usdLeft) => {
  expect(allowance(budgetUsd, so)).toBeCloseTo(usdLeft * metricsPerUsd, -1);
});

test('nothing is left: as good as nothing, never none, for monitoring still polls where it is most needed', () => {
  expect(allowance(5, spent({ auditUsd: 2 }))).toBe(1); // 6 of 5 USD
  expect(allowance(6, spent({ auditUsd: 2 }))).toBe(1);
});

/** A run each day, of which 30 take 60 % of the budget. */
test('audits that take their share leave monitoring the same, at every hour of the first days', () => {
  const perRun = 12 / 30;
  for (let hour = 1; hour <= 10 * 24; hour++) {
    const auditUsd = perRun * Math.ceil(hour / 24);
    const left = allowance(20, spent({ auditUsd, elapsedSeconds: hour * 3_600, monthSeconds: days(30) }));
    expect(left / metricsPerUsd).toBeGreaterThan(7.9);
  }
});

test('a month of 31 days is paid for with the same budget', () => {
  const monthSeconds = days(31);
  const metrics = allowance(20, spent({ monthSeconds })) * (monthSeconds / secondsPerMonth);
  expect(metrics).toBeGreaterThan(0.999 * 20 * metricsPerUsd);
  expect(metrics).toBeLessThanOrEqual(20 * metricsPerUsd);
});
