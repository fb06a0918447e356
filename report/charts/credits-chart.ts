/** Credits over the days of a load, above the load itself with the limit in force; when they are gone is marked. */
import type { LineSeriesOption, MarkAreaComponentOption } from 'echarts';
import { causeCode, causes } from '../../core/diagnosis/causes.ts';
import { figure } from '../../core/figures.ts';
import {
  type BucketMinutes,
  hoursPerDay,
  type Measure,
  minutesPerDay,
  type ReplayedDays,
} from '../../core/replay/drawn-day.ts';
import { minutesPerHour, secondsPerMinute } from '../../core/units.ts';
import { clockText, unitOf } from '../wording/burst.ts';
import { axisLook, axisText, baseOption, legendOf, lineKey, panelTitle, tooltipOf } from './base-option.ts';
import type { Chart, ChartTable, ChartWidth } from './chart.ts';
import type { Palette } from './palette.ts';
import { scaleUpTo } from './scale.ts';
import { heightOf, placed, titlePixels } from './stack.ts';
import { causeWords, measured } from './words.ts';

export interface CreditsChartOf {
  /** Of what: gp2, 100 GiB. */
  name: string;
  replayed: ReplayedDays;
  /** By hour of the day; only what is there is drawn. */
  load: Partial<Record<Measure, readonly number[]>>;
}

const creditsOf: Record<Measure, string> = { iops: 'credits of operations', mibps: 'credits of bytes' };
const maxPoints = 300;

const clock = (minute: number): string => {
  const day = Math.floor(minute / minutesPerDay);
  const time = clockText(minute % minutesPerDay);
  return day === 0 ? time : `day ${day + 1}, ${time}`;
};

/** Ends of bins, as few as a chart shows well; the end of each day is one. */
function binEnds(minutes: number): number[] {
  const step = [1, 5, 10, 15, 30, 60, 120, 180].find((one) => minutes / one <= maxPoints) ?? 240;
  return Array.from({ length: minutes / step }, (_, bin) => (bin + 1) * step);
}

/** Minutes of one cause after each other. */
function throttledRuns(cause: Uint8Array): { from: number; to: number; code: number }[] {
  const runs: { from: number; to: number; code: number }[] = [];
  for (const [minute, code] of cause.entries()) {
    if (code === causeCode.none) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.to === minute && last.code === code) last.to++;
    else runs.push({ from: minute, to: minute + 1, code });
  }
  return runs;
}

/** A day of which all is throttled, as those after it, is not worth a place beside the one before. */
const shownDays = ({ course, days }: ReplayedDays): number =>
  course === 'waits-more' ? Math.max(1, days.length - 1) : days.length;

function hourRows({ replayed, load }: CreditsChartOf, drawn: readonly BucketMinutes[]): ChartTable {
  const { cause } = replayed;
  const hours = cause.length / minutesPerHour;
  return {
    head: [
      'Hour from',
      ...drawn.flatMap(({ measure, bucket }) => [
        `Load (${unitOf[measure]})`,
        `Least limit in force (${unitOf[measure]})`,
        ...(bucket === null ? [] : [`Left at its end, ${creditsOf[measure]} (%)`]),
      ]),
      'Throttled (minutes)',
      'Throttled by',
    ],
    rows: Array.from({ length: hours }, (_, hour) => {
      const [from, to] = [hour * minutesPerHour, (hour + 1) * minutesPerHour];
      const codes = cause.subarray(from, to).filter((code) => code !== causeCode.none);
      const names = [...new Set(codes)].map((code) => causeWords[causes[code] ?? 'unknown']);
      return [
        clock(from),
        ...drawn.flatMap(({ measure, bucket, limit, percent }) => [
          load[measure]?.[hour % hoursPerDay] ?? null,
          Math.min(...limit.subarray(from, to)),
          ...(bucket === null ? [] : [percent[to - 1] ?? null]),
        ]),
        codes.length,
        names.length === 0 ? 'nothing' : names.join(', '),
      ];
    }),
  };
}

const look = { type: 'line', symbol: 'none', silent: true, animation: false } as const;

const lineOf = (color: string, type: 'solid' | 'dashed' = 'solid') => ({
  color,
  lineStyle: { color, width: 1.6, type },
});

/** What all lines of the chart share. */
interface Ground {
  palette: Palette;
  minutes: number;
  ends: readonly number[];
  /** Where load is throttled. */
  areas: NonNullable<MarkAreaComponentOption['data']>;
  /** Null: no bucket is empty in what is shown. */
  emptyMinute: number | null;
}

function emptyMark(
  emptyMinute: number,
  { palette, minutes }: Ground,
): NonNullable<LineSeriesOption['markLine']> {
  return {
    ...{ silent: true, symbol: 'none', animation: false, data: [{ xAxis: emptyMinute }] },
    lineStyle: { color: palette.limit, type: 'solid', width: 1.5 },
    label: {
      ...{ color: palette.limit, fontSize: 11, position: 'insideEndTop', rotate: 0 },
      formatter: `empty ${clock(Math.floor(emptyMinute))}`,
      align: emptyMinute > minutes / 2 ? 'right' : 'left',
    },
  };
}

/** The marks are of the first alone: all lines share the panel. */
function creditLine(
  { measure, percent, startPercent }: BucketMinutes,
  index: number,
  ground: Ground,
): LineSeriesOption {
  const { palette, ends, areas, emptyMinute } = ground;
  const isEmptied = emptyMinute !== null && (percent[Math.ceil(emptyMinute) - 1] ?? 1) <= 0;
  const points = [
    [0, startPercent],
    ...ends.map((end) => [end, percent[end - 1] as number]),
    ...(isEmptied ? [[emptyMinute, 0]] : []),
  ].sort(([a = 0], [b = 0]) => a - b);
  const color = palette.series[index] as string; // there are more than the two buckets of an instance
  const line: LineSeriesOption = {
    ...{ ...look, name: creditsOf[measure], xAxisIndex: 0, yAxisIndex: 0, data: points },
    ...lineOf(color),
    areaStyle: { color, opacity: 0.12 },
  };
  if (index > 0) return line;
  const marked = { ...line, markArea: { silent: true, data: areas } };
  return emptyMinute === null ? marked : { ...marked, markLine: emptyMark(emptyMinute, ground) };
}

/** The load, and what there is for it. */
function rateLines(
  { limit }: BucketMinutes,
  hours: readonly number[],
  panel: number,
  { palette, minutes, ends, areas }: Ground,
): LineSeriesOption[] {
  const place = { xAxisIndex: panel, yAxisIndex: panel };
  const asked = Array.from({ length: minutes / minutesPerHour + 1 }, (_, hour) => [
    hour * minutesPerHour,
    hours[Math.min(hour, minutes / minutesPerHour - 1) % hoursPerDay] as number,
  ]);
  return [
    {
      ...{ ...look, ...place, name: 'load', step: 'end', data: asked, ...lineOf(palette.ink) },
      areaStyle: { color: palette.ink, opacity: 0.06 },
      markArea: { silent: true, data: areas },
    },
    {
      ...{ ...look, ...place, name: 'limit in force', ...lineOf(palette.limit, 'dashed') },
      step: 'start',
      data: [[0, limit[0] as number], ...ends.map((end) => [end, limit[end - 1] as number])],
    },
  ];
}

/** What one minute is like, a line each. */
function minuteText(
  minute: number,
  { replayed: { cause }, load }: CreditsChartOf,
  drawn: readonly BucketMinutes[],
): string {
  const code = cause[minute] ?? causeCode.none;
  return [
    clock(minute),
    ...drawn.flatMap(({ measure, bucket, percent, limit }) => [
      ...(bucket === null ? [] : [`${creditsOf[measure]}: ${measured(percent[minute] ?? 0)} % left`]),
      `load ${measured(load[measure]?.[Math.floor(minute / minutesPerHour) % hoursPerDay] ?? 0)} ${unitOf[measure]}, limit ${measured(limit[minute] ?? 0)}`,
    ]),
    ...(code === causeCode.none ? [] : [`throttled by ${causeWords[causes[code] ?? 'unknown']}`]),
  ].join('\n');
}

const sides = { wide: { left: 64, right: 24 }, narrow: { left: 52, right: 10 } } as const;

export function creditsChart(of: CreditsChartOf, palette: Palette, width: ChartWidth = 'wide'): Chart {
  const { replayed, load, name } = of;
  const { buckets, secondsToEmpty } = replayed;
  const minutes = shownDays(replayed) * minutesPerDay;
  const cause = replayed.cause.subarray(0, minutes);
  const drawn = buckets.filter(({ measure }) => load[measure] !== undefined);
  const withCredits = drawn.filter(({ bucket }) => bucket !== null);
  const isEmptyShown = secondsToEmpty !== null && secondsToEmpty <= minutes * secondsPerMinute;
  const emptyMinute = isEmptyShown ? secondsToEmpty / secondsPerMinute : null;
  const panels = placed([
    ...(withCredits.length === 0 ? [] : [{ title: 'Credits left, %', heightPixels: 130 }]),
    ...drawn.map(({ measure }) => ({
      title: `${unitOf[measure]}: load and limit in force`,
      heightPixels: 120,
    })),
  ]);
  const first = withCredits.length === 0 ? 0 : 1;
  const areas: NonNullable<MarkAreaComponentOption['data']> = throttledRuns(cause).map(
    ({ from, to, code }) => {
      const itemStyle = { color: palette.cause[causes[code] ?? 'unknown'], opacity: 0.2 };
      return [{ xAxis: from, itemStyle }, { xAxis: to }];
    },
  );
  const ground: Ground = { palette, minutes, ends: binEnds(minutes), areas, emptyMinute };
  const creditSeries = withCredits.map((bucket, index) => creditLine(bucket, index, ground));
  const rateSeries = drawn.flatMap((bucket, index) =>
    rateLines(bucket, load[bucket.measure] ?? [], index + first, ground),
  );
  const days = minutes / minutesPerDay;
  const description = [
    `${name} over ${figure(days)} ${days === 1 ? 'day' : 'days'}`,
    ...withCredits.map(
      ({ measure, startPercent, percent }) =>
        `${creditsOf[measure]} from ${measured(startPercent)} % to ${measured(percent.at(-1) ?? startPercent)} %`,
    ),
    emptyMinute === null ? 'never empty' : `empty at ${clock(Math.floor(emptyMinute))}`,
  ].join(', ');
  const { left, right } = sides[width];
  const interval = days <= 1 ? (width === 'wide' ? 2 : 6) * minutesPerHour : minutesPerDay;
  return {
    title: `Credits over ${days === 1 ? 'the day' : `${figure(days)} days`}`,
    description,
    heightPixels: heightOf(panels),
    option: {
      ...baseOption(palette, description),
      title: panels.map(({ what, top }) => panelTitle(palette, what.title, { top: top - titlePixels })),
      legend: legendOf(palette, [
        ...(withCredits.length > 1 ? withCredits.map(({ measure }) => lineKey(creditsOf[measure])) : []),
        lineKey('load'),
        lineKey('limit in force'),
      ]),
      grid: panels.map(({ top, heightPixels }) => ({ top, height: heightPixels, left, right })),
      xAxis: panels.map((_, index) => ({
        ...{ type: 'value' as const, gridIndex: index, min: 0, max: minutes, interval, ...axisLook(palette) },
        axisTick: { show: index === panels.length - 1 },
        axisLabel: {
          ...{ ...axisText(palette), show: index === panels.length - 1, hideOverlap: true },
          formatter: (minute: number) =>
            days <= 1 ? clockText(minute) : `day ${minute / minutesPerDay + 1}`,
        },
      })),
      yAxis: panels.map((_, index) => {
        const bucket = drawn[index - first];
        const most =
          index < first || bucket === undefined
            ? 100
            : Math.max(...(load[bucket.measure] ?? []), ...new Set(bucket.limit));
        return {
          ...{ type: 'value' as const, gridIndex: index, ...axisLook(palette), min: 0 },
          ...(index < first ? { max: 100, interval: 25 } : scaleUpTo(most * 1.02, 3)),
          axisLine: { show: false },
          axisTick: { show: false },
          axisLabel: { ...axisText(palette), formatter: measured },
          axisPointer: { show: false },
        };
      }),
      series: [...creditSeries, ...rateSeries],
      axisPointer: { link: [{ xAxisIndex: 'all' }], label: { show: false } },
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'axis',
        formatter: (params: unknown) => {
          const [one] = [params].flat() as [{ axisValue?: unknown } | undefined];
          const at = Math.floor(Number(one?.axisValue));
          if (Number.isNaN(at)) return '';
          return minuteText(Math.max(0, Math.min(at, minutes - 1)), of, drawn);
        },
      },
    },
    table: () => hourRows(of, drawn),
  };
}
