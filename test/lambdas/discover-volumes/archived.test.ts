/** From when on an archive has minutes, by what its manifests say; and the modifications of its volumes. */
import type { Manifest } from '../../../core/archive/manifest.ts';
import { noHosts } from '../../../core/benchmark/campaign/benchmark-hosts.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { AccessDenied } from '../../../core/errors.ts';
import type { Modifications } from '../../../core/recommendations/modifications.ts';
import { batchSchema } from '../../../core/schemas/batch.ts';
import { isoFromEpochSeconds } from '../../../core/units.ts';
import { archivedReads } from '../../../lambdas/discover-volumes/archived.ts';
import { discoverVolumes } from '../../../lambdas/discover-volumes/discover-volumes.ts';
import { modificationsOrNone } from '../../../lambdas/discover-volumes/modifications.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

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

describe('modifications', () => {
  const completed = {
    state: 'completed' as const,
    ...{
      startEpochSeconds: seconds('2026-11-01T10:00:00Z'),
      endEpochSeconds: seconds('2026-11-01T10:20:00Z'),
    },
  };
  const ofOne: Modifications = new Map([
    ['vol-1', [completed]],
    ['vol-of-nobody', [completed]],
  ]);

  /** A Region of two volumes with an archive that begins so many days before the end of the window. */
  async function discovered(days: number, read: () => Promise<Modifications>) {
    const unread: string[] = [];
    let asked = 0;
    const found = await discoverVolumes(
      {
        describeVolumes: async () => [aVolume(), aVolume({ volumeId: 'vol-2', attachments: on('i-2') })],
        describeInstances: async () => ({ instances: [anInstance()], attachedVolumeIds: [] }),
        listPublishedChecks: async () => ({}),
        benchmarkHosts: async () => noHosts,
        now: () => now,
        archive: {
          keeps: 'default',
          read: async () => ({ reads: [], startEpochSeconds: plan.endEpochSeconds - days * 86_400 }),
          readModifications: () => {
            asked++;
            return modificationsOrNone(read, (reason) => unread.push(reason));
          },
        },
      },
      plan,
      defaultThresholds,
    );
    return { ...found, unread, asked };
  }

  test('are put into the batches, each those of its volumes, and a stored batch has them', async () => {
    const { batches, asked } = await discovered(14, async () => ofOne);
    expect(batches.map(({ modifications }) => modifications)).toEqual([{ 'vol-1': [completed] }]);
    expect(asked).toBe(1);
    const [batch] = batches;
    const stored = batchSchema.parse({ region: 'us-east-1', account: '111122223333', ...batch });
    expect(stored.modifications).toEqual({ 'vol-1': [completed] });
  });

  test('are not asked for where the archive is too young for a schedule', async () => {
    const { batches, asked } = await discovered(13.9, async () => ofOne);
    expect(batches.map((batch) => 'modifications' in batch)).toEqual([false]);
    expect(asked).toBe(0);
  });

  test('denied: the run is as complete, and their history is not known', async () => {
    const text = 'ec2:DescribeVolumesModifications in us-east-1 failed: UnauthorizedOperation';
    const { batches, volumes, incomplete, unread } = await discovered(14, async () => {
      throw new AccessDenied(text);
    });
    expect(batches.map((batch) => 'modifications' in batch)).toEqual([false]);
    expect({ volumes, incomplete, unread }).toEqual({ volumes: 2, incomplete: [], unread: [text] });
  });

  test('a mistake of ours is not passed over', async () => {
    const mistake = async (): Promise<never> => {
      throw new TypeError('a mistake');
    };
    await expect(discovered(14, mistake)).rejects.toThrow(TypeError);
  });
});
