/** What stands in the panels of a load beside the load itself: bands, gaps, what throttled, limits. */
import type { CustomSeriesOption, MarkAreaComponentOption, MarkLineComponentOption } from 'echarts';
import type { Band, Envelope } from '../../core/report/envelope.ts';
import { type BinRun, binStartMs, filledRuns, gapsOf, throttledRuns } from './bins.ts';
import type { ChartWidth } from './chart.ts';
import { hatched } from './hatch.ts';
import type { LimitLine, Panel } from './load-panels.ts';
import type { Palette } from './palette.ts';
import { apart } from './scale.ts';
import { measured } from './words.ts';

interface Place {
  xAxisIndex: number;
  yAxisIndex: number;
}

const spanOf = (envelope: Envelope, { from, to }: BinRun): [number, number] => [
  binStartMs(envelope, from),
  binStartMs(envelope, to),
];

/** From the least to the most of each bin. */
export function bandSeries(
  envelope: Envelope,
  band: Band,
  name: string,
  place: Place,
  palette: Palette,
): CustomSeriesOption {
  const runs = filledRuns(band.max);
  return {
    ...{ type: 'custom', name, ...place, silent: true, clip: true, z: 2 },
    itemStyle: { color: palette.band },
    encode: { x: [0, 1] },
    data: runs.map((run) => [...spanOf(envelope, run), 0]),
    renderItem: ({ dataIndex }, api) => {
      const { from, to } = runs[dataIndex] as BinRun;
      const [upper, lower]: number[][][] = [[], []];
      for (let bin = from; bin < to; bin++) {
        for (const ms of spanOf(envelope, { from: bin, to: bin + 1 })) {
          upper?.push(api.coord([ms, band.max[bin] as number]));
          lower?.push(api.coord([ms, band.min[bin] ?? (band.max[bin] as number)]));
        }
      }
      const points = [...(upper ?? []), ...(lower ?? []).reverse()];
      return { type: 'polygon', shape: { points }, style: { fill: palette.band } };
    },
  };
}

/** Where nothing is known: hatched over the whole panel. */
export function gapSeries(
  envelope: Envelope,
  { scale }: Panel,
  name: string,
  place: Place,
  palette: Palette,
): CustomSeriesOption {
  return {
    ...{ type: 'custom', name, ...place, silent: true, clip: true, z: 1 },
    itemStyle: { color: palette.cause.unknown },
    encode: { x: [0, 1] },
    data: gapsOf(envelope).map((run) => [...spanOf(envelope, run), 0]),
    renderItem: (_, api) => {
      const [left, top] = api.coord([api.value(0), scale.max]) as [number, number];
      const [right, bottom] = api.coord([api.value(1), 0]) as [number, number];
      const [width, height] = [Math.max(right - left, 1), bottom - top];
      return hatched({ x: left, y: top, width, height }, palette.cause.unknown);
    },
  };
}

const shadeOpacity = 0.2;

/** Throttled bins behind the load, one area for those that follow each other. */
export const throttledAreas = (envelope: Envelope, palette: Palette): MarkAreaComponentOption => ({
  silent: true,
  data: throttledRuns(envelope).map((run) => {
    const [from, to] = spanOf(envelope, run);
    const itemStyle = { color: palette.cause[run.cause], opacity: shadeOpacity };
    return [{ xAxis: from, itemStyle }, { xAxis: to }];
  }),
});

const lineType: Record<LimitLine['kind'], 'solid' | number[]> = {
  limit: 'solid',
  best: [2, 3],
  recommended: [10, 4],
};

/** On a phone a label takes two lines. */
const labelSpacing = { wide: 14, narrow: 26 } as const satisfies Record<ChartWidth, number>;

/** Limits as lines across the panel, each with its label to the right of it, no label over another. */
export function limitMarks(
  { limits, scale, heightPixels }: Panel,
  palette: Palette,
  width: ChartWidth = 'wide',
): MarkLineComponentOption {
  const ordered = [...limits].sort((a, b) => b.value - a.value);
  const at = ordered.map(({ value }) => heightPixels * (1 - value / scale.max));
  const places = apart(at, labelSpacing[width], heightPixels);
  return {
    ...{ silent: true, symbol: 'none', animation: false, z: 2 },
    data: ordered.map(({ name, value, kind }: LimitLine, index) => {
      const color = kind === 'recommended' ? palette.recommended : palette.limit;
      const down = (places[index] as number) - (at[index] as number);
      return {
        yAxis: value,
        lineStyle: { type: lineType[kind], width: 1.5, color },
        label: {
          ...{ position: 'end', distance: 6, fontSize: 11, lineHeight: 12, color },
          formatter: `${name}${width === 'wide' ? ' ' : '\n'}${measured(value)}`,
          // A label stands at the middle of its box: what is above it moves it down by half.
          padding: [Math.max(0, 2 * down), 0, Math.max(0, -2 * down), 0],
        },
      };
    }),
  };
}
