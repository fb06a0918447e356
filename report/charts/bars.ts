/** Horizontal bars, each with its name before it and its figure behind it. */
import type { EChartsOption } from 'echarts';
import { axisText, baseOption, tooltipOf } from './base-option.ts';
import type { Chart, ChartWidth } from './chart.ts';
import type { Palette } from './palette.ts';

export interface Bar {
  name: string;
  value: number;
  text: string;
  color: string;
}

const axisPixels = 44;

/** What stands before a bar, and behind it; on a phone in two lines. */
const places = {
  wide: { rowPixels: 30, left: 190, right: 120 },
  narrow: { rowPixels: 40, left: 112, right: 92 },
} as const satisfies Record<ChartWidth, object>;

/** @param unit below the axis; @param format of its figures; @param none what is said where there is no bar. */
export function barsChart(
  bars: readonly Bar[],
  {
    palette,
    unit,
    format,
    none,
    width,
    ...rest
  }: Pick<Chart, 'title' | 'description' | 'table'> & {
    palette: Palette;
    unit: string;
    format: (value: number) => string;
    none: string;
    width: ChartWidth;
  },
): Chart {
  const { title, description, table } = rest;
  const { rowPixels, left, right } = places[width];
  if (bars.length === 0) {
    const text: EChartsOption['title'] = {
      ...{ text: none, left: 0, top: 6, padding: 0 },
      textStyle: { color: palette.faint, fontSize: 13, fontWeight: 'normal' },
    };
    return {
      title,
      description,
      table,
      heightPixels: 32,
      option: { ...baseOption(palette, description), title: text },
    };
  }
  return {
    ...{ title, description, table },
    heightPixels: bars.length * rowPixels + axisPixels,
    option: {
      ...baseOption(palette, description),
      grid: { top: 2, bottom: axisPixels, left, right },
      xAxis: {
        ...{ type: 'value', min: 0, splitNumber: 4 },
        ...{ name: unit, nameLocation: 'middle', nameGap: 26, nameTextStyle: axisText(palette) },
        axisLabel: { ...axisText(palette), hideOverlap: true, formatter: format },
        splitLine: { lineStyle: { color: palette.grid } },
      },
      yAxis: {
        ...{ type: 'category', inverse: true, data: bars.map(({ name }) => name) },
        axisLine: { lineStyle: { color: palette.faint } },
        axisTick: { show: false },
        axisLabel: {
          ...{ color: palette.ink, fontSize: 12, lineHeight: 14, interval: 0 },
          ...{ width: left - 12, overflow: width === 'wide' ? 'truncate' : 'break' },
        },
      },
      series: [
        {
          ...{ type: 'bar', barWidth: 16 },
          data: bars.map(({ value, color }) => ({ value, itemStyle: { color } })),
          label: {
            ...{ show: true, position: 'right', color: palette.ink, fontSize: 12, lineHeight: 14 },
            ...(width === 'wide' ? {} : { width: right - 8, overflow: 'break' as const }),
            formatter: ({ dataIndex }: { dataIndex: number }) => bars[dataIndex]?.text ?? '',
          },
        },
      ],
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'item',
        formatter: (params: unknown) => {
          const bar = bars[(params as { dataIndex: number }).dataIndex];
          return bar === undefined ? '' : `${bar.name}: ${bar.text}`;
        },
      },
    },
  };
}
