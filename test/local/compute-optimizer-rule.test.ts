/** The rule by which the local Compute Optimizer sizes: ours, of what is documented. */
import type { ObservedVolume } from '../../local/compute-optimizer/observed.ts';
import { recommend } from '../../local/compute-optimizer/recommend.ts';

const volume = (more: Partial<ObservedVolume>): ObservedVolume => ({
  ...{ volumeId: 'vol-0123456789abcdef0', name: 'one', region: 'us-east-1', isRoot: false },
  configuration: { volumeType: 'gp3', sizeGiB: 500, iops: 6_000, throughputMiBps: 250, deployment: 'region' },
  ...{ attachedHours: 400, observedDays: 14, iopsExceeded: false, throughputExceeded: false },
  maxima: { readOpsPerSecond: 2_000, writeOpsPerSecond: 2_000, readMiBps: 20, writeMiBps: 20 },
  ...more,
});

const found = (more: Partial<ObservedVolume>) => {
  const one = recommend(volume(more), { account: '111122223333', refreshedEpochSeconds: 1_795_132_800 });
  const [first] = one?.volumeRecommendationOptions ?? [];
  const { volumeType, volumeBaselineIOPS, volumeBaselineThroughput } = first?.configuration ?? {};
  return { ...one, first: [volumeType, volumeBaselineIOPS, volumeBaselineThroughput], option: first };
};

test('reads and writes at their maxima at once and 5 % more must fit', () => {
  // (2,000 + 2,000) x 1.05 = 4,200; 40 MiB/s fit into 125.
  expect(found({})).toMatchObject({ finding: 'NotOptimized', first: ['gp3', 4_200, 125] });
});

test('where a check was 1 for whole five minutes it is 25 %', () => {
  expect(found({ iopsExceeded: true }).first).toEqual(['gp3', 5_000, 125]);
});

test('what saves less than 1 USD a month is optimized', () => {
  const maxima = { readOpsPerSecond: 5_600, writeOpsPerSecond: 0, readMiBps: 220, writeMiBps: 0 };
  // 5,900 IOPS and 235 MiB/s: 100 x 0.005 + 15 x 0.04 = 1.10 USD; 5,900 and 245: 0.70.
  expect(found({ maxima }).finding).toBe('NotOptimized');
  expect(found({ maxima: { ...maxima, readMiBps: 233 } }).finding).toBe('Optimized');
});

test('credits are spent as if they never ended', () => {
  const configuration = { volumeType: 'st1', sizeGiB: 1_000, deployment: 'region' } as const;
  const maxima = { readOpsPerSecond: 60, writeOpsPerSecond: 0, readMiBps: 60, writeMiBps: 0 };
  // 60 MiB/s is five times what an sc1 of this size does without credits, and less than with them.
  expect(found({ configuration, maxima }).first.slice(0, 2)).toEqual(['sc1', 12]);
});

test('an io2 that gp3 carries is a gp3, and the risk is said', () => {
  const configuration = { volumeType: 'io2', sizeGiB: 100, iops: 10_000, deployment: 'region' } as const;
  const { first, option } = found({ configuration });
  expect(first).toEqual(['gp3', 4_200, 125]);
  // 4,200 of 4,200.
  expect(option?.performanceRisk).toBe(3);
});

test('29 hours are too few', () => {
  expect(recommend(volume({ attachedHours: 29 }), { account: '1', refreshedEpochSeconds: 0 })).toBeNull();
  expect(found({ attachedHours: 30 }).finding).toBe('NotOptimized');
});

test('it looks back 14 days at most', () => {
  expect(found({ observedDays: 30 }).lookBackPeriodInDays).toBe(14);
  expect(found({ observedDays: 1 }).lookBackPeriodInDays).toBe(1);
});
