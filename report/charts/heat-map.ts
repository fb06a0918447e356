/** A volume's hours of the week and its days, the darker the higher; what is not known is hatched. */
import type { CustomSeriesOption, CustomSeriesRenderItem } from 'echarts';
import { weekdayOfDay } from '../../core/archive/heat-map.ts';
import type { HeatMap } from '../../core/schemas/history-heat-map.ts';
import {
  cellText,
  daysTitle,
  heatMapSentence,
  heatMapUnit,
  highestOfDays,
  highestOfWeek,
  hourText,
  weekdayWords,
  weekTitle,
} from '../wording/history-heat-map.ts';
import { axisText, baseOption, panelTitle } from './base-option.ts';
import type { Chart } from './chart.ts';
import { hatched } from './hatch.ts';
import type { Palette } from './palette.ts';
import { label } from './words.ts';

type Cell = [column: number, row: number, value: number | null];

const [titlePixels, rowPixels, axisPixels, gapPixels, leftPixels] = [26, 22, 24, 22, 44];
const gridPixels = weekdayWords.length * rowPixels;

/** The least that is told from nothing. */
const palest = 0.06;

/** Rectangles whose opacity is the share of the highest one. */
const cellsOf = (
  cells: readonly Cell[],
  highest: number,
  { color, faint }: { color: string; faint: string },
  index: number,
): CustomSeriesOption => ({
  ...{ type: 'custom', xAxisIndex: index, yAxisIndex: index, silent: true },
  data: cells.map(([column, row, value]) => [column, row, value ?? -1]),
  renderItem: ((_, api) => {
    const [column, row, value] = [0, 1, 2].map((at) => Number(api.value(at))) as [number, number, number];
    const [x, y] = api.coord([column, row]) as [number, number];
    const [width, height] = (api.size?.([1, 1]) ?? [0, 0]) as [number, number];
    const box = { x: x - width / 2, y: y - height / 2, width: width - 1, height: height - 1 };
    if (value < 0) return hatched(box, faint);
    const share = highest > 0 ? value / highest : 0;
    return {
      type: 'rect',
      shape: box,
      style: { fill: color, opacity: value === 0 ? palest / 2 : palest + (1 - palest) * share },
    };
  }) as CustomSeriesRenderItem,
});

const isFirstOfMonth = (day: string): boolean => day.endsWith('-01');

/** Of each week the month that begins in it. */
function weekLabels(days: HeatMap['days']): string[] {
  const before = weekdayOfDay(days[0]?.day ?? '1970-01-05');
  const labels = new Array<string>(Math.ceil((before + days.length) / 7)).fill('');
  for (const [i, { day }] of days.entries())
    if (i === 0 || isFirstOfMonth(day)) labels[Math.floor((before + i) / 7)] = day.slice(0, 7);
  return labels;
}

function dayCells(days: HeatMap['days']): Cell[] {
  const before = weekdayOfDay(days[0]?.day ?? '1970-01-05');
  return days.map(({ value }, i) => [Math.floor((before + i) / 7), (before + i) % 7, value]);
}

export function heatMapChart(map: HeatMap, palette: Palette): Chart {
  const { volumeId, week, days } = map;
  const description = heatMapSentence(map);
  const panels = [
    {
      title: `${weekTitle(map)}, UTC`,
      columns: week[0]?.map((_, hour) => hourText(hour)) ?? [],
      every: 3,
      cells: week.flatMap((hours, weekday) => hours.map((value, hour): Cell => [hour, weekday, value])),
      highest: highestOfWeek(map)?.value ?? 0,
    },
    {
      title: `${daysTitle(map)}, a column a week`,
      columns: weekLabels(days),
      every: 0,
      cells: dayCells(days),
      highest: highestOfDays(map)?.value ?? 0,
    },
  ];
  const topOf = (index: number): number =>
    index * (titlePixels + gridPixels + axisPixels + gapPixels) + titlePixels;
  const look = { axisLine: { show: false }, axisTick: { show: false }, splitLine: { show: false } };
  return {
    title: `${label(volumeId)}: ${heatMapUnit(map.figure)}`,
    description,
    heightPixels: topOf(1) + gridPixels + axisPixels,
    option: {
      ...baseOption(palette, description),
      title: panels.map(({ title, highest }, index) =>
        panelTitle(palette, title, {
          top: topOf(index) - titlePixels,
          note: `white 0, full ${cellText(highest)}`,
        }),
      ),
      grid: panels.map((_, index) => ({
        ...{ top: topOf(index), height: gridPixels, left: leftPixels, right: 20 },
      })),
      xAxis: panels.map(({ columns, every }, index) => ({
        ...{ type: 'category' as const, gridIndex: index, data: columns, ...look },
        axisLabel: {
          ...axisText(palette),
          interval: (at: number, text: string) => (every > 0 ? at % every === 0 : text !== ''),
        },
      })),
      yAxis: panels.map((_, index) => ({
        ...{ type: 'category' as const, gridIndex: index, inverse: true, ...look },
        data: [...weekdayWords],
        axisLabel: { ...axisText(palette), interval: 0 },
      })),
      series: panels.map(({ cells, highest }, index) =>
        cellsOf(cells, highest, { color: palette.series[0] as string, faint: palette.faint }, index),
      ),
    },
    table: () => ({
      head: ['Day (UTC)', heatMapUnit(map.figure), ...(week[0] ?? []).map((_, hour) => hourText(hour))],
      rows: days.map(({ day, value, hours }) => [day, value, ...hours]),
    }),
  };
}
