/** Throttled for minutes is `throttled-*`, throttled for seconds a micro-burst: and how bad that is depends on who waited. */
import { demandOf } from '../../../core/demand/demand.ts';
import { attribute } from '../../../core/diagnosis/attribute.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { loadFindings } from '../../../core/diagnosis/volume-findings.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

const calmMinutes = 60;

interface Minutes {
  count: number;
  /** Of 3,000. */
  iops: number;
  /** Undefined: no figure; by default what the rate needs at 1 ms. */
  queue?: number | undefined;
  check?: 0 | 1;
}

/** Findings on a gp3 that had such minutes after an hour at 100 IOPS and 1 ms, and as much after them. */
function found({ count, iops, check = 1, ...others }: Minutes) {
  const around = (calm: number, ...held: (number | undefined)[]) => [
    ...repeat(calmMinutes, calm),
    ...held,
    ...repeat(calmMinutes, calm),
  ];
  const queue = 'queue' in others ? others.queue : iops / 1_000;
  const metrics = metricSet({
    ...readsOf16KiB(around(6_000, ...repeat(count, iops * 60)) as number[]),
    VolumeQueueLength: around(0.1, ...repeat(count, queue)),
    VolumeIOPSExceededCheck: around(0, ...repeat(count, check)),
    VolumeThroughputExceededCheck: around(0, ...repeat(count, 0)),
  });
  const limits = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, deployment: 'region' });
  const load = loadOf(metrics);
  const attribution = attribute(limits, load, metrics, [], defaultThresholds);
  return loadFindings({
    ...{ limits, load, attribution, thresholds: defaultThresholds },
    demand: demandOf(load, attribution, defaultThresholds),
    windowEndEpochSeconds: (2 * calmMinutes + count) * 60,
  });
}

const kinds = (minutes: Minutes) =>
  found(minutes).map(({ kind, severity, confidence }) => `${kind} ${severity} ${confidence}`);

test.each<[string, Minutes, string[]]>([
  ['from 80 % of the limit on', { count: 5, iops: 2_400, queue: 40 }, ['throttled-volume-iops warning high']],
  ['below it in no number', { count: 90, iops: 2_399, queue: 40 }, ['micro-burst warning high']],
  ['four minutes are too few', { count: 4, iops: 2_900, queue: 40 }, []],
  ['nothing waited', { count: 90, iops: 2_700 }, []],
  [
    'nobody knows who waited',
    { count: 5, iops: 2_700, queue: undefined },
    ['throttled-volume-iops warning medium'],
  ],
])('minutes with a check of 1, %s: %j', (_what, minutes, expected) => {
  expect(kinds(minutes)).toEqual(expected);
});

describe('a micro-burst', () => {
  test.each<[string, Minutes, string[]]>([
    [
      'in which operations took twice as long',
      { count: 3, iops: 600, queue: 1.2 },
      ['micro-burst warning high'],
    ],
    ['that nobody waited for', { count: 3, iops: 600, queue: 1.19 }, ['micro-burst info medium']],
    ['of which nobody knows', { count: 3, iops: 600, queue: undefined }, ['micro-burst warning medium']],
    ['two are too few', { count: 2, iops: 600, queue: 12 }, []],
  ])('%s', (_what, minutes, expected) => {
    expect(kinds(minutes)).toEqual(expected);
  });

  test('says how long its operations waited', () => {
    // 600 IOPS at 1 ms keep 0.6 in flight: with 6 they took 10 ms
    const [burst] = found({ count: 4, iops: 600, queue: 6 });
    expect(burst?.evidence).toMatchObject({ waitedMinutesPeak24h: 4, waitedMsMedian: 9 });
  });

  test('or that it is not known', () => {
    const [burst] = found({ count: 4, iops: 600, queue: undefined });
    expect(burst?.evidence).toMatchObject({ waitedMinutesPeak24h: null, waitedMsMedian: null });
  });
});
