import fc from 'fast-check';
import { figure, usdText } from '../../core/figures.ts';

test.each([
  [figure(-0), '0'],
  [figure(-0.001), '0'],
  [figure(-0.01), '-0.01'],
  [figure(12_345.678, 1), '12,345.7'],
  [usdText(-0.001), '0.00 USD'],
  [usdText(-0.66), '-0.66 USD'],
])('%s is %s', (text, expected) => {
  expect(text).toBe(expected);
});

test('nothing is written as minus zero', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(4), (value, digits) => {
      expect(figure(value, digits)).not.toMatch(/^-0(\.0*)?$/);
    }),
  );
});
