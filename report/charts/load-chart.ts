/** A load against its limits over time, and what throttled it: panels that share one time axis in UTC. */
import type { LineSeriesOption, SeriesOption } from 'echarts';
import type { Envelope } from '../../core/report/envelope.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { msPerSecond } from '../../core/units.ts';
import {
  axisText,
  baseOption,
  hatchKey,
  legendOf,
  lineKey,
  panelTitle,
  sliderPixels,
  textPixels,
  tooltipOf,
} from './base-option.ts';
import { binStartMs, countOf, gapsOf, levels } from './bins.ts';
import type { Chart, ChartWidth } from './chart.ts';
import { bandSeries, gapSeries, limitMarks, throttledAreas } from './load-marks.ts';
import { type Panel, panelsOf } from './load-panels.ts';
import { binText, loadTable } from './load-table.ts';
import { describeLoad, rangeText } from './load-text.ts';
import type { Palette } from './palette.ts';
import { axisPixels, type Placed, placed, titlePixels } from './stack.ts';
import { laneAxis, laneRows, laneSeries, rowPixels } from './throttled-lane.ts';
import { timeAxis, zoomOf } from './time-axis.ts';
import { label, lengthText, measured } from './words.ts';

export interface LoadChartOptions {
  which: 'whole' | 'closeUp';
  findingId: string | null;
  palette: Palette;
  width?: ChartWidth;
}

/** Beside the panels: figures of the scales, names of limits and causes. */
const sides = {
  wide: { left: 54, right: 152 },
  narrow: { left: 44, right: 96 },
} as const satisfies Record<ChartWidth, object>;

interface Names {
  measured: string;
  band: string;
  demand: string;
  gap: string;
}

function namesOf({ binSeconds, periodSeconds }: Envelope, panels: readonly Panel[]): Names {
  const each = lengthText(binSeconds);
  const isBand = binSeconds > periodSeconds;
  const hasCredits = panels.some(({ lines }) => lines.some(({ shown }) => shown === 'least'));
  const most = `maximum of each ${each}${hasCredits ? ' (of credits the minimum)' : ''}`;
  return {
    measured: isBand ? most : `every ${each}`,
    band: 'from minimum to maximum',
    demand: 'demand, at least',
    gap: 'no figures',
  };
}

function panelSeries(
  envelope: Envelope,
  panel: Panel,
  index: number,
  names: Names,
  { palette, width = 'wide' }: Pick<LoadChartOptions, 'palette' | 'width'>,
): SeriesOption[] {
  const place = { xAxisIndex: index, yAxisIndex: index };
  const look = { step: 'end', symbol: 'none', silent: true, animation: false } as const;
  const isBand = envelope.binSeconds > envelope.periodSeconds;
  const startMs = (bin: number): number => binStartMs(envelope, bin);
  const lines = panel.lines.map(({ band, shown, dashed }, number): LineSeriesOption => {
    const type = dashed ? 'dashed' : 'solid';
    return {
      ...{ type: 'line', name: names.measured, ...place, ...look, z: 3 },
      data: levels(shown === 'most' ? band.max : band.min, startMs),
      color: palette.ink,
      lineStyle: { color: palette.ink, width: 1.3, type },
      areaStyle: { color: palette.ink, opacity: dashed ? 0 : 0.05 },
      ...(number > 0
        ? {}
        : { markLine: limitMarks(panel, palette, width), markArea: throttledAreas(envelope, palette) }),
    };
  });
  const demand: LineSeriesOption[] =
    panel.demand === null
      ? []
      : [
          {
            ...{ type: 'line', name: names.demand, ...place, ...look, z: 3 },
            data: levels(panel.demand, startMs),
            color: palette.ink,
            lineStyle: { color: palette.ink, width: 1.2, type: [3, 3] },
          },
        ];
  return [
    gapSeries(envelope, panel, names.gap, place, palette),
    ...(isBand ? panel.lines.map(({ band }) => bandSeries(envelope, band, names.band, place, palette)) : []),
    ...lines,
    ...demand,
  ];
}

export function loadChart(
  series: ResourceSeries,
  { which, findingId, palette, width = 'wide' }: LoadChartOptions,
): Chart {
  const { left, right } = sides[width];
  const envelope = (which === 'closeUp' ? series.closeUp : null) ?? series.whole;
  const rows = laneRows(envelope);
  const panels = panelsOf(series, envelope, findingId);
  const lane = { title: 'Throttled by', note: '', heightPixels: rows.length * rowPixels };
  const hasLane = rows.length > 0;
  const first = hasLane ? 1 : 0;
  const all = placed<Panel | typeof lane>([...(hasLane ? [lane] : []), ...panels]);
  const last = all.at(-1) as Placed<Panel>;
  const names = namesOf(envelope, panels);
  const { binSeconds, periodSeconds } = envelope;
  const description = describeLoad(series, envelope);
  return {
    title: `${label(series.resourceId)}: load against limits, ${rangeText(envelope)}`,
    description,
    heightPixels: last.top + last.heightPixels + axisPixels + sliderPixels,
    option: {
      ...baseOption(palette, description),
      title: all.map(({ what, top }) =>
        panelTitle(palette, what.title, { top: top - titlePixels, note: what.note }),
      ),
      legend: legendOf(palette, [
        lineKey(names.measured),
        ...(binSeconds > periodSeconds ? [names.band] : []),
        ...(panels.some(({ demand }) => demand !== null) ? [lineKey(names.demand)] : []),
        ...(gapsOf(envelope).length === 0 ? [] : [hatchKey(names.gap, palette.cause.unknown)]),
      ]),
      grid: all.map(({ top, heightPixels }) => ({
        ...{ top, height: heightPixels, left, right },
      })),
      xAxis: all.map((_, index) => timeAxis(envelope, index, index === all.length - 1, palette)),
      yAxis: [
        ...(hasLane ? [{ ...laneAxis(rows, palette), gridIndex: 0 }] : []),
        ...panels.map(({ scale }, index) => ({
          ...{ type: 'value' as const, gridIndex: index + first, min: 0, ...scale },
          axisLabel: { ...axisText(palette), formatter: (value: number) => measured(value) },
          splitLine: { show: true, lineStyle: { color: palette.grid } },
          axisPointer: { show: false },
        })),
      ],
      series: [
        ...(hasLane ? [laneSeries(envelope, rows, palette)] : []),
        ...panels.flatMap((panel, index) =>
          panelSeries(envelope, panel, index + first, names, { palette, width }),
        ),
      ],
      axisPointer: {
        link: [{ xAxisIndex: 'all' }],
        lineStyle: { color: palette.ink, width: 1, type: 'solid' },
        label: { backgroundColor: palette.ink, color: palette.background, fontSize: textPixels },
      },
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'axis',
        formatter: (params: unknown) => {
          const [one] = [params].flat() as [{ axisValue?: unknown } | undefined];
          const seconds = Number(one?.axisValue) / msPerSecond - envelope.startEpochSeconds;
          if (Number.isNaN(seconds)) return '';
          const bin = Math.floor(seconds / envelope.binSeconds);
          return binText(envelope, Math.max(0, Math.min(bin, countOf(envelope) - 1)));
        },
      },
      dataZoom: zoomOf(all.length, { left, right }, palette),
    },
    table: () => loadTable(envelope),
  };
}
