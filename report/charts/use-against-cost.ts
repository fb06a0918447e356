/** Each volume by how much of its limit it uses and what it costs: what is paid for and idle, and what has too little. */
import type { ScatterSeriesOption } from 'echarts';
import { figure, usdText } from '../../core/figures.ts';
import type { AuditResult, VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import { axisLook, axisText, baseOption, legendOf, tooltipOf } from './base-option.ts';
import type { Chart, ChartWidth } from './chart.ts';
import type { Palette } from './palette.ts';
import { inTooltip, label, measured, statusWords } from './words.ts';

type Status = VolumeEvaluation['status'];

/** The most urgent lies on top. */
const drawnStatuses = [
  { status: 'healthy', symbol: 'circle', symbolSize: 7, opacity: 0.45 },
  { status: 'throttled-by-instance', symbol: 'diamond', symbolSize: 11, opacity: 0.85 },
  { status: 'finding', symbol: 'triangle', symbolSize: 10, opacity: 0.85 },
] as const satisfies { status: Status; symbol: string; symbolSize: number; opacity: number }[];

/** What the page reads when a point is clicked. */
export interface VolumePoint {
  /** Percent of the limit; USD a month as far as its axis of powers of ten goes. */
  value: [number, number];
  volumeId: string;
  nameTag: string | null;
  status: Status;
  monthlyUsd: number;
}

/** On an axis of powers of ten nothing is free. */
const minUsd = 0.01;

function pointOf({ volumeId, name, status, topShareOfLimit, monthlyUsd }: VolumeEvaluation): VolumePoint[] {
  if (status === 'unknown' || topShareOfLimit === null || monthlyUsd === null) return [];
  return [
    {
      value: [Number((100 * topShareOfLimit).toPrecision(4)), Math.max(monthlyUsd, minUsd)],
      ...{ volumeId, nameTag: name, status, monthlyUsd },
    },
  ];
}

function pointText({ value: [percent], monthlyUsd, volumeId, nameTag, status }: VolumePoint): string {
  const named = nameTag === null ? '' : ` (${inTooltip(label(nameTag))})`;
  return [
    `${inTooltip(label(volumeId))}${named}: ${statusWords[status]}`,
    `${measured(percent)} % of the limit in force at most`,
    `${usdText(monthlyUsd)} a month`,
  ].join('\n');
}

/** How many are not there, by why. */
function leftOut(volumes: readonly VolumeEvaluation[]): string {
  const [unknown, rest] = [
    volumes.filter(({ status }) => status === 'unknown'),
    volumes.filter(({ status }) => status !== 'unknown'),
  ];
  const withoutLoad = rest.filter(({ topShareOfLimit }) => topShareOfLimit === null);
  const withoutPrice = rest.filter((one) => one.topShareOfLimit !== null && one.monthlyUsd === null);
  const counts = [
    [unknown.length, 'unknown'],
    [withoutLoad.length, 'evaluated without reading the load'],
    [withoutPrice.length, 'without a price'],
  ] as const;
  const notified = counts.filter(([count]) => count > 0).map(([count, why]) => `${figure(count)} ${why}`);
  return notified.length === 0 ? '' : `; not drawn: ${notified.join(', ')}`;
}

/** Above the ground: the key, and below it what the corners mean. A phone takes a line for each part of the key. */
const keyPixels = { wide: 34, narrow: 72 } as const satisfies Record<ChartWidth, number>;

/** Names what the corners mean. */
const corner = (
  text: string,
  at: { left: number; top: number } | { right: number; top: number },
  palette: Palette,
) => ({
  ...{ text, padding: 0, ...at },
  textStyle: { ...axisText(palette), fontWeight: 'normal' as const },
});

export function useAgainstCost(
  { volumes }: AuditResult,
  palette: Palette,
  width: ChartWidth = 'wide',
): Chart {
  const points = volumes.flatMap(pointOf);
  const top = keyPixels[width];
  const byStatus = drawnStatuses
    .map((look) => ({ ...look, data: points.filter(({ status }) => status === look.status) }))
    .filter(({ data }) => data.length > 0);
  const nameOf = (status: Status, count: number): string => `${statusWords[status]}: ${figure(count)}`;
  const most = points.reduce((top, { value: [percent] }) => Math.max(top, percent), 100);
  const description = `${figure(points.length)} of ${figure(volumes.length)} volumes by the most that they used of the limit in force and their cost a month${leftOut(volumes)}`;
  const look = { ...axisLook(palette), axisLabel: axisText(palette), nameTextStyle: axisText(palette) };
  const series = byStatus.map(
    ({ status, symbol, symbolSize, opacity, data }, index): ScatterSeriesOption => ({
      ...{ type: 'scatter', name: nameOf(status, data.length), symbol, symbolSize, data },
      // Of so many a picture is made at once; they still can be pointed at.
      ...{ large: true, largeThreshold: 600 },
      itemStyle: { color: palette.status[status], opacity },
      emphasis: { scale: 1.6, itemStyle: { opacity: 1, borderColor: palette.ink, borderWidth: 1 } },
      ...(index > 0
        ? {}
        : {
            markLine: {
              ...{ silent: true, symbol: 'none', animation: false, data: [{ xAxis: 100 }] },
              lineStyle: { color: palette.limit, type: 'solid', width: 1.5 },
              label: { show: false },
            },
          }),
    }),
  );
  return {
    title: 'Use of the limit against cost',
    description,
    heightPixels: 420,
    option: {
      ...baseOption(palette, description),
      title: [
        corner('paid for, and little used', { left: width === 'wide' ? 76 : 0, top }, palette),
        corner('needs all it can do', { right: width === 'wide' ? 24 : 4, top }, palette),
      ],
      legend: legendOf(
        palette,
        [...byStatus].reverse().map(({ status, data }) => nameOf(status, data.length)),
      ),
      grid: { top: top + 22, bottom: 46, left: width === 'wide' ? 66 : 52, right: width === 'wide' ? 20 : 8 },
      xAxis: {
        ...{ type: 'value', min: 0, max: Math.max(103, most), ...look },
        axisLabel: { ...axisText(palette), showMaxLabel: false },
        ...{ name: 'most used of the limit in force, IOPS or MiB/s, %', nameLocation: 'middle', nameGap: 28 },
      },
      yAxis: {
        ...{
          type: 'log',
          ...look,
          name: 'USD a month',
          nameLocation: 'middle',
          nameGap: width === 'wide' ? 48 : 36,
        },
        axisLabel: { ...axisText(palette), formatter: (value: number) => figure(value) },
      },
      series,
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'item',
        formatter: (params: unknown) => pointText((params as { data: VolumePoint }).data),
      },
    },
    table: () => ({
      head: ['Volume', 'Name', 'Status', 'Most used of the limit in force (%)', 'Cost a month (USD)'],
      rows: volumes.map(({ volumeId, name, status, topShareOfLimit, monthlyUsd }) => [
        ...[volumeId, name, statusWords[status]],
        topShareOfLimit === null ? null : Number((100 * topShareOfLimit).toPrecision(4)),
        monthlyUsd,
      ]),
    }),
  };
}
