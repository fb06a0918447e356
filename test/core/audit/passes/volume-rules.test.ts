/** What makes a volume a suspect, rule by rule; what clears it, and what it takes to tell. */
import {
  foundWithoutMetrics,
  neighbourRules,
  notInTwoPasses,
  volumeRules,
} from '../../../../core/audit/passes/volumes.ts';
import { builtInRegionCatalog } from '../../../../core/catalog/region-catalog.ts';
import { unknown } from '../../../../core/known.ts';
import { findingKinds } from '../../../../core/schemas/finding-kinds.ts';
import { anInstance, aVolume } from '../../../fixtures/inventory.ts';
import { during, type Metrics, quiet, runPasses, type Values } from './run-passes.ts';

test('every kind of finding has a rule in the table, or is found without metrics', () => {
  const covered = new Set<string>([
    ...volumeRules.flatMap(({ kinds }) => kinds),
    ...Object.values(neighbourRules).flatMap(({ kinds }) => kinds),
    ...foundWithoutMetrics,
    ...notInTwoPasses,
  ]);
  expect([...covered].sort()).toEqual([...findingKinds].sort());
});

const gp2 = aVolume({ volumeType: 'gp2', sizeGiB: 100, iops: 300, throughputMiBps: null });
const suspectedBy = (metrics: Metrics, volume = aVolume()): string | null =>
  runPasses({ volumes: [volume], metrics: { 'vol-1': metrics } }).suspectedBy();
const askedOf = (metrics: Metrics, volume = aVolume()): string[] =>
  runPasses({ volumes: [volume], metrics: { 'vol-1': metrics } }).secondRead.filter((query) =>
    query.startsWith('vol-1'),
  );

describe('limits', () => {
  test.each(['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const)(
    'one minute of %s in a day is enough',
    (check) => {
      expect(suspectedBy({ ...quiet, [check]: during(777, 1, 1) })).toBe('limits');
    },
  );

  test('a check that is not there at all clears nobody, nor one that is missing while something was in flight', () => {
    const { VolumeIOPSExceededCheck: _, ...without } = quiet;
    expect(suspectedBy(without)).toBe('limits');
    const gap: Values = (minute) => (minute >= 600 && minute < 610 ? null : 0);
    expect(suspectedBy({ ...quiet, VolumeThroughputExceededCheck: gap })).toBe('limits');
    expect(
      suspectedBy({
        ...quiet,
        VolumeThroughputExceededCheck: gap,
        VolumeQueueLength: (minute) => (minute >= 600 && minute < 610 ? 0 : 0.015),
      }),
    ).toBeNull();
  });
});

describe('rate: checks that stay 0 while the rate is the limit', () => {
  const held = (minutes: number, readOps: number): Metrics => ({
    ...quiet,
    VolumeQueueLength: during(600, minutes, 40, 0.015),
    VolumeReadOps: during(600, minutes, readOps, 1_800),
    VolumeReadBytes: during(600, minutes, readOps * 8_192, 1_800 * 8_192),
  });

  test('three minutes of 3,000 IOPS with 40 waiting', () => {
    expect(suspectedBy(held(3, 3_000 * 60))).toBe('rate');
  });

  test('where two minutes wait nothing is asked: so few are not reported; where it waits below the limit it is asked and cleared', () => {
    expect(askedOf(held(2, 3_000 * 60))).toEqual(['vol-1 VolumeStalledIOCheck 60']);
    expect(askedOf(held(30, 2_500 * 60))).toHaveLength(4 + 1);
    expect(suspectedBy(held(30, 2_500 * 60))).toBeNull(); // 83 % of 3,000
  });

  test('three minutes at 90 %: a limit that is seen may be lower than the nominal one', () => {
    expect(suspectedBy(held(3, 2_700 * 60))).toBe('rate');
  });

  test('by bytes too: 125 MiB/s are 500 reads of 256 KiB a second', () => {
    const bytes = { VolumeReadBytes: during(600, 5, 500 * 262_144 * 60, 1_800 * 8_192) };
    expect(suspectedBy({ ...held(5, 500 * 60), ...bytes })).toBe('rate');
  });
});

describe('credits', () => {
  test.each([
    ['full', 100, null],
    ['never low and full again', during(300, 60, 65, 100), null],
    ['once low', during(300, 5, 55, 100), 'credits'],
    ['empty for one minute', during(300, 1, 0, 100), 'credits'],
    ['at 85 % at the end: falling that fast it is empty in two hours', during(1_420, 20, 85, 100), 'credits'],
  ] satisfies [string, Values, string | null][])('a balance that is %s', (_, balance, by) => {
    expect(suspectedBy({ ...quiet, BurstBalance: balance }, gp2)).toBe(by);
  });

  test('without a balance it must be replayed from the load; a volume that did nothing publishes none', () => {
    const { BurstBalance: _, ...without } = quiet;
    expect(suspectedBy(without, gp2)).toBe('credits');
    const still = { ...without, VolumeQueueLength: 0, VolumeReadOps: 1_800 };
    expect(suspectedBy(still, gp2)).toBeNull();
  });
});

describe('stalls', () => {
  test('are asked about where half an I/O was in flight over a minute, and the check decides', () => {
    const stalled = (check: Values): Metrics => ({
      ...quiet,
      VolumeQueueLength: during(400, 1, 0.5, 0.015),
      VolumeStalledIOCheck: check,
    });
    expect(askedOf(stalled(0))).toEqual(['vol-1 VolumeStalledIOCheck 60']);
    expect(suspectedBy(stalled(0))).toBeNull();
    expect(suspectedBy(stalled(during(400, 1, 1)))).toBe('stalls');
  });

  test('are not asked about where there was less', () => {
    expect(askedOf({ ...quiet, VolumeQueueLength: during(400, 1, 0.45, 0.015) })).toEqual([]);
  });
});

describe('idle', () => {
  /** So many operations in a day, half a millisecond each. */
  const opsInDay = (ops: number): Metrics => ({
    ...quiet,
    VolumeQueueLength: (ops * 0.0005) / 86_400,
    VolumeReadOps: (minute) => (minute < ops ? 1 : 0),
  });

  test('is looked for where one operation a minute of 20 ms would keep as much in flight: 0.00033', () => {
    expect(askedOf(opsInDay(1_000))).toEqual(['vol-1 VolumeReadOps 60', 'vol-1 VolumeWriteOps 60']);
    expect(askedOf({ ...quiet, VolumeQueueLength: 0.0004 })).toEqual([]);
  });

  test.each([
    [1_439, 'idle'],
    [1_440, null], // one a minute
  ])('%i operations in 1,440 minutes: %s', (ops, by) => {
    expect(suspectedBy(opsInDay(ops))).toBe(by);
  });

  test('hard disks answer slower, so more in flight may still be idle', () => {
    const st1 = aVolume({ volumeType: 'st1', sizeGiB: 500, iops: null, throughputMiBps: null });
    const metrics = { ...quiet, VolumeQueueLength: 0.001 };
    expect(askedOf(metrics, st1)).toContain('vol-1 VolumeReadOps 60');
  });
});

test('a volume that is known for too little of the window is evaluated by everything there is', () => {
  const fifty: Values = (minute) => (minute < 50 ? 0.015 : null);
  expect(suspectedBy({ ...quiet, VolumeQueueLength: fifty })).toBe('little known');
});

describe('savings', () => {
  // 10,000 IOPS are 35 USD above the free 3,000.
  const paid = aVolume({ sizeGiB: 1_000, iops: 10_000 });

  test.each([
    ['gp3 with the free figures: nothing to lower', aVolume(), 0],
    ['gp3 that pays 35 USD for IOPS', paid, 4],
    ['gp3 that pays 4.50 USD: not reported below 5', aVolume({ sizeGiB: 1_000, iops: 3_900 }), 0],
    [
      'io2 of 3,000 IOPS',
      aVolume({ volumeType: 'io2', iops: 3_000, sizeGiB: 100, throughputMiBps: null }),
      4,
    ],
    [
      'gp2 of 100 GiB: gp3 as fast as it is at its best saves without its load',
      aVolume({ volumeType: 'gp2', iops: 300, throughputMiBps: null }),
      0,
    ],
    [
      // 200 GiB gp2 20 USD; gp3 16 USD and 5 USD for 250 MiB/s, which it may not need
      'gp2 of 200 GiB: only where it does not need its 250 MiB/s',
      aVolume({ volumeType: 'gp2', iops: 600, sizeGiB: 200, throughputMiBps: null }),
      4,
    ],
  ])('%s', (_, volume, metrics) => {
    expect(askedOf(quiet, volume)).toHaveLength(metrics);
  });

  test('what it needs at least leaves a saving, or none', () => {
    const needs = (iops: number): Metrics => ({
      ...quiet,
      VolumeReadOps: during(600, 30, iops * 60, 1_800),
      VolumeReadBytes: during(600, 30, iops * 60 * 4_096, 1_800 * 4_096),
    });
    // 6,000 x 1.25 = 7,500: the other 2,500 cost 12.50 USD
    expect(suspectedBy(needs(6_000), aVolume({ sizeGiB: 100, iops: 10_000 }))).toBe('savings');
    // 7,500 x 1.25 = 9,375: the other 625 cost 3.13 USD, and a stripe beside it saves 35 of 43
    expect(suspectedBy(needs(7_500), aVolume({ sizeGiB: 100, iops: 10_000 }))).toBe('savings');
  });

  test('a volume that uses what it pays for is cleared where no stripe does it for less', () => {
    // 9,000 IOPS x 1.25 are more than it has; the instance takes no more volumes
    const used = {
      ...quiet,
      VolumeReadOps: during(600, 30, 9_000 * 60, 1_800),
      VolumeReadBytes: during(600, 30, 9_000 * 60 * 4_096, 1_800 * 4_096),
    };
    const two = [paid, { ...paid, volumeId: 'vol-2' }];
    const { suspectedBy: by, secondRead } = runPasses({
      volumes: two,
      instances: [anInstance({ instanceType: 'r5b.8xlarge' })],
      metrics: { 'vol-1': used, 'vol-2': used },
    });
    expect(secondRead).toContain('vol-1 VolumeReadBytes 60');
    expect([by('vol-1'), by('vol-2')]).toEqual([null, null]);
  });

  test('where the prices of the Region are not known no saving is looked for', () => {
    const priceless = (region: string) => {
      const regionCatalog = builtInRegionCatalog(region);
      return {
        ...regionCatalog,
        prices: { ...regionCatalog.prices, ebs: unknown({ code: 'no-ebs-prices' as const, region }) },
      };
    };
    expect(runPasses({ volumes: [paid], regionCatalogs: priceless }).secondRead).toEqual([]);
  });
});

describe('volumes that are paid for what their instance cannot do', () => {
  test('are read in whole: what can be lowered depends on what each needs', () => {
    // 2 x 16,000 IOPS of at most 18,750, 65 USD each above the free 3,000
    const dear = aVolume({ sizeGiB: 500, iops: 16_000 });
    const { suspectedBy: by } = runPasses({
      volumes: [dear, { ...dear, volumeId: 'vol-2', sizeGiB: 600 }, aVolume({ volumeId: 'vol-3' })],
      instances: [anInstance({ instanceType: 'm5.4xlarge' })],
    });
    expect([by('vol-1'), by('vol-2'), by('vol-3')]).toEqual(['unreachable', 'unreachable', null]);
  });
});

describe('first reads: of a fresh volume from a snapshot the times are asked for', () => {
  /** Made an hour before the window begins. */
  const made = (hoursBefore: number) =>
    aVolume({
      snapshotId: 'snap-0123456789abcdef0',
      createdEpochSeconds: -hoursBefore * 3_600, // the window begins at 0
    });
  const slow: Metrics = { ...quiet, VolumeTotalReadTime: during(600, 1, 1_800 * 0.012) };
  const times = 'vol-1 VolumeTotalReadTime 60';

  test('a minute of 12 ms a read is enough, one of 9 ms is not', () => {
    expect(suspectedBy(slow, made(1))).toBe('first reads');
    expect(suspectedBy({ ...quiet, VolumeTotalReadTime: during(600, 1, 1_800 * 0.009) }, made(1))).toBeNull();
  });

  test('of a volume of no snapshot, of an old one and of one without times nothing is suspected', () => {
    expect(suspectedBy(slow)).toBeNull();
    expect(suspectedBy(slow, made(8 * 24))).toBeNull();
    expect(suspectedBy(quiet, made(1))).toBeNull();
  });

  test('the times are asked for where they can show something, and nowhere else', () => {
    expect(askedOf(slow, made(1))).toContain(times);
    expect(askedOf(slow, made(8 * 24))).not.toContain(times);
    expect(askedOf(slow)).not.toContain(times);
  });
});
