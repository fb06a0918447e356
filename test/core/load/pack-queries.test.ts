/** Queries packed into calls: within CloudWatch's limits, nothing lost, and few calls. */
import fc from 'fast-check';
import {
  type MetricQuery,
  packQueries,
  pointsOf,
  pointsPerCall,
  queriesPerCall,
} from '../../../core/load/metrics.ts';
import { secondsPerDay, secondsPerHour } from '../../../core/units.ts';

const queriesOf = (count: number, periodSeconds: number): MetricQuery[] =>
  Array.from({ length: count }, (_, i) => ({
    resourceId: `${periodSeconds}-${i}`,
    metric: 'VolumeReadOps',
    namespace: 'AWS/EBS',
    dimensions: [],
    statistic: 'Sum',
    periodSeconds,
  }));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** No packing whatever has fewer calls than all points or all queries fill. */
const minCalls = (queries: readonly MetricQuery[], windowSeconds: number): number =>
  Math.max(
    Math.ceil(queries.length / queriesPerCall),
    Math.ceil(sum(queries.map((query) => pointsOf(query, windowSeconds))) / pointsPerCall),
  );

const callsOverLeast = (queries: readonly MetricQuery[], windowSeconds: number): number =>
  packQueries(queries, windowSeconds).length / minCalls(queries, windowSeconds);

/** 1,000 volumes of 11 metrics on 500 instances of 2 checks and 2 balances; a balance is never finer than 300 s. */
const fleetAt = (periodSeconds: 60 | 300): MetricQuery[] => [
  ...queriesOf(12_000, periodSeconds),
  ...queriesOf(1_000, 300).map((query) => ({ ...query, resourceId: `balance ${query.resourceId}` })),
];

/** Minutes are kept for 15 days, five minutes for 63; a fleet has at most every fourth query in five minutes. */
const reading = fc
  .constantFrom<[60 | 300, number]>([60, 15], [300, 63])
  .chain(([periodSeconds, days]) =>
    fc.record({
      periodSeconds: fc.constant(periodSeconds),
      windowSeconds: fc.integer({ min: 1, max: days * 24 }).map((hours) => hours * secondsPerHour),
      volumes: fc.integer({ min: 1, max: 3_000 }),
      balancesOfHundred: fc.integer({ min: 0, max: 25 }),
    }),
  )
  .map(({ periodSeconds, windowSeconds, volumes, balancesOfHundred }) => {
    const balances = Math.round((volumes * balancesOfHundred) / 100);
    const queries = [...queriesOf(volumes - balances, periodSeconds), ...queriesOf(balances, 300)];
    return { queries, windowSeconds };
  });

test('whatever is asked: each query once, never over 500 queries or 100,800 points in a call', () => {
  fc.assert(
    fc.property(reading, ({ queries, windowSeconds }) => {
      const calls = packQueries(queries, windowSeconds);
      for (const call of calls) {
        expect(call.length).toBeGreaterThan(0);
        expect(call.length).toBeLessThanOrEqual(queriesPerCall);
        expect(sum(call.map((query) => pointsOf(query, windowSeconds)))).toBeLessThanOrEqual(pointsPerCall);
      }
      expect(calls.flat()).toHaveLength(queries.length);
      expect(new Set(calls.flat()).size).toBe(queries.length);
    }),
  );
});

test('1,000 volumes, two weeks in five minutes: 13,000 queries of 4,032 points are 520 full calls, the least', () => {
  const calls = packQueries(fleetAt(300), 14 * secondsPerDay); // 100,800 / 4,032 = 25; 13,000 / 25 = 520
  expect(calls).toHaveLength(520);
  expect(minCalls(fleetAt(300), 14 * secondsPerDay)).toBe(520);
});

test.each([1, 2, 3, 5, 7, 10, 14])(
  '%i days of 1,000 volumes: at most 5 %% over the least, in minutes too',
  (days) => {
    expect(callsOverLeast(fleetAt(60), days * secondsPerDay)).toBeLessThanOrEqual(1.05);
    expect(callsOverLeast(fleetAt(300), days * secondsPerDay)).toBeLessThanOrEqual(1.05);
  },
);

/**
 * The worst that a window can do: a query is not cut in two, so a call of points just too large for one more stays
 * with a rest. 337 hours of minutes are 20,220 points: four are 80,880, the fifth would be 101,100. 100,800 / 80,880 =
 * 1.246; a window a minute over two weeks comes to 1.25.
 */
test('the worst window, just over two weeks of minutes, takes a quarter more than the points would fill', () => {
  const worst = callsOverLeast(queriesOf(12_000, 60), 337 * secondsPerHour);
  expect(worst).toBeCloseTo(3_000 / 2_408, 5); // 12,000 x 20,220 / 100,800 = 2,407.1
  expect(callsOverLeast(queriesOf(12_000, 60), 14 * secondsPerDay + 60)).toBeCloseTo(1.25, 2);
});

test('no window, period and mix that CloudWatch keeps takes more than a quarter over the least, and one call', () => {
  fc.assert(
    fc.property(reading, ({ queries, windowSeconds }) => {
      const least = minCalls(queries, windowSeconds);
      expect(packQueries(queries, windowSeconds).length).toBeLessThanOrEqual(Math.ceil(1.25 * least) + 1);
    }),
    { numRuns: 500 },
  );
});

test('queries of one period take the least calls that whole queries can take', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 360 }), (count, hours) => {
      const perCall = Math.min(queriesPerCall, Math.floor(pointsPerCall / (hours * 60)));
      const calls = packQueries(queriesOf(count, 60), hours * secondsPerHour);
      expect(calls).toHaveLength(Math.ceil(count / perCall));
    }),
  );
});

test('a query that is larger than a call alone is a call of its own, and CloudWatch answers it in pages', () => {
  const calls = packQueries(queriesOf(3, 60), 100 * secondsPerDay); // 144,000 points each
  expect(calls.map((call) => call.length)).toEqual([1, 1, 1]);
});
