/** A Region's prices are read once a week; what cannot be read is said, and what was read before is kept. */
import { AccessDenied, Throttled, Unavailable, Unreadable } from '../../../core/errors.ts';
import { anInstanceType, somePrices } from '../../fixtures/market.ts';
import { failing, refresh, stored } from './refresh.ts';

const denied = new AccessDenied('pricing:GetProducts of eu-central-1 failed: AccessDeniedException: no');

test('where nothing is stored all is read and written', async () => {
  const { refreshed, notices, written } = await refresh();
  expect([refreshed, notices]).toEqual([true, []]);
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
