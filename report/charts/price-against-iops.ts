/** What volumes cost by the IOPS that are asked: one gp3, a stripe of gp3, one io2, with where another one becomes the cheapest. */
import type { LineSeriesOption } from 'echarts';
import { figure, usdText } from '../../core/figures.ts';
import {
  type Crossing,
  type CurveName,
  type CurvePoint,
  cheapestAt,
  curveNames,
  curveRange,
  type PriceCurve,
} from '../../core/plan/price-curve.ts';
import { roundUsd } from '../../core/prices/prices.ts';
import { capitalized } from '../wording/words.ts';
import { axisLook, axisText, baseOption, legendOf, tooltipOf } from './base-option.ts';
import type { Chart, ChartTable, ChartWidth } from './chart.ts';
import type { Palette } from './palette.ts';

const names: Readonly<Record<CurveName, string>> = {
  'one-gp3': 'one gp3',
  'stripe-of-gp3': 'a stripe of gp3',
  'one-io2': 'one io2',
};

/** Not by color alone: each is drawn in another way, and has another mark in the key. */
const looks: Readonly<Record<CurveName, { type: 'solid' | 'dashed' | 'dotted'; symbol: string }>> = {
  'one-gp3': { type: 'solid', symbol: 'circle' },
  'stripe-of-gp3': { type: 'dashed', symbol: 'rect' },
  'one-io2': { type: 'dotted', symbol: 'triangle' },
};

/** On an axis of powers of ten nothing is free. */
const minUsd = 0.01;

const upTo = ({ iops }: Crossing): string => `up to ${figure(iops - 1, 0)} IOPS`;

/** "One gp3 ends at 80,000 IOPS, one io2 at 256,000." */
function endsText({ points }: PriceCurve): string {
  const ends = curveNames.flatMap((name) => {
    const last = points.findLast((point) => point[name] !== null);
    return last === undefined || last.iops === curveRange.toIops
      ? []
      : [`${names[name]} at ${figure(last.iops, 0)}`];
  });
  const [first, ...others] = ends;
  return first === undefined
    ? ''
    : ` ${capitalized([first.replace(' at ', ' ends at '), ...others].join(', '))} IOPS.`;
}

/** "The cheapest is one gp3 up to 3,000 IOPS, then stripe of gp3 up to 40,000 IOPS." */
export function crossingsText(curve: PriceCurve): string {
  const { first, crossings } = curve;
  if (first === null) return 'None of them delivers this within the limits.';
  const parts = crossings.map((crossing) => `${names[crossing.from]} ${upTo(crossing)}`);
  const last = crossings.at(-1);
  const end = last === undefined ? first : last.to;
  const all =
    end === null
      ? parts
      : [...parts, parts.length === 0 ? `${names[end]} at any IOPS drawn` : `${names[end]} above`];
  return `The cheapest is ${all.join(', then ')}.${endsText(curve)}`;
}

export interface CurveNeed {
  iops: number;
}

function tooltipText(point: CurvePoint): string {
  const cheapest = cheapestAt(point);
  const line = (name: CurveName): string => {
    const usd = point[name];
    const count = name === 'stripe-of-gp3' && point.members !== null ? ` (${point.members} volumes)` : '';
    return `${names[name]}${count}: ${usd === null ? 'not enough' : `${usdText(usd)} a month`}${name === cheapest ? ', the cheapest' : ''}`;
  };
  return [`${figure(point.iops, 0)} IOPS`, ...curveNames.map(line)].join('\n');
}

const centsOf = (usd: number | null): number | null => (usd === null ? null : roundUsd(usd));

/** Points for a table: as many as somebody reads, and those where something changes. */
function tablePoints({ points, crossings }: PriceCurve): CurvePoint[] {
  const round = new Set([100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]);
  const changes = new Set(crossings.flatMap(({ iops }) => [iops - 1, iops]));
  const chosen = points.filter(({ iops }) => changes.has(iops));
  for (const iops of round) {
    const near = points.find((point) => point.iops >= iops);
    if (near !== undefined && !chosen.includes(near)) chosen.push(near);
  }
  return chosen.toSorted((a, b) => a.iops - b.iops);
}

const keyPixels = 40;

const colorOf = (name: CurveName, palette: Palette): string =>
  palette.series[curveNames.indexOf(name)] as string; // a palette has more colors than there are curves

/** @param isRight its label stands left of it: at the end of the axis there is no room. */
function needMark(
  iops: number,
  isRight: boolean,
  palette: Palette,
): NonNullable<LineSeriesOption['markLine']> {
  return {
    ...{ silent: true, symbol: 'none', animation: false, data: [{ xAxis: iops }] },
    lineStyle: { color: palette.recommended, type: 'solid', width: 1.5 },
    label: {
      align: isRight ? 'right' : 'center',
      ...{ show: true, formatter: `asked: ${figure(iops, 0)}`, position: 'end' },
      ...{ color: palette.recommended, fontSize: 11, fontWeight: 'bold' },
    },
  };
}

function curveLine(name: CurveName, points: readonly CurvePoint[], palette: Palette): LineSeriesOption {
  const color = colorOf(name, palette);
  return {
    ...{ type: 'line', name: names[name], symbol: looks[name].symbol },
    ...{ showSymbol: false, connectNulls: false },
    lineStyle: { color, width: 2.5, type: looks[name].type },
    itemStyle: { color },
    data: points.map(({ iops, [name]: usd }) => [iops, usd === null ? null : Math.max(usd, minUsd)]),
  };
}

function curveTable(curve: PriceCurve): ChartTable {
  return {
    head: [
      'IOPS',
      ...curveNames.map((name) => `${names[name]} (USD a month)`),
      'Volumes of the stripe',
      'Cheapest',
    ],
    rows: tablePoints(curve).map((point) => {
      const cheapest = cheapestAt(point);
      return [
        point.iops,
        ...curveNames.map((name) => centsOf(point[name])),
        point.members,
        cheapest === null ? 'none' : names[cheapest],
      ];
    }),
  };
}

/** @param need what is asked, marked on the axis */
export function priceAgainstIops(
  curve: PriceCurve,
  need: CurveNeed,
  palette: Palette,
  width: ChartWidth = 'wide',
): Chart {
  const { points, crossings } = curve;
  const elsewhere = curve.isPricedElsewhere ? ' By the prices of another Region.' : '';
  const description = `Price a month of the volumes from ${figure(curveRange.fromIops)} to ${figure(curveRange.toIops)} IOPS. ${crossingsText(curve)}${elsewhere}`;
  const drawn = curveNames.filter((name) => points.some((point) => point[name] !== null));
  const last =
    points.findLast((point) => drawn.some((name) => point[name] !== null))?.iops ?? curveRange.toIops;
  const look = { ...axisLook(palette), axisLabel: axisText(palette), nameTextStyle: axisText(palette) };
  const within = (iops: number): boolean => iops >= curveRange.fromIops && iops <= Math.max(last, need.iops);
  const most = Math.max(curveRange.fromIops * 10, last * 1.15, need.iops);
  const isRight = Math.log(need.iops / curveRange.fromIops) > 0.85 * Math.log(most / curveRange.fromIops);
  const series = drawn.map((name, index): LineSeriesOption => {
    const line = curveLine(name, points, palette);
    return index > 0 || !within(need.iops)
      ? line
      : { ...line, markLine: needMark(need.iops, isRight, palette) };
  });
  const marks = crossings.map(({ iops, monthlyUsd }) => [iops, Math.max(monthlyUsd, minUsd)]);
  return {
    title: 'Price against IOPS',
    description,
    heightPixels: 360,
    option: {
      ...baseOption(palette, description),
      legend: legendOf(
        palette,
        drawn.map((name) => names[name]),
      ),
      grid: {
        top: keyPixels + 12,
        bottom: 46,
        left: width === 'wide' ? 66 : 52,
        right: width === 'wide' ? 24 : 16,
      },
      xAxis: {
        ...{ type: 'log', min: curveRange.fromIops, max: most, ...look },
        axisLabel: {
          ...axisText(palette),
          formatter: (value: number) => figure(value, 0),
          showMaxLabel: false,
        },
        ...{ name: 'IOPS', nameLocation: 'middle', nameGap: 28 },
      },
      yAxis: {
        ...{ type: 'log', ...look, name: 'USD a month', nameLocation: 'middle' },
        nameGap: width === 'wide' ? 48 : 36,
        axisLabel: { ...axisText(palette), formatter: (value: number) => figure(value) },
      },
      series: [
        ...series,
        {
          ...{
            type: 'scatter',
            name: 'another is the cheapest',
            symbol: 'diamond',
            symbolSize: 11,
            data: marks,
          },
          ...{ silent: true, z: 5 },
          itemStyle: { color: palette.background, borderColor: palette.ink, borderWidth: 2 },
        },
      ],
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'axis',
        axisPointer: { type: 'line', lineStyle: { color: palette.faint } },
        formatter: (params: unknown) => {
          const [first] = params as { value: [number, number] }[];
          const point = points.find(({ iops }) => iops === first?.value[0]);
          return point === undefined ? '' : tooltipText(point);
        },
      },
    },
    table: () => curveTable(curve),
  };
}
