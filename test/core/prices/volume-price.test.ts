import type { VolumeConfiguration } from '../../../core/limits/volume-limits.ts';
import { builtInPrices, monthlyUsd, priceBook } from '../../../core/prices/prices.ts';

const total = (config: Omit<VolumeConfiguration, 'deployment'>): number => {
  const prices = priceBook(builtInPrices('us-east-1')).ebs;
  if (!prices.known) throw new Error(prices.reason.code);
  return monthlyUsd({ ...config, deployment: 'region' }, prices.value).total;
};

test.each([
  [{ volumeType: 'gp3', sizeGiB: 100 }, 8], // 100 x 0.08
  [{ volumeType: 'gp3', sizeGiB: 500, iops: 6_000, throughputMiBps: 125 }, 55], // 40 + 3,000 x 0.005
  [{ volumeType: 'gp3', sizeGiB: 1_000, iops: 15_000, throughputMiBps: 625 }, 160], // 80 + 12,000 x 0.005 + 500 x 0.04
  [{ volumeType: 'gp3', sizeGiB: 438, iops: 10_000 }, 70.04], // 35.04 + 35
  [{ volumeType: 'gp2', sizeGiB: 500 }, 50],
  [{ volumeType: 'io2', sizeGiB: 3_000, iops: 100_000 }, 5_057.6], // 375 + 32,000 x .065 + 32,000 x .0455 + 36,000 x .03185
  [{ volumeType: 'io2', sizeGiB: 300, iops: 256_000 }, 9_688.7],
  [{ volumeType: 'io1', sizeGiB: 100, iops: 1_000 }, 77.5], // 12.5 + 65
  [{ volumeType: 'st1', sizeGiB: 1_000 }, 45],
  [{ volumeType: 'sc1', sizeGiB: 1_000 }, 15],
  [{ volumeType: 'standard', sizeGiB: 100 }, 5],
] as const)('%j costs %d USD a month', (config, usd) => {
  expect(total(config)).toBe(usd);
});

test('a Region without a table is unknown, with the reason', () => {
  expect(priceBook(builtInPrices('eu-central-1')).ebs).toEqual({
    known: false,
    reason: { code: 'no-ebs-prices', region: 'eu-central-1' },
  });
});
