/** How operations and their latency grow with more and more users: a chart a load, a line a run. */
import type { LineSeriesOption } from 'echarts';
import type { Curve } from '../../core/schemas/grade-answer.ts';
import { loadText } from '../wording/report-card.ts';
import { axisLook, axisText, baseOption, legendOf, panelTitle, tooltipOf } from './base-option.ts';
import type { Chart } from './chart.ts';
import type { Palette } from './palette.ts';
import { labelsOf, runLook } from './run-look.ts';
import { scaleUpTo } from './scale.ts';
import { heightOf, placed, titlePixels } from './stack.ts';
import { inTooltip, measured } from './words.ts';

type Point = Curve['points'][number];

interface Shown {
  title: string;
  unit: string;
  heightPixels: number;
  of: (point: Point) => number | null;
}

const all: readonly Shown[] = [
  { title: 'IOPS', unit: 'IOPS', heightPixels: 150, of: ({ iops }) => iops },
  { title: '95 % of operations within, ms', unit: 'ms', heightPixels: 120, of: ({ p95Ms }) => p95Ms },
  { title: 'Mean latency, ms', unit: 'ms', heightPixels: 120, of: ({ meanMs }) => meanMs },
];

const mostOf = (curves: readonly Curve[], { of }: Shown): number | null => {
  const values = curves.flatMap(({ points }) => points.map(of)).filter((value) => value !== null);
  return values.length === 0 ? null : Math.max(...values);
};

/** Where one run has the load at several depths, a name has its depth too. */
function namesOf(curves: readonly Curve[]): string[] {
  const isSeveral = new Set(curves.map(({ run }) => run)).size < curves.length;
  return labelsOf(
    curves.map(({ run, ioDepth }) => (isSeveral && ioDepth !== null ? `${run}, depth ${ioDepth}` : run)),
  );
}

const bottomPixels = 20;

function scalingChart(curves: readonly Curve[], palette: Palette): Chart {
  const [first] = curves as [Curve];
  const names = namesOf(curves);
  const panels = placed(all.filter((shown) => mostOf(curves, shown) !== null));
  const users = [...new Set(curves.flatMap(({ points }) => points.map((point) => point.users)))].sort(
    (a, b) => a - b,
  );
  const notified = curves.map(({ points }, index) => {
    const best = points.reduce((top, point) => (point.iops > top.iops ? point : top));
    return `${names[index]} at most ${measured(best.iops)} IOPS, with ${best.users} users`;
  });
  const description = `${loadText(first)} with more and more users: ${notified.join('; ')}`;
  const look = { ...axisLook(palette), nameTextStyle: axisText(palette) };
  const series = panels.flatMap(({ what }, panel) =>
    curves.map(({ points }, index): LineSeriesOption => {
      const { color, symbol, lineType } = runLook(index, palette);
      return {
        ...{ type: 'line', name: names[index] ?? '', xAxisIndex: panel, yAxisIndex: panel },
        ...{ symbol, symbolSize: 7, color, lineStyle: { color, type: lineType, width: 1.8 } },
        data: points.map((point) => [point.users, what.of(point)]),
      };
    }),
  );
  return {
    title: `Scaling: ${loadText(first)}`,
    description,
    heightPixels: heightOf(panels) + bottomPixels,
    option: {
      ...baseOption(palette, description),
      title: panels.map(({ what, top }) => panelTitle(palette, what.title, { top: top - titlePixels })),
      legend: { ...legendOf(palette, names), type: 'scroll' },
      grid: panels.map(({ top, heightPixels }) => ({ top, height: heightPixels, left: 60, right: 20 })),
      xAxis: panels.map((_, index) => {
        const isLast = index === panels.length - 1;
        return {
          ...{ type: 'value' as const, gridIndex: index, min: 0, max: users.at(-1) ?? 1, ...look },
          ...(isLast ? { name: 'users at once', nameLocation: 'middle' as const, nameGap: 26 } : {}),
          axisTick: { show: isLast, customValues: users },
          axisLabel: { ...axisText(palette), show: isLast, customValues: users, hideOverlap: true },
        };
      }),
      yAxis: panels.map(({ what }, index) => ({
        ...{ type: 'value' as const, gridIndex: index, ...look, min: 0 },
        ...scaleUpTo(mostOf(curves, what) ?? 0, 3),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { ...axisText(palette), formatter: measured },
      })),
      series,
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'item',
        formatter: (params: unknown) => {
          const { seriesName, seriesIndex, value } = params as {
            seriesName: string;
            seriesIndex: number;
            value: [number, number];
          };
          const shown = panels[Math.floor(seriesIndex / curves.length)]?.what;
          return `${inTooltip(seriesName)}\n${value[0]} users: ${measured(value[1])} ${shown?.unit ?? ''} (${shown?.title ?? ''})`;
        },
      },
    },
    table: () => ({
      head: ['Run', 'Depth', 'Users', 'IOPS', 'MiB/s', '95 % within (ms)', 'Mean latency (ms)'],
      rows: curves.flatMap(({ run, ioDepth, points }) =>
        points.map(({ users: count, iops, mibps, p95Ms, meanMs }) => [
          ...[run, ioDepth, count, iops, mibps, p95Ms, meanMs],
        ]),
      ),
    }),
  };
}

/** The loads in the order in which they were measured first. */
export function scalingCharts(curves: readonly Curve[], palette: Palette): Chart[] {
  const byLoad = new Map<string, Curve[]>();
  for (const curve of curves) {
    const key = JSON.stringify([curve.access, curve.blockKiB]);
    byLoad.set(key, [...(byLoad.get(key) ?? []), curve]);
  }
  return [...byLoad.values()].map((some) => scalingChart(some, palette));
}
