/** What a load demanded, period by period, before it is replayed. */

import { demandByPeriod, withRoom } from '../../../core/audit/demand-series.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { type Columns, diagnosed, times } from './diagnosed.ts';

const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 };
const gp2 = { volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null };
const st1 = { volumeType: 'st1', sizeGiB: 1_024, iops: null, throughputMiBps: null };

const high = (columns: Columns, volume: Parameters<typeof diagnosed>[0] = gp3) =>
  demandByPeriod(diagnosed(volume, columns), 'high');

test('of a volume that was never throttled it is the load itself', () => {
  const volume = diagnosed(gp3, { iops: [100, 2_900], activeTimeIops: [5_000, 5_000] });
  const bounds = demandByPeriod(volume, 'high');
  expect(bounds.iops).toBe(volume.load.iops);
  expect(bounds.activeTimeIops).toBe(volume.load.activeTimeIops);
  expect(bounds.openMinutes).toBe(0);
});

test('a minute that was throttled demanded up to 4,500, likely the middle of 3,000 and 4,500', () => {
  const columns: Columns = {
    iops: [100, 3_000],
    causes: ['none', 'volume-iops'],
    low: [100, 3_000],
    high: [100, 4_500],
  };
  expect([...high(columns).iops]).toEqual([100, 4_500]);
  expect(high(columns)).toMatchObject({ openMinutes: 0, throttledIoKiB: 16 });
  // sqrt(3,000 x 4,500) = 3,674.2; with a quarter of headroom 4,592.8
  const likely = demandByPeriod(diagnosed(gp3, columns), 'likely', defaultThresholds);
  expect(likely.iops[1]).toBeCloseTo(3_674.2, 1);
  const roomy = withRoom(likely, diagnosed(gp3, columns), defaultThresholds);
  expect([...roomy.iops]).toEqual([100, expect.closeTo(4_592.8, 1)]);
});

test('a check of 1 at 1,000 of 3,000 IOPS: some seconds demanded a quarter above the limit, and nothing says more', () => {
  const bounds = high({
    iops: times(3, 1_000),
    causes: ['none', 'volume-iops', 'none'],
    microBursts: [0, 1, 0],
  });
  expect([...(bounds.activeTimeIops ?? [])]).toEqual([1_000, 3_750, 1_000]); // 1.25 x 3,000
  expect(bounds.openMinutes).toBe(1);
});

test('seconds that were served at the limit show the limit, not the demand', () => {
  const bounds = high({ iops: [1_000], activeTimeIops: [3_010], causes: ['volume-iops'], microBursts: [1] });
  expect(bounds.activeTimeIops?.[0]).toBe(3_750);
  expect(bounds.openMinutes).toBe(1);
});

test('a burst that left a backlog is as high as that tells', () => {
  // 50 IOPS, and 5,000 for 6 s on 3,000: 12,000 wait at their end and are worked off within the minute, after
  // 60 x (545 - 50) / (3,000 - 50) = 10.07 s at the limit: 12,000 / 2 x 10.07 / 60 = 1,007 wait on average
  const iops = [...times(6, 50), 545, ...times(6, 50)];
  const onlyIn = <T>(there: T, elsewhere: T): T[] => iops.map((io) => (io === 545 ? there : elsewhere));
  const bounds = high({
    iops,
    queueLength: onlyIn(1_007, 0.05),
    activeTimeIops: onlyIn(2_970, 60),
    causes: onlyIn('volume-iops', 'none'),
    microBursts: onlyIn(1, 0),
  });
  expect(bounds.openMinutes).toBe(0);
  expect(bounds.activeTimeIops?.[6]).toBeGreaterThan(5_000);
  expect(bounds.activeTimeIops?.[6]).toBeLessThan(6_500);
});

test('without credits it demanded at most all that it does with them: 3,000', () => {
  const bounds = high({ iops: [300, 300], causes: ['volume-credits', 'none'] }, gp2);
  expect([...(bounds.activeTimeIops ?? [])]).toEqual([3_000, 300]);
  expect(bounds.openMinutes).toBe(0);
});

test('headroom above what credits throttled ends at what the volume does with them', () => {
  const columns: Columns = { iops: [300], causes: ['volume-credits'], low: [2_500], high: [2_900] };
  const likely = demandByPeriod(diagnosed(gp2, columns), 'likely', defaultThresholds);
  // sqrt(2,500 x 2,900) = 2,693; a quarter more would be 3,366
  expect(withRoom(likely, diagnosed(gp2, columns), defaultThresholds).iops[0]).toBeCloseTo(3_000, 6);
});

test('small I/O on HDD counts by its number: 200 of 16 KiB on a baseline of 40 want the 250 of the burst', () => {
  const bounds = high({ iops: [40], causes: ['volume-credits'], low: [40], high: [40] }, st1);
  expect(bounds.activeTimeIops?.[0]).toBeCloseTo(250, 6);
  expect(bounds.throttledIoKiB).toBe(16);
});

test('busy seconds that nothing throttled had no more than the volume has', () => {
  const bounds = high({
    iops: [1_000, 3_000],
    activeTimeIops: [4_000, 3_000],
    causes: ['none', 'volume-iops'],
    high: [1_000, 4_000],
  });
  expect([...(bounds.activeTimeIops ?? [])]).toEqual([3_000, 4_000]);
});

test('a backlog that is worked off is throttled, and demanded less than was served', () => {
  const demand = [3_600, 2_500];
  const bounds = high({ iops: times(2, 3_000), causes: times(2, 'volume-iops'), low: demand, high: demand });
  expect([...(bounds.activeTimeIops ?? [])]).toEqual([3_600, 2_500]);
  expect(bounds.openMinutes).toBe(0);
});

test('without the bytes nothing bounds the demand', () => {
  const bounds = high({ iops: [3_000], mibps: [Number.NaN], causes: ['volume-iops'], high: [40_000] });
  expect(bounds.openMinutes).toBe(1);
  expect(bounds.activeTimeIops?.[0]).toBe(3_750);
});

test('more than 1.6 times apart: twice what was served at most, and likely that with its headroom of a quarter', () => {
  const columns: Columns = { iops: [3_000], causes: ['volume-iops'], low: [3_000], high: [500_000] };
  expect(high(columns).iops[0]).toBe(6_000);
  expect(high(columns).openMinutes).toBe(0);
  // sqrt(3,000 x 500,000) = 38,730 is more than 6,000 / 1.25
  expect(demandByPeriod(diagnosed(gp3, columns), 'likely', defaultThresholds).iops[0]).toBe(4_800);
});

test('a queue and no upper bound: twice what was served', () => {
  const columns: Columns = { iops: [3_000], queueLength: [12], causes: ['volume-iops'], low: [3_000] };
  const bounds = high({ ...columns, high: [Number.NaN] });
  expect(bounds.iops[0]).toBe(6_000);
  expect(bounds.openMinutes).toBe(0);
});

test('what credits throttled is sized for all that the volume does with them, not for twice its baseline of 300', () => {
  const columns: Columns = { iops: [300], causes: ['volume-credits'], low: [300], high: [30_000] };
  expect(high(columns, gp2).iops[0]).toBeCloseTo(3_000, 6);
});

test('neither a queue nor an upper bound: it is open', () => {
  const bounds = high({ iops: [2_900], causes: ['volume-iops'], low: [2_900], high: [Number.NaN] });
  expect(bounds.openMinutes).toBe(1);
  expect(bounds.iops[0]).toBe(2_900);
});
