import fc from 'fast-check';
import { burst, creditBucket, creditsAfter, secondsToEmpty } from '../../../core/credits/credits.ts';
import { BadInput } from '../../../core/errors.ts';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';

const gp2 = (sizeGiB: number) => volumeLimits({ volumeType: 'gp2', sizeGiB, deployment: 'region' });

test('at a rate above the baseline the balance lasts credits / (rate - baseline)', () => {
  // 25 % of 5.4 M = 1.35 M; / (1,200 - 300)
  expect(burst(gp2(100), 25, 1_200)).toMatchObject({ secondsToEmpty: 1_500, secondsToFull: null });
});

test('a rate above the burst spends no faster than the burst', () => {
  expect(burst(gp2(100), 100, 9_000).secondsToEmpty).toBe(2_000); // 5.4 M / (3,000 - 300)
});

test('at or below the baseline it never empties', () => {
  expect(burst(gp2(100), 50, 300)).toMatchObject({ secondsToEmpty: null, secondsToFull: null });
  expect(burst(gp2(100), 50, 200)).toMatchObject({ secondsToEmpty: null, secondsToFull: 27_000 }); // 2.7 M / 100
});

test('an empty bucket is empty now, and full in 54,000 s on a small volume', () => {
  expect(burst(gp2(10), 0, null)).toMatchObject({ burstDurationSeconds: 0, secondsToFull: 54_000 }); // 5.4 M / 100
  expect(burst(gp2(10), 0, 500).secondsToEmpty).toBe(0);
});

test.each([-1, 100.1, Number.NaN])('a balance of %d %% is refused', (percent) => {
  expect(() => burst(gp2(100), percent, null)).toThrow(BadInput);
});

test('spending for a while and then for the rest is spending for the whole', () => {
  const bucket = creditBucket(gp2(200));
  if (bucket === null) throw new Error('gp2 of 200 GiB has a bucket');
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 5_400_000, noNaN: true }),
      fc.integer({ min: 0, max: 6_000 }),
      fc.integer({ min: 0, max: 3_600 }),
      fc.integer({ min: 0, max: 3_600 }),
      (credits, rate, first, second) => {
        const once = creditsAfter(bucket, credits, rate, first + second);
        const twice = creditsAfter(bucket, creditsAfter(bucket, credits, rate, first), rate, second);
        expect(twice).toBeCloseTo(once, 3);
        expect(once).toBeGreaterThanOrEqual(0);
        expect(once).toBeLessThanOrEqual(bucket.capacity);
        const empty = secondsToEmpty(bucket, credits, rate);
        if (empty !== null) expect(creditsAfter(bucket, credits, rate, empty)).toBeCloseTo(0, 3);
      },
    ),
    { seed: 11 },
  );
});
