/** How long and how high bursts were that a minute hides. */

import { attribute } from '../../../core/diagnosis/attribute.ts';
import {
  type BurstFigures,
  burstFrom,
  type MicroBursts,
  microBursts,
} from '../../../core/diagnosis/micro-bursts.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { collectedMetrics } from '../../fixtures/collected-metrics.ts';
import { loadOf } from '../../fixtures/metric-set.ts';
import type { MetricResult } from '../../fixtures/replies.ts';
import { database } from '../../simulator/loads.ts';
import { publish } from '../../simulator/publish.ts';
import { simulateInstance } from '../../simulator/simulate.ts';
import { type Period, throttledLoad, times } from '../demand/periods.ts';

// 6,000 IOPS come for 2.5 s onto 3,000: 7,500 wait at most, and are done 2.5 s later. 7,500 x 5 / 2 over 60 s are 312.5.
const one: BurstFigures = {
  periodSeconds: 60,
  average: 250, // 15,000 I/O
  limit: 3_000,
  base: 0,
  waiting: 312.5,
  activeSeconds: null,
};

describe('one burst', () => {
  test('of 2.5 s at 6,000 IOPS is reported from its minute: 250 on average, 312.5 waiting', () => {
    // 15,000 / 3,000 = 5 s at the limit; 2 x 60 x 312.5 / 5 = 7,500 waited, 7,500 / 3,000 = 2.5 s of work;
    // the other 2.5 s brought 15,000. Known to 0.5 + 5 / 20 = 0.75 s.
    expect(burstFrom(one)).toEqual({
      seconds: 2.5,
      rate: 6_000,
      rateLow: 15_000 / 3.25,
      rateHigh: 15_000 / 1.75,
    });
  });

  test('of 2.5 s at 6,000 IOPS beside 1,000 all the time', () => {
    // 12,500 more than 60,000; at the limit for 12,500 / 2,000 = 6.25 s; 7,500 waited at most, 3.75 s of work.
    const found = burstFrom({
      ...one,
      base: 1_000,
      average: 1_000 + 12_500 / 60,
      waiting: (7_500 * 6.25) / 2 / 60,
    });
    expect(found?.seconds).toBeCloseTo(2.5, 9);
    expect(found?.rate).toBeCloseTo(6_000, 6);
  });

  test('that nothing waited for came at the limit: at least', () => {
    expect(burstFrom({ ...one, waiting: 0 })).toMatchObject({ seconds: 5, rate: 3_000, rateLow: 3_000 });
  });

  test('was not longer than anything was in flight', () => {
    expect(burstFrom({ ...one, waiting: 0, activeSeconds: 4 })?.seconds).toBe(4);
  });

  test('that came at once is taken to have lasted half a second', () => {
    // 15,000 at once: 15,000 x 5 / 2 / 60 = 625 wait, 5 s of work
    expect(burstFrom({ ...one, waiting: 625 })).toMatchObject({
      seconds: 0.5,
      rate: 30_000,
      rateHigh: 30_000,
    });
  });

  test.each([
    ['more waited than 15,000 at once make wait', { waiting: 900 }],
    ['there is no more than the base rate', { base: 250 }],
    ['the base rate is the limit', { base: 3_000, average: 3_100 }],
    ['nobody knows what waited', { waiting: Number.NaN }],
  ])('is not seen where %s', (_, change) => {
    expect(burstFrom({ ...one, ...change })).toBeNull();
  });
});

const gp3 = volumeLimits({ volumeType: 'gp3', sizeGiB: 100, throughputMiBps: 500, deployment: 'region' });
const quiet: Period = { iops: 0.001, queue: 0, activeTimeIops: 1 };
const burst: Period = {
  iops: 250,
  queue: 312.5,
  cause: 'volume-iops',
  isMicroBurst: true,
  activeTimeIops: 2_500, // 15,000 in 6 busy seconds
};
const burstsIn = (periods: readonly Period[], own: 'iops' | 'throughput' = 'iops'): MicroBursts | null => {
  const { load, attribution } = throttledLoad(periods);
  return microBursts(load, attribution, gp3, own);
};

describe('the bursts of a volume', () => {
  test('are counted, with their median and the highest and longest of them', () => {
    const low: Period = { ...burst, queue: 0 };
    const found = burstsIn([...times(5, quiet), burst, ...times(5, quiet), burst, quiet, low, quiet]);
    expect(found).toMatchObject({
      periods: 3,
      bursts: {
        known: true,
        value: { notified: 3, secondsMedian: expect.closeTo(2.5, 2), rateMedian: expect.closeTo(6_000, -1) },
      },
    });
    expect(found?.bursts).toMatchObject({
      value: { secondsLongest: expect.closeTo(5, 2), rateHighest: expect.closeTo(6_000, -1) },
    });
  });

  test('at one limit are not those at the other', () => {
    expect(burstsIn([quiet, burst, quiet], 'throughput')).toBeNull();
  });

  test('at the throughput limit are reported in MiB/s: 15,000 of 256 KiB are 3,750 MiB, 7.5 s at 500', () => {
    const large: Period = {
      ...burst,
      ioKiB: 256,
      queue: 0,
      activeTimeIops: 1_875,
      cause: 'volume-throughput',
    };
    expect(burstsIn([...times(5, quiet), large, ...times(5, quiet)], 'throughput')).toMatchObject({
      bursts: { value: { secondsMedian: expect.closeTo(7.5, 2), rateMedian: expect.closeTo(500, 0) } },
    });
  });

  test('that spill over into the next minute are one', () => {
    // The 5 s begin 2.5 s before the minute ends: 7,500 in each; the backlog rises to 7,500 in one, falls in the other.
    const half: Period = { ...burst, iops: 125, queue: 156.25, activeTimeIops: 2_500 };
    expect(burstsIn([...times(5, quiet), half, half, ...times(5, quiet)])).toMatchObject({
      periods: 2,
      bursts: {
        value: { notified: 1, secondsMedian: expect.closeTo(2.5, 2), rateMedian: expect.closeTo(6_000, -1) },
      },
    });
  });

  test('in every minute are one each', () => {
    expect(burstsIn(times(10, burst))).toMatchObject({ periods: 10, bursts: { value: { notified: 10 } } });
  });

  test('are not the edge of an hour that was throttled as a whole', () => {
    const whole: Period = { iops: 3_000, queue: 100, cause: 'volume-iops' };
    expect(burstsIn([...times(5, quiet), burst, ...times(60, whole)])).toMatchObject({
      periods: 1,
      bursts: { known: false },
    });
  });

  test('are counted and not reported without a queue', () => {
    const { queue: _, ...unknown } = burst;
    expect(burstsIn([{ iops: 1 }, unknown, { iops: 1 }])).toEqual({
      periods: 1,
      bursts: { known: false, reason: 'no-queue-metric' },
    });
  });
});

/** Five hours of a burst every ten minutes, as CloudWatch publishes them. */
function simulated(base: number, seconds: number, rate: number, fromSecond: number): MicroBursts | null {
  const load = database(16, base, {
    maxWaitingIo: Number.POSITIVE_INFINITY,
    burst: (minute) => (minute % 10 === 5 ? { fromSecond, seconds, ioPerSecond: rate, spread: 1 } : null),
  });
  const volume = { name: 'bursty', volumeType: 'gp3', sizeGiB: 100, throughputMiBps: 500, load } as const;
  const window = { startEpochSeconds: 0, minutes: 300, seed: 1 };
  const plan = {
    name: 'host',
    region: 'us-east-1',
    zone: 'us-east-1a',
    instanceType: 'r5b.8xlarge',
  } as const;
  const instance = simulateInstance({ ...plan, volumes: [volume] }, window);
  const { MetricDataResults } = publish([instance], window).getMetricData;
  const metrics = collectedMetrics(MetricDataResults as unknown as MetricResult[]).of(
    instance.volumes[0]?.volumeId ?? '',
  );
  const read = loadOf(metrics);
  return microBursts(read, attribute(gp3, read, metrics, [], defaultThresholds), gp3, 'iops');
}

describe('simulated bursts onto 3,000 IOPS are told to a twentieth, second and height', () => {
  test.each([
    // base rate, seconds, IOPS, from which second of the minute
    [0, 1, 4_000, 7],
    [0, 1, 12_000, 7],
    [0, 5, 4_000, 7],
    [0, 5, 12_000, 7],
    [0, 10, 6_000, 7],
    [0, 30, 4_000, 7],
    [300, 2, 12_000, 7],
    [300, 10, 4_000, 7],
    [300, 20, 6_000, 7],
    [1_000, 2, 6_000, 7],
    [1_000, 5, 12_000, 7],
    [1_000, 10, 6_000, 7],
    // into the next minute
    [0, 10, 6_000, 50],
    [300, 5, 12_000, 50],
    [1_000, 10, 12_000, 50],
    [0, 30, 12_000, 7], // 120 s of work: three minutes
  ])('beside %d IOPS: %d s of %d IOPS from second %d on', (base, seconds, rate, fromSecond) => {
    const found = simulated(base, seconds, rate, fromSecond);
    if (found === null || !found.bursts.known) throw new Error('no burst is reported');
    const { notified, secondsMedian, rateMedian, rateMedianLow, rateMedianHigh } = found.bursts.value;
    expect(notified).toBe(30);
    expect(secondsMedian / seconds).toBeGreaterThan(0.95);
    expect(secondsMedian / seconds).toBeLessThan(1.05);
    expect(rateMedian / rate).toBeGreaterThan(0.95);
    expect(rateMedian / rate).toBeLessThan(1.05);
    expect(rateMedianLow).toBeLessThanOrEqual(rate);
    expect(rateMedianHigh).toBeGreaterThanOrEqual(rate);
  });
});
