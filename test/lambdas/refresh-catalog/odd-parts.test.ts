/** What AWS tells only in part: what is sound is used, the rest is the older one under its own date, and it is said. */
import {
  regionCatalogOf,
  type StoredCatalog,
  storedCatalogSchema,
} from '../../../core/catalog/region-catalog.ts';
import type { RegionPrices } from '../../../core/prices/prices.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import type { RefreshFrom } from '../../../lambdas/refresh-catalog/refresh-catalog.ts';
import { anInstanceType, ebs, somePrices } from '../../fixtures/region-catalog.ts';
import { now, refresh, stored } from './refresh.ts';

const missing = {
  code: 'price-list-incomplete',
  ...{ region: 'eu-central-1', part: 'ebs', reason: 'EBS:VolumeUsage (there is no such row)' },
  usedInstead: [],
} as const satisfies AuditNotice;
const missingWith = (asOf: string | null): AuditNotice => ({
  ...missing,
  usedInstead: [{ part: 'ebs', asOf }],
});
const withoutEbs: RefreshFrom['getPrices'] = async () => ({
  prices: somePrices({ ebs: null }),
  notices: [missing],
});
const before = '2026-11-01T00:00:00.000Z';

describe('a part that the Price List does not tell', () => {
  test('is the older one, of its own day and of the time when that was read; the rest is new', async () => {
    const { written, notices } = await refresh({
      ...stored({ refreshedAt: before }),
      getPrices: withoutEbs,
    });
    expect(written).toMatchObject([
      {
        refreshedAt: now.toISOString(),
        prices: { ebs: { asOf: '2026-11-15' } },
        pricesReadAt: { ebs: before, instances: now.toISOString() },
      },
    ]);
    expect(regionCatalogOf(written[0] as StoredCatalog).refreshedAt).toBe(before);
    expect(notices).toEqual([missingWith('2026-11-15')]);
  });

  test('is tried again by each run and said by each, until it is reported again', async () => {
    const runs: [StoredCatalog, readonly AuditNotice[]][] = [];
    let kept: StoredCatalog | null = (await refresh({ now: () => new Date(before) })).written[0] ?? null;
    for (const day of [9, 10, 11, 12]) {
      const { written, notices } = await refresh({
        now: () => new Date(Date.UTC(2026, 10, day)),
        readStored: async () => kept,
        ...(day < 12 ? { getPrices: withoutEbs } : {}),
      });
      kept = written[0] ?? null;
      if (kept !== null) runs.push([kept, notices]);
    }
    expect(runs.map(([{ pricesReadAt }]) => pricesReadAt.ebs)).toEqual([
      ...[before, before, before],
      '2026-11-12T00:00:00.000Z',
    ]);
    const said = [missingWith('2026-11-15')];
    expect(runs.map(([, notices]) => notices)).toEqual([said, said, said, []]);
  });

  test('is unknown where there is no older one', async () => {
    const { written, notices } = await refresh({ getPrices: withoutEbs });
    expect(written).toMatchObject([{ prices: { ebs: null, instances: { asOf: '2026-11-15' } } }]);
    expect(written[0]?.pricesReadAt).toEqual({ ebs: null, instances: now.toISOString() });
    expect(notices).toEqual([missingWith(null)]);
  });

  test('is that of stripewise where one comes with it, which is not stored as if it had been read', async () => {
    const prices = somePrices({ region: 'us-east-1', ebs: null });
    const { written, notices } = await refresh(
      { getPrices: async () => ({ prices, notices: [missing] }) },
      'us-east-1',
    );
    const [regionCatalog] = written as [StoredCatalog];
    expect(regionCatalog.prices.ebs).toBeNull();
    expect(regionCatalogOf(regionCatalog)).toMatchObject({
      refreshedAt: null,
      prices: { ebs: { known: true, value: { asOf: '2026-09-30' } } },
    });
    expect(notices).toEqual([missingWith('2026-09-30')]);
  });
});

describe('instance types that cannot be used', () => {
  const named = (instanceType: string) => anInstanceType({ instanceType });
  const aboveMaximum = anInstanceType({
    instanceType: 'm2.large',
    ebs: { ...ebs(100, 10), baselineIops: 101 },
  });

  const odd = {
    instanceType: 'm_4.large',
    reason: { code: 'not-as-expected' as const, path: 'instanceType', message: 'odd' },
  };

  test('are left out and named, the rest is written', async () => {
    const types = [named('m1.large'), aboveMaximum, named('m3.large')];
    const { refreshed, written, notices } = await refresh({
      describeInstanceTypes: async () => ({ types, leftOut: [odd] }),
    });
    expect(refreshed).toBe(true);
    expect(written[0]?.instanceTypes.types).toEqual([named('m1.large'), named('m3.large')]);
    expect(notices).toEqual([
      {
        code: 'instance-types-left-out',
        ...{ region: 'eu-central-1', read: 4, leftOut: 2 },
        first: [odd, { instanceType: 'm2.large', reason: { code: 'baseline-above-maximum' } }],
      },
    ]);
  });

  test.each<[string, Awaited<ReturnType<RefreshFrom['describeInstanceTypes']>>, RegExp]>([
    ['there are no others', { types: [], leftOut: [] }, /gave no instance types that can be used/],
    [
      'all are such',
      { types: [aboveMaximum], leftOut: [] },
      /gave no instance types that can be used; 1 of 1 instance type of eu-central-1 .* m2\.large /,
    ],
    [
      'most are such',
      { types: [named('m1.large'), aboveMaximum], leftOut: [odd] },
      /gave 1 instance types that can be used; /,
    ],
    [
      'one is there twice',
      { types: [named('m1.large'), named('m1.large')], leftOut: [] },
      /contradicts itself: m1\.large: it is there twice/,
    ],
  ])('where %s nothing is written', async (_, read, why) => {
    const { written, notices, asked } = await refresh({ describeInstanceTypes: async () => read });
    expect(written).toEqual([]);
    expect(notices).toMatchObject([{ code: 'prices-not-refreshed', reason: expect.stringMatching(why) }]);
    expect(asked).toEqual(['types']);
  });
});

test.each<[string, RegionPrices, string]>([
  [
    'a price without end',
    somePrices({
      instances: {
        asOf: '2026-11-15',
        source: 'a test',
        usdPerHour: { 'm1.large': Number.POSITIVE_INFINITY },
      },
    }),
    'prices.instances.usdPerHour.m1.large: ',
  ],
  ['prices of another Region', somePrices({ region: 'us-west-2' }), 'its prices are of another Region'],
])(
  'what could not be read again once stored (%s) is one line, and nothing is written',
  async (_, prices, why) => {
    const { written, notices } = await refresh({ getPrices: async () => ({ prices, notices: [] }) });
    expect(written).toEqual([]);
    expect(notices).toMatchObject([
      {
        code: 'prices-not-refreshed',
        reason: expect.stringContaining('what was read of eu-central-1 is not as expected'),
      },
    ]);
    expect(notices).toMatchObject([{ reason: expect.stringContaining(why) }]);
  },
);

test('what is written is what its schema reads', async () => {
  const { written } = await refresh();
  expect(
    written.map((regionCatalog) => storedCatalogSchema.parse(JSON.parse(JSON.stringify(regionCatalog)))),
  ).toEqual(written);
});
