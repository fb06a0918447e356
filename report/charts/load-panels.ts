/** Which panels the chart of a load has, from top to bottom, and how high each scale goes. */
import type { Band, Column, Envelope } from '../../core/report/envelope.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { clearlyDemanded, mostOf } from './bins.ts';
import { type Scale, scaleUpTo } from './scale.ts';
import { measured } from './words.ts';

export interface LimitLine {
  name: string;
  value: number;
  kind: 'limit' | 'best' | 'recommended';
}

interface PanelLine {
  band: Band;
  /** Of credits the least is what counts. */
  shown: 'most' | 'least';
  dashed: boolean;
}

export interface Panel {
  title: string;
  note: string;
  heightPixels: number;
  lines: PanelLine[];
  demand: Column | null;
  limits: LimitLine[];
  scale: Scale;
}

/** A limit further above the load than this would press the load onto the ground. */
const maxTimesLoad = 3;

interface Figures {
  title: string;
  band: Band;
  demand: Column | null;
  now: { baseline: number | null; best: number | null };
  recommended: number | null;
}

function linesOf({ now: { baseline, best }, recommended }: Figures, bestName: string): LimitLine[] {
  const isOne = best === null || baseline === null || best === baseline;
  const steady = baseline ?? best;
  const lines: LimitLine[] = [
    ...(steady === null
      ? []
      : [{ name: isOne ? 'limit' : 'baseline', value: steady, kind: 'limit' as const }]),
    ...(isOne ? [] : [{ name: bestName, value: best, kind: 'best' as const }]),
  ];
  const same = lines.find(({ value }) => value === recommended);
  if (same !== undefined) same.name = `${same.name}, recommended`;
  else if (recommended !== null) lines.push({ name: 'recommended', value: recommended, kind: 'recommended' });
  return lines;
}

function ratePanel(figures: Figures, bestName: string): Panel {
  const { title, band } = figures;
  const demand = clearlyDemanded(figures.demand, band);
  const load = mostOf(band.max) ?? 0;
  const wish = demand === null ? 0 : (mostOf(demand) ?? 0);
  const lines = linesOf(figures, bestName);
  const limits = lines.filter(({ value }) => value <= maxTimesLoad * load);
  const above = lines.filter((line) => !limits.includes(line));
  const top = Math.max(load, Math.min(wish, maxTimesLoad * load), ...limits.map(({ value }) => value));
  const notes = [
    ...above.map(({ name, value }) => `${name} ${measured(value)}`),
    ...(wish > maxTimesLoad * load ? [`demand up to ${measured(wish)}`] : []),
  ];
  return {
    title,
    note: notes.length === 0 ? '' : `far above this scale: ${notes.join(', ')}`,
    heightPixels: 132,
    lines: [{ band, shown: 'most', dashed: false }],
    demand,
    limits,
    // Some room, so that what is at its limit does not stand at the edge.
    scale: scaleUpTo(top * 1.02),
  };
}

const smallPixels = 66;
const percent: Scale = { max: 100, interval: 50 };

function creditPanel({ balancePercent, ioBalancePercent, byteBalancePercent }: Envelope): Panel[] {
  const of = [balancePercent ?? ioBalancePercent, byteBalancePercent].filter((band) => band !== null);
  if (of.length === 0) return [];
  const lines = of.map((band, index) => ({ band, shown: 'least' as const, dashed: index > 0 }));
  const onlyBytes = balancePercent === null && ioBalancePercent === null;
  const note = onlyBytes ? 'of bytes' : 'of operations: solid, of bytes: dashed';
  return [
    {
      ...{ title: 'Credits left, %', note: byteBalancePercent === null ? '' : note },
      ...{ heightPixels: smallPixels, lines, demand: null, limits: [], scale: percent },
    },
  ];
}

const smallPanel = (title: string, band: Band | null): Panel[] =>
  band === null || mostOf(band.max) === null
    ? []
    : [
        {
          ...{ title, note: '', heightPixels: smallPixels, demand: null, limits: [] },
          lines: [{ band, shown: 'most', dashed: false }],
          scale: scaleUpTo((mostOf(band.max) ?? 0) * 1.02, 2),
        },
      ];

export function panelsOf(series: ResourceSeries, envelope: Envelope, findingId: string | null): Panel[] {
  const { limits, kind } = series;
  const recommended = findingId === null ? undefined : series.recommended[findingId];
  const bestName = kind === 'instance' ? 'maximum' : 'burst';
  return [
    ratePanel(
      {
        ...{ title: 'IOPS', band: envelope.iops, demand: envelope.demandIops },
        now: { baseline: limits?.baselineIops ?? null, best: limits?.burstIops ?? null },
        recommended: recommended?.iops ?? null,
      },
      bestName,
    ),
    ratePanel(
      {
        ...{ title: 'MiB/s', band: envelope.mibps, demand: envelope.demandMiBps },
        now: { baseline: limits?.baselineMiBps ?? null, best: limits?.burstMiBps ?? null },
        recommended: recommended?.mibps ?? null,
      },
      bestName,
    ),
    ...creditPanel(envelope),
    ...smallPanel('Queue length', envelope.queueLength),
    ...smallPanel('Latency, ms', envelope.latencyMs),
  ];
}
