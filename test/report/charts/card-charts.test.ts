import type { Letter } from '../../../core/report-card/scale.ts';
import type { Compared, Curve, GradeAnswer } from '../../../core/schemas/grade-answer.ts';
import { runCharts, testCharts } from '../../../report/charts/card-charts.ts';
import { latencyHistogram, ticksWithin } from '../../../report/charts/latency-histogram.ts';
import { membersChart } from '../../../report/charts/members-chart.ts';
import { overTimeChart } from '../../../report/charts/over-time-chart.ts';
import { light } from '../../../report/charts/palette.ts';
import { scalingCharts } from '../../../report/charts/scaling-charts.ts';
import { sideBySide } from '../../../report/charts/side-by-side.ts';
import { aTest, namesOf, seen } from './charts.ts';

const there = <What>(what: What | null): What => {
  if (what === null) throw new Error('there is no chart');
  return what;
};

describe('a histogram of latency', () => {
  const chart = there(
    latencyHistogram(
      aTest({
        histogram: [
          { fromMs: 0, toMs: 1, share: 0.6 },
          { fromMs: 10, toMs: 20, share: 0.3 },
          { fromMs: 20, toMs: null, share: 0.1 },
        ],
        modes: [
          { fromMs: 0.5, toMs: 1, peakMs: 0.8, share: 0.6 },
          { fromMs: 10, toMs: 40, peakMs: 14, share: 0.4 },
        ],
        latencyMs: { mean: 6, p50: 0.8, p95: 16, p99: 20, isWorstOfSeveral: false },
      }),
      light,
    ),
  );

  test('bars from and to, on an axis that neither begins at zero nor never ends', () => {
    // From 0 to 1 ms it begins at a half; from 20 ms without an end it ends at 40.
    expect(seen(chart).series[0]?.data).toEqual([
      [0.5, 1, 60],
      [10, 20, 30],
      [20, 40, 10],
    ]);
    expect(seen(chart).xAxis).toMatchObject({ type: 'log', min: 0.5, max: 40 });
    expect(chart.table().rows[2]).toEqual([20, 'no upper end', 10]);
  });

  test('its heaps and the 95th percentile are marked, one above another', () => {
    const marks = seen(chart).series[1]?.markLine?.data ?? [];
    expect(marks.map(({ xAxis, label }) => [xAxis, label.formatter])).toEqual([
      [0.8, '60 % around 0.8 ms'],
      [14, '40 % around 14 ms'],
      [16, '95 % within 16 ms'],
    ]);
    expect(marks.map(({ label }) => label.distance)).toEqual([4, 19, 34]);
  });

  test('ticks at 1, 2 and 5', () => {
    expect(ticksWithin(0.3, 12)).toEqual([0.5, 1, 2, 5, 10]);
  });

  test('none without bins', () => {
    expect(latencyHistogram(aTest(), light)).toBeNull();
  });
});

describe('scaling', () => {
  const curve = (run: string, changes: Partial<Curve> = {}): Curve => ({
    ...{ run, access: 'randread', blockKiB: 8, ioDepth: 1 },
    points: [
      { users: 1, iops: 900, mibps: 7, meanMs: 1.1, p95Ms: null },
      { users: 16, iops: 3_000, mibps: 23, meanMs: 5.3, p95Ms: null },
    ],
    ...changes,
  });

  test('a chart a load, a line a run and figure', () => {
    const charts = scalingCharts([curve('one'), curve('two'), curve('one', { blockKiB: 1_024 })], light);
    expect(charts.map(({ title }) => title)).toEqual([
      'Scaling: 8 KiB random reads',
      'Scaling: 1 MiB random reads',
    ]);
    const [first] = charts as [(typeof charts)[0]];
    // IOPS and mean; of the 95th percentile nothing is known.
    expect(seen(first).title.map(({ text }) => text)).toEqual(['IOPS', 'Mean latency, ms']);
    expect(seen(first).series.map(({ name, data }) => [name, data[1]])).toEqual([
      ['one', [16, 3_000]],
      ['two', [16, 3_000]],
      ['one', [16, 5.3]],
      ['two', [16, 5.3]],
    ]);
    expect(first.description).toContain('one at most 3,000 IOPS, with 16 users');
    expect(first.table().rows[1]).toEqual(['one', 1, 16, 3_000, 23, null, 5.3]);
  });

  test('runs are distinguished without color, and one run at two depths by its depth', () => {
    const [chart] = scalingCharts([curve('one'), curve('one', { ioDepth: 32 })], light);
    if (chart === undefined) throw new Error('there is no chart');
    expect(namesOf(seen(chart))).toEqual(['one, depth 1', 'one, depth 32']);
    const looks = seen(chart).series.slice(0, 2);
    expect(new Set(looks.map(({ symbol }) => symbol)).size).toBe(2);
    expect(new Set(looks.map(({ lineStyle }) => lineStyle?.type)).size).toBe(2);
  });
});

describe('runs side by side', () => {
  const run = (name: string, iops: number, p95Ms: number | null = null, grade: Letter | null = null) => ({
    ...{ run: name, iops, timesFirst: null, p95Ms, grade },
  });
  const compared = (name: string, ...runs: Compared['runs']): Compared => ({
    ...{ name, access: null, blockKiB: 8, users: 16, runs },
  });

  test('each test by its best run, with figures and grade', () => {
    const chart = there(
      sideBySide(
        [
          compared('reads', run('single', 500, 14, 'D'), run('stripe', 2_000, 3.5, 'A')),
          compared('writes', run('stripe', 30)),
        ],
        light,
      ),
    );
    // 500 / 2,000 = 25 %
    expect(seen(chart).series.map(({ name, data }) => [name, ...data])).toEqual([
      ['single', 25, '-'],
      ['stripe', 100, 100],
    ]);
    const texts = seen(chart).series.map(({ label }) =>
      [0, 1].map((dataIndex) => label?.formatter({ dataIndex })),
    );
    expect(texts).toEqual([
      ['500 IOPS, 95 % in 14 ms, D', ''],
      ['2,000 IOPS, 95 % in 3.5 ms, A', '30 IOPS'],
    ]);
    expect(chart.description).toBe('IOPS of 2 tests in 2 runs: single is best in 0, stripe is best in 2');
  });

  test('a test in which nothing was done divides by nothing', () => {
    const chart = there(sideBySide([compared('reads', run('a', 0), run('b', 0))], light));
    expect(seen(chart).series.map(({ data }) => data)).toEqual([[0], [0]]);
  });

  test('none of one run', () => {
    expect(sideBySide([compared('reads', run('single', 500))], light)).toBeNull();
    expect(sideBySide([], light)).toBeNull();
  });
});

test('members: who carried how much, and who is slow', () => {
  const member = (volumeId: string | null, waitMs: number | null, isSlow = false) => ({
    ...{ volumeId, device: 'nvme1n1', iops: 600, share: 0.5, waitMs, exceeded: null, isSlow },
  });
  const chart = there(
    membersChart(aTest({ members: [member('vol-1', 9.4, true), member(null, null)] }), light),
  );
  expect(chart.description).toBe(
    '2 members of randread-8k-16 carried from 50 to 50 % of its operations; slower than the others: vol-1',
  );
  expect(seen(chart).tooltip.formatter({ dataIndex: 0 })).toBe(
    'vol-1\nIOPS: 600 (50 %)\nAn operation took, ms: 9.4 ms, slow',
  );
  expect(seen(chart).tooltip.formatter({ dataIndex: 1 })).toContain('nvme1n1');
  expect(chart.table().rows[1]).toEqual([null, 'nvme1n1', 600, 50, null, 'no']);
  expect(membersChart(aTest({ members: [member('vol-1', 1)] }), light)).toBeNull();
});

test('over time: minutes of a long test, and a gap where nothing is known', () => {
  const iops = [9_000, null, 2_250];
  const chart = there(
    overTimeChart(aTest({ overTime: { secondsPerPoint: 300, iops, latencyMs: [2, null, 7] } }), light),
  );
  // 3 x 300 s = 15 min
  expect(seen(chart).xAxis[0]).toMatchObject({ min: 0, max: 15 });
  expect(seen(chart).series[0]?.data).toEqual([
    ...[
      [0, 9_000],
      [5, 9_000],
      [5, null],
    ],
    ...[
      [10, 2_250],
      [15, 2_250],
      [15, null],
    ],
  ]);
  // 6 min are within the second point
  expect(seen(chart).tooltip.formatter([{ axisValue: 6 }])).toBe(
    '300 to 600 s\nIOPS: not known\nMean latency, ms: not known',
  );
  expect(chart.table().rows[1]).toEqual([300, null, null]);
  expect(overTimeChart(aTest(), light)).toBeNull();
});

test('of a card: those that there are figures for', () => {
  const answer: GradeAnswer = { tests: [aTest()], curves: [], comparison: [], repeats: [], notes: [] };
  expect(runCharts(answer, light)).toEqual([]);
  expect(testCharts(aTest(), light)).toEqual([]);
  const overTime = { secondsPerPoint: 1, iops: [1], latencyMs: [null] };
  expect(testCharts(aTest({ overTime }), light).map(({ title }) => title)).toEqual([
    'randread-8k-16 over time (stripe)',
  ]);
});
