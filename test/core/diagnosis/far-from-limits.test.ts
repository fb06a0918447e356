/** Which minutes are far from every limit, so that nobody needs to ask what throttled them. */

import { volumeBalance } from '../../../core/diagnosis/balance.ts';
import { causeCode } from '../../../core/diagnosis/causes.ts';
import { farFromLimits, type WhatPoints } from '../../../core/diagnosis/evidence.ts';
import type { InstanceOnAxis } from '../../../core/diagnosis/instance-on-axis.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { type VolumeConfiguration, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, type Points } from '../../fixtures/metric-set.ts';

const gp3 = { volumeType: 'gp3', sizeGiB: 100 } as const; // 3,000 IOPS and 125 MiB/s
const gp2 = { volumeType: 'gp2', sizeGiB: 100 } as const; // 300 IOPS and 75 MiB/s, 3,000 and 128 with credits
const st1 = { volumeType: 'st1', sizeGiB: 1_024 } as const; // 40 MiB/s, 250 with credits
const standard = { volumeType: 'standard', sizeGiB: 100 } as const; // 100 IOPS and 40 MiB/s, or so

interface Minutes {
  iops: readonly (number | undefined)[];
  mibps?: readonly (number | undefined)[];
  idleSeconds?: readonly number[];
  balance?: readonly number[];
}

const perMinute = (rates: readonly (number | undefined)[], unit = 1): (number | undefined)[] =>
  rates.map((rate) => rate && rate * 60 * unit);

function farIn(
  config: Omit<VolumeConfiguration, 'deployment'>,
  { iops, mibps = iops.map(() => 0), idleSeconds, balance }: Minutes,
  beside: Partial<Pick<WhatPoints, 'checks' | 'instances'>> = {},
): number[] {
  const points: Points = {
    VolumeReadOps: perMinute(iops),
    VolumeWriteOps: iops.map(() => 0),
    VolumeReadBytes: perMinute(mibps, 1_048_576),
    VolumeWriteBytes: iops.map(() => 0),
    ...(idleSeconds === undefined ? {} : { VolumeIdleTime: [...idleSeconds] }),
  };
  const load = loadOf(metricSet(points));
  const limits = volumeLimits({ ...config, deployment: 'region' });
  const published = balance === undefined ? null : Float64Array.from(balance);
  return [
    ...farFromLimits({
      limits,
      load,
      balance: volumeBalance(limits, load, published, defaultThresholds),
      checks: [],
      instances: [],
      ...beside,
    }),
  ];
}

test.each([
  ['IOPS', gp3, { iops: [0, 2_600, 2_701, 3_000] }, [1, 1, 0, 0]],
  ['MiB/s', gp3, { iops: [300, 300, 300], mibps: [100, 113, 125] }, [1, 0, 0]],
  [
    'large I/O, which counts as several',
    gp2,
    { iops: [80, 80], mibps: [10, 127], balance: [90, 90] },
    [1, 0],
  ],
  ['with credits those of the burst', gp2, { iops: [2_600, 2_800], balance: [90, 80] }, [1, 0]],
  ['without credits any rate', gp2, { iops: [10, 10], balance: [2, 1] }, [1, 0]],
  ['where AWS promises nothing, the average', standard, { iops: [80, 95] }, [1, 0]],
  ['what is not known is not far', gp3, { iops: [10, undefined, 10] }, [1, 0, 1]],
  ['without its bytes by number alone', gp3, { iops: [10, 2_800], mibps: [undefined, undefined] }, [1, 0]],
])('%s', (_what, config, minutes, expected) => {
  expect(farIn(config, minutes)).toEqual(expected);
});

describe('over the seconds that are not idle', () => {
  test('1,000 IOPS in 20 of 60 seconds are the limit', () => {
    expect(farIn(gp3, { iops: [1_000, 1_000], idleSeconds: [0, 40] })).toEqual([1, 0]);
  });

  test('on HDD the number says nothing, the bytes do', () => {
    const idleSeconds = [59, 59];
    expect(farIn(st1, { iops: [14, 14], mibps: [1, 4], idleSeconds, balance: [90, 90] })).toEqual([1, 0]);
  });
});

test('a check of 1 points at a limit, one without a figure does not', () => {
  const checks = [null, Float64Array.of(0, 1, Number.NaN)];
  expect(farIn(gp3, { iops: [10, 10, 10] }, { checks })).toEqual([1, 0, 1]);
});

test('what its instance throttled is not far', () => {
  const instance = { cause: Uint8Array.of(0, causeCode['instance-iops']) } as InstanceOnAxis;
  expect(farIn(gp3, { iops: [10, 10] }, { instances: [instance] })).toEqual([1, 0]);
});
