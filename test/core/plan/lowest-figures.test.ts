/** The cheapest figures that still give so much together: by hand, and that nothing is left to lower. */
import fc from 'fast-check';
import type { VolumeConfiguration } from '../../../core/limits/volume-types.ts';
import { lowestFigures } from '../../../core/plan/lowest-figures.ts';
import { gp3, io, prices, sums } from './paid-volumes.ts';

const figures = (volumes: readonly VolumeConfiguration[]) =>
  volumes.map(({ iops, throughputMiBps }) =>
    throughputMiBps === undefined ? [iops] : [iops, throughputMiBps],
  );

describe('by hand', () => {
  test.each([
    // 12,000 + 12,000 + 3,000 = 27,000 of 18,750: 8,250 too many; 250 + 250 + 125 = 625 of 566.3: 58 too many.
    {
      volumes: [gp3(12_000, 250), gp3(12_000, 250), gp3(3_000, 125)],
      atLeast: { iops: 18_750, mibps: 566.244 },
      expected: [
        [7_875, 221],
        [7_875, 221],
        [3_000, 125],
      ],
    },
    // io1 is dearer than gp3, so it goes first: 20,000 - 8,000 = 12,000 of 16,000.
    {
      volumes: [gp3(8_000, 125), io('io1', 16_000)],
      atLeast: { iops: 20_000, mibps: 100 },
      expected: [[8_000, 125], [12_000]],
    },
    // Down to 100 IOPS and no further; the rest comes off gp3.
    {
      volumes: [gp3(8_000, 125), io('io1', 16_000)],
      atLeast: { iops: 6_000, mibps: 100 },
      expected: [[5_900, 125], [100]],
    },
    // io1 alike stay alike: 2 x 9,375 = 18,750.
    {
      volumes: [io('io1', 12_000), io('io1', 12_000)],
      atLeast: { iops: 18_750, mibps: 500 },
      expected: [[9_375], [9_375]],
    },
    // io2 has tiers: 60,000 on one pay 32,000 x 0.065 + 27,900 x 0.0455 and on two 60,000 x 0.065.
    {
      volumes: [io('io2', 64_000), io('io2', 64_000)],
      atLeast: { iops: 60_000, mibps: 1_000 },
      expected: [[59_900], [100]],
    },
    // Within one tier alike stay alike.
    {
      volumes: [io('io2', 64_000), io('io2', 64_000)],
      atLeast: { iops: 100_000, mibps: 1_000 },
      expected: [[50_000], [50_000]],
    },
    // Nothing to spare in MiB/s: 1,000 need 4,000 IOPS.
    {
      volumes: [gp3(8_000, 1_000)],
      atLeast: { iops: 3_000, mibps: 1_000 },
      expected: [[4_000, 1_000]],
    },
    // The first 750 MiB/s of each need no IOPS beyond the free ones: 2 x 600 and not 1,000 + 200.
    {
      volumes: [gp3(4_000, 1_000), gp3(4_000, 1_000)],
      atLeast: { iops: 5_000, mibps: 1_200 },
      expected: [
        [3_000, 600],
        [3_000, 600],
      ],
    },
  ])('$expected', ({ volumes, atLeast, expected }) => {
    const lowest = lowestFigures(volumes, atLeast, prices);
    expect(figures(lowest.volumes)).toEqual(expected);
    expect(lowest.proved).toBe(true);
  });
});

test('large figures too: no single step down of one volume is left that is still enough', () => {
  const large = fc.oneof(
    fc.integer({ min: 750, max: 2_000 }).map((mibps) => gp3(4 * mibps + 2_000, mibps)),
    fc.integer({ min: 100, max: 64_000 }).map((iops) => io('io1', iops)),
    fc.integer({ min: 100, max: 256_000 }).map((iops) => io('io2', iops)),
  );
  fc.assert(
    fc.property(
      fc.array(large, { minLength: 1, maxLength: 4 }),
      fc.double({ min: 0.1, max: 1, noNaN: true }),
      (volumes, share) => {
        const today = sums(volumes);
        const atLeast = { iops: Math.round(today.iops * share), mibps: (today.iops * share) / 40 };
        const need = {
          iops: Math.min(atLeast.iops, today.iops),
          mibps: Math.min(atLeast.mibps, today.mibps),
        };
        const lowest = lowestFigures(volumes, need, prices).volumes;
        const now = sums(lowest);
        expect(now.iops).toBeGreaterThanOrEqual(need.iops);
        expect(now.mibps).toBeGreaterThanOrEqual(need.mibps - 1e-6);
        for (const [i, config] of lowest.entries()) {
          if ((config.iops ?? 0) <= (config.volumeType === 'gp3' ? 3_000 : 100)) continue;
          const less = { ...config, iops: (config.iops ?? 0) - 1 };
          if (config.volumeType === 'gp3' && (config.throughputMiBps ?? 0) > less.iops / 4) continue;
          const then = sums(lowest.with(i, less));
          expect(then.iops >= need.iops && then.mibps >= need.mibps).toBe(false);
        }
      },
    ),
    { seed: 12, numRuns: 60 },
  );
});
