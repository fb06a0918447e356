import { growthOf } from '../../../core/monitoring/next-poll.ts';
import { times } from './watching.ts';

const minutes = (values: readonly number[]): [Float64Array, Float64Array] => [
  Float64Array.from(values, (_, i) => i * 60),
  Float64Array.from(values),
];

test('a load that grew by a third of the limit in ten minutes is taken to grow by as much again', () => {
  // From 0.3 to 0.6: three-minute means of 0.27 and 0.57.
  const ramp = Array.from({ length: 20 }, (_, i) => 0.03 * (i + 1));
  expect(growthOf(...minutes(ramp))).toBeCloseTo(0.3);
});

test.each([
  ['a load that stands', times(20, 0.5)],
  ['one that falls', Array.from({ length: 20 }, (_, i) => 1 - 0.03 * i)],
  ['noise of a tenth', Array.from({ length: 20 }, (_, i) => 0.5 + 0.05 * (i % 2))],
  ['one minute alone', [0.5]],
  ['less than ten minutes', times(8, 0.5)],
  ['nothing', []],
])('%s grows by nothing', (_, values) => {
  expect(growthOf(...minutes(values))).toBe(0);
});

test('minutes that are not known are left out', () => {
  const ramp = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? Number.NaN : 0.03 * (i + 1)));
  expect(growthOf(...minutes(ramp))).toBeCloseTo(0.3);
});
