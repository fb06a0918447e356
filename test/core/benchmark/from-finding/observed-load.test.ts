/** What volumes were asked for in their busiest time, with visible arithmetic. */

import type { BenchKind } from '../../../../core/benchmark/campaign/request.ts';
import { type ObservedLoad, observedLoad } from '../../../../core/benchmark/from-finding/observed-load.ts';
import { loadToMeasure } from '../../../../core/benchmark/from-finding/request.ts';
import { known, unknown } from '../../../../core/known.ts';
import type { VolumeType } from '../../../../core/limits/volume-limits.ts';
import type { FindingKind } from '../../../../core/schemas/finding.ts';
import { metricSet } from '../../../fixtures/metric-set.ts';
import { type Columns, diagnosed, times } from '../../audit/diagnosed.ts';

/** Half of its operations are reads unless said. */
const seen = (columns: Columns, readShare = 0.5) => ({
  diagnosed: diagnosed({}, columns),
  metrics: metricSet({ VolumeReadOps: columns.iops.map((io) => io * 60 * readShare) }),
});

function observedOf(kind: FindingKind, ...volumes: ReturnType<typeof seen>[]): ObservedLoad {
  const found = observedLoad(volumes, kind);
  if (!found.known) throw new Error(found.reason.code);
  return found.value;
}

/** Ten calm minutes, then two at its 3,000 IOPS. */
const throttled: Columns = {
  iops: [...times(10, 100), 3_000, 3_000],
  causes: [...times(10, 'none' as const), 'volume-iops', 'volume-iops'],
  low: [...times(10, 100), 4_000, 4_000],
  high: [...times(10, 100), 5_000, 4_000],
  queueLength: [...times(10, 0.1), 6, 10],
};

describe('of a volume that was throttled', () => {
  test('those minutes count, and no other', () => {
    expect(observedOf('throttled-volume-iops', seen(throttled, 0.7))).toEqual({
      ...{ during: 'throttled', minutes: 2, servedIops: 3_000 },
      ioKiB: known(16),
      readShare: expect.closeTo(0.7, 9),
      demandIops: known(4_500), // (5,000 + 4,000) / 2
      underWay: known({ mean: 8, by: 'queue-length' }), // (6 + 10) / 2
    });
  });

  test('a finding about something else takes the busiest minutes', () => {
    // A twentieth of 12 minutes is one.
    expect(observedOf('over-provisioned', seen(throttled))).toMatchObject({ during: 'busiest', minutes: 1 });
  });

  test('without a queue, rate and latency tell how many were under way', () => {
    const { diagnosed: volume, metrics } = seen({ iops: times(20, 1_000) });
    const latencyMs = Float64Array.from(times(20, 2));
    const load = { ...volume.load, latencyMs };
    const found = observedLoad([{ diagnosed: { ...volume, load }, metrics }], 'cheaper-type');
    // 1,000 a second for 2 ms each
    expect(found).toMatchObject({ value: { underWay: known({ mean: 2, by: 'rate-and-latency' }) } });
  });

  test('in micro-bursts the seconds count that were not idle', () => {
    const columns: Columns = {
      iops: [...times(19, 10), 300],
      activeTimeIops: [...times(19, 10), 3_000],
      queueLength: [...times(19, 0), 0.8],
      causes: [...times(19, 'none' as const), 'volume-iops'],
      microBursts: [...times(19, 0), 1],
    };
    const { servedIops, underWay, demandIops } = observedOf('micro-burst', seen(columns));
    expect(servedIops).toBe(3_000);
    expect(underWay).toEqual(known({ mean: 8, by: 'queue-length' })); // 0.8 x 3,000 / 300
    // How high it was does not show: averages bound nothing.
    expect(demandIops).toEqual(unknown({ code: 'hidden-by-averages' }));
  });
});

test('members of a stripe are added up', () => {
  const { readShare, ...observed } = observedOf(
    'throttled-volume-iops',
    seen(throttled, 1),
    seen(throttled, 0),
  );
  expect(readShare).toBeCloseTo(0.5, 9);
  expect(observed).toMatchObject({ servedIops: 6_000, demandIops: known(9_000), minutes: 2 });
  expect(observed.underWay).toEqual(known({ mean: 16, by: 'queue-length' }));
});

test('no load is unknown, and so is a mix that nobody told', () => {
  expect(observedLoad([seen({ iops: times(20, 0) })], 'cheaper-type')).toEqual(unknown({ code: 'no-load' }));
  const { diagnosed: volume } = seen(throttled);
  expect(observedLoad([{ diagnosed: volume, metrics: metricSet({}) }], 'cheaper-type')).toMatchObject({
    known: false,
    reason: { code: 'reads-unknown' },
  });
});

describe('as a campaign measures it', () => {
  const observed: ObservedLoad = {
    ...{ during: 'throttled', minutes: 10, ioKiB: known(16), readShare: 0.5, servedIops: 3_000 },
    ...{ demandIops: known(6_000), underWay: known({ mean: 7.2, by: 'queue-length' }) },
  };
  const loadOf = (
    change: Partial<ObservedLoad> = {},
    kind: BenchKind = 'single',
    volumeType: VolumeType = 'gp3',
  ) => {
    const made = loadToMeasure({ ...observed, ...change }, kind, volumeType);
    if (!made.known) throw new Error(made.reason.code);
    return made.value.load;
  };

  test.each<[string, Partial<ObservedLoad>, BenchKind, VolumeType, object]>([
    [
      '7.2 under way are 8 users',
      {},
      'single',
      'gp3',
      { users: 8, ioDepth: 1, access: 'randrw', iops: 6_000 },
    ],
    [
      '100 under way are 50 users with 2 each',
      { underWay: known({ mean: 100, by: 'queue-length' }) },
      ...(['single', 'gp3'] as const),
      { users: 50, ioDepth: 2 },
    ],
    [
      'no more users than operations a second',
      { demandIops: known(3) },
      'single',
      'gp3',
      { users: 3, iops: 3 },
    ],
    [
      'of what has piled up 256 are enough',
      { underWay: known({ mean: 70_000, by: 'queue-length' }) },
      ...(['single', 'gp3'] as const),
      { users: 64, ioDepth: 4 },
    ],
    ['19.6 KiB are 20', { ioKiB: known(19.6) }, 'single', 'gp3', { blockKiB: 20 }],
    ['half a KiB is 1', { ioKiB: known(0.5) }, 'single', 'gp3', { blockKiB: 1 }],
    ['all reads', { readShare: 1 }, 'single', 'gp3', { access: 'randread', readPercent: 100 }],
    ['large I/O on HDD is sequential', { ioKiB: known(512) }, 'single', 'st1', { access: 'rw' }],
    ['small I/O on HDD is not', { readShare: 0 }, 'single', 'st1', { access: 'randwrite' }],
    // Of 6,000 at the members 3,000 are reads and 3,000 copies of 1,500 writes: 1,500 / 4,500
    ['RAID10 writes twice', {}, 'raid10', 'gp3', { iops: 4_500, readPercent: 67, users: 6 }],
    // 0.7 reads and 0.3 writes: 0.3 of the reads are of the parity: 0.4 reads, 0.15 writes of what was asked
    ['RAID5 reads and writes twice', { readShare: 0.7 }, 'raid5', 'gp3', { iops: 3_300, readPercent: 73 }],
  ])('%s', (_, change, kind, volumeType, expected) => {
    expect(loadOf(change, kind, volumeType)).toMatchObject(expected);
  });

  const notesOf = (
    change: Partial<ObservedLoad>,
    kind: BenchKind = 'single',
    volumeType: VolumeType = 'gp3',
  ) => {
    const made = loadToMeasure({ ...observed, ...change }, kind, volumeType);
    return made.known ? made.value.notes : made.reason;
  };
  const random = { code: 'access-assumed', access: 'random' };

  test('what is assumed is a note, and only that', () => {
    expect(notesOf({})).toEqual([random]);
    expect(notesOf({ ioKiB: known(512) }, 'single', 'st1')).toEqual([{ ...random, access: 'sequential' }]);
    expect(notesOf({}, 'raid5')).toEqual([random, { code: 'array-overhead', kind: 'raid5' }]);
    expect(notesOf({ underWay: known({ mean: 70_000, by: 'queue-length' }) })).toEqual([
      random,
      { code: 'piled-up', inFlight: 70_000, taken: 256 },
    ]);
    const reason = { code: 'hidden-by-averages' } as const;
    expect(
      notesOf({ demandIops: unknown(reason), underWay: unknown({ code: 'no-queue-and-no-latency' }) }),
    ).toEqual([random, { code: 'demand-unknown', reason }, { code: 'in-flight-unknown', taken: 16 }]);
  });

  test('a size that is unknown is no load', () => {
    expect(notesOf({ ioKiB: unknown({ code: 'bytes-unknown' }) })).toEqual({ code: 'bytes-unknown' });
  });
});
