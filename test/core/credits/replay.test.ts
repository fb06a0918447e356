/** The replayed balance of gp2 against the truth of every second, from what CloudWatch publishes of it. */

import fc from 'fast-check';
import { volumeBalance } from '../../../core/diagnosis/balance.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { loadOf, metricSet } from '../../fixtures/metric-set.ts';
import { type Gp2Case, lowestOfEach, publishedSums, type TrueGp2, trueGp2 } from './true-gp2.ts';

const fourteenDays = fc.record({
  sizeGiB: fc.integer({ min: 1, max: 999 }),
  ioKiB: fc.constantFrom(4, 16, 64, 256, 512, 1_024),
  days: fc.constant(14),
  seed: fc.integer({ min: 1 }),
});

/** From sums of so many minutes, with the balances that were published on the same axis. */
function balanceOf(gp2: Gp2Case, truth: TrueGp2, minutesEach: number, published: Float64Array | null) {
  const limits = volumeLimits({ volumeType: 'gp2', sizeGiB: gp2.sizeGiB, deployment: 'region' });
  const load = loadOf(metricSet(publishedSums(truth, gp2.ioKiB, minutesEach), minutesEach * 60));
  const balance = volumeBalance(limits, load, published, defaultThresholds);
  if (balance === null) throw new Error(`gp2 of ${gp2.sizeGiB} GiB has a bucket`);
  return balance;
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    largest = Math.max(largest, Math.abs((a[i] as number) - (b[i] as number)));
  }
  return largest;
}

test('from 1-minute sums the replay stays within 2 points of the truth over 14 days of any load', () => {
  let emptied = 0;
  fc.assert(
    fc.property(fourteenDays, (gp2) => {
      const truth = trueGp2(gp2);
      if (Math.min(...truth.lowestPercent) < 0.1) emptied++;
      const { replayedPercent } = balanceOf(gp2, truth, 1, null);
      // 60 s / 2 x 3,000 a second = 90,000 credits: 1.67 % of 5.4 million
      expect(largestDifference(replayedPercent, truth.lowestPercent)).toBeLessThan(1.7);
    }),
    { seed: 14, numRuns: 40 },
  );
  expect(emptied).toBeGreaterThan(10); // both ends of the bucket are tried
});

test('from 5-minute sums it stays within 8.4 points: 300 s / 2 x 3,000 / 5.4 million', () => {
  fc.assert(
    fc.property(fourteenDays, (gp2) => {
      const truth = trueGp2(gp2);
      const { replayedPercent } = balanceOf(gp2, truth, 5, null);
      expect(largestDifference(replayedPercent, lowestOfEach(truth, 5))).toBeLessThan(8.4);
    }),
    { seed: 5, numRuns: 30 },
  );
});

test('where idle minutes publish none, what is published is taken and the gaps are filled to within 2 points', () => {
  fc.assert(
    fc.property(fourteenDays, (gp2) => {
      const truth = trueGp2(gp2);
      const published = truth.lowestPercent.map((percent, minute) =>
        truth.operations[minute] === 0 ? Number.NaN : percent,
      );
      const first = published.findIndex((percent) => !Number.isNaN(percent));
      const { percent, deviation } = balanceOf(gp2, truth, 1, published);
      const isPublished = (_: number, minute: number): boolean => !Number.isNaN(published[minute] as number);
      expect(percent.filter(isPublished)).toEqual(published.filter(isPublished));
      expect(largestDifference(percent.subarray(first), truth.lowestPercent.subarray(first))).toBeLessThan(
        1.7,
      );
      expect(deviation?.comparedPoints).toBe(published.filter((one) => !Number.isNaN(one)).length);
      expect(deviation?.largestPoints).toBeLessThanOrEqual(1.7);
    }),
    { seed: 3, numRuns: 15 },
  );
});
