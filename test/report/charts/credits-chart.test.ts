import { replayConfiguration } from '../../../core/replay/configuration.ts';
import { replayDrawnDay } from '../../../core/replay/drawn-day.ts';
import { creditsChart } from '../../../report/charts/credits-chart.ts';
import { light } from '../../../report/charts/palette.ts';
import { seen } from './charts.ts';

/** gp2 of 100 GiB: 300 IOPS all the time. */
const chartOf = (iops: readonly number[], percent = 100) => {
  const configuration = replayConfiguration(
    { kind: 'single', members: 1, volumeType: 'gp2', sizeGiB: 100, iops: 300, throughputMiBps: 75 },
    { startPercent: { volume: percent } },
  );
  const replayed = replayDrawnDay({ iops, mibps: new Array<number>(24).fill(0) }, configuration);
  return creditsChart({ name: 'gp2, 100 GiB', replayed, load: { iops } }, light);
};
const from9to17 = (peak: number): number[] =>
  Array.from({ length: 24 }, (_, hour) => (hour >= 9 && hour < 17 ? peak : 0));

test('the credits fall from 09:00 on, and the minute that they are gone is a point of its own', () => {
  // 640 - 300 spend 5.4 million in 15,882 s: 264.7 min after minute 540.
  const chart = chartOf(from9to17(640));
  const credits = seen(chart).series.find(({ name }) => name === 'credits of operations');
  const points = credits?.data as [number, number][];
  expect(points[0]).toEqual([0, 100]);
  expect(points.find(([, percent]) => percent === 0)?.[0]).toBeCloseTo(540 + 15_882.35 / 60, 2);
  expect(chart.description).toContain('empty at 13:24');
});

test('a day that is sustained has no such mark', () => {
  const chart = chartOf(from9to17(400));
  expect(chart.description).toContain('never empty');
  expect(JSON.stringify(chart.option.series)).not.toContain('empty ');
  expect(chart.title).toBe('Credits over the day');
});

test('its table has an hour a row, with the load, the least limit, what is left and what throttled', () => {
  const { head, rows } = chartOf(from9to17(640)).table();
  expect(head).toEqual([
    ...[
      'Hour from',
      'Load (IOPS)',
      'Least limit in force (IOPS)',
      'Left at its end, credits of operations (%)',
    ],
    ...['Throttled (minutes)', 'Throttled by'],
  ]);
  expect(rows[8]).toEqual(['08:00', 0, 3_000, 100, 0, 'nothing']);
  // An hour spends 340 x 3,600 = 1.224 of 5.4 million.
  expect(rows[9]).toEqual(['09:00', 640, 3_000, expect.closeTo(100 - 122.4 / 5.4, 6), 0, 'nothing']);
  expect(rows[15]).toEqual(['15:00', 640, 300, 0, 60, 'volume credits']);
});
