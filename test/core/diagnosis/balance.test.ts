/** The balance of a volume by period: published, replayed and what it is evaluated by. */

import {
  type Balance,
  isEmptyAt,
  isPublishedAt,
  rateWithCredits,
  volumeBalance,
} from '../../../core/diagnosis/balance.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { type VolumeType, volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet, readsOf16KiB, repeat } from '../../fixtures/metric-set.ts';

type Points = readonly (number | undefined)[];

/** Minutes at a rate of I/O of one size, with the balances published in them; 1,024 GiB where nothing is said. */
function balanceOf(
  type: VolumeType,
  iops: Points,
  published: Points | null,
  { ioKiB = 16, sizeGiB = 1_024 } = {},
) {
  const limits = volumeLimits({ volumeType: type, sizeGiB, deployment: 'region' });
  const ops = iops.map((rate) => (rate === undefined ? undefined : rate * 60));
  const none = ops.map((count) => (count === undefined ? undefined : 0));
  const load = loadOf(
    metricSet({
      VolumeReadOps: ops,
      VolumeWriteOps: ops.map(() => 0),
      VolumeReadBytes: ops.map((count) => (count === undefined ? undefined : count * ioKiB * 1_024)),
      VolumeWriteBytes: none,
    }),
  );
  const column = published && Float64Array.from(published, (percent) => percent ?? Number.NaN);
  const balance = volumeBalance(limits, load, column, defaultThresholds);
  if (balance === null) throw new Error(`${type} of ${sizeGiB} GiB has a bucket`);
  return balance;
}

/** gp2 of 100 GiB: 300 credits a second are earned, 18,000 a minute, 1/3 point of 5.4 million. */
const gp2 = (iops: Points, published: Points | null, ioKiB = 16): Balance =>
  balanceOf('gp2', iops, published, { ioKiB, sizeGiB: 100 });

const rounded = (column: Float64Array): number[] => [...column].map((value) => Number(value.toFixed(3)));

describe('published', () => {
  test('minutes that published none are replayed from the last published point on', () => {
    const balance = gp2([1_200, 0, 0, 1_200, 0], [50, undefined, undefined, 40, undefined]);
    // the lowest of an idle minute is that of its start
    expect(rounded(balance.percent)).toEqual([50, 50, 50.333, 40, 40]);
    expect([0, 1, 2, 3, 4].map((i) => isPublishedAt(balance, i))).toEqual([true, false, false, true, false]);
    expect(balance.source).toBe('published');
  });

  test('a minute that earned ends above its lowest: 50 % + 1/3', () => {
    expect(rounded(gp2([0, 0, 0], [50, undefined, undefined]).percent)).toEqual([50, 50.333, 50.667]);
  });

  test('load without a published balance spends it: 2,700 a second are 3 points a minute', () => {
    expect(rounded(gp2([100, 3_000, 3_000], [50, undefined, undefined]).percent)).toEqual([
      50, 47.222, 44.222,
    ]);
  });

  test('before the first point what was spent is added back; what was earned may have been in vain', () => {
    const { percent } = gp2([0, 3_000, 0, 1_200], [undefined, undefined, undefined, 60]);
    // the last minute spent 900 x 60 = 1 point: it started at 61, as did the idle one; 3 points were spent before
    expect(rounded(percent)).toEqual([64, 61, 61, 60]);
    expect(rounded(gp2(repeat(600, 0), [...repeat(599, undefined), 99]).percent).slice(0, 2)).toEqual([
      99, 99,
    ]);
  });

  test('the replay beside it runs on from the first point alone', () => {
    const balance = gp2([1_200, 1_200, 1_200], [80, 70, 60]);
    expect(rounded(balance.percent)).toEqual([80, 70, 60]);
    expect(rounded(balance.replayedPercent)).toEqual([80, 79, 78]);
    expect(balance.deviation).toEqual({ medianPoints: 9, largestPoints: 18, comparedPoints: 3 });
  });

  test('where every minute is as the load says, nothing deviates', () => {
    expect(gp2([1_200, 1_200, 1_200], [80, 79, 78]).deviation).toEqual({
      medianPoints: 0,
      largestPoints: 0,
      comparedPoints: 3,
    });
  });

  test('16 KiB on HDD that do not merge cost 1 MiB each: 110 of 150 MiB/s a second more than their bytes show', () => {
    // st1 of 1 TiB: (150 - 40) x 60 = 6,600 of 1,048,576 MiB are 0.63 points a minute; 2.3 MiB/s would earn
    const published = Array.from({ length: 61 }, (_, i) => 90 - (i * 660_000) / 1_048_576);
    const { deviation } = balanceOf('st1', repeat(61, 150), published);
    expect(deviation?.medianPoints).toBeGreaterThan(18); // after 30 minutes 18.9, and the replay has risen
    expect(deviation?.largestPoints).toBeGreaterThan(37);
  });
});

describe('modelled', () => {
  test.each([null, repeat(3, undefined)])(
    'without a published point the bucket was full at the start',
    (published) => {
      const balance = gp2([3_000, 3_000, 100], published);
      expect(rounded(balance.percent)).toEqual([97, 94, 94]);
      expect(balance).toMatchObject({ source: 'modelled', publishedPercent: null, deviation: null });
      expect(isPublishedAt(balance, 0)).toBe(false);
    },
  );

  test('minutes without figures are as the one after them', () => {
    expect(rounded(gp2([3_000, undefined, undefined, 3_000], null).percent)).toEqual([97, 97, 97, 88]);
  });

  test('I/O above 256 KiB counts as several: 125 of 1 MiB are 500, 200 above the baseline', () => {
    expect(rounded(gp2([125, 125], null, 1_024).percent)).toEqual([99.778, 99.556]); // 12,000 of 5.4 million
  });

  test('it is empty from 1 % on, after 33 of the 33.3 minutes at full burst', () => {
    const balance = gp2(repeat(40, 3_000), null);
    expect([31, 32, 33, 39].map((i) => isEmptyAt(balance, i))).toEqual([false, true, true, true]);
    expect(balance.percent[39]).toBe(0);
  });
});

describe('the rate if the bucket never ran out', () => {
  const empty = [50, 0, 0, 0, 0, 40];

  test('is the last one before, as long as it is empty and the load does its baseline', () => {
    const balance = gp2([2_000, 1_100, 300, 300, 100, 600], empty);
    expect([...rateWithCredits(balance)]).toEqual([2_000, 2_000, 2_000, 2_000, 100, 600]);
  });

  test('and what was served where it never was empty', () => {
    const balance = gp2([2_000, 300, 300], [50, 48, 48]);
    expect(rateWithCredits(balance)).toBe(balance.ratePerSecond);
  });
});

test.each([
  ['gp3', 100],
  ['gp2', 1_000],
  ['st1', 16_000],
] as const)('%s of %i GiB never spends a bucket', (volumeType, sizeGiB) => {
  const limits = volumeLimits({ volumeType, sizeGiB, deployment: 'region' });
  const load = loadOf(metricSet({ VolumeReadOps: [1, 1], VolumeWriteOps: [0, 0] }));
  expect(volumeBalance(limits, load, null, defaultThresholds)).toBeNull();
  expect(isEmptyAt(null, 0)).toBe(false);
});

describe('without a published balance, periods without figures', () => {
  /** gp2 of 100 GiB: 3,000 IOPS spend 2,700 of 5.4 million credits a second, 3 % a minute. */
  function lastPercent(held: (number | undefined)[]): number {
    const metrics = metricSet(readsOf16KiB(held.map((iops) => iops && iops * 60) as number[]));
    const limits = volumeLimits({ volumeType: 'gp2', sizeGiB: 100, deployment: 'region' });
    return volumeBalance(limits, loadOf(metrics), null, defaultThresholds)?.percent.at(-1) as number;
  }

  test('are as the one after them, up to ten in a row', () => {
    const atBaseline = repeat(20, 300);
    expect(lastPercent([...atBaseline, ...repeat(12, 3_000)])).toBeCloseTo(64, 9);
    expect(lastPercent([...atBaseline, 3_000, ...repeat(10, undefined), 3_000])).toBeCloseTo(64, 9);
    expect(lastPercent([...atBaseline, 3_000, ...repeat(11, undefined), 3_000])).toBeCloseTo(94, 9);
  });
});
