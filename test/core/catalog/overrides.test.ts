/** Corrections of what EC2 tells: they replace what they name, and do not outlive their day. */
import { overdue } from '../../../core/catalog/contradictions.ts';
import { type Override, withOverrides } from '../../../core/catalog/instance-types.ts';
import { anInstanceType } from '../../fixtures/region-catalog.ts';

const catalog = {
  asOf: '2026-11-20',
  source: 'a test',
  types: [anInstanceType(), anInstanceType({ instanceType: 'm1.xlarge' })],
};
const override = (set: Override['set'], instanceType = 'm1.large'): Override => ({
  ...{ instanceType, set, reason: 'the documentation says 16', recheckBy: '2027-01-01' },
});

test('what it names is replaced, all else stays', () => {
  const { types } = withOverrides(catalog, [override({ attachments: { most: 16, shared: true } })]);
  expect(types).toEqual([
    anInstanceType({ attachments: { most: 16, shared: true } }),
    anInstanceType({ instanceType: 'm1.xlarge' }),
  ]);
});

test('without any the catalog is as it was', () => {
  expect(withOverrides(catalog, [])).toBe(catalog);
});

test('one for a type that is not there is of no use any more', () => {
  expect(() => withOverrides(catalog, [override({}, 'm1.small')])).toThrow(
    'override of m1.small: the catalog has no such type',
  );
});

test.each([
  ['2026-12-31', 0],
  ['2027-01-01', 1], // its day
  ['2028-02-03', 1],
])('on %s there are so many to look at: %i', (today, count) => {
  const one = override({});
  expect(overdue([one], today)).toEqual(Array.from({ length: count }, () => one));
});
