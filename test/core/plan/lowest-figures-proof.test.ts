/** The cheapest figures that still give so much together, against trying everything. */
import fc from 'fast-check';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import type { VolumeConfiguration } from '../../../core/limits/volume-types.ts';
import { lowestFigures } from '../../../core/plan/lowest-figures.ts';
import type { EbsPrices } from '../../../core/prices/price-book.ts';
import { gp3, io, paidUsd, prices, sums, totalUsd } from './paid-volumes.ts';

/** Every legal configuration of a volume with figures of at most today's, one step apart. */
function everything(config: VolumeConfiguration): VolumeConfiguration[] {
  const { volumeType, iops = 0, throughputMiBps = 0 } = config;
  const range = (from: number, to: number): number[] =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i);
  if (volumeType !== 'gp3') return range(100, iops).map((value) => ({ ...config, iops: value }));
  return range(3_000, iops).flatMap((value) =>
    range(125, Math.min(throughputMiBps, Math.floor(value / 4))).map((mibps) => ({
      ...config,
      iops: value,
      throughputMiBps: mibps,
    })),
  );
}

function cheapestOfAll(
  volumes: readonly VolumeConfiguration[],
  atLeast: { iops: number; mibps: number },
  with_: EbsPrices,
): number {
  const each = volumes.map((config) =>
    everything(config).map((one) => ({
      usd: paidUsd(one, with_),
      iops: volumeLimits(one).baselineIops,
      mibps: volumeLimits(one).baselineMiBps,
    })),
  );
  let best = Number.POSITIVE_INFINITY;
  const visit = (i: number, usd: number, iops: number, mibps: number): void => {
    const options = each[i];
    if (options === undefined) {
      if (iops >= atLeast.iops - 1e-6 && mibps >= atLeast.mibps - 1e-6) best = Math.min(best, usd);
      return;
    }
    for (const one of options) visit(i + 1, usd + one.usd, iops + one.iops, mibps + one.mibps);
  };
  visit(0, 0, 0, 0);
  return best;
}

/** Tiers at few IOPS, so that a small case has them. */
const smallTiers: EbsPrices = {
  ...prices,
  io2PerIops: [
    { upTo: 108, usd: 0.065 },
    { upTo: 116, usd: 0.0455 },
    { upTo: null, usd: 0.03185 },
  ],
};

const aVolume = fc.oneof(
  fc
    .record({ iops: fc.integer({ min: 3_000, max: 3_008 }), mibps: fc.integer({ min: 125, max: 128 }) })
    .map(({ iops, mibps }) => gp3(iops, mibps)),
  fc.integer({ min: 100, max: 124 }).map((iops) => io('io1', iops)),
  fc.integer({ min: 100, max: 124 }).map((iops) => io('io2', iops)),
);

describe('against trying everything', () => {
  test.each([
    { name: 'the prices as they are', with_: prices },
    { name: 'tiers that a small case reaches', with_: smallTiers },
    {
      name: 'IOPS of gp3 dearer than those of io2',
      with_: { ...smallTiers, gp3PerIops: 0.05, gp3PerMiBps: 0.3 },
    },
  ])('nothing legal that is enough costs less: $name', ({ with_ }) => {
    const shares = fc.record({
      iops: fc.double({ min: 0, max: 1, noNaN: true }),
      mibps: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(aVolume, { minLength: 1, maxLength: 3 }), shares, (volumes, share) => {
        const today = sums(volumes);
        const least = sums(volumes.map((config) => everything(config)[0] as VolumeConfiguration));
        const atLeast = {
          iops: Math.round(least.iops + share.iops * (today.iops - least.iops)),
          mibps: least.mibps + share.mibps * (today.mibps - least.mibps),
        };
        const lowest = lowestFigures(volumes, atLeast, with_);
        const now = sums(lowest.volumes);
        expect(now.iops).toBeGreaterThanOrEqual(atLeast.iops);
        expect(now.mibps).toBeGreaterThanOrEqual(atLeast.mibps - 1e-6);
        lowest.volumes.forEach((config, i) => {
          expect(config.iops).toBeLessThanOrEqual(volumes[i]?.iops as number);
        });
        expect(totalUsd(lowest.volumes, with_)).toBeCloseTo(cheapestOfAll(volumes, atLeast, with_), 6);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

/** Of two volumes: every figure of the first, and the fewest IOPS of the second that are then enough. */
function cheapestPair(
  [one, other]: readonly [VolumeConfiguration, VolumeConfiguration],
  atLeast: { iops: number; mibps: number },
  with_: EbsPrices,
): number {
  const table = (config: VolumeConfiguration) =>
    everything(config).map((each) => ({
      iops: each.iops as number,
      mibps: volumeLimits(each).baselineMiBps,
      usd: paidUsd(each, with_),
    }));
  const seconds = table(other);
  let best = Number.POSITIVE_INFINITY;
  let j = seconds.length - 1;
  for (const first of table(one)) {
    const isEnough = (i: number): boolean => {
      const second = seconds[i];
      return (
        second !== undefined &&
        first.iops + second.iops >= atLeast.iops &&
        first.mibps + second.mibps >= atLeast.mibps - 1e-6
      );
    };
    // More on the first never asks for more on the second.
    while (isEnough(j - 1)) j--;
    if (isEnough(j)) best = Math.min(best, first.usd + (seconds[j]?.usd ?? 0));
  }
  return best;
}

test('two of io1 and io2 across the bends of their throughput and the tiers of their price', () => {
  const tiers: EbsPrices = {
    ...prices,
    io2PerIops: [
      { upTo: 6_000, usd: 0.065 },
      { upTo: 12_000, usd: 0.0455 },
      { upTo: null, usd: 0.03185 },
    ],
  };
  const leg = fc.oneof(
    fc.integer({ min: 100, max: 8_000 }).map((iops) => io('io1', iops)),
    fc.integer({ min: 30_000, max: 40_000 }).map((iops) => io('io1', iops)),
    fc.integer({ min: 100, max: 24_000 }).map((iops) => io('io2', iops)),
  );
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(leg, leg), share, share, (pair, ofIops, ofMiBps) => {
      const today = sums(pair);
      const atLeast = { iops: Math.round(today.iops * ofIops), mibps: today.mibps * ofMiBps };
      const lowest = lowestFigures(pair, atLeast, tiers);
      expect(lowest.proved).toBe(true);
      expect(totalUsd(lowest.volumes, tiers)).toBeCloseTo(cheapestPair(pair, atLeast, tiers), 6);
    }),
    { seed: 13, numRuns: 25 },
  );
});
