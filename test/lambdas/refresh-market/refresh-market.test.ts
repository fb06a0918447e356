/** A Region's prices are read once a week; what cannot be read is said, and what was read before is kept. */
import type { StoredMarket } from '../../../core/catalogue/market.ts';
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { type RefreshFrom, refreshMarket } from '../../../lambdas/refresh-market/refresh-market.ts';
import { anInstanceType, aStoredMarket, ebsFigures, somePrices } from '../../fixtures/markets.ts';

const now = new Date('2026-11-20T12:00:00Z');

interface Run {
  refreshed: boolean;
  notices: string[];
  written: StoredMarket[];
  asked: string[];
}

/** Refreshes from an account where all is well but for what is given. */
async function refresh(others: Partial<RefreshFrom> = {}, region = 'eu-central-1'): Promise<Run> {
  const written: StoredMarket[] = [];
  const asked: string[] = [];
  const from: RefreshFrom = {
    readStored: async () => null,
    describeInstanceTypes: async () => [anInstanceType()],
    getPrices: async () => ({ prices: somePrices({ region }), notices: [] }),
    writeStored: async (market) => void written.push(market),
    now: () => now,
    ...others,
  };
  const counted: RefreshFrom = {
    ...from,
    describeInstanceTypes: () => {
      asked.push('types');
      return from.describeInstanceTypes();
    },
    getPrices: () => {
      asked.push('prices');
      return from.getPrices();
    },
  };
  return { ...(await refreshMarket({ region, refreshAfterDays: 7 }, counted)), written, asked };
}

const stored = (market: Parameters<typeof aStoredMarket>[0]) => ({
  readStored: async () => aStoredMarket(market),
});
const failing = (error: Error) => () => Promise.reject(error);
const denied = new AccessDenied('pricing:GetProducts of eu-central-1 failed: AccessDeniedException: no');

test('where nothing is stored all is read and written', async () => {
  const { refreshed, notices, written } = await refresh();
  expect([refreshed, notices]).toEqual([true, []]);
  expect(written).toEqual([
    {
      region: 'eu-central-1',
      refreshedAt: '2026-11-20T12:00:00.000Z',
      prices: somePrices(),
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

describe('a part that the Price List does not tell', () => {
  const said =
    'EBS prices of eu-central-1 in the Price List: not known: EBS:VolumeUsage (there is no such row)';
  const getPrices: RefreshFrom['getPrices'] = async () => ({
    prices: somePrices({ ebs: null }),
    notices: [said],
  });
  const old = { refreshedAt: '2026-11-01T00:00:00.000Z' };

  test('is the older one, of its own day; the rest is new', async () => {
    const { written, notices } = await refresh({ ...stored(old), getPrices });
    expect(written).toMatchObject([
      { refreshedAt: now.toISOString(), prices: { ebs: { asOf: '2026-11-15' } } },
    ]);
    expect(notices).toEqual([`${said}; EBS: those of 2026-11-15 are used`]);
  });

  test('is unknown where there is no older one', async () => {
    const { written, notices } = await refresh({ getPrices });
    expect(written).toMatchObject([{ prices: { ebs: null, instances: { asOf: '2026-11-15' } } }]);
    expect(notices).toEqual([`${said}; EBS: they are unknown`]);
  });

  test('is that of stripewise where one comes with it', async () => {
    const { written } = await refresh(
      {
        getPrices: async () => ({ prices: somePrices({ region: 'us-east-1', ebs: null }), notices: [said] }),
      },
      'us-east-1',
    );
    expect(written[0]?.prices.ebs?.asOf).toBe('2026-09-30');
  });
});

describe('what AWS refuses for good is one line, and nothing is written', () => {
  const because = `prices of eu-central-1 could not be refreshed: ${denied.message}`;

  test('the older table is used', async () => {
    const old = stored({ refreshedAt: '2026-11-01T08:00:00.000Z' });
    const { refreshed, notices, written } = await refresh({ ...old, getPrices: failing(denied) });
    expect([refreshed, written]).toEqual([false, []]);
    expect(notices).toEqual([`${because}; the table of 2026-11-01 is used`]);
  });

  test('without one, that which comes with stripewise', async () => {
    const { notices } = await refresh({ describeInstanceTypes: failing(denied) }, 'us-east-1');
    expect(notices[0]).toMatch(/; the table that comes with stripewise is used$/);
  });

  test('where none comes with it they are unknown', async () => {
    const { notices } = await refresh({ getPrices: failing(denied) });
    expect(notices[0]).toMatch(/; none comes with stripewise: they are unknown, /);
  });

  test('what cannot be written is not there for the run', async () => {
    const { refreshed, notices } = await refresh({
      writeStored: failing(new AccessDenied('s3:PutObject: no')),
    });
    expect(refreshed).toBe(false);
    expect(notices[0]).toContain('s3:PutObject: no');
  });
});

test.each([
  ['no type', [], 'gave no instance type'],
  [
    'a baseline above the maximum',
    [anInstanceType({ ebs: { ...ebsFigures(100, 10), baselineIops: 101 } })],
    'contradicts itself: m7i.large: its baseline is above its maximum',
  ],
])('types that cannot be right (%s) are not written', async (_, types, why) => {
  const { written, notices, asked } = await refresh({ describeInstanceTypes: async () => types });
  expect(written).toEqual([]);
  expect(notices[0]).toContain(why);
  expect(asked).toEqual(['types']);
});

test('a stored table that cannot be read is none: it is written anew', async () => {
  const broken = new Unreadable('s3://runs/catalogue/eu-central-1.json is not what was written there');
  const { refreshed, notices, written } = await refresh({ readStored: failing(broken) });
  expect([refreshed, notices, written.length]).toEqual([true, [], 1]);
});

test.each([new Throttled('slow down'), new Unavailable('try later'), new TypeError('a mistake of ours')])(
  '%s is thrown, for the workflow to try again or to note',
  async (error) => {
    await expect(refresh({ getPrices: failing(error) })).rejects.toBe(error);
    await expect(refresh({ readStored: failing(error) })).rejects.toBe(error);
  },
);
