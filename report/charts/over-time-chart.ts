/** IOPS and latency of a test while it ran: a burst that ended shows as a step. */
import type { Column } from '../../core/report/envelope.ts';
import type { GradedTestAnswer } from '../../core/schemas/grade-answer.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { axisLook, axisText, baseOption, panelTitle, tooltipOf } from './base-option.ts';
import { leastOf, levels, mostOf } from './bins.ts';
import type { Chart } from './chart.ts';
import type { Palette } from './palette.ts';
import { scaleUpTo } from './scale.ts';
import { heightOf, placed, titlePixels } from './stack.ts';
import { label, lengthText, measured } from './words.ts';

interface Shown {
  title: string;
  unit: string;
  heightPixels: number;
  column: Column;
}

const bottomPixels = 20;
/** Of longer tests minutes are reported. */
const maxSeconds = 10 * secondsPerMinute;

function rangeText({ column, unit }: Shown): string {
  const [least, most] = [leastOf(column), mostOf(column)];
  return least === null || most === null
    ? `${unit} not known`
    : `${measured(least)} to ${measured(most)} ${unit}`;
}

/** Null where fio's logs were not kept. */
export function overTimeChart({ overTime, run, name }: GradedTestAnswer, palette: Palette): Chart | null {
  if (overTime === null) return null;
  const { secondsPerPoint, iops, latencyMs } = overTime;
  const all: Shown[] = [
    { title: 'IOPS', unit: 'IOPS', heightPixels: 140, column: iops },
    { title: 'Mean latency, ms', unit: 'ms', heightPixels: 120, column: latencyMs },
  ];
  const panels = placed(all.filter(({ column }) => mostOf(column) !== null)).map((panel) => ({
    ...panel,
    // There is no legend.
    top: panel.top - titlePixels,
  }));
  const length = iops.length * secondsPerPoint;
  const isLong = length > maxSeconds;
  const factor = isLong ? secondsPerMinute : 1;
  const startOf = (index: number): number => (index * secondsPerPoint) / factor;
  const description = `${label(name)} over time, each ${lengthText(secondsPerPoint)}: ${all.map(rangeText).join(', ')}`;
  const look = { ...axisLook(palette), nameTextStyle: axisText(palette) };
  return {
    title: `${label(name)} over time (${label(run)})`,
    description,
    heightPixels: heightOf(panels) + bottomPixels,
    option: {
      ...baseOption(palette, description),
      title: panels.map(({ what, top }) => panelTitle(palette, what.title, { top: top - titlePixels })),
      grid: panels.map(({ top, heightPixels }) => ({ top, height: heightPixels, left: 60, right: 20 })),
      xAxis: panels.map((_, index) => {
        const isLast = index === panels.length - 1;
        const unit = isLong ? 'minutes' : 'seconds';
        return {
          ...{ type: 'value' as const, gridIndex: index, min: 0, max: length / factor, ...look },
          ...(isLast ? { name: `${unit} since it began`, nameLocation: 'middle' as const, nameGap: 26 } : {}),
          axisTick: { show: isLast },
          axisLabel: { ...axisText(palette), show: isLast, showMaxLabel: false },
        };
      }),
      yAxis: panels.map(({ what }, index) => ({
        ...{ type: 'value' as const, gridIndex: index, ...look, min: 0 },
        ...scaleUpTo((mostOf(what.column) ?? 0) * 1.02, 3),
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { ...axisText(palette), formatter: measured },
        axisPointer: { show: false },
      })),
      series: panels.map(({ what }, index) => ({
        ...{ type: 'line' as const, name: what.title, xAxisIndex: index, yAxisIndex: index },
        ...{ step: 'end' as const, symbol: 'none', data: levels(what.column, startOf) },
        color: palette.series[index] as string,
        lineStyle: { color: palette.series[index] as string, width: 1.5 },
        areaStyle: { color: palette.series[index] as string, opacity: 0.1 },
      })),
      axisPointer: { link: [{ xAxisIndex: 'all' }], label: { show: false } },
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'axis',
        formatter: (params: unknown) => {
          const [one] = [params].flat() as [{ axisValue?: unknown } | undefined];
          const seconds = Number(one?.axisValue) * factor;
          if (Number.isNaN(seconds)) return '';
          const at = Math.max(0, Math.min(Math.floor(seconds / secondsPerPoint), iops.length - 1));
          const from = at * secondsPerPoint;
          const values = all.map(({ column, title }) => {
            const value = column[at] ?? null;
            return `${title}: ${value === null ? 'not known' : measured(value)}`;
          });
          return [`${measured(from)} to ${measured(from + secondsPerPoint)} s`, ...values].join('\n');
        },
      },
    },
    table: () => ({
      head: ['From (s)', 'IOPS', 'Mean latency (ms)'],
      rows: iops.map((value, index) => [index * secondsPerPoint, value, latencyMs[index] ?? null]),
    }),
  };
}
