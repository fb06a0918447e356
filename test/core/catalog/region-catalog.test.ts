/** A Region's catalog: what is stored comes back, and a Region without a table has no prices rather than another's. */
import {
  builtInRegionCatalog,
  regionCatalogOf,
  storedCatalogSchema,
} from '../../../core/catalog/region-catalog.ts';
import { builtInPrices, type EbsPrices, type RegionPrices } from '../../../core/prices/prices.ts';
import { aStoredCatalog, somePrices } from '../../fixtures/region-catalog.ts';

const withHourly = (usdPerHour: Record<string, number>): RegionPrices =>
  somePrices({ instances: { asOf: '2026-11-15', source: 'a test', usdPerHour } });

test('what is stored comes back through JSON as a region catalog with its day', () => {
  const stored = storedCatalogSchema.parse(JSON.parse(JSON.stringify(aStoredCatalog())));
  const { region, refreshedAt, prices, instanceTypes } = regionCatalogOf(stored);
  expect([region, refreshedAt]).toEqual(['eu-central-1', '2026-11-18T00:00:00.000Z']);
  expect(prices.ebs).toMatchObject({ known: true, value: { gp3PerIops: 0.005 } });
  expect(prices.instanceMonthlyUsd('m1.large')).toEqual({ known: true, value: 87.6 }); // 0.12 x 730
  expect(prices.instanceMonthlyUsd('m1.xlarge')).toEqual({
    known: false,
    reason: {
      ...{ code: 'no-instance-price', instanceType: 'm1.xlarge', region: 'eu-central-1' },
      asOf: '2026-11-15',
    },
  });
  expect(instanceTypes.get('m1.large')).toMatchObject({ vcpus: 4 });
  expect(instanceTypes.get('m1.xlarge')).toBeUndefined();
});

test('a part that is not known is unknown with its reason, and has no source', () => {
  const { prices } = regionCatalogOf(aStoredCatalog({ prices: somePrices({ ebs: null, instances: null }) }));
  expect(prices.ebs).toEqual({
    known: false,
    reason: { code: 'no-ebs-prices', region: 'eu-central-1' },
  });
  expect(prices.instanceMonthlyUsd('m1.large').known).toBe(false);
  expect(prices.sources).toEqual([]);
});

test('what comes with stripewise has prices of its own Region alone', () => {
  expect(builtInRegionCatalog('us-east-1')).toMatchObject({
    refreshedAt: null,
    prices: { ebs: { known: true } },
  });
  const elsewhere = builtInRegionCatalog('eu-central-1');
  expect(elsewhere.prices.ebs.known).toBe(false);
  expect(elsewhere.instanceTypes.get('m1.large')).toBeDefined();
});

describe('refreshedAt is when the prices in use were read', () => {
  const [now, before] = ['2026-11-18T00:00:00.000Z', '2026-11-04T00:00:00Z'];

  test.each<[string, Parameters<typeof aStoredCatalog>[0], string | null]>([
    ['all at once', {}, now],
    ['EBS prices kept', { pricesReadAt: { ebs: before, instances: now } }, before],
    ['instance prices kept', { pricesReadAt: { ebs: now, instances: before } }, before],
    ['none known', { prices: somePrices({ ebs: null, instances: null }) }, now],
    [
      'EBS prices of stripewise, none having been read',
      { region: 'us-east-1', prices: somePrices({ region: 'us-east-1', ebs: null }) },
      null,
    ],
  ])('%s', (_, stored, refreshedAt) => {
    expect(regionCatalogOf(aStoredCatalog(stored)).refreshedAt).toBe(refreshedAt);
  });
});

describe('in a Region that comes with stripewise, of what was read and what comes the newer is used', () => {
  const { ebs: builtIn } = builtInPrices('us-east-1');
  const readOn = (asOf: string, source = 'a test') =>
    regionCatalogOf(
      aStoredCatalog({
        region: 'us-east-1',
        prices: somePrices({
          region: 'us-east-1',
          ebs: { ...(builtIn as EbsPrices), asOf, source, gp3PerIops: 0.007 },
        }),
      }),
    );

  // The table that comes with stripewise is of 2026-09-30.
  test.each([
    ['2026-09-29', 0.005, null],
    ['2026-09-30', 0.007, '2026-11-18T00:00:00.000Z'],
    ['2026-10-01', 0.007, '2026-11-18T00:00:00.000Z'],
  ])('read of %s: %p USD an IOPS of gp3', (asOf, gp3PerIops, refreshedAt) => {
    const { prices, refreshedAt: at } = readOn(asOf);
    expect(prices.ebs).toMatchObject({ value: { gp3PerIops } });
    expect(at).toBe(refreshedAt);
  });

  test('and its source says so; the other part is what was read', () => {
    expect(readOn('2026-08-01').prices.sources).toEqual([
      {
        ...{ part: 'ebs', region: 'us-east-1', asOf: '2026-09-30', source: builtIn?.source },
        insteadOf: { readAsOf: '2026-08-01' },
      },
      {
        ...{ part: 'instances', region: 'us-east-1', asOf: '2026-11-15', source: 'a test' },
        insteadOf: null,
      },
    ]);
  });
});

test.each<[string, object]>([
  ['a Region that is a path', { region: '../x', prices: { ...somePrices(), region: '../x' } }],
  ['prices of another Region', { prices: { ...somePrices(), region: 'us-west-2' } }],
  ['prices that nobody knows when they were read', { pricesReadAt: { ebs: null, instances: null } }],
  ['a price of nothing', { prices: withHourly({ 'm1.large': 0 }) }],
  ['a price of a million', { prices: withHourly({ 'm1.large': 1_000_000 }) }],
  ['a price without end', { prices: withHourly({ 'm1.large': Number.POSITIVE_INFINITY }) }],
  ['a price of no type', { prices: withHourly({ constructor: 1 }) }],
])('%s is not read', (_, odd) => {
  expect(storedCatalogSchema.safeParse({ ...aStoredCatalog(), ...odd }).success).toBe(false);
});

test('a type named as what every object has has no price', () => {
  const { prices } = regionCatalogOf(aStoredCatalog());
  for (const type of ['constructor', 'toString', '__proto__'])
    expect(prices.instanceMonthlyUsd(type).known).toBe(false);
});
