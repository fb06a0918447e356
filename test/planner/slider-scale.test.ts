/** Sliders and typed figures. */
import fc from 'fast-check';
import {
  lastPosition,
  movedTo,
  positionOf,
  type Range,
  typedNumber,
  typedWithin,
} from '../../planner/slider-scale.ts';

const iops: Range = { min: 100, max: 1_000_000, scale: 'log', step: 1 };
const share: Range = { min: 0, max: 100, scale: 'linear', step: 5 };

test('the middle of a logarithmic slider is the geometric mean', () => {
  expect(movedTo(lastPosition / 2, 100, iops)).toBe(10_000); // root of 100 x 1,000,000
  expect(movedTo(lastPosition / 2, 0, share)).toBe(50);
  expect(positionOf(10_000, iops)).toBe(lastPosition / 2);
});

test('the ends of a slider are the ends of its range', () => {
  expect([movedTo(0, 5_000, iops), movedTo(lastPosition, 5_000, iops)]).toEqual([100, 1_000_000]);
});

test.each<[string, Range]>([
  ['logarithmic', iops],
  ['linear', share],
  ['of a few figures', { min: 1, max: 8, scale: 'log', step: 1 }],
])('each step of a %s slider changes the figure, and stays in the range', (_, range) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: lastPosition - 1 }), (position) => {
      const from = movedTo(position, range.min, range);
      const next = movedTo(positionOf(from, range) + 1, from, range);
      expect(from === range.max || next > from).toBe(true);
      expect(next).toBeLessThanOrEqual(range.max);
    }),
  );
});

test.each([
  ['40000', 40_000],
  ['40,000', 40_000],
  [' 0.5 ', 0.5],
  ['4,00', null],
  ['1e5', null],
  ['-5', null],
  ['', null],
  ['NaN', null],
])('%j is typed as %d', (text, value) => {
  expect(typedNumber(text)).toBe(value);
});

test('what is out of the range, or not whole, is no figure of it', () => {
  expect(['99', '100', '100.5', '1000001'].map((text) => typedWithin(text, iops))).toEqual([
    null,
    100,
    null,
    null,
  ]);
  expect(typedWithin('0.25', { min: 0, max: 1, step: 0 })).toBe(0.25);
});
