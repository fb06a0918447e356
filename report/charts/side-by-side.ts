/** Runs side by side, test by test: each test has a scale of its own, for a MiB read at once is no 8 KiB. */
import type { BarSeriesOption } from 'echarts';
import type { Compared } from '../../core/schemas/grade-answer.ts';
import { axisText, baseOption, legendOf, tooltipOf } from './base-option.ts';
import type { Chart } from './chart.ts';
import type { Palette } from './palette.ts';
import { labelsOf, patternOf, runLook } from './run-look.ts';
import { inTooltip, label, measured } from './words.ts';

type RunOf = Compared['runs'][number];

const [barPixels, gapPixels, topPixels, bottomPixels] = [17, 14, 30, 44];
/** Behind the bar of the best there is room for its figures. */
const axisPercent = 150;

const gradeText = ({ grade }: RunOf): string => (grade === null ? '' : `, ${grade}`);
const p95Text = ({ p95Ms }: RunOf): string => (p95Ms === null ? '' : `, 95 % in ${measured(p95Ms)} ms`);
const textOf = (run: RunOf): string => `${measured(run.iops)} IOPS${p95Text(run)}${gradeText(run)}`;

/** Null where there is nothing to compare. */
export function sideBySide(comparison: readonly Compared[], palette: Palette): Chart | null {
  const runs = [...new Set(comparison.flatMap((test) => test.runs.map(({ run }) => run)))];
  if (runs.length < 2) return null;
  const names = labelsOf(runs);
  const tests = labelsOf(comparison.map(({ name }) => name));
  const of = (test: Compared | undefined, run: string): RunOf | undefined =>
    test?.runs.find((one) => one.run === run);
  const bestOf = ({ runs: all }: Compared): number => Math.max(...all.map(({ iops }) => iops), 0);
  const wins = runs.map((run) => comparison.filter((test) => of(test, run)?.iops === bestOf(test)).length);
  const description = `IOPS of ${comparison.length} tests in ${runs.length} runs: ${runs
    .map((_, index) => `${names[index]} is best in ${wins[index]}`)
    .join(', ')}`;
  const series = runs.map((run, index): BarSeriesOption => {
    const { color } = runLook(index, palette);
    return {
      ...{ type: 'bar', name: names[index] ?? '', barWidth: barPixels - 3, barGap: '20%', color },
      itemStyle: { color, ...patternOf(index, palette) },
      data: comparison.map((test) => {
        const one = of(test, run);
        return one === undefined ? '-' : (100 * one.iops) / (bestOf(test) || 1);
      }),
      label: {
        ...{ show: true, position: 'right', color: palette.ink, fontSize: 11 },
        formatter: ({ dataIndex }) => {
          const one = of(comparison[dataIndex], run);
          return one === undefined ? '' : textOf(one);
        },
      },
    };
  });
  return {
    title: 'Runs side by side',
    description,
    heightPixels: topPixels + comparison.length * (runs.length * barPixels + gapPixels) + bottomPixels,
    option: {
      ...baseOption(palette, description),
      legend: { ...legendOf(palette, names), type: 'scroll', itemHeight: 12 },
      grid: { top: topPixels, bottom: bottomPixels, left: 160, right: 10 },
      xAxis: {
        ...{ type: 'value', min: 0, max: axisPercent, interval: 25 },
        ...{ name: 'IOPS, % of the best run of the test', nameLocation: 'middle', nameGap: 26 },
        nameTextStyle: axisText(palette),
        axisLabel: {
          ...axisText(palette),
          formatter: (value: number) => (value > 100 ? '' : `${value}`),
        },
        // Beyond 100 % there are figures alone.
        splitLine: { lineStyle: { color: [...Array(5).fill(palette.grid), 'transparent', 'transparent'] } },
      },
      yAxis: {
        ...{ type: 'category', inverse: true, data: tests },
        axisLine: { lineStyle: { color: palette.faint } },
        axisTick: { show: true, lineStyle: { color: palette.faint } },
        axisLabel: { color: palette.ink, fontSize: 12, interval: 0, width: 148, overflow: 'truncate' },
      },
      series,
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'item',
        formatter: (params: unknown) => {
          const { dataIndex, seriesIndex } = params as { dataIndex: number; seriesIndex: number };
          const one = of(comparison[dataIndex], runs[seriesIndex] ?? '');
          return one === undefined
            ? ''
            : inTooltip(`${label(comparison[dataIndex]?.name ?? '')}\n${label(one.run)}: ${textOf(one)}`);
        },
      },
    },
    table: () => ({
      head: ['Test', 'Run', 'IOPS', 'Times the first run', '95 % within (ms)', 'Grade'],
      rows: comparison.flatMap(({ name, runs: all }) =>
        all.map(({ run, iops, timesFirst, p95Ms, grade }) => [
          ...[name, run, iops, timesFirst, p95Ms, grade],
        ]),
      ),
    }),
  };
}
