/** How near a volume is to its limits in a minute. */

import { volumeBalance } from '../../../core/diagnosis/balance.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { VolumeShares } from '../../../core/diagnosis/volume-shares.ts';
import { type VolumeConfiguration, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, type Points, repeat } from '../../fixtures/metric-set.ts';

interface Minute {
  iops: number;
  /** Undefined: its bytes are not known. */
  mibps?: number | undefined;
  /** In percent. */
  balance?: number;
  queue?: number;
  idleSeconds?: number | undefined;
}

/** Shares of minute 0; the second minute is there so that there is a period. */
function shares(config: Omit<VolumeConfiguration, 'deployment'>, minute: Minute): VolumeShares {
  const { iops, balance, queue } = minute;
  const mibps = 'mibps' in minute ? minute.mibps : 1;
  const points: Points = {
    VolumeReadOps: repeat(2, iops * 60),
    VolumeWriteOps: [0, 0],
    VolumeReadBytes: repeat(2, mibps === undefined ? undefined : mibps * 60 * 1_048_576),
    VolumeWriteBytes: [0, 0],
    ...(queue === undefined ? {} : { VolumeQueueLength: [queue, queue] }),
    ...('idleSeconds' in minute ? { VolumeIdleTime: [minute.idleSeconds, 0] } : {}),
  };
  const load = loadOf(metricSet(points));
  const limits = volumeLimits({ ...config, deployment: 'region' });
  const published = balance === undefined ? null : Float64Array.of(balance, balance);
  return new VolumeShares(
    limits,
    load,
    volumeBalance(limits, load, published, defaultThresholds),
    () => false,
    defaultThresholds,
  );
}

const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 4_000, throughputMiBps: 500 } as const;
const gp2 = { volumeType: 'gp2', sizeGiB: 100 } as const; // 300 IOPS and 75 MiB/s, 3,000 and 128 with credits
const st1 = { volumeType: 'st1', sizeGiB: 1_024 } as const; // 40 MiB/s, 250 with credits
const standard = { volumeType: 'standard', sizeGiB: 100 } as const; // 100 IOPS and 40 MiB/s, or so

describe('of the limits in force', () => {
  test.each([
    ['gp3', gp3, { iops: 1_000, mibps: 50 }, { iops: 0.25, mibps: 0.1 }],
    ['gp2 with credits', gp2, { iops: 300, mibps: 32, balance: 50 }, { iops: 0.1, mibps: 0.25 }],
    ['gp2 without', gp2, { iops: 300, mibps: 15, balance: 1 }, { iops: 1, mibps: 0.2 }],
    [
      'large I/O counts as several: 500 MiB/s are 2,000',
      gp3,
      { iops: 500, mibps: 500 },
      { iops: 0.5, mibps: 1 },
    ],
    ['and on HDD as one', st1, { iops: 25, mibps: 125, balance: 50 }, { iops: 0.1, mibps: 0.5 }],
    ['what AWS says of standard on average', standard, { iops: 50, mibps: 10 }, { iops: 0.5, mibps: 0.25 }],
  ])('%s', (_what, config, minute, expected) => {
    const of = shares(config, minute);
    expect(of.average(0)).toEqual(expected);
    expect(of.nearestLimit(0)).toBe(Math.max(expected.iops, expected.mibps));
  });

  test('where the bytes are not known the number of I/O is all there is', () => {
    const of = shares(gp3, { iops: 3_000, mibps: undefined });
    expect(of.average(0)).toEqual({ iops: 0.75, mibps: Number.NaN });
    expect(of.nearestLimit(0)).toBe(0.75);
    expect(of.ofAverage(0)).toEqual({ iops: 0.75, mibps: 0 });
    expect(of.ofBurst(0)).toBe(0.75);
  });

  test('beyond the first and the last minute nothing is known', () => {
    const of = shares(gp3, { iops: 1_000 });
    expect(of.nearestLimit(-1)).toBeNaN();
    expect(of.nearestLimit(2)).toBeNaN();
  });
});

describe('of the seconds that were not idle', () => {
  test('1,000 IOPS in 20 of 60 seconds are 3,000 of 4,000', () => {
    const of = shares(gp3, { iops: 1_000, mibps: 25, idleSeconds: 40 });
    expect(of.ofActiveSeconds(0)).toEqual({ iops: 0.75, mibps: 0.15 });
  });

  test('where the idle time is not known nothing is reported of them', () => {
    const none = { iops: 1_000 };
    for (const minute of [none, { ...none, idleSeconds: undefined }]) {
      const { iops } = shares(gp3, minute).ofActiveSeconds(0);
      expect(iops >= 0.95).toBe(false);
    }
  });
});

describe('of the burst, whatever the balance', () => {
  test.each([
    ['by number', gp2, { iops: 1_500, mibps: 32, balance: 0 }, 0.5],
    ['by bytes', gp2, { iops: 600, mibps: 96, balance: 0 }, 0.75],
    ['of HDD by bytes alone', st1, { iops: 240, mibps: 25, balance: 0 }, 0.1],
  ])('%s', (_what, config, minute, expected) => {
    expect(shares(config, minute).ofBurst(0)).toBe(expected);
  });
});

test.each([
  [247, 0], // 98.8 % of its 250
  [248, 0.992],
  [262, 1.048],
  [263, 0], // they merged: bytes alone tell, and there are next to none
])('HDD: %d operations a second are so much of the burst by number: %d', (iops, expected) => {
  expect(shares(st1, { iops, mibps: 0, balance: 1 }).ofBurst(0)).toBeCloseTo(expected, 9);
});

describe('the average is the limit itself from 99 % on', () => {
  test.each([
    ['3,959 of 4,000 IOPS', gp3, { iops: 3_959 }, false],
    ['3,960', gp3, { iops: 3_960 }, true],
    ['495 of 500 MiB/s', gp3, { iops: 1_980, mibps: 495 }, true],
    ['HDD by bytes: 248 of 250', st1, { iops: 248, mibps: 248, balance: 50 }, true],
    ['HDD not by number: 250 of 250', st1, { iops: 250, mibps: 4, balance: 50 }, false],
    ['standard, of which AWS promises nothing: 100 of 100', standard, { iops: 100 }, false],
  ])('%s: %s', (_what, config, minute, saturated) => {
    expect(shares(config, minute).isSaturated(0)).toBe(saturated);
  });
});

describe('on HDD the number of I/O proves something', () => {
  test.each([
    // 225 a second at the typical 10 ms and 10 ms a MiB (1 of 225 MiB: next to nothing) keep 2.3 in flight
    ['where they wait', { iops: 225, queue: 10 }, 0.9],
    ['not where they do not', { iops: 225, queue: 3 }, 0],
    ['not where nobody knows', { iops: 225 }, 0],
    ['not beyond 105 % of the limit: those merged', { iops: 263, queue: 100 }, 0],
  ])('%s', (_what, minute, expected) => {
    expect(shares(st1, { ...minute, balance: 50 }).ofAverage(0).iops).toBe(expected);
  });

  test.each([
    [1.05, false],
    [1.06, true],
  ])('%d of the limit merges for sure: %s', (share, merges) => {
    expect(shares(st1, { iops: 1, balance: 50 }).mergesForSure(share)).toBe(merges);
  });
});
