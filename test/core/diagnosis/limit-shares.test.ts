/** How near a volume is to its limits in a minute, and what of that proves something. */

import { attribute } from '../../../core/diagnosis/attribute.ts';
import { volumeBalance } from '../../../core/diagnosis/balance.ts';
import { causes } from '../../../core/diagnosis/causes.ts';
import { LimitShares, type VolumeEvidence, volumeEvidence } from '../../../core/diagnosis/evidence.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
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

/** Minute 0 of two alike; the second is there so that there is a period. */
function seen(config: Omit<VolumeConfiguration, 'deployment'>, minute: Minute) {
  const { iops, balance, queue } = minute;
  const mibps = 'mibps' in minute ? minute.mibps : 1;
  const points: Points = {
    VolumeReadOps: repeat(2, iops * 60),
    VolumeWriteOps: [0, 0],
    VolumeReadBytes: repeat(2, mibps === undefined ? undefined : mibps * 60 * 1_048_576),
    VolumeWriteBytes: [0, 0],
    ...(queue === undefined ? {} : { VolumeQueueLength: [queue, queue] }),
    ...('idleSeconds' in minute ? { VolumeIdleTime: [minute.idleSeconds, 0] } : {}),
    ...(balance === undefined ? {} : { BurstBalance: [balance, balance] }),
  };
  const metrics = metricSet(points);
  const load = loadOf(metrics);
  const limits = volumeLimits({ ...config, deployment: 'region' });
  const published = balance === undefined ? null : Float64Array.of(balance, balance);
  return { metrics, load, limits, balance: volumeBalance(limits, load, published, defaultThresholds) };
}

function shares(config: Omit<VolumeConfiguration, 'deployment'>, minute: Minute): LimitShares {
  const { limits, load, balance } = seen(config, minute);
  return new LimitShares(limits, load, balance);
}

/** With a row for minute 0, as something points at a limit. */
function rows(config: Omit<VolumeConfiguration, 'deployment'>, minute: Minute): VolumeEvidence {
  const { limits, load, balance } = seen(config, minute);
  const checks = { iops: null, throughput: null, stalled: Float64Array.of(1, 0) };
  const of = { limits, load, balance, shares: new LimitShares(limits, load, balance), instances: [], checks };
  return volumeEvidence(of, defaultThresholds);
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
    expect({ iops: of.iops(0), mibps: of.mibps(0) }).toEqual(expected);
    expect(of.nearest(0)).toBe(Math.max(expected.iops, expected.mibps));
  });

  test('where the bytes are not known the number of I/O is all there is', () => {
    const of = shares(gp3, { iops: 3_000, mibps: undefined });
    expect({ iops: of.iops(0), mibps: of.mibps(0) }).toEqual({ iops: 0.75, mibps: Number.NaN });
    expect(of.nearest(0)).toBe(0.75);
    expect(of.ofBurst(0)).toBe(0.75);
    const { provingIops, provingMiBps } = rows(gp3, { iops: 3_000, mibps: undefined });
    expect([provingIops[0], provingMiBps[0]]).toEqual([0.75, 0]);
  });

  test('beyond the first and the last minute nothing is known', () => {
    const of = shares(gp3, { iops: 1_000 });
    expect(of.nearest(-1)).toBeNaN();
    expect(of.nearest(2)).toBeNaN();
  });
});

describe('of the seconds that were not idle', () => {
  test('1,000 IOPS in 20 of 60 seconds are 3,000 of 4,000', () => {
    const { activeTimeIopsShare, activeTimeMiBpsShare } = rows(gp3, {
      iops: 1_000,
      mibps: 25,
      idleSeconds: 40,
    });
    expect(activeTimeIopsShare[0]).toBeCloseTo(0.75, 9);
    expect(activeTimeMiBpsShare[0]).toBeCloseTo(0.15, 9);
  });

  test('where the idle time is not known nothing is reported of them', () => {
    const none = { iops: 1_000 };
    for (const minute of [none, { ...none, idleSeconds: undefined }]) {
      const { activeTimeIopsShare } = rows(gp3, minute);
      expect((activeTimeIopsShare[0] as number) >= 0.95).toBe(false);
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
    // With one operation in flight nothing waits: only a rate that is the limit itself says that it was throttled.
    const { limits, load, metrics } = seen(config, { ...minute, queue: 1 });
    const { cause } = attribute(limits, load, metrics, [], defaultThresholds);
    expect(causes[cause[0] as number] !== 'none').toBe(saturated);
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
    expect(rows(st1, { ...minute, balance: 50 }).provingIops[0]).toBe(expected);
  });
});
