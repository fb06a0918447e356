/** A catalog that contradicts itself is found out; a sound one, in whatever order it came, is not accused. */
import fc from 'fast-check';
import type { Contradiction, TypeContradiction } from '../../../core/catalog/contradiction.ts';
import { contradictions, overdue } from '../../../core/catalog/contradictions.ts';
import {
  builtInCatalog,
  byFamilyAndSize,
  type InstanceType,
  overrides,
} from '../../../core/catalog/instance-types.ts';
import { anInstanceType, ebs } from '../../fixtures/region-catalog.ts';

const said = (...types: InstanceType[]): TypeContradiction[] =>
  contradictions({ asOf: '2026-11-20', source: 'a test', types });

test('the catalog that comes with stripewise does not contradict itself, and none of its corrections is overdue', () => {
  expect(contradictions(builtInCatalog())).toEqual([]);
  expect(builtInCatalog().types.length).toBeGreaterThan(1_000);
  expect(overdue(overrides, builtInCatalog().asOf)).toEqual([]);
});

const sound = ebs(10_000, 1_250);

test.each<[string, Partial<InstanceType>, Contradiction]>([
  [
    'a baseline of IOPS above the maximum',
    { ebs: { ...sound, baselineIops: 10_001 } },
    { code: 'baseline-above-maximum' },
  ],
  [
    'a baseline of MiB/s above the maximum',
    { ebs: { ...sound, baselineMiBps: 1_251 } },
    { code: 'baseline-above-maximum' },
  ],
  ['one card', { cards: [sound] }, { code: 'one-card-listed' }],
  ['cards without limits', { ebs: null, cards: [sound, sound] }, { code: 'cards-without-limits' }],
  [
    'cards that are less than the instance',
    { cards: [ebs(5_000, 625), ebs(4_000, 625)] }, // 5,000 + 4,000
    { code: 'cards-differ-from-instance', figure: 'baselineIops', ofCards: 9_000, ofInstance: 10_000 },
  ],
  [
    'room for its root volume alone',
    { attachments: { most: 1, shared: true } },
    { code: 'root-volume-only' },
  ],
  ['disks below 1 GB', { instanceStore: { disks: 4, totalGB: 3, ssd: true } }, { code: 'disks-below-1-gb' }],
])('%s is a contradiction', (_, row, contradiction) => {
  const all = said(anInstanceType({ ebs: sound, ...row }));
  expect(all).toContainEqual({ instanceType: 'm1.large', contradiction });
});

test.each<[string, Partial<InstanceType>]>([
  ['two cards that make the instance', { cards: [ebs(6_000, 700), ebs(4_000, 550)] }],
  ['cards whose MiB/s are rounded', { cards: [ebs(5_000, 625.004), ebs(5_000, 625.004)] }], // 1,250.008
  ['no limits', { ebs: null }],
  ['attachments that nobody tells', { attachments: null }],
])('%s is none', (_, row) => {
  expect(said(anInstanceType({ ebs: sound, ...row }))).toEqual([]);
});

test('a type that is there twice, and one out of order', () => {
  const [small, large] = [anInstanceType(), anInstanceType({ instanceType: 'm1.xlarge', vcpus: 8 })];
  expect(said(small, small)).toEqual([{ instanceType: 'm1.large', contradiction: { code: 'listed-twice' } }]);
  expect(said(large, small)).toEqual([{ instanceType: 'm1.large', contradiction: { code: 'not-sorted' } }]);
});

test('whatever order EC2 gives them in, sorted they are in order', () => {
  const { types } = builtInCatalog();
  fc.assert(
    fc.property(fc.shuffledSubarray([...types], { minLength: 2, maxLength: 60 }), (some) => {
      expect(said(...some.sort(byFamilyAndSize))).toEqual([]);
    }),
  );
});
