import fc from 'fast-check';
import { type Deviation, DeviationTally } from '../../../core/credits/credits.ts';

function deviationOf(pairs: readonly (readonly [number, number])[]): Deviation | null {
  const tally = new DeviationTally();
  for (const [replayed, published] of pairs) tally.add(replayed, published);
  return tally.result();
}

test('the middle difference and the largest, whichever is higher; what is unknown is not compared', () => {
  const pairs = [
    [50, 52], // 2
    [50, 49], // 1
    [50, 80], // 30
    [Number.NaN, 20],
    [20, Number.NaN],
  ] as const;
  expect(deviationOf(pairs)).toEqual({ medianPoints: 2, largestPoints: 30, comparedPoints: 3 });
});

test('nothing to compare is no agreement', () => {
  expect(deviationOf([])).toBeNull();
  expect(deviationOf([[50, Number.NaN]])).toBeNull();
});

test('the median is that of a sorted list, of an even number the lower one, to a tenth of a point', () => {
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(percent, percent), { minLength: 1, maxLength: 50 }), (pairs) => {
      const sorted = pairs.map(([a, b]) => Math.abs(a - b)).sort((a, b) => a - b);
      const found = deviationOf(pairs);
      expect(
        Math.abs((found?.medianPoints ?? -1) - (sorted[(sorted.length - 1) >> 1] as number)),
      ).toBeLessThan(0.051);
      expect(Math.abs((found?.largestPoints ?? -1) - (sorted.at(-1) as number))).toBeLessThan(0.051);
    }),
    { seed: 7 },
  );
});
