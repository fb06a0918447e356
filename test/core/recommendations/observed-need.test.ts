/** What a load shows of the need: its busiest period over the seconds that were not idle, and when that is not enough. */

import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { known, unknown } from '../../../core/known.ts';
import { observedNeed } from '../../../core/recommendations/savings.ts';
import { secondsPerDay, secondsPerHour } from '../../../core/units.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

const day = { startEpochSeconds: 0, endEpochSeconds: secondsPerDay };
const minutes = secondsPerDay / 60;
/** 100 IOPS all day, and one minute of 60,000 operations: 1,000 a second, or in a half-idle minute 2,000. */
const ops = repeat(minutes, 6_000).with(700, 60_000);

test('the busiest period over its non-idle seconds, with a quarter more', () => {
  const idle = repeat(minutes, 0).with(700, 30);
  const { need: seen } = observedNeed(
    loadOf(metricSet(readsOf16KiB(ops, { VolumeIdleTime: idle }))),
    'gp3',
    day,
    0,
    defaultThresholds,
  );
  // 60,000 / 30 = 2,000 IOPS; x 16 KiB = 31.25 MiB/s; x 1.25 = 2,500 and 39.06
  expect(seen).toEqual(
    known({
      peak: { iops: 2_000, throughputMiBps: 31.25 },
      rates: { iops: 2_500, throughputMiBps: 40 },
      cutIops: 2_500,
      periodSeconds: 60,
      knownSeconds: secondsPerDay,
      confidence: 'medium',
    }),
  );
});

test.each([
  { why: 'it was throttled', throttled: 1, window: day, reason: { code: 'throttled', minutes: 1 } },
  {
    why: 'the window is shorter than a day',
    throttled: 0,
    window: { startEpochSeconds: 0, endEpochSeconds: 23 * secondsPerHour },
    reason: { code: 'window-too-short', minHours: 24 },
  },
  {
    why: 'too little of it is known',
    throttled: 0,
    window: { startEpochSeconds: 0, endEpochSeconds: 2 * secondsPerDay },
    // One day of two.
    reason: { code: 'too-many-gaps', knownPercent: 50 },
  },
])('unknown where $why', ({ throttled, window, reason }) => {
  const { need: seen } = observedNeed(
    loadOf(metricSet(readsOf16KiB(ops))),
    'gp3',
    window,
    throttled,
    defaultThresholds,
  );
  expect(seen).toEqual(unknown(reason));
});

test('where bytes of a busy period are missing, nothing is taken for zero', () => {
  const bytes = repeat<number | undefined>(minutes, 100 * 16_384).with(700, undefined);
  const load = loadOf(metricSet({ ...readsOf16KiB(ops), VolumeReadBytes: bytes }));
  expect(observedNeed(load, 'gp3', day, 0, defaultThresholds).need).toEqual(
    unknown({ code: 'bytes-unknown' }),
  );
});

test('one point of idle time does not make five-minute averages show bursts', () => {
  const idle = repeat<number | undefined>(288, undefined).with(5, 100);
  const load = loadOf(metricSet(readsOf16KiB(repeat(288, 300_000), { VolumeIdleTime: idle }), 300));
  expect(observedNeed(load, 'gp3', day, 0, defaultThresholds).need).toEqual(
    unknown({ code: 'averages-hide-bursts', periodSeconds: 300 }),
  );
});

test('large I/O counts by 256 KiB, and is cut at the chunk of a stripe', () => {
  // 1,000 IOPS of 128 KiB = 125 MiB/s: at most 1,000 + 4 x 125 = 1,500 counted; in chunks of 64 KiB 2,000.
  const load = loadOf(
    metricSet({
      ...readsOf16KiB(repeat(minutes, 60_000)),
      VolumeReadBytes: repeat(minutes, 60_000 * 131_072),
    }),
  );
  expect(observedNeed(load, 'gp3', day, 0, defaultThresholds).need).toMatchObject({
    value: { rates: { iops: 1_875, throughputMiBps: 157 }, cutIops: 2_500 },
  });
  expect(observedNeed(load, 'st1', day, 0, defaultThresholds).least.iops).toBe(1_250);
});

test('averages over five minutes without the idle time hide bursts: unknown, but at least that much is needed', () => {
  const load = loadOf(metricSet(readsOf16KiB(repeat(288, 300_000)), 300));
  expect(observedNeed(load, 'gp3', day, 0, defaultThresholds).need).toEqual(
    unknown({ code: 'averages-hide-bursts', periodSeconds: 300 }),
  );
  // 300,000 / 300 = 1,000; x 1.25
  expect(observedNeed(load, 'gp3', day, 0, defaultThresholds).least.iops).toBe(1_250);
});
