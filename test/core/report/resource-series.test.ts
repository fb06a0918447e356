/** What is drawn of a volume and of a stripe: the whole window, and its worst hours closer. */
import { stripeSeries, volumeSeries } from '../../../core/report/resource-series.ts';
import { diagnosedMinutes, firstMinute, type Minute } from '../../fixtures/diagnosed-minutes.ts';

const quiet = (count: number): Minute[] => Array.from({ length: count }, () => ({ iops: 10 }));
const held = (count: number): Minute[] =>
  Array.from({ length: count }, () => ({ cause: 'volume-iops', iops: 3_000, demand: [3_500, 4_000] }));

test('the six hours around what was throttled are shown minute by minute', () => {
  const day = [...quiet(1_000), ...held(10), ...quiet(430)]; // the middle of the ten: minute 1,004.5
  const { closeUp, whole } = volumeSeries(diagnosedMinutes(day));
  expect(whole.binSeconds).toBe(180); // 1,440 / 700 = 2.06
  expect(closeUp?.binSeconds).toBe(60);
  expect(closeUp?.iops.max).toHaveLength(360);
  expect(closeUp?.startEpochSeconds).toBe(firstMinute + 60 * 824); // 1,004.5 - 180 = 824.5
  expect(closeUp?.throttled.minutes.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBe(10);
});

test('what was throttled at the end is shown with the hours before it', () => {
  const { closeUp } = volumeSeries(diagnosedMinutes([...quiet(1_430), ...held(10)]));
  expect(closeUp?.startEpochSeconds).toBe(firstMinute + 60 * (1_440 - 360));
});

test('where nothing was throttled, or six hours are all there is, there is no closer look', () => {
  expect(volumeSeries(diagnosedMinutes(quiet(1_440))).closeUp).toBeNull();
  expect(volumeSeries(diagnosedMinutes([...quiet(100), ...held(10)])).closeUp).toBeNull();
});

test('limits are those of the volume: a gp3 without more has 3,000 IOPS and 125 MiB/s', () => {
  expect(volumeSeries(diagnosedMinutes(quiet(3))).limits).toEqual({
    ...{ baselineIops: 3_000, burstIops: 3_000, baselineMiBps: 125, burstMiBps: 125 },
  });
});

test('a stripe does and wants what its members do together, and is throttled where one is', () => {
  const members = [
    diagnosedMinutes([...quiet(1), ...held(1)], {}, 'vol-1'),
    diagnosedMinutes([...quiet(1), { iops: 2_900 }], {}, 'vol-2'),
  ];
  const limits = { baselineIops: 6_000, burstIops: 6_000, baselineMiBps: 250, burstMiBps: 250 };
  const series = stripeSeries('i-1/data', members, limits);
  expect(series?.whole.iops.max).toEqual([20, 5_900]); // 10 + 10; 3,000 + 2,900
  expect(series?.whole.demandIops).toEqual([null, 6_400]); // 3,500 + 2,900
  expect(series?.whole.throttled).toMatchObject({ minutes: [0, 1], cause: [null, 'volume-iops'] });
});
