/** How long the operations of a test took, and where their heaps are. */
import type { CustomSeriesOption, MarkLineComponentOption } from 'echarts';
import type { GradedTestAnswer } from '../../core/schemas/grade-answer.ts';
import { axisLook, axisText, baseOption, tooltipOf } from './base-option.ts';
import type { Chart } from './chart.ts';
import { hatched } from './hatch.ts';
import type { Palette } from './palette.ts';
import { scaleUpTo } from './scale.ts';
import { label, measured } from './words.ts';

type Bin = GradedTestAnswer['histogram'][number];

const percentOf = (share: number): number => Number((100 * share).toPrecision(4));
const shareText = (share: number): string => `${measured(percentOf(share))} %`;
const rangeText = ({ fromMs, toMs }: Bin): string =>
  toMs === null ? `${measured(fromMs)} ms or longer` : `${measured(fromMs)} to ${measured(toMs)} ms`;

/** An axis of powers has no zero, and no end. */
const leftOf = ({ fromMs, toMs }: Bin): number => (fromMs > 0 ? fromMs : (toMs ?? 1) / 2);
const rightOf = ({ fromMs, toMs }: Bin): number => toMs ?? fromMs * 2;

/** 1, 2 and 5 of each power of ten within a range. */
export function ticksWithin(from: number, to: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power++)
    for (const times of [1, 2, 5]) {
      const tick = Number((times * 10 ** power).toPrecision(1));
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  return ticks;
}

/** Labels above the bars stand in rows, one after another, so that neighbors do not meet. */
const labelRows = 3;
const rowPixels = 15;

function marksOf({ modes, latencyMs }: GradedTestAnswer, palette: Palette): MarkLineComponentOption {
  const { p95, isWorstOfSeveral } = latencyMs;
  const within = isWorstOfSeveral ? 'at most' : 'within';
  const marks = [
    ...modes.map(({ share, peakMs }) => ({
      at: peakMs,
      text: `${shareText(Number(share.toFixed(2)))} around ${measured(peakMs)} ms`,
      color: palette.ink,
      type: 'solid' as const,
    })),
    ...(p95 === null
      ? []
      : [
          {
            ...{ at: p95, text: `95 % ${within} ${measured(p95)} ms` },
            ...{ color: palette.limit, type: 'dashed' as const },
          },
        ]),
  ].sort((a, b) => a.at - b.at);
  return {
    ...{ silent: true, symbol: 'none', animation: false },
    data: marks.map(({ at, text, color, type }, index) => ({
      xAxis: at,
      lineStyle: { color, type, width: 1.2 },
      label: {
        ...{ position: 'end', formatter: text, fontSize: 11, color, rotate: 0 },
        distance: 4 + (index % labelRows) * rowPixels,
      },
    })),
  };
}

function barsOf(bins: readonly Bin[], palette: Palette): CustomSeriesOption {
  return {
    ...{ type: 'custom', clip: true, encode: { x: [0, 1], y: 2 } },
    itemStyle: { color: palette.series[0] as string },
    data: bins.map((bin) => [leftOf(bin), rightOf(bin), percentOf(bin.share)]),
    renderItem: ({ dataIndex }, api) => {
      const [left = 0, top = 0] = api.coord([api.value(0), api.value(2)]);
      const [right = 0, bottom = 0] = api.coord([api.value(1), 0]);
      const color = palette.series[0] as string;
      const box = { x: left, y: top, width: Math.max(right - left - 1, 1), height: bottom - top };
      return bins[dataIndex]?.toMs === null
        ? hatched(box, color)
        : { type: 'rect', shape: box, style: { fill: color, opacity: 0.85 } };
    },
  };
}

/** Null where fio told no bins. */
export function latencyHistogram(test: GradedTestAnswer, palette: Palette): Chart | null {
  const { histogram: bins, modes, latencyMs, run, name } = test;
  if (bins.length === 0) return null;
  const [from, to] = [Math.min(...bins.map(leftOf)), Math.max(...bins.map(rightOf))];
  const most = Math.max(...bins.map(({ share }) => percentOf(share)));
  const heaps = modes.map(
    ({ share, peakMs }) => `${shareText(Number(share.toFixed(2)))} around ${measured(peakMs)} ms`,
  );
  const description = [
    `Latency of ${label(name)}: ${heaps.length === 0 ? 'no heaps' : heaps.join(', ')}`,
    ...(latencyMs.p95 === null ? [] : [`95 % of the operations took at most ${measured(latencyMs.p95)} ms`]),
  ].join('; ');
  const look = { ...axisLook(palette), nameTextStyle: axisText(palette) };
  const { max, interval } = scaleUpTo(most);
  const customValues = ticksWithin(from, to);
  const marks = marksOf(test, palette);
  return {
    title: `Latency of ${label(name)} (${label(run)})`,
    description,
    heightPixels: 290,
    option: {
      ...baseOption(palette, description),
      grid: {
        top: 12 + Math.min(labelRows, marks.data?.length ?? 0) * rowPixels,
        bottom: 44,
        left: 54,
        right: 70,
      },
      xAxis: {
        ...{ type: 'log', min: from, max: to, ...look },
        ...{ name: 'latency of an operation, ms', nameLocation: 'middle', nameGap: 26 },
        axisTick: { customValues },
        axisLabel: { ...axisText(palette), customValues, hideOverlap: true, formatter: measured },
      },
      yAxis: {
        ...{ type: 'value', ...look, min: 0, max, interval },
        ...{ name: 'share of operations, %', nameLocation: 'middle', nameGap: 36 },
        axisLabel: axisText(palette),
      },
      series: [barsOf(bins, palette), { type: 'line', data: [], silent: true, markLine: marks }],
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'item',
        formatter: (params: unknown) => {
          const bin = bins[(params as { dataIndex: number }).dataIndex];
          return bin === undefined ? '' : `${rangeText(bin)}: ${shareText(bin.share)}`;
        },
      },
    },
    table: () => ({
      head: ['From (ms)', 'To (ms)', 'Share of operations (%)'],
      rows: bins.map(({ fromMs, toMs, share }) => [fromMs, toMs ?? 'no upper end', percentOf(share)]),
    }),
  };
}
