import type { ArchivedMetrics } from '../../../core/archive/columns.ts';
import { compacted, type Read, readsOfDay } from '../../../core/archive/manifest.ts';
import {
  archivedOfVolume,
  archivedQueries,
  planReading,
  readsOfWindows,
} from '../../../core/archive/reading-plan.ts';
import type { Instance } from '../../../core/inventory.ts';
import type { MetricName } from '../../../core/load/metrics.ts';
import { epochSecondsOf, isoFromEpochSeconds } from '../../../core/units.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const at = epochSecondsOf;
const now = at('2026-11-23T06:03:20Z');
const rates: MetricName[] = ['VolumeReadOps', 'VolumeWriteOps'];
const wanted = (resourceId: string, metrics = rates) => ({ resourceId, metrics });
const read = (from: string, end: string, resourceIds: string[], metrics = rates): Read => ({
  fromSeconds: at(from),
  endSeconds: at(end),
  metrics,
  resourceIds,
});
const inWords = (windows: ReturnType<typeof planReading>) =>
  windows.map(({ fromSeconds, endSeconds, wanted: of }) => ({
    from: isoFromEpochSeconds(fromSeconds),
    end: isoFromEpochSeconds(endSeconds),
    of: of.map(({ resourceId, metrics }) => `${resourceId}: ${metrics.join(' ')}`),
  }));

test('the first time: 15 days less an hour, to the minute, up to three minutes ago', () => {
  // 06:03:20 less 15 days and plus an hour is the 8th, 07:03:20; the next whole minute is 07:04.
  expect(inWords(planReading([wanted('vol-1')], [], now))).toEqual([
    {
      from: '2026-11-08T07:04:00Z',
      end: '2026-11-23T06:00:00Z',
      of: ['vol-1: VolumeReadOps VolumeWriteOps'],
    },
  ]);
});

test('a run of another time reads no further than its window: what is later has no status by it', () => {
  const endEpochSeconds = Date.parse('2026-11-20T00:00:00Z') / 1_000;
  const evaluated = { startEpochSeconds: endEpochSeconds - 14 * 86_400, endEpochSeconds };
  expect(inWords(planReading([wanted('vol-1')], [], now, evaluated))[0]?.end).toBe('2026-11-20T00:00:00Z');
  const reads = [read('2026-11-07T07:04:00Z', '2026-11-22T06:00:00Z', ['vol-1'])];
  expect(planReading([wanted('vol-1')], reads, now, evaluated)).toEqual([]);
});

test('a run with a window of its own leaves what is before it to the next usual run, which gives it a status', () => {
  const reads = [read('2026-11-07T07:04:00Z', '2026-11-21T06:00:00Z', ['vol-1'])];
  const endEpochSeconds = now - 180;
  const evaluated = { startEpochSeconds: endEpochSeconds - 6 * 3_600, endEpochSeconds };
  const own = { ...evaluated, isOfOwnWindow: true };
  expect(inWords(planReading([wanted('vol-1')], reads, now, evaluated))[0]?.from).toBe(
    '2026-11-21T03:00:00Z',
  );
  const [sixHours] = planReading([wanted('vol-1')], reads, now, own);
  expect(sixHours?.fromSeconds).toBe(evaluated.startEpochSeconds);
  const settled = [...reads, ...readsOfWindows(sixHours === undefined ? [] : [sixHours], () => false)];
  expect(inWords(planReading([wanted('vol-1')], settled, now, evaluated))[0]?.from).toBe(
    '2026-11-21T03:00:00Z',
  );
});

test('each day: from three hours before the end of the last reading', () => {
  const reads = [read('2026-11-07T07:04:00Z', '2026-11-22T06:00:00Z', ['vol-1'])];
  expect(inWords(planReading([wanted('vol-1')], reads, now))).toEqual([
    {
      from: '2026-11-22T03:00:00Z',
      end: '2026-11-23T06:00:00Z',
      of: ['vol-1: VolumeReadOps VolumeWriteOps'],
    },
  ]);
});

test('readings that lie in the manifests of their days are one: 1,620 minutes are asked for, of 21,536', () => {
  const whole = read('2026-11-07T07:04:00Z', '2026-11-22T06:00:00Z', ['vol-1']);
  const days = Array.from({ length: 16 }, (_, i) => `2026-11-${String(7 + i).padStart(2, '0')}`);
  const reads = days.flatMap((day) => readsOfDay([whole], day));
  expect(reads).toHaveLength(16);
  const [asked] = planReading([wanted('vol-1')], reads, now);
  expect(((asked?.endSeconds ?? 0) - (asked?.fromSeconds ?? 0)) / 60).toBe(27 * 60);
});

test('a run was missed for ten days: all of it is read while CloudWatch has it', () => {
  const reads = [read('2026-10-30T00:00:00Z', '2026-11-13T06:00:00Z', ['vol-1'])];
  expect(inWords(planReading([wanted('vol-1')], reads, now))[0]?.from).toBe('2026-11-13T03:00:00Z');
});

test('a run was missed for a month: what CloudWatch has is read, the rest stays unknown', () => {
  const reads = [read('2026-09-30T00:00:00Z', '2026-10-23T06:00:00Z', ['vol-1'])];
  expect(inWords(planReading([wanted('vol-1')], reads, now))[0]?.from).toBe('2026-11-08T07:04:00Z');
});

test('a hole in the middle and what follows it are one window: CloudWatch charges for the metric once', () => {
  const reads = [
    read('2026-11-01T00:00:00Z', '2026-11-12T06:00:00Z', ['vol-1']),
    read('2026-11-15T00:00:00Z', '2026-11-22T06:00:00Z', ['vol-1']),
  ];
  expect(inWords(planReading([wanted('vol-1')], reads, now))).toEqual([
    {
      from: '2026-11-12T03:00:00Z',
      end: '2026-11-23T06:00:00Z',
      of: ['vol-1: VolumeReadOps VolumeWriteOps'],
    },
  ]);
});

test('who was not read before, and a metric that was not, is read from the beginning; the others go on', () => {
  const reads = [read('2026-11-01T00:00:00Z', '2026-11-22T06:00:00Z', ['vol-1', 'vol-2'], ['VolumeReadOps'])];
  const all = [wanted('vol-1', ['VolumeReadOps']), wanted('vol-2'), wanted('vol-3', ['VolumeReadOps'])];
  expect(inWords(planReading(all, reads, now))).toEqual([
    {
      from: '2026-11-08T07:04:00Z',
      end: '2026-11-23T06:00:00Z',
      of: ['vol-2: VolumeWriteOps', 'vol-3: VolumeReadOps'],
    },
    {
      from: '2026-11-22T03:00:00Z',
      end: '2026-11-23T06:00:00Z',
      of: ['vol-1: VolumeReadOps', 'vol-2: VolumeReadOps'],
    },
  ]);
});

test('a clock that went back asks for three hours again, and never for a window that ends before it begins', () => {
  const ahead = [read('2026-11-01T00:00:00Z', '2026-11-23T08:00:00Z', ['vol-1'])];
  expect(inWords(planReading([wanted('vol-1')], ahead, now))[0]?.from).toBe('2026-11-23T05:00:00Z');
  const farAhead = [read('2026-11-01T00:00:00Z', '2026-11-23T12:00:00Z', ['vol-1'])];
  expect(planReading([wanted('vol-1')], farAhead, now)).toEqual([]);
});

test('what is said of a reading leaves out what was not answered, so the next run asks for it', () => {
  const windows = planReading([wanted('vol-1'), wanted('vol-2')], [], now);
  const reads = readsOfWindows(windows, (id, metric) => id === 'vol-2' && metric === 'VolumeWriteOps');
  expect(reads.map(({ metrics, resourceIds }) => [resourceIds, metrics])).toEqual([
    [['vol-1'], rates],
    [['vol-2'], ['VolumeReadOps']],
  ]);
  const later = planReading([wanted('vol-1'), wanted('vol-2')], reads, now + 86_400);
  expect(inWords(later)[0]?.of).toEqual(['vol-2: VolumeWriteOps']);
});

test('two readings of which each begins before the other ends are one', () => {
  expect(
    compacted([
      read('2026-11-22T00:00:00Z', '2026-11-22T12:00:00Z', ['vol-2', 'vol-1']),
      read('2026-11-22T09:00:00Z', '2026-11-23T00:00:00Z', ['vol-1', 'vol-2']),
    ]),
  ).toEqual([read('2026-11-22T00:00:00Z', '2026-11-23T00:00:00Z', ['vol-1', 'vol-2'])]);
});

describe('which metrics of whom', () => {
  const gp2 = aVolume({
    ...{ volumeId: 'vol-1', volumeType: 'gp2', sizeGiB: 100 },
    attachments: [{ instanceId: 'i-1', ebsCardIndex: null }],
  });

  test('of each volume eight, or all twelve with the eight of its instance; nothing of an instance without a volume', () => {
    expect(archivedOfVolume(gp2, 'default')).toEqual([
      'VolumeReadOps',
      'VolumeWriteOps',
      'VolumeReadBytes',
      'VolumeWriteBytes',
      'VolumeQueueLength',
      'BurstBalance',
      'VolumeIOPSExceededCheck',
      'VolumeThroughputExceededCheck',
    ]);
    expect(archivedOfVolume(gp2, 'all')).toHaveLength(12);
    const instance = { instanceId: 'i-1' } as Instance;
    const other = { instanceId: 'i-2' } as Instance;
    const batch = { volumes: [gp2], instances: [instance, other], published: null };
    const asked = (metrics: ArchivedMetrics): Record<string, number> => {
      const ids = archivedQueries(batch, metrics).map(({ resourceId }) => resourceId);
      return Object.fromEntries([...new Set(ids)].map((id) => [id, ids.filter((one) => one === id).length]));
    };
    expect(asked('default')).toEqual({ 'vol-1': 8 });
    expect(asked('all')).toEqual({ 'vol-1': 12, 'i-1': 8 });
  });

  test('no balance of a volume that publishes none: a gp3 has seven', () => {
    expect(archivedOfVolume({ ...gp2, volumeType: 'gp3' }, 'default')).toHaveLength(7);
  });
});
