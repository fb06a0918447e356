import { MetricCollector, type MetricName } from '../../../core/load/metrics.ts';
import { columnsOf, volumeLoad } from '../../../core/load/volume-load.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

test('rates are sums over the period, active-time rates over its seconds that were not idle', () => {
  const load = loadOf(metricSet(readsOf16KiB([600, 600], { VolumeIdleTime: [57.5, 60] })));
  expect([...load.iops]).toEqual([10, 10]); // 600 / 60
  expect([...(load.activeTimeIops ?? [])]).toEqual([200, 600]); // 600 / ceil(2.5), 600 / max(1, 0)
  expect(load.mibps[0]).toBeCloseTo(0.15625, 9); // 600 x 16 KiB / 60 s
});

test('latency is the time of all operations over their number', () => {
  const load = loadOf(
    metricSet(readsOf16KiB([600, 0], { VolumeTotalReadTime: [1.2, 0], VolumeTotalWriteTime: [0, 0] })),
  );
  expect([...(load.latencyMs ?? [])]).toEqual([2, Number.NaN]); // 1.2 s / 600
});

test('no operations carry no bytes; operations without a byte count leave the throughput unknown', () => {
  const load = loadOf(
    metricSet({ VolumeReadOps: [0, 10], VolumeWriteOps: [0, 0], VolumeReadBytes: [undefined, undefined] }),
  );
  expect([...load.mibps]).toEqual([0, Number.NaN]);
});

describe('known time', () => {
  test('does not count gaps, nor an overlap twice', () => {
    const collector = new MetricCollector();
    // 0, 5, 10 ... 60 minutes, then one after 4 minutes: its five overlap with the one before by one
    const times = [...Array.from({ length: 200 }, (_, i) => i * 300), 199 * 300 + 240];
    for (const name of ['VolumeReadOps', 'VolumeWriteOps'] as const)
      collector.add('v', name, times, repeat(201, 1));
    expect(loadOf(collector.finish().of('v')).knownSeconds).toBe(200 * 300 + 240);
  });

  test('needs reads and writes both', () => {
    expect(
      loadOf(metricSet({ VolumeReadOps: [1, 1, 1], VolumeWriteOps: [1, undefined, 1] })).knownSeconds,
    ).toBe(120);
    expect(volumeLoad(metricSet({ VolumeReadOps: [1, 1] }))).toMatchObject({ known: false });
  });
});

describe('metrics of other periods', () => {
  const ops = readsOf16KiB(repeat(60, 600));

  function mixed(periodSeconds: number, name: MetricName, values: number[], load = ops) {
    const base = metricSet(load);
    const other = metricSet({ [name]: values }, periodSeconds);
    const metrics = new Map([...base, ...other]);
    const axis = loadOf(metrics);
    return columnsOf(metrics, axis, () => axis.ops)(name);
  }

  test('a five-minute Sum is not spread over minutes: it cannot be divided', () => {
    expect(mixed(300, 'VolumeIdleTime', repeat(12, 290))).toBeNull();
  });

  test('a point of a check stays at its time: it proves that period and no other', () => {
    const column = mixed(300, 'VolumeIOPSExceededCheck', repeat(12, 2));
    expect([...(column ?? [])].slice(4, 7)).toEqual([Number.NaN, 2, Number.NaN]);
  });

  test('a sparse Sum of the same period stays where it is: bytes of one minute an hour', () => {
    const once = [...repeat(30, 0), 600, ...repeat(29, 0), ...repeat(30, 0), 600, ...repeat(29, 0)];
    const bytes = once.map((count) => (count === 0 ? undefined : count * 16_384));
    const load = loadOf(
      metricSet({ VolumeReadOps: once, VolumeWriteOps: repeat(120, 0), VolumeReadBytes: bytes }),
    );
    expect([...load.mibps].filter((rate) => rate > 0)).toHaveLength(2);
  });

  test('a five-minute level stands for its minutes', () => {
    expect(
      [
        ...(mixed(
          300,
          'BurstBalance',
          Array.from({ length: 12 }, (_, i) => 100 - i),
        ) ?? []),
      ].slice(3, 7),
    ).toEqual([100, 100, 99, 99]);
  });

  test('one-minute checks on a five-minute load are added up', () => {
    const metrics = new Map([
      ...metricSet(readsOf16KiB(repeat(4, 3_000)), 300),
      ...metricSet({ VolumeIOPSExceededCheck: [...repeat(7, 1), ...repeat(13, 0)] }),
    ]);
    const axis = loadOf(metrics);
    expect([...(columnsOf(metrics, axis, () => axis.ops)('VolumeIOPSExceededCheck') ?? [])]).toEqual([
      5, 2, 0, 0,
    ]);
  });
});

describe('replies of different periods, mixed', () => {
  test('one after the other: a second rhythm makes the load unknown', () => {
    const collector = new MetricCollector();
    const five = Array.from({ length: 20 }, (_, i) => i * 300);
    const one = Array.from({ length: 100 }, (_, i) => 6_000 + i * 60);
    for (const name of ['VolumeReadOps', 'VolumeWriteOps'] as const)
      collector.add('v', name, [...five, ...one], repeat(120, 1));
    expect(volumeLoad(collector.finish().of('v'))).toMatchObject({
      known: false,
      reason: { code: 'mixed-periods', of: 'points', periodSeconds: 60, otherPeriodSeconds: 300 },
    });
  });

  test('over the same time: points that come twice with other values make the resource unusable', () => {
    const collector = new MetricCollector();
    collector.add('v', 'VolumeReadOps', [0, 60, 120, 180, 240], repeat(5, 100));
    collector.add('v', 'VolumeReadOps', [0], [500]);
    expect(collector.finish().unusableReason('v')).toEqual({ code: 'conflicting-points' });
  });

  test('reads of one period and writes of another', () => {
    const metrics = new Map([
      ...metricSet({ VolumeReadOps: repeat(100, 1) }),
      ...metricSet({ VolumeWriteOps: repeat(20, 5) }, 300),
    ]);
    expect(volumeLoad(metrics)).toMatchObject({
      known: false,
      reason: { code: 'mixed-periods', of: 'reads-and-writes', periodSeconds: 60, otherPeriodSeconds: 300 },
    });
  });

  test('points closer than a minute are two replies of CloudWatch, one shifted', () => {
    const collector = new MetricCollector(60);
    collector.add('v', 'VolumeReadOps', [0, 60, 120, 180], repeat(4, 1));
    collector.add('v', 'VolumeReadOps', [30, 330], [5, 5]);
    expect(collector.finish().unusableReason('v')).toEqual({ code: 'points-too-close', periodSeconds: 30 });
  });

  test('a page that comes again with the same values is only a repetition', () => {
    const collector = new MetricCollector();
    collector.add('v', 'VolumeReadOps', [0, 60], [1, 2]);
    collector.add('v', 'VolumeReadOps', [60, 120], [2, 3]);
    const metrics = collector.finish();
    expect(metrics.unusableReason('v')).toBeNull();
    expect(metrics.repeatedPoints('v')).toBe(1);
    expect([...(metrics.of('v').get('VolumeReadOps')?.values ?? [])]).toEqual([1, 2, 3]);
  });
});

test('a check of a volume with two instances was exceeded where either says so', () => {
  const collector = new MetricCollector();
  collector.add('v', 'VolumeStalledIOCheck', [0, 60, 120], [0, 1, 0]);
  collector.add('v', 'VolumeStalledIOCheck', [0, 60, 120], [0, 0, 1]);
  expect([...(collector.finish().of('v').get('VolumeStalledIOCheck')?.values ?? [])]).toEqual([0, 1, 1]);
});
