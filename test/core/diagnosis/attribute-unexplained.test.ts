/** A queue that the rate of a minute does not explain: a short burst, something that nobody sees, or nothing. */

import { attribute } from '../../../core/diagnosis/attribute.ts';
import { causes } from '../../../core/diagnosis/causes.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, type Points, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';
import { type Around, gp3, instanceSays, minuteOf, noInstance, notified } from './one-minute.ts';

const checksSayNo: Points = { VolumeIOPSExceededCheck: [0], VolumeThroughputExceededCheck: [0] };
const queued = (iops: number, queue = 20, others: Points = {}): Points =>
  minuteOf(iops, { VolumeQueueLength: [queue], ...others });

describe('a burst between calm minutes at 100 of 3,000 IOPS, without checks', () => {
  const between = (minute: Points) => notified(gp3, minute, { calmAfter: 5 });

  test.each([
    // Beside it 100 / 3,000 = 3.33 %: a second at the limit is what 1.61 % more make, 148.3 IOPS
    [148, 'unknown'], // 60 x (4.933 - 3.333) / (100 - 3.333) = 0.993 s
    [149, 'volume-iops'], // 1.014 s
    [600, 'volume-iops'],
  ])('%d IOPS and 20 in flight: %s', (iops, cause) => {
    expect(between(queued(iops)).cause).toBe(cause);
  });

  test('is a minute by the active-time rate, of low confidence, far below the limit on average', () => {
    expect(between(queued(600))).toEqual({
      cause: 'volume-iops',
      minutes: 1,
      micro: true,
      also: [],
      proof: 'active-time-rate',
      confidence: 'low',
    });
  });

  test.each([
    [1.59, 'none'], // 600 IOPS at 1 ms keep 0.6 in flight: twice that, and one more all the time, is 1.6
    [1.61, 'volume-iops'],
  ])('%d in flight: %s', (queue, cause) => {
    expect(between(queued(600, queue)).cause).toBe(cause);
  });

  test('a queue without more load than beside it is slowness, not a burst', () => {
    expect(between(queued(100)).cause).toBe('none');
    expect(between(queued(40)).cause).toBe('none');
  });

  test('by the bytes where they are nearer to their limit', () => {
    const large = { ...queued(600), VolumeReadBytes: [200 * 60 * 1_048_576] }; // 40 % of 500, 26.7 % of the IOPS
    expect(between(large).cause).toBe('volume-throughput');
  });

  test('is not reported against checks that speak, though they see only one of the limits', () => {
    expect(between(queued(600, 20, { VolumeIOPSExceededCheck: [0] }))).toMatchObject({
      cause: 'none',
      confidence: 'high',
    });
  });

  test.each([
    [1, 'volume-iops'],
    [4, 'volume-iops'], // the calm minute is the fifth after it
    [5, 'unknown'], // so long a load is none between calm ones, and nobody knows why it waits
  ])('which goes on for %d minutes more: %s', (more, cause) => {
    const rates = [...repeat(20, 100), ...repeat(1 + more, 600), ...repeat(20, 100)];
    const queues = rates.map((rate) => (rate === 600 ? 20 : 0.1));
    const metrics = metricSet(
      readsOf16KiB(
        rates.map((rate) => rate * 60),
        { VolumeQueueLength: queues },
      ),
    );
    const limits = volumeLimits({ ...gp3, deployment: 'region' });
    const found = attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds);
    expect(causes[found.cause[20] as number]).toBe(cause);
  });

  test('is not reported at the edge, where nobody knows the minute beside it', () => {
    expect(notified(gp3, queued(600), { calmAfter: 0 }).cause).toBe('unknown');
    expect(notified(gp3, queued(600), { calmMinutes: 0, calmAfter: 20 }).cause).toBe('unknown');
    expect(notified(gp3, queued(600), { calmMinutes: 1, calmAfter: 20 }).cause).toBe('volume-iops');
  });

  test.each([[{ volumeType: 'st1', sizeGiB: 1_024 }], [{ volumeType: 'standard', sizeGiB: 100 }]] as const)(
    'is not reported of %j, whose number of I/O is no measure',
    (config) => {
      // 60 IOPS beside 20, of 250 (of 100 on standard): three times as much, and 20 in flight
      const minute = queued(60, 20, config.volumeType === 'st1' ? { BurstBalance: [100] } : {});
      expect(notified(config, minute, { calmIops: 20, calmAfter: 5 }).cause).toBe('none');
    },
  );
});

test.each([
  [1_649, 'none'],
  [1_651, 'volume-iops'], // 1.1 x 1,500
])('beside 1,500 IOPS a burst is a tenth more: %d IOPS is %s', (iops, cause) => {
  expect(notified(gp3, queued(iops, 10), { calmIops: 1_500, calmAfter: 5 }).cause).toBe(cause);
});

test('a limit that AWS only gives about is not proved by a rate alone', () => {
  const standard = { volumeType: 'standard', sizeGiB: 100 } as const;
  // 150 IOPS of about 100
  expect(notified(standard, minuteOf(150), { withQueue: false }).cause).toBe('none');
  expect(notified(gp3, minuteOf(2_900), { withQueue: false }).cause).toBe('volume-iops');
});

test('HDD: bytes of the busy seconds at the limit are throughput, whatever the average', () => {
  // 75 MiB/s of 1 MiB in 18 of 60 seconds are 250 of 250
  const busy = minuteOf(75, { VolumeQueueLength: [30], VolumeIdleTime: [42], BurstBalance: [100] });
  const large = { ...busy, VolumeReadBytes: [75 * 60 * 1_048_576] };
  expect(notified({ volumeType: 'st1', sizeGiB: 1_024 }, large)).toMatchObject({
    cause: 'volume-throughput',
    proof: 'active-time-rate',
  });
});

describe('I/O waits, and nothing tells why', () => {
  test.each<[string, Points, Around, string]>([
    ['of a volume whose instance nobody knows it is unknown', queued(100), { instances: [] }, 'unknown'],
    ['of one whose instance says nothing it is none', queued(100), { instances: noInstance }, 'none'],
    [
      'without its bytes one of its limits is not seen: unknown',
      { ...queued(100), VolumeReadBytes: [undefined] },
      { instances: noInstance },
      'unknown',
    ],
    ['no instance and no long queue: none', queued(100, 1), { instances: [] }, 'none'],
    [
      "the volume's checks do not speak for an instance that nobody knows: unknown",
      queued(100, 20, checksSayNo),
      { instances: [] },
      'unknown',
    ],
    [
      'nor for one of whose volumes some are not known: unknown',
      queued(100, 20, checksSayNo),
      { instances: instanceSays('none', { isWhole: false }) },
      'unknown',
    ],
    [
      'of an instance that is seen they leave nothing to ask',
      queued(100, 20, checksSayNo),
      { instances: noInstance },
      'none',
    ],
    ['without checks six times the usual load is no slowness: unknown', queued(600), {}, 'unknown'],
    ['up to a tenth more it may be: none', queued(109), {}, 'none'],
    ['from a tenth more on it is not: unknown', queued(111), {}, 'unknown'],
    ['a queue without an operation in the minute: none', queued(0), { instances: [] }, 'none'],
    ['without a queue metric: none', minuteOf(100), { instances: [], withQueue: false }, 'none'],
    ['a rate at the limit explains it', queued(2_900), { instances: [] }, 'volume-iops'],
    ['a burst explains it', queued(600), { instances: [], calmAfter: 5 }, 'volume-iops'],
  ])('%s', (_what, minute, around, cause) => {
    expect(notified(gp3, minute, around).cause).toBe(cause);
  });

  test('minutes of an unknown cause are not throttled', () => {
    expect(notified(gp3, queued(100), { instances: [] })).toMatchObject({
      minutes: 0,
      micro: false,
      also: [],
    });
  });
});
