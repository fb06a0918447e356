import fc from 'fast-check';
import { alignTo, orderColumns, periodOf, rhythmOf, timeQuality } from '../../../core/load/series.ts';

const times = (...minutes: number[]): Float64Array => Float64Array.from(minutes, (minute) => minute * 60);

describe('the period is the smallest step that is not an oddity', () => {
  test('a missing row does not change it', () => {
    expect(periodOf(times(0, 1, 2, 5, 6))).toBe(60);
  });

  test('one step of 4 minutes among hundreds of 5 is a clock that was set, not the period', () => {
    const five = Array.from({ length: 200 }, (_, i) => i * 5);
    expect(periodOf(times(...five, 200 * 5 - 1))).toBe(300);
  });

  test('one point has none', () => {
    expect(periodOf(times(3))).toBeNull();
  });
});

test.each([
  ['regular', [0, 5, 10, 15], { secondSeconds: null, overlaps: false }],
  ['with a gap', [0, 5, 10, 30, 35], { secondSeconds: null, overlaps: false }],
  [
    'with a clock that was set',
    [...Array.from({ length: 200 }, (_, i) => i * 5), 999],
    { secondSeconds: null, overlaps: true },
  ],
  [
    'of two periods',
    [0, 5, ...Array.from({ length: 13 }, (_, i) => 20 + 15 * i)],
    { secondSeconds: 900, overlaps: false },
  ],
] as const)('the rhythm of an axis %s', (_what, minutes, expected) => {
  const axis = times(...minutes);
  expect(rhythmOf(axis)).toEqual({ periodSeconds: 300, ...expected });
  expect(rhythmOf(axis)).toBe(rhythmOf(axis));
});

test('a row stands for its period: of a 61-minute step 56 minutes are unknown', () => {
  const quality = timeQuality(times(0, 5, 66, 71), 300, []);
  expect(quality.gaps).toMatchObject([{ stepSeconds: 61 * 60, unknownSeconds: 56 * 60 }]);
});

test('of a repeated timestamp the last value is kept, and each repetition is counted', () => {
  const { epochSeconds, columns, repeated } = orderColumns([60, 0, 60, 60, 120], [[1, 0, 2, 3, 4]]);
  expect([...epochSeconds]).toEqual([0, 60, 120]);
  expect([...(columns[0] ?? [])]).toEqual([0, 3, 4]);
  expect(repeated).toEqual([60, 60]);
});

test('a 5-minute point stands for each of its minutes, and for none beyond', () => {
  const balance = { periodSeconds: 300, epochSeconds: times(0, 10), values: Float64Array.of(80, 70) };
  const axis = { periodSeconds: 60, epochSeconds: times(0, 4, 5, 9, 10, 14, 15) };
  expect([...alignTo(axis, balance, 'Minimum')]).toEqual([
    80,
    80,
    Number.NaN,
    Number.NaN,
    70,
    70,
    Number.NaN,
  ]);
});

test('whatever the order of the points, the result is ascending, loses no timestamp and keeps the last of each', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer()), { minLength: 1 }),
      (points) => {
        const { epochSeconds, columns, repeated } = orderColumns(
          points.map(([time]) => time),
          [points.map(([, value]) => value)],
        );
        const expected = new Map(points);
        expect([...epochSeconds]).toEqual([...expected.keys()].sort((a, b) => a - b));
        expect([...(columns[0] ?? [])]).toEqual([...epochSeconds].map((time) => expected.get(time)));
        expect(repeated.length).toBe(points.length - expected.size);
      },
    ),
    { seed: 3 },
  );
});
