/** What is different between two region catalogs: what came, what went, what costs something else. */
import { regionCatalogChanges } from '../../../core/catalog/changes.ts';
import { regionCatalogOf } from '../../../core/catalog/region-catalog.ts';
import type { RegionPrices } from '../../../core/prices/prices.ts';
import { anInstanceType, aStoredCatalog, ebs, somePrices } from '../../fixtures/region-catalog.ts';

const of = (...regionCatalog: Parameters<typeof aStoredCatalog>) =>
  regionCatalogOf(aStoredCatalog(...regionCatalog));
const none = {
  ...{ typesAdded: [], typesRemoved: [], typesChanged: [] },
  ...{ instancePrices: [], ebsPrices: [], pricesAdded: [], pricesRemoved: [] },
};

test('nothing is different from itself', () => {
  expect(regionCatalogChanges(of(), of())).toEqual(none);
});

test('types that came, went, and have other limits', () => {
  const named = (instanceType: string, iops = 10_000) =>
    anInstanceType({ instanceType, ebs: ebs(iops, 1_250) });
  const before = of({ types: [named('a.large'), named('b.large'), named('c.large')] });
  const after = of({ types: [named('b.large'), named('c.large', 12_000), named('d.large')] });
  expect(regionCatalogChanges(before, after)).toEqual({
    ...none,
    ...{ typesAdded: ['d.large'], typesRemoved: ['a.large'], typesChanged: ['c.large'] },
  });
});

test('prices that changed, by what is paid for', () => {
  const { ebs: ofEbs, instances } = somePrices() as {
    [Part in 'ebs' | 'instances']: NonNullable<RegionPrices[Part]>;
  };
  const [tier1, , tier3] = ofEbs.io2PerIops ?? [];
  const after = of({
    prices: somePrices({
      ebs: {
        ...ofEbs,
        storagePerGiB: { ...ofEbs.storagePerGiB, gp3: 0.09 },
        io2PerIops: [tier1 as never, { upTo: 64_000, usd: 0.05 }, tier3 as never],
      },
      instances: { ...instances, usdPerHour: { 'm1.large': 0.1 } },
    }),
  });
  expect(regionCatalogChanges(of(), after)).toEqual({
    ...none,
    ebsPrices: [
      { of: { code: 'gib', volumeType: 'gp3' }, beforeUsd: 0.08, afterUsd: 0.09 },
      { of: { code: 'io2-iops', upTo: 64_000 }, beforeUsd: 0.0455, afterUsd: 0.05 },
    ],
    instancePrices: [{ of: 'm1.large', beforeUsd: 0.12 * 730, afterUsd: 0.1 * 730 }],
  });
});

test('a price that was not known before has not changed: it is new, and the other way round it is gone', () => {
  const without = of({ prices: somePrices({ ebs: null, instances: null }) });
  expect(regionCatalogChanges(without, of())).toEqual({ ...none, pricesAdded: ['EBS', 'm1.large'] });
  expect(regionCatalogChanges(of(), without)).toEqual({ ...none, pricesRemoved: ['EBS', 'm1.large'] });
});

test('of a type that came or went the price is not reported beside it', () => {
  const empty = of({ types: [], prices: somePrices({ instances: null }) });
  expect(regionCatalogChanges(empty, of())).toEqual({ ...none, typesAdded: ['m1.large'] });
});
