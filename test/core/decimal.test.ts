/** One grammar of numbers: what it takes is what JSON and YAML take for a decimal, and nothing else. */
import fc from 'fast-check';
import { parse } from 'yaml';
import { decimalOf } from '../../core/decimal.ts';

test.each([
  ['15000', 15_000],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['5.', 5],
  ['+5', 5],
  ['-5', -5],
  ['1e6', 1_000_000],
  ['1E-3', 0.001],
  ['-0', 0],
  ['-0.0', 0],
])('%s is %d', (text, value) => {
  expect(decimalOf(text)).toBe(value);
});

test.each([
  ...['0x10', '0b1', '0o7', '1_000', '1,000', '1e', 'e5', '.', '', ' ', ' 5', '5 ', '1e999', '-1e999'],
  ...['Infinity', '-Infinity', 'NaN', '.inf', '.nan', '٣', '５', '1n', '--5', '5%', '1 000', '5\n', 'true'],
])('%j is none', (text) => {
  expect(decimalOf(text)).toBeNaN();
});

test('whatever number JSON writes is read as the same, and never as less than nothing', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(decimalOf(JSON.stringify(value))).toBe(value + 0);
    }),
  );
});

test('whatever it takes YAML takes for the same number', () => {
  const texts = fc.stringMatching(/^[-+]?\d{0,3}\.?\d{0,3}(e[-+]?\d{1,2})?$/);
  fc.assert(
    fc.property(texts, (text) => {
      const value = decimalOf(text);
      if (!Number.isNaN(value)) expect(parse(text) + 0).toBe(value);
    }),
  );
});
