/** How sure a mean is: Student's t as it is tabulated. */
import { estimateOf } from '../../../core/report-card/report-card.ts';

/** Two-sided 95 %, by degrees of freedom. Source: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2. */
const tabulated = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [9, 2.262],
  [29, 2.045],
] as const;

test.each(tabulated)('%d degrees of freedom: t is %d', (degreesOfFreedom, t) => {
  // Half of them 1 below and half 1 above 100, an odd one on it: half the interval x root of n / deviation is t.
  const runs = degreesOfFreedom + 1;
  const values = Array.from({ length: runs }, (_, index) =>
    runs % 2 === 1 && index === 0 ? 100 : index % 2 === 0 ? 99 : 101,
  );
  const squares = runs % 2 === 1 ? runs - 1 : runs;
  const deviation = Math.sqrt(squares / degreesOfFreedom);
  const { mean, low, high } = estimateOf(values);
  expect(mean).toBeCloseTo(100, 9);
  expect((((high ?? 0) - mean) * Math.sqrt(runs)) / deviation).toBeCloseTo(t, 3);
  expect(mean - (low ?? 0)).toBeCloseTo((high ?? 0) - mean, 9);
});

test('three runs, by hand', () => {
  // Mean 100, deviation root of ((4 + 0 + 4) / 2) = 2; 4.303 x 2 / root of 3 = 4.968.
  const { mean, low, high } = estimateOf([98, 100, 102]);
  expect(mean).toBe(100);
  expect(low).toBeCloseTo(95.032, 2);
  expect(high).toBeCloseTo(104.968, 2);
});

test('of one run nobody knows how sure it is', () => {
  expect(estimateOf([42])).toEqual({ mean: 42, low: null, high: null });
});

test('runs that are all the same leave no doubt', () => {
  expect(estimateOf([7, 7, 7])).toEqual({ mean: 7, low: 7, high: 7 });
});
