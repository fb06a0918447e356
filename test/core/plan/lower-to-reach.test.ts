/** Paid figures lowered while the volumes together still reach so much: by hand, and against trying everything. */
import fc from 'fast-check';
import { volumeLimits } from '../../../core/limits/volume-limits.ts';
import { lowerToReach, type PaidConfiguration } from '../../../core/plan/cheapest-member.ts';
import type { Rates } from '../../../core/plan/layout.ts';
import { gp3, io, paidUsd, prices, sums, totalUsd } from './paid-volumes.ts';

const nothing: Rates = { iops: 0, throughputMiBps: 0 };
const lowered = (volumes: readonly PaidConfiguration[], iops: number, mibps: number, keeps = nothing) =>
  lowerToReach(
    volumes.map((config) => ({ config, keeps })),
    { iops, throughputMiBps: mibps },
    prices,
  );
const figures = (volumes: readonly PaidConfiguration[]) =>
  volumes.map(({ iops, throughputMiBps }) =>
    throughputMiBps === undefined ? [iops] : [iops, throughputMiBps],
  );

describe('by hand', () => {
  test.each([
    {
      name: '12,000 + 12,000 + 3,000 = 27,000 of 18,750: 2 x 7,875 + 3,000; 625 of 566.3: 2 x 221 + 125 = 567',
      volumes: [gp3(12_000, 250), gp3(12_000, 250), gp3(3_000, 125)],
      reach: [18_750, 566.244] as const,
      expected: [
        [7_875, 221],
        [7_875, 221],
        [3_000, 125],
      ],
    },
    {
      name: 'io1 is dearer than gp3 and goes first: 20,000 - 8,000',
      volumes: [gp3(8_000, 125), io('io1', 16_000)],
      reach: [20_000, 100] as const,
      expected: [[8_000, 125], [12_000]],
    },
    {
      name: 'to 100 IOPS and no further; the rest comes off gp3: 6,000 - 100',
      volumes: [gp3(8_000, 125), io('io1', 16_000)],
      reach: [6_000, 100] as const,
      expected: [[5_900, 125], [100]],
    },
    {
      name: 'io1 alike stay alike: 2 x 9,375 = 18,750',
      volumes: [io('io1', 12_000), io('io1', 12_000)],
      reach: [18_750, 500] as const,
      expected: [[9_375], [9_375]],
    },
    {
      name: 'the last IOPS of io2 above 32,000 cost less than those of io1: io1 first, 50,000 - 40,000',
      volumes: [io('io2', 40_000), io('io1', 20_000)],
      reach: [50_000, 1_000] as const,
      expected: [[40_000], [10_000]],
    },
    {
      name: 'nothing to spare in MiB/s: 1,000 take 4,000 IOPS',
      volumes: [gp3(8_000, 1_000)],
      reach: [3_000, 1_000] as const,
      expected: [[4_000, 1_000]],
    },
    {
      name: 'the first 750 MiB/s of each take no paid IOPS: 2 x 600 and not 1,000 + 200',
      volumes: [gp3(4_000, 1_000), gp3(4_000, 1_000)],
      reach: [5_000, 1_200] as const,
      expected: [
        [3_000, 600],
        [3_000, 600],
      ],
    },
  ])('$name', ({ volumes, reach: [iops, mibps], expected }) => {
    expect(figures(lowered(volumes, iops, mibps))).toEqual(expected);
  });

  test('never below what each keeps: 300 MiB/s of io2 take 1,200 IOPS, and 3,500 IOPS of gp3 stay', () => {
    const keeps = { iops: 1_000, throughputMiBps: 300 };
    expect(figures(lowered([io('io2', 8_000)], 0, 0, keeps))).toEqual([[1_200]]);
    expect(figures(lowered([gp3(8_000, 500)], 0, 0, { ...keeps, iops: 3_500 }))).toEqual([[3_500, 300]]);
    // It keeps more than it has: it stays as it is.
    expect(figures(lowered([gp3(8_000, 500)], 0, 0, { ...keeps, iops: 9_000 }))).toEqual([[8_000, 300]]);
  });
});

/** Every legal configuration with figures of at most today's. */
function everything(config: PaidConfiguration): PaidConfiguration[] {
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

function cheapestOfAll(volumes: readonly PaidConfiguration[], need: { iops: number; mibps: number }): number {
  const each = volumes.map((config) =>
    everything(config).map((one) => {
      const { baselineIops, baselineMiBps } = volumeLimits(one);
      return { usd: paidUsd(one), iops: baselineIops, mibps: baselineMiBps };
    }),
  );
  let best = Number.POSITIVE_INFINITY;
  const visit = (i: number, usd: number, iops: number, mibps: number): void => {
    const options = each[i];
    if (options === undefined) {
      if (iops >= need.iops - 1e-6 && mibps >= need.mibps - 1e-6) best = Math.min(best, usd);
      return;
    }
    for (const one of options) visit(i + 1, usd + one.usd, iops + one.iops, mibps + one.mibps);
  };
  visit(0, 0, 0, 0);
  return best;
}

const aGp3 = fc
  .record({ iops: fc.integer({ min: 3_000, max: 3_008 }), mibps: fc.integer({ min: 125, max: 128 }) })
  .map(({ iops, mibps }) => gp3(iops, mibps));
const anIo = fc
  .tuple(fc.constantFrom('io1', 'io2'), fc.integer({ min: 100, max: 124 }))
  .map(([volumeType, iops]) => io(volumeType, iops));
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Between the least that the volumes can have and what they have today. */
function needOf(volumes: readonly PaidConfiguration[], ofIops: number, ofMiBps: number) {
  const today = sums(volumes);
  const least = sums(volumes.map((config) => everything(config)[0] as PaidConfiguration));
  return {
    iops: Math.round(least.iops + ofIops * (today.iops - least.iops)),
    mibps: least.mibps + ofMiBps * (today.mibps - least.mibps),
  };
}

const atMost = (volumes: readonly PaidConfiguration[], today: readonly PaidConfiguration[]): void =>
  volumes.forEach(({ iops = 0, throughputMiBps = 0 }, i) => {
    expect(iops).toBeLessThanOrEqual(today[i]?.iops ?? 0);
    expect(throughputMiBps).toBeLessThanOrEqual(today[i]?.throughputMiBps ?? 0);
  });

describe('against trying everything', () => {
  test.each([
    { name: 'gp3 only', some: fc.array(aGp3, { minLength: 1, maxLength: 3 }) },
    { name: 'one io1 or io2 beside gp3', some: fc.tuple(anIo, aGp3) },
    { name: 'one io1 or io2 between two gp3', some: fc.tuple(aGp3, anIo, aGp3) },
  ])('$name: nothing legal that is enough costs less', ({ some }) => {
    fc.assert(
      fc.property(some, share, share, (volumes: PaidConfiguration[], ofIops, ofMiBps) => {
        const need = needOf(volumes, ofIops, ofMiBps);
        const found = lowered(volumes, need.iops, need.mibps);
        expect(totalUsd(found)).toBeCloseTo(cheapestOfAll(volumes, need), 6);
      }),
      { seed: 11, numRuns: 150 },
    );
  });

  test('any mix: it is legal, reaches what it must, and never claims more than can be saved', () => {
    const some = fc.array(fc.oneof(aGp3, anIo), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(some, share, share, (volumes, ofIops, ofMiBps) => {
        const need = needOf(volumes, ofIops, ofMiBps);
        const found = lowered(volumes, need.iops, need.mibps);
        const now = sums(found); // throws where a configuration is not legal
        expect(now.iops).toBeGreaterThanOrEqual(need.iops);
        expect(now.mibps).toBeGreaterThanOrEqual(need.mibps - 1e-6);
        atMost(found, volumes);
        expect(totalUsd(found)).toBeGreaterThanOrEqual(cheapestOfAll(volumes, need) - 1e-9);
      }),
      { seed: 12, numRuns: 150 },
    );
  });
});

test('large figures too are legal, reach what they must, and none is above today’s', () => {
  const large = fc.oneof(
    fc.integer({ min: 125, max: 2_000 }).map((mibps) => gp3(4 * mibps + 3_000, mibps)),
    fc
      .tuple(fc.constantFrom('io1', 'io2'), fc.integer({ min: 100, max: 64_000 }))
      .map(([type, iops]) => io(type, iops)),
  );
  fc.assert(
    fc.property(fc.array(large, { minLength: 1, maxLength: 6 }), share, share, (volumes, ofIops, ofMiBps) => {
      const today = sums(volumes);
      const found = lowered(volumes, today.iops * ofIops, today.mibps * ofMiBps);
      const now = sums(found);
      expect(now.iops).toBeGreaterThanOrEqual(today.iops * ofIops - 1e-6);
      expect(now.mibps).toBeGreaterThanOrEqual(today.mibps * ofMiBps - 1e-6);
      atMost(found, volumes);
    }),
    { seed: 13, numRuns: 200 },
  );
});
