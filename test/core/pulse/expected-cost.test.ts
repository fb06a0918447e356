import { countsOf, expectedCost, pulseCost } from '../../../core/pulse/expected-cost.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { aGp2 } from './watching.ts';

const unbound = { everyMinutes: 1, budgetUsd: null };

test('volumes are counted by what it takes to watch them', () => {
  const volumes = [aVolume(), aGp2(100), aGp2(1_000), aVolume({ state: 'available', attachments: [] })];
  expect(countsOf(volumes)).toEqual({ bucketed: 1, plain: 2 });
});

test('a quiet volume: its queue four times an hour, and seven metrics four times a day', () => {
  // (96 + 28) x 30 days x 0.01 USD a thousand
  expect(expectedCost({ plain: 1, bucketed: 0 }, unbound)).toMatchObject({
    metricsPerMonth: 3_720,
    usdPerMonth: 0.0372,
  });
});

test('a full gp2 of 100 GiB besides: its balance within half of 2,000 s', () => {
  // 86,400 / (1,000 - 60) = 92 a day
  expect(expectedCost({ plain: 0, bucketed: 1 }, unbound).metricsPerMonth).toBe(6_477);
});

test('what a budget costs is said in minutes', () => {
  const counts = { plain: 1_000, bucketed: 0 };
  const at = (budgetUsd: number) => expectedCost(counts, { everyMinutes: 1, budgetUsd });
  expect(at(100)).toMatchObject({ delayFactor: 1 });
  expect(at(100).texts.at(-1)).toBe('the budget (10,000,000 metrics a month) is enough');
  expect(at(50).texts.at(-1)).toContain('enough in quiet times');
  expect(at(18.6).delayFactor).toBeCloseTo(2);
  expect(at(18.6).texts.at(-1)).toContain('quiet ones every 30 min instead of every 15');
  expect(at(0).texts.at(-1)).toBe('nothing is left of the budget: the pulse does not look');
});

test('a tick every five minutes says what it costs', () => {
  expect(expectedCost({ plain: 1, bucketed: 0 }, { ...unbound, everyMinutes: 5 }).texts).toContain(
    'a tick every 5 min: throttling is told up to 3 min later than with one a minute',
  );
});

test('of a fleet of which only the size is known a quarter has buckets, and no more than the budget is spent', () => {
  expect(pulseCost({ volumes: 1_000, everyMinutes: 1, leftUsd: null }).usd).toBeCloseTo(44.09, 1);
  expect(pulseCost({ volumes: 1_000, everyMinutes: 1, leftUsd: 10 }).usd).toBe(10);
});
