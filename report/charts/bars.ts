/** Horizontal bars, each with its name before it and its figure behind it. */
import type { EChartsOption } from 'echarts';
import { axisText, baseOption, tooltipOf } from './base-option.ts';
import type { Chart } from './chart.ts';
import type { Palette } from './palette.ts';

export interface Bar {
  name: string;
  value: number;
  text: string;
  color: string;
}

const rowPixels = 30;
const axisPixels = 44;

/** @param unit below the axis; @param format of its figures; @param none what is said where there is no bar. */
export function barsChart(
  bars: readonly Bar[],
  {
    palette,
    unit,
    format,
    none,
    ...rest
  }: Pick<Chart, 'title' | 'description' | 'table'> & {
    palette: Palette;
    unit: string;
    format: (value: number) => string;
    none: string;
  },
): Chart {
  const { title, description, table } = rest;
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
      grid: { top: 2, bottom: axisPixels, left: 190, right: 120 },
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
        axisLabel: { color: palette.ink, fontSize: 12, interval: 0, width: 178, overflow: 'truncate' },
      },
      series: [
        {
          ...{ type: 'bar', barWidth: 16 },
          data: bars.map(({ value, color }) => ({ value, itemStyle: { color } })),
          label: {
            ...{ show: true, position: 'right', color: palette.ink, fontSize: 12 },
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
