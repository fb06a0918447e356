import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundedByBudget, expectedCost, monitoringCost } from '../../../core/monitoring/expected-cost.ts';

const unbound = { everyMinutes: 1, budgetUsd: null };

test('a quiet volume: its queue four times an hour, and seven metrics four times a day', () => {
  // (96 + 28) x 30 days x 0.01 USD a thousand
  expect(expectedCost({ plain: 1, bucketed: 0 }, unbound).quietUsd).toBeCloseTo(0.0372, 8);
});

test('a full gp2 of 100 GiB besides: its balance within half of 2,000 s', () => {
  // 86,400 / (1,000 - 60) = 92 a day: (124 + 91.9) x 30 = 6,477 metrics
  expect(expectedCost({ plain: 0, bucketed: 1 }, unbound).quietUsd).toBeCloseTo(0.06477, 8);
});

test('what a budget costs is said in minutes', () => {
  const counts = { plain: 1_000, bucketed: 0 };
  const at = (budgetUsd: number | null) => expectedCost(counts, { everyMinutes: 1, budgetUsd }).budget;
  expect(at(null)).toBeNull();
  expect(at(100)).toEqual({ code: 'enough', metrics: 10_000_000 }); // 0.01 USD a thousand
  expect(at(50)).toEqual({ code: 'enough-in-quiet-times', metrics: 5_000_000 });
  // Half of 37.2 USD: twice as seldom.
  expect(at(18.6)).toEqual({
    code: 'too-little',
    ...{ metrics: 1_860_000, quietEveryMinutes: 30, usualEveryMinutes: 15 },
  });
  expect(at(0)).toEqual({ code: 'nothing-left' });
});

test('a tick every five minutes is reported later than one a minute, by up to three', () => {
  const every = (everyMinutes: number) =>
    expectedCost({ plain: 1, bucketed: 0 }, { ...unbound, everyMinutes }).laterMinutes;
  expect([1, 2, 5].map(every)).toEqual([0, 0, 3]);
});

test('of a fleet of which only the size is known a quarter has buckets, and no more than the budget is spent', () => {
  expect(monitoringCost({ volumes: 1_000, everyMinutes: 1, leftUsd: null }).usd).toBeCloseTo(44.09, 2);
  expect(monitoringCost({ volumes: 1_000, everyMinutes: 1, leftUsd: 10 }).usd).toBe(10);
});

test('a budget that bounds monitoring: how often it polls with it, and which would be enough', () => {
  const bounded = (volumes: number, budgetUsd: number) =>
    boundedByBudget({ volumes, everyMinutes: 1, budgetUsd, auditsUsd: 4 });
  // 3,000 x 44.09 / 1,000 = 132.28 USD of 50 - 4: 2.88 times too much, 15 min x 2.88 = 43.1
  expect(bounded(3_000, 50)).toEqual({
    ...{ code: 'monitoring-bounded', volumes: 3_000, budgetUsd: 50 },
    ...{ quietEveryMinutes: 44, usualEveryMinutes: 15, enoughUsd: 137 },
  });
  expect(bounded(3_000, 137)).toBeNull();
  expect(bounded(3_000, 4)?.quietEveryMinutes).toBeNull();
  expect(bounded(1_000, 50)).toBeNull();
  expect(bounded(0, 1)).toBeNull();
});

test.each(['README.md', 'docs/operate/cost.md'])('%s says the same of 1,000 volumes', (page) => {
  const usd = Math.round(monitoringCost({ volumes: 1_000, everyMinutes: 1, leftUsd: null }).usd);
  expect(readFileSync(join(process.cwd(), page), 'utf8')).toMatch(
    new RegExp(`\\| monitoring metrics.*quiet \\| ${usd} `),
  );
});
