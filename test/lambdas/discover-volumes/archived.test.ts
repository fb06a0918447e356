/** From when on an archive has minutes, by what its manifests say. */
import type { Manifest } from '../../../core/archive/manifest.ts';
import { isoFromEpochSeconds } from '../../../core/units.ts';
import { archivedReads } from '../../../lambdas/discover-volumes/archived.ts';

const now = new Date('2026-11-23T06:00:00Z');
const seconds = (iso: string): number => Date.parse(iso) / 1_000;
const plan = {
  startEpochSeconds: seconds('2026-08-25T06:00:00Z'),
  endEpochSeconds: seconds('2026-11-23T05:57:00Z'),
  periodSeconds: 60,
};
const manifest = (day: string, fromSeconds: number | null): Manifest => ({
  ...{ version: 1, day, account: '111122223333', region: 'us-east-1', layout: { kept: 'month' } },
  ...{ objects: [], rows: 0, metrics: [], watermarkSeconds: null },
  reads:
    fromSeconds === null
      ? []
      : [{ fromSeconds, endSeconds: fromSeconds + 60, metrics: ['VolumeReadOps'], resourceIds: ['vol-1'] }],
});
/** Null: it cannot be read. */
const startOf = async (days: Readonly<Record<string, Manifest | null>>) => {
  const { startEpochSeconds } = await archivedReads(
    { listDays: async () => Object.keys(days), readManifest: async (day) => days[day] ?? null },
    plan,
    now,
  );
  return isoFromEpochSeconds(startEpochSeconds);
};
const september = manifest('2026-09-02', seconds('2026-09-02T10:00:00Z'));

test('without any, 15 days less an hour ago: what CloudWatch has', async () => {
  expect(await startOf({})).toBe('2026-11-08T07:01:00Z');
});

test('the first day of the window that says what was read', async () => {
  expect(await startOf({ '2026-09-02': september })).toBe('2026-09-02T10:00:00Z');
});

test('a day before it that cannot be read, or was begun and not written, does not shorten the window', async () => {
  expect(
    await startOf({
      '2026-08-31': null,
      '2026-09-01': manifest('2026-09-01', null),
      '2026-09-02': september,
    }),
  ).toBe('2026-09-02T10:00:00Z');
});

test('what is older than the window does not count', async () => {
  expect(await startOf({ '2026-08-01': manifest('2026-08-01', seconds('2026-08-01T00:00:00Z')) })).toBe(
    '2026-11-08T07:01:00Z',
  );
});
