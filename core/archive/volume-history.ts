/** What the archive says of one volume: what there is of it, what is missing, and its days in figures. */
import type { MetricName } from '../load/metrics.ts';
import { periodOf } from '../load/series.ts';
import type { DayOfVolume, HistoryHole, Peak, VolumeHistory } from '../schemas/history-answers.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerMinute } from '../units.ts';
import { dayOf, dayStart } from './keys.ts';
import type { Manifest, Read } from './manifest.ts';
import { placesOf, ratesOf } from './rates.ts';
import { type Interval, united } from './reading-plan.ts';
import type { ResourceMinutes } from './resource-minutes.ts';
import { throttledStatus } from './views.ts';

export const metricsOfHistory: readonly MetricName[] = [
  ...(['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes'] as const),
  ...(['VolumeQueueLength', 'BurstBalance'] as const),
  ...(['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const),
];

/** When it was read, whatever of it. */
export function readingsOf(manifests: readonly Manifest[], volumeId: string): Interval[] {
  const own = manifests.flatMap(({ reads }) =>
    reads.filter(({ resourceIds }: Read) => resourceIds.includes(volumeId)),
  );
  return united(own.map(({ fromSeconds, endSeconds }) => ({ from: fromSeconds, end: endSeconds })));
}

const minutesOf = ({ from, end }: Interval): number => (end - from) / secondsPerMinute;

const isIn = (intervals: readonly Interval[], time: number): boolean =>
  intervals.some(({ from, end }) => time >= from && time < end);

/** Where there is no row. */
function gapsIn(window: Interval, times: Float64Array, period: number): Interval[] {
  const gaps: Interval[] = [];
  let open = window.from;
  for (const time of times) {
    if (time > open) gaps.push({ from: open, end: time });
    open = Math.max(open, time + period);
  }
  if (open < window.end) gaps.push({ from: open, end: window.end });
  return gaps;
}

/** The parts of a window that a volume has no row in. */
export function gapsOf(minutes: ResourceMinutes | null, window: Interval): Interval[] {
  const times = minutes?.epochSeconds ?? new Float64Array();
  return gapsIn(window, times, periodOf(times) ?? secondsPerMinute);
}

/** What was read where there is no row had no points, or lies in a file that cannot be read; the rest was not read. */
function holesIn(
  window: Interval,
  times: Float64Array,
  period: number,
  { read, unreadable }: Pick<Asked, 'read' | 'unreadable'>,
): HistoryHole[] {
  const holes: HistoryHole[] = [];
  const ends = [...read, ...unreadable].flatMap(({ from, end }) => [from, end]).sort((a, b) => a - b);
  for (const gap of gapsIn(window, times, period)) {
    const inside = ends.filter((time) => time > gap.from && time < gap.end);
    for (const [i, from] of [gap.from, ...inside].entries()) {
      const end = inside[i] ?? gap.end;
      if (from >= end) continue;
      const isUnreadable = isIn(unreadable, from);
      const wasRead = !isUnreadable && isIn(read, from);
      const [start, stop] = [isoFromEpochSeconds(from), isoFromEpochSeconds(end)];
      const minutes = minutesOf({ from, end });
      const last = holes.at(-1);
      // Where one reading ends and the next begins is no end of a hole.
      if (last?.end === start && last.wasRead === wasRead && last.isUnreadable === isUnreadable) {
        last.end = stop;
        last.minutes += minutes;
      } else holes.push({ start, end: stop, minutes, wasRead, isUnreadable });
    }
  }
  return holes;
}

interface Figures {
  avg: number | null;
  max: number | null;
  min: number | null;
  maxAt: number;
}

function figuresOf(values: Float64Array | undefined, from: number, end: number): Figures {
  let [sum, count, max, min, maxAt] = [0, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, from];
  for (let i = from; i < end; i++) {
    const value = values?.[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
    min = Math.min(min, value);
    if (value > max) [max, maxAt] = [value, i];
  }
  return count === 0 ? { avg: null, max: null, min: null, maxAt } : { avg: sum / count, max, min, maxAt };
}

function sumOf(values: Float64Array | undefined, from: number, end: number): number | null {
  const { avg } = figuresOf(values, from, end);
  if (avg === null) return null;
  let sum = 0;
  for (let i = from; i < end; i++) sum += Number.isNaN(values?.[i]) ? 0 : (values?.[i] as number);
  return sum;
}

interface Columns {
  iops: Float64Array;
  mibps: Float64Array;
  queue: Float64Array | undefined;
}

function dayFigures(
  minutes: ResourceMinutes,
  { iops, mibps, queue }: Columns,
  [from, end]: readonly [number, number],
): Omit<DayOfVolume, 'day'> {
  const [ofIops, ofMibps, ofQueue] = [iops, mibps, queue].map((values) => figuresOf(values, from, end)) as [
    Figures,
    Figures,
    Figures,
  ];
  const { metrics, evaluation } = minutes;
  const status = (evaluation?.status ?? []).slice(from, end).filter((text) => text !== null);
  return {
    minutes: end - from,
    ...{ avgIops: ofIops.avg, maxIops: ofIops.max, avgMiBps: ofMibps.avg, maxMiBps: ofMibps.max },
    ...{ avgQueueLength: ofQueue.avg, maxQueueLength: ofQueue.max },
    lowestBalancePercent: figuresOf(metrics.get('BurstBalance'), from, end).min,
    iopsExceededMinutes: sumOf(metrics.get('VolumeIOPSExceededCheck'), from, end),
    throughputExceededMinutes: sumOf(metrics.get('VolumeThroughputExceededCheck'), from, end),
    evaluatedMinutes: status.length,
    throttledMinutes: status.length === 0 ? null : status.filter((text) => text === throttledStatus).length,
  };
}

function peakOf(values: Float64Array | undefined, times: Float64Array): Peak | null {
  const { max, maxAt } = figuresOf(values, 0, times.length);
  return max === null ? null : { value: max, at: isoFromEpochSeconds(times[maxAt] as number) };
}

interface Asked {
  volumeId: string;
  target: { account: string; region: string };
  /** From, and without the end. */
  window: Interval;
  read: readonly Interval[];
  /** What of it lies in files that cannot be read. */
  unreadable: readonly Interval[];
}

/** @param minutes null where no row of it is there. */
export function volumeHistory(minutes: ResourceMinutes | null, asked: Asked): VolumeHistory {
  const { window, target, volumeId } = asked;
  const times = minutes?.epochSeconds ?? new Float64Array();
  const { periodSeconds, iops, mibps } = ratesOf(minutes);
  const holes = holesIn(window, times, periodSeconds, asked);
  const missing = holes.reduce((sum, hole) => sum + hole.minutes, 0);
  const all = minutesOf(window);
  const queue = minutes?.metrics.get('VolumeQueueLength');
  const days: DayOfVolume[] =
    minutes === null
      ? []
      : placesOf(times, secondsPerDay).map(({ start, from, end }) => ({
          day: dayOf(start),
          ...dayFigures(minutes, { iops, mibps, queue }, [from, end]),
        }));
  const daysInWindow = Math.ceil((window.end - dayStart(dayOf(window.from))) / secondsPerDay);
  const evaluated = days.reduce((sum, { evaluatedMinutes }) => sum + evaluatedMinutes, 0);
  return {
    volumeId,
    ...target,
    window: { start: isoFromEpochSeconds(window.from), end: isoFromEpochSeconds(window.end) },
    periodSeconds,
    ...{ minutesInWindow: all, minutesWithPoints: all - missing },
    ...{ daysInWindow, daysWithPoints: days.length, holes },
    peaks: { iops: peakOf(iops, times), mibps: peakOf(mibps, times), queueLength: peakOf(queue, times) },
    evaluatedMinutes: evaluated,
    throttledMinutes:
      evaluated === 0 ? null : days.reduce((sum, { throttledMinutes: one }) => sum + (one ?? 0), 0),
    days,
    unreadFiles: [],
  };
}
