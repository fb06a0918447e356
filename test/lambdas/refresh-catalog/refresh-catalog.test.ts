/** A Region's prices are read once a week; what cannot be read is said, and what was read before is kept. */
import { builtInCatalog } from '../../../core/catalog/instance-types.ts';
import { regionCatalogOf, type StoredCatalog } from '../../../core/catalog/region-catalog.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { builtInPrices, type EbsPrices } from '../../../core/prices/prices.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { anInstanceType, ebsWithout, somePrices } from '../../fixtures/region-catalog.ts';
import { failing, refresh, stored } from './refresh.ts';

const denied = new AccessDenied('pricing:GetProducts of eu-central-1 failed: AccessDeniedException: no');

test('where nothing is stored all is read and written', async () => {
  const { refreshed, notices, incomplete, written } = await refresh();
  expect([refreshed, notices, incomplete]).toEqual([true, [], []]);
  expect(written).toEqual([
    {
      region: 'eu-central-1',
      refreshedAt: '2026-11-20T12:00:00.000Z',
      prices: somePrices(),
      pricesReadAt: { ebs: '2026-11-20T12:00:00.000Z', instances: '2026-11-20T12:00:00.000Z' },
      instanceTypes: {
        asOf: '2026-11-20',
        source: 'ec2:DescribeInstanceTypes in eu-central-1',
        types: [anInstanceType()],
      },
    },
  ]);
});

test.each([
  ['2026-11-20T11:59:59.000Z', false], // a second old
  ['2026-11-13T12:00:01.000Z', false], // 7 days but a second
  ['2026-11-13T12:00:00.000Z', true], // 7 days
  ['2025-01-01T00:00:00.000Z', true],
  ['2026-11-20T13:00:00.000Z', false], // an hour ahead: another clock
  ['2026-11-20T13:00:00.001Z', true], // a date that cannot be
  ['2099-01-01T00:00:00.000Z', true],
])('what was read at %s is read again: %p', async (refreshedAt, again) => {
  const { refreshed, written, asked } = await refresh(stored({ refreshedAt }));
  expect(refreshed).toBe(again);
  expect(written).toHaveLength(again ? 1 : 0);
  expect(asked).toEqual(again ? ['types', 'prices'] : []);
});

test.each(['ebs', 'instances'] as const)('with %s missing it is tried again the next time', async (part) => {
  const { refreshed } = await refresh(stored({ prices: somePrices({ [part]: null }) }));
  expect(refreshed).toBe(true);
});

const notRefreshed = {
  code: 'prices-not-refreshed',
  region: 'eu-central-1',
  reason: denied.message,
} as const;

describe('what is not allowed makes the run partial, by one line, and nothing is written', () => {
  test('the older table is used', async () => {
    const old = stored({ refreshedAt: '2026-11-01T08:00:00.000Z' });
    const { written, asked, ...said } = await refresh({ ...old, getPrices: failing(denied) });
    expect(written).toEqual([]);
    expect(said).toEqual({
      refreshed: false,
      notices: [],
      incomplete: [{ ...notRefreshed, used: 'stored', asOf: '2026-11-01' }],
    });
  });

  test('without one, that which comes with stripewise', async () => {
    const { incomplete } = await refresh({ describeInstanceTypes: failing(denied) }, 'us-east-1');
    expect(incomplete).toEqual([{ ...notRefreshed, region: 'us-east-1', used: 'built-in', asOf: null }]);
  });

  test('where none comes with it they are unknown', async () => {
    const { incomplete } = await refresh({ getPrices: failing(denied) });
    const { asOf } = builtInCatalog();
    expect(incomplete).toEqual([{ ...notRefreshed, used: 'none', asOf }]);
  });

  test('what may not be written is not there for the run', async () => {
    const { refreshed, notices, incomplete } = await refresh({
      writeStored: failing(new AccessDenied('s3:PutObject: no')),
    });
    expect([refreshed, notices]).toEqual([false, []]);
    expect(incomplete).toMatchObject([{ reason: 's3:PutObject: no' }]);
  });
});

describe('a type of volume whose row is missing', () => {
  const reason = 'not known: EBS:VolumeUsage.gp2 (there is no such row)';
  const read = (region: string) => async () => ({
    prices: somePrices({ region, ebs: { ...ebsWithout('gp2'), asOf: '2026-11-19' } }),
    notices: [
      {
        ...({ code: 'price-list-incomplete', region, part: 'ebs', reason } as const),
        ...{ volumeTypes: ['gp2'], usedInstead: [] },
      },
    ],
  });

  test('has the price of the older table, which is named with its day; other types are of today', async () => {
    const old = stored({ refreshedAt: '2026-11-01T08:00:00.000Z' });
    const { written, notices } = await refresh({ ...old, getPrices: read('eu-central-1') });
    expect(notices).toMatchObject([
      { volumeTypes: ['gp2'], usedInstead: [{ part: 'ebs', asOf: '2026-11-15', volumeTypes: ['gp2'] }] },
    ]);
    const [regionCatalog] = written as [StoredCatalog];
    const { sources } = regionCatalogOf(regionCatalog).prices;
    expect(regionCatalog.prices.ebs).toMatchObject({ asOf: '2026-11-19', storagePerGiB: { gp2: 0.1 } });
    expect(sources).toMatchObject([
      { part: 'ebs', asOf: '2026-11-19' },
      { part: 'ebs', asOf: '2026-11-15', volumeTypes: ['gp2'] },
      { part: 'instances' },
    ]);
  });

  test('keeps the day of its price however often it is missing', async () => {
    const first = await refresh({
      ...stored({ refreshedAt: '2026-11-01T08:00:00.000Z' }),
      getPrices: read('eu-central-1'),
    });
    const again = await refresh({
      readStored: async () => first.written[0] as StoredCatalog,
      getPrices: read('eu-central-1'),
    });
    expect(again.refreshed).toBe(true); // tried again by each run
    expect(again.written[0]?.prices.ebs?.fromOtherTables).toMatchObject([
      { volumeTypes: ['gp2'], asOf: '2026-11-15' },
    ]);
  });

  test('has none where there never was one, and the table is tried again by each run', async () => {
    const { written, notices } = await refresh({ getPrices: read('eu-central-1') });
    expect(notices).toMatchObject([{ usedInstead: [{ part: 'ebs', asOf: null, volumeTypes: ['gp2'] }] }]);
    expect(written[0]?.prices.ebs).toMatchObject({ storagePerGiB: { gp2: null, gp3: 0.08 } });
    const again = await refresh({ readStored: async () => written[0] as StoredCatalog });
    expect(again.refreshed).toBe(true);
  });

  test('has the price that comes with stripewise where its Region has one', async () => {
    const { asOf } = builtInPrices('us-east-1').ebs as EbsPrices;
    const { notices, written } = await refresh({ getPrices: read('us-east-1') }, 'us-east-1');
    expect(notices).toMatchObject([{ usedInstead: [{ part: 'ebs', asOf, volumeTypes: ['gp2'] }] }]);
    expect(regionCatalogOf(written[0] as StoredCatalog).refreshedAt).toBeNull(); // a part comes with stripewise
  });
});

describe('a stored table that may not be read', () => {
  const hidden = new AccessDenied('s3:ListBucket of catalog/eu-central-1.json failed: AccessDenied: no');
  const stays = { code: 'stored-prices-denied', region: 'eu-central-1', reason: hidden.message } as const;

  test('is written anew by each run, which is partial for it', async () => {
    const { written, asked, ...said } = await refresh({ readStored: failing(hidden) });
    expect(said).toEqual({ refreshed: true, notices: [], incomplete: [stays] });
    expect([written.length, asked]).toEqual([1, ['types', 'prices']]);
  });

  test('and prices that may not be asked for are a line each', async () => {
    const { refreshed, notices, incomplete } = await refresh({
      readStored: failing(hidden),
      getPrices: failing(denied),
    });
    expect([refreshed, notices]).toEqual([false, []]);
    expect(incomplete).toEqual([stays, { ...notRefreshed, used: 'none', asOf: builtInCatalog().asOf }]);
  });

  const unclear = {
    code: 'instance-prices-unclear',
    ...{ region: 'eu-central-1', instanceTypes: ['m1.large'], count: 1, usedInstead: [] },
  } as const satisfies AuditNotice;

  test('stays said where what was read instead is odd: the oddity is a notice', async () => {
    const { notices, incomplete } = await refresh({
      readStored: failing(hidden),
      getPrices: async () => ({ prices: somePrices(), notices: [unclear] }),
    });
    expect(notices).toEqual([unclear]);
    expect(incomplete).toEqual([stays]);
  });
});

test('what AWS refuses for another reason is a notice, and the older table is used', async () => {
  const odd = new Unreadable('pricing:GetProducts of eu-central-1 failed: InvalidParameterException: no');
  const old = stored({ refreshedAt: '2026-11-01T08:00:00.000Z' });
  const { written, asked, ...said } = await refresh({ ...old, getPrices: failing(odd) });
  expect(written).toEqual([]);
  expect(said).toEqual({
    refreshed: false,
    notices: [{ ...notRefreshed, reason: odd.message, used: 'stored', asOf: '2026-11-01' }],
    incomplete: [],
  });
});

test('a stored table that cannot be read is none: it is written anew', async () => {
  const broken = new Unreadable('s3://runs/catalog/eu-central-1.json is not what was written there');
  const { refreshed, notices, incomplete, written } = await refresh({ readStored: failing(broken) });
  expect([refreshed, notices, incomplete, written.length]).toEqual([true, [], [], 1]);
});

test.each([new Throttled('slow down'), new Unavailable('try later'), new TypeError('a mistake of ours')])(
  '%s is thrown, for the workflow to try again or to note',
  async (error) => {
    await expect(refresh({ getPrices: failing(error) })).rejects.toBe(error);
    await expect(refresh({ readStored: failing(error) })).rejects.toBe(error);
  },
);
