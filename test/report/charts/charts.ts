/** Series of few bins for charts, and their options as tests read them. */
import type { Column, Envelope } from '../../../core/report/envelope.ts';
import type { ResourceSeries } from '../../../core/report/resource-series.ts';
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import type { Chart } from '../../../report/charts/chart.ts';

/** 2026-11-19 14:00 UTC */
export const startEpochSeconds = 1_795_096_800;
/** In milliseconds, so many minutes later. */
export const minuteMs = (minute: number): number => (startEpochSeconds + 60 * minute) * 1_000;

/** Minutes, each a bin of its own, unless it is said otherwise. */
export function anEnvelope(iops: Column, changes: Partial<Envelope> = {}): Envelope {
  const mibps = iops.map((value) => (value === null ? null : value / 64));
  return {
    ...{ startEpochSeconds, binSeconds: 60, periodSeconds: 60 },
    endEpochSeconds: startEpochSeconds + iops.length * (changes.binSeconds ?? 60),
    iops: { min: iops, max: iops },
    mibps: { min: mibps, max: mibps },
    ...{ queueLength: null, latencyMs: null },
    ...{ balancePercent: null, ioBalancePercent: null, byteBalancePercent: null },
    ...{ demandIops: null, demandMiBps: null },
    throttled: {
      minutes: iops.map(() => 0),
      cause: iops.map(() => null),
      minutesByCause: [],
      unknownMinutes: iops.map((value) => (value === null ? 1 : 0)),
    },
    ...changes,
  };
}

export const aSeries = (whole: Envelope, changes: Partial<ResourceSeries> = {}): ResourceSeries => ({
  ...{ resourceId: 'vol-1', kind: 'volume', recommended: {}, whole, closeUp: null },
  limits: { baselineIops: 3_000, burstIops: 3_000, baselineMiBps: 125, burstMiBps: 125 },
  ...changes,
});

export const aTest = (changes: Partial<GradedTestAnswer> = {}): GradedTestAnswer => ({
  ...{ run: 'stripe', name: 'randread-8k-16', access: 'randread', blockKiB: 8, users: 16, ioDepth: 1 },
  ...{ readShare: 1, iops: 3_500, mibps: 27.3, grade: 'A', scalingGrade: null },
  why: { latency: { code: 'no-latency' }, scaling: null },
  latencyMs: { mean: 4.5, p50: 4, p95: 3.5, p99: 9, isWorstOfSeveral: false },
  ...{ modes: [], histogram: [], members: [], limit: null, limitReason: null, error: null },
  ...{ usdPer1000Iops: null, overTime: null },
  ...changes,
});

interface SeenLine {
  yAxis?: number;
  xAxis?: number;
  label: { formatter: string; padding?: number[]; distance?: number };
}

/** What our options say, for who asks. */
export interface SeenOption {
  title: { text: string }[];
  legend: { data: (string | { name: string })[] };
  grid: { top: number; height: number }[];
  xAxis: { min: number; max: number }[];
  yAxis: {
    min?: number;
    max?: number;
    interval?: number;
    data?: string[];
    axisLabel: { formatter: (value: string, index: number) => string };
  }[];
  series: {
    type: string;
    name?: string;
    symbol?: string;
    lineStyle?: { type: unknown };
    label?: { formatter: (at: object) => string };
    data: ((number | null)[] | { value: unknown })[];
    markLine?: { data: SeenLine[] };
    markArea?: { data: [{ xAxis: number; itemStyle: { color: string } }, { xAxis: number }][] };
  }[];
  dataZoom: { type: string; xAxisIndex: number[] }[];
  tooltip: { renderMode: string; formatter: (params: unknown) => string };
}

/** ECharts' own type of an option is of all that one may leave out or write otherwise: of no use to who reads ours. */
export const seen = ({ option }: Chart): SeenOption => option as unknown as SeenOption;

export const namesOf = ({ legend }: SeenOption): string[] =>
  legend.data.map((one) => (typeof one === 'string' ? one : one.name));
