/** The period of a time axis, counted in runs of equal steps, against the plain count of every step. */
import fc from 'fast-check';
import { periodOf } from '../../../core/load/series.ts';

/** The smallest step such that it and all shorter ones are at least 1 % of the steps. */
function plainPeriod(times: Float64Array): number | null {
  const steps = [...times].slice(1).map((time, i) => time - (times[i] as number));
  const ascending = steps.toSorted((a, b) => a - b);
  const found = ascending.find((step) => {
    const notLonger = ascending.filter((other) => other <= step).length;
    return notLonger >= 0.01 * steps.length;
  });
  return found ?? null;
}

/** Times from runs: so many equal steps in a row. */
function timesOf(runs: readonly { step: number; count: number }[]): Float64Array {
  const times = [0];
  for (const { step, count } of runs)
    for (let i = 0; i < count; i++) times.push((times.at(-1) as number) + step);
  return Float64Array.from(times);
}

const step = fc.constantFrom(1, 59, 60, 61, 240, 300, 3_600, 3_660);
const run = fc.record({
  step,
  count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 250 })),
});

test('counted in runs it is what every step counted alone gives', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
      const times = timesOf(runs);
      expect(periodOf(times)).toBe(plainPeriod(times));
    }),
    { seed: 17, numRuns: 500 },
  );
});

test('a run at the end counts, and so does the very first step', () => {
  expect(periodOf(timesOf([{ step: 300, count: 100 }]))).toBe(300);
  // 2 of 102 steps are 2 %
  expect(
    periodOf(
      timesOf([
        { step: 300, count: 100 },
        { step: 60, count: 2 },
      ]),
    ),
  ).toBe(60);
  expect(
    periodOf(
      timesOf([
        { step: 60, count: 2 },
        { step: 300, count: 100 },
      ]),
    ),
  ).toBe(60);
});

test('runs of the same step are one count, however they are spread', () => {
  // Twice one of 60 s among 200 steps are 1 %; one of 201 is less
  const five = (count: number) => ({ step: 300, count });
  const one = { step: 60, count: 1 };
  expect(periodOf(timesOf([five(99), one, five(99), one]))).toBe(60);
  expect(periodOf(timesOf([five(100), one, five(100)]))).toBe(300);
});

test('steps that are rare each on their own count together: one of 59 s and one of 60 s among 200', () => {
  const runs = [
    { step: 300, count: 198 },
    { step: 60, count: 1 },
    { step: 59, count: 1 },
  ];
  expect(periodOf(timesOf(runs))).toBe(60);
});

test('no time and one time have none', () => {
  expect(periodOf(new Float64Array(0))).toBeNull();
  expect(periodOf(Float64Array.of(5))).toBeNull();
});
