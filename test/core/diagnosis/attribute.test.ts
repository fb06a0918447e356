/** Period by period: throttled or not, and by what. Minutes of 60 s; 3,000 IOPS are 180,000 operations. */

import { attribute } from '../../../core/diagnosis/attribute.ts';
import { causes, confidences } from '../../../core/diagnosis/causes.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';
import { gp2, gp3, instanceSays, minuteOf, noInstance, notified } from './one-minute.ts';

describe('a rate at the limit', () => {
  test.each([
    // IOPS of 3,000, queue, throttled?
    [2_850, 5.8, 'volume-iops'], // 95 %, and 5.8 is above 2 x 0.001 s x 2,850 = 5.7
    [2_849, 5.8, 'unknown'], // just below 95 %: it waits, and nothing tells why
    [2_900, 5.7, 'none'], // a queue of less than twice 2.9
    [2_900, 5.9, 'volume-iops'],
  ])('%d IOPS with a queue of %d: %s', (iops, queue, cause) => {
    expect(notified(gp3, minuteOf(iops, { VolumeQueueLength: [queue] })).cause).toBe(cause);
  });

  test('of a volume that is slow by itself needs a longer queue: twice what its own 5 ms make', () => {
    const slow = [...repeat(20, 6_000), 2_900 * 60]; // calm at 100 IOPS
    const throttled = (queue: number): number | undefined => {
      const metrics = metricSet(readsOf16KiB(slow, { VolumeQueueLength: [...repeat(20, 0.5), queue] })); // 0.5 / 100 = 5 ms
      const limits = volumeLimits({ ...gp3, deployment: 'region' });
      return attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds).throttledMinutes.at(
        -1,
      );
    };
    expect(throttled(28.9)).toBe(0); // 2 x 0.005 x 2,900 = 29
    expect(throttled(29.1)).toBe(1);
  });

  test('in a minute without a queue figure, of a volume that has them, proves nothing', () => {
    expect(notified(gp3, minuteOf(2_900)).cause).toBe('none');
  });

  test.each([
    [6.7, 'none'], // 1 ms and 10 ms a MiB make 1.156 ms of 16 KiB; twice 0.001156 x 2,900 = 6.71
    [6.8, 'volume-iops'],
  ])(
    'with no calm periods to compare, an operation takes what is typical: a queue of %d is %s',
    (queue, cause) => {
      expect(notified(gp3, minuteOf(2_900, { VolumeQueueLength: [queue] }), { calmMinutes: 1 }).cause).toBe(
        cause,
      );
    },
  );

  test('from 99 % on it is the limit itself, however short the queue', () => {
    expect(notified(gp3, minuteOf(2_969, { VolumeQueueLength: [4] })).cause).toBe('none');
    expect(notified(gp3, minuteOf(2_970, { VolumeQueueLength: [4] })).cause).toBe('volume-iops');
  });

  test('large I/O takes longer by itself: a nightly backup of 1 MiB at 6 ms is not throttled', () => {
    // 60 x 1 MiB a second on 125 MiB/s; idle 70 % of the time, so 200 MiB/s while busy
    const backup = repeat(60, 3_600);
    const small = repeat(200, 300 * 60);
    const metrics = metricSet({
      VolumeReadOps: [...small, ...backup],
      VolumeWriteOps: repeat(260, 0),
      VolumeReadBytes: [...small.map((n) => n * 16_384), ...backup.map((n) => n * 1_048_576)],
      VolumeQueueLength: [...repeat(200, 0.15), ...repeat(60, 0.36)],
      VolumeIdleTime: [...repeat(200, 50), ...repeat(60, 42)],
    });
    const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
    expect([
      ...attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds).throttledMinutes,
    ]).toEqual(repeat(260, 0));
  });

  describe('checks of 0 outweigh an active-time rate', () => {
    const saysNo = { VolumeIOPSExceededCheck: [0], VolumeThroughputExceededCheck: [0] };
    const busyWith = (queue: number) =>
      minuteOf(500, { VolumeQueueLength: [queue], VolumeIdleTime: [50], ...saysNo }); // 30,000 in 10 busy seconds

    test('where no more than one operation waits all the time', () => {
      expect(
        notified(gp3, { ...minuteOf(500, { VolumeQueueLength: [1.4], VolumeIdleTime: [50] }) }).cause,
      ).toBe('volume-iops');
      expect(notified(gp3, busyWith(1.4)).cause).toBe('none');
      expect(notified(gp3, busyWith(40)).cause).toBe('volume-iops');
    });

    test('and always where the checks of this volume see bursts: one was 1 on less than half of the limit', () => {
      const withBurst = (average: number) => {
        const iops = [...repeat(20, 100), average, 500];
        const metrics = metricSet({
          ...readsOf16KiB(iops.map((rate) => rate * 60)),
          VolumeQueueLength: [...repeat(20, 0.1), 20, 40],
          VolumeIdleTime: [...repeat(20, 50), 0, 50],
          VolumeIOPSExceededCheck: [...repeat(20, 0), 1, 0],
          VolumeThroughputExceededCheck: repeat(22, 0),
        });
        const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
        const { cause } = attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds);
        return causes[cause[21] as number];
      };
      expect(withBurst(1_499)).toBe('none');
      expect(withBurst(1_500)).toBe('volume-iops');
    });
  });

  describe('a limit that is seen: the same rate for three minutes, while much waits', () => {
    const held = (...rates: number[]) => {
      const iops = [...repeat(20, 100), ...rates];
      const metrics = metricSet({
        ...readsOf16KiB(iops.map((rate) => rate * 60)),
        VolumeQueueLength: iops.map((rate) => (rate === 100 ? 0.1 : 60)),
      });
      const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
      const { cause, confidence } = attribute(
        limits,
        loadOf(metrics),
        metrics,
        noInstance,
        defaultThresholds,
      );
      return rates.map(
        (_, i) => `${causes[cause[20 + i] as number]} ${confidences[confidence[20 + i] as number]}`,
      );
    };

    test.each([
      ['of 3,000', [2_700, 2_700, 2_710], repeat(3, 'volume-iops medium')],
      ['not below 85 %', [2_540, 2_540, 2_540], repeat(3, 'unknown medium')],
      ['not for two minutes', [2_700, 2_700, 2_600], repeat(3, 'unknown medium')],
      ['not where it varies', [2_600, 2_700, 2_800, 2_700], repeat(4, 'unknown medium')],
    ])('%s', (_what, rates, expected) => {
      expect(held(...rates)).toEqual(expected);
    });
  });

  test('just below it, all day long at 1.1 ms, is a volume well used', () => {
    // 2,820 of 3,000 IOPS; 57 busy seconds make it 2,968 while busy; a queue of 3.1 is what this rate needs
    const steady = readsOf16KiB(repeat(60, 2_820 * 60), {
      VolumeQueueLength: repeat(60, 3.1),
      VolumeIdleTime: repeat(60, 3),
    });
    const metrics = metricSet(steady);
    const limits = volumeLimits({ ...gp3, deployment: 'region' });
    expect([
      ...attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds).throttledMinutes,
    ]).toEqual(repeat(60, 0));
  });

  test('of both limits is said: 3,000 IOPS of 170.7 KiB are 500 MiB/s', () => {
    const minute = {
      ...minuteOf(2_990, { VolumeQueueLength: [50] }),
      VolumeReadBytes: [495 * 60 * 1_048_576],
    };
    expect(notified(gp3, minute)).toMatchObject({ cause: 'volume-iops', also: ['volume-throughput'] });
    expect(notified(gp3, minuteOf(2_990, { VolumeQueueLength: [50] }))).toMatchObject({
      cause: 'volume-iops',
      also: [],
    });
  });
});

describe('AWS’s checks', () => {
  test.each([
    [{ VolumeIOPSExceededCheck: [1] }, 'volume-iops'],
    [{ VolumeThroughputExceededCheck: [1] }, 'volume-throughput'],
    [{ VolumeStalledIOCheck: [1], VolumeIOPSExceededCheck: [1] }, 'stalled'],
    [{ VolumeIOPSExceededCheck: [0] }, 'none'],
  ])('%j: %s', (checks, cause) => {
    expect(notified(gp3, minuteOf(500, checks)).cause).toBe(cause);
  });

  test('of both kinds: the nearer limit is the cause', () => {
    const both = { VolumeIOPSExceededCheck: [1], VolumeThroughputExceededCheck: [1] };
    expect(notified(gp3, minuteOf(2_500, both)).cause).toBe('volume-iops'); // 83 % of IOPS, 8 % of MiB/s
    const bytes = { ...minuteOf(500, both), VolumeReadBytes: [450 * 60 * 1_048_576] }; // 17 % and 90 %
    expect(notified(gp3, bytes).cause).toBe('volume-throughput');
  });

  test('on an empty bucket are about the credits', () => {
    const minute = minuteOf(250, { VolumeIOPSExceededCheck: [1], BurstBalance: [0] });
    expect(notified(gp2, minute)).toMatchObject({ cause: 'volume-credits', proof: 'check' });
  });

  test.each([
    [2_399, true], // below 80 % of 3,000
    [2_400, false],
  ])('at %d IOPS on average: micro-burst %s', (iops, micro) => {
    expect(notified(gp3, minuteOf(iops, { VolumeIOPSExceededCheck: [1] })).micro).toBe(micro);
  });
});

describe('instance', () => {
  const byInstance = instanceSays('instance-iops');

  test('a loaded volume below its own limit is throttled by its instance', () => {
    expect(notified(gp3, minuteOf(900, { VolumeQueueLength: [50] }), { instances: byInstance }).cause).toBe(
      'instance-iops',
    );
  });

  test('an idle volume is not', () => {
    expect(notified(gp3, minuteOf(0), { instances: byInstance }).cause).toBe('none');
  });

  test('the volume’s own check goes before', () => {
    expect(
      notified(gp3, minuteOf(2_400, { VolumeIOPSExceededCheck: [1] }), { instances: byInstance }),
    ).toMatchObject({
      cause: 'volume-iops',
      also: ['instance-iops'],
    });
  });
});

describe('HDD', () => {
  const st1 = { volumeType: 'st1', sizeGiB: 1_024 } as const; // 250 MiB/s, 250 operations of 1 MiB in a burst

  test('small random I/O that waits is at the limit by count, whatever its bytes', () => {
    const random = notified(st1, minuteOf(245, { VolumeQueueLength: [60], BurstBalance: [80] }));
    expect(random).toMatchObject({ cause: 'volume-iops', micro: false });
  });

  test('the same count of sequential I/O that merges does not wait, and is not', () => {
    // 2,000 a second at 1 ms keep 2 in flight, as the calm minutes do
    expect(notified(st1, minuteOf(2_000, { VolumeQueueLength: [2], BurstBalance: [80] })).cause).toBe('none');
  });

  test('all day small and sequential, it is calm by its bytes', () => {
    // 400 IOPS of 64 KiB are 25 of 250 MiB/s; by count they would be over the limit
    const ops = repeat(60, 400 * 60);
    const metrics = metricSet(
      readsOf16KiB(ops, {
        VolumeReadBytes: ops.map((n) => n * 65_536),
        VolumeQueueLength: repeat(60, 4),
        BurstBalance: repeat(60, 99),
      }),
    );
    const limits = volumeLimits({ ...st1, deployment: 'region' });
    expect([
      ...attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds).throttledMinutes,
    ]).toEqual(repeat(60, 0));
  });

  test('more I/O than the limit has merged: a sequential backup after a quiet day is not throttled', () => {
    // 400 of 250 a second, 64 KiB each: 25 of 250 MiB/s; a queue of 4 is 10 ms each
    expect(
      notified(st1, {
        ...minuteOf(400, { VolumeQueueLength: [4], BurstBalance: [95] }),
        VolumeReadBytes: [400 * 60 * 65_536],
      }).cause,
    ).toBe('none');
  });

  test('random all night with nothing by day to compare is at the limit by number', () => {
    const metrics = metricSet(
      readsOf16KiB([...repeat(100, 0), ...repeat(100, 245 * 60)], {
        VolumeQueueLength: [...repeat(100, 0), ...repeat(100, 32)],
        BurstBalance: repeat(200, 80),
      }),
    );
    const limits = volumeLimits({ ...st1, deployment: 'region' });
    const { throttledMinutes } = attribute(limits, loadOf(metrics), metrics, noInstance, defaultThresholds);
    expect(throttledMinutes.reduce((total, minutes) => total + minutes, 0)).toBe(100);
  });

  test('on an empty bucket their number is load enough: 38 of 40 a second on a TiB, even without a queue', () => {
    const onEmpty = (iops: number): string | undefined =>
      notified(st1, minuteOf(iops, { BurstBalance: [0] })).cause;
    expect(onEmpty(38)).toBe('volume-credits'); // 95 % of 40
    expect(onEmpty(37)).toBe('none');
  });

  test('on an empty bucket what does not wait is not throttled', () => {
    // 38 a second at the 1 ms of the calm minutes keep 0.038 in flight
    const minute = minuteOf(38, { VolumeQueueLength: [0.04], BurstBalance: [0] });
    expect(notified(st1, minute).cause).toBe('none');
  });

  test('has no two limits at once: what counts is the bytes or their number, never both', () => {
    const minute = {
      ...minuteOf(245, { VolumeQueueLength: [60], BurstBalance: [80] }),
      VolumeReadBytes: [245 * 60 * 1_048_576],
    };
    expect(notified(st1, minute)).toMatchObject({ cause: 'volume-throughput', also: [] });
  });

  test('bytes at the limit are throughput', () => {
    const minute = {
      ...minuteOf(1_000, { VolumeQueueLength: [60], BurstBalance: [80] }),
      VolumeReadBytes: [249 * 60 * 1_048_576],
    };
    expect(notified(st1, minute).cause).toBe('volume-throughput');
  });
});

test('a volume that AWS promises nothing of needs a queue to be called throttled', () => {
  const standard = { volumeType: 'standard', sizeGiB: 100 } as const;
  expect(notified(standard, minuteOf(150, { VolumeQueueLength: [0.15] })).cause).toBe('none');
  expect(notified(standard, minuteOf(150, { VolumeQueueLength: [20] })).cause).toBe('volume-iops');
});

test('a period whose operations are unknown is unknown', () => {
  expect(notified(gp3, { VolumeReadOps: [5], VolumeWriteOps: [undefined] }).cause).toBe('unknown');
});
