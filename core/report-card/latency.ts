/** How long operations took: figures and distribution of one direction of one job, and of several together. */
import { msPerSecond } from '../units.ts';
import type { FioDirection, FioJob, FioLatency } from './fio-result.ts';

// A distribution of latencies as bins, and its modes.

/** Four for each doubling: modes that are distinguished are twice as far as one from the next, or more. */
const binsPerDoubling = 4;
const binOf = (ms: number): number => Math.floor(Math.log2(ms) * binsPerDoubling + 1e-9);
const fromMsOf = (bin: number): number => 2 ** (bin / binsPerDoubling);

/** @param points at least one. */
export function binsOf(points: readonly Point[]): Bin[] {
  const total = points.reduce((sum, { count }) => sum + count, 0);
  const counts = new Map<number, number>();
  for (const { ms, count } of points) {
    // Nothing takes no time: fio counts whole nanoseconds, and fio 2 whole microseconds.
    const bin = binOf(Math.max(ms, 1e-6));
    counts.set(bin, (counts.get(bin) ?? 0) + count);
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([bin, count]) => ({ fromMs: fromMsOf(bin), toMs: fromMsOf(bin + 1), share: count / total }));
}

/** A heap of operations that took about the same. */
export interface Mode {
  fromMs: number;
  toMs: number;
  /** Where most are. */
  peakMs: number;
  share: number;
}

/** A mode has at least this share of the operations: fewer are a tail. */
const minShare = 0.05;
/** Between two modes there is a valley that has at most this part of the lower peak. */
const deepestValley = 0.5;
const leastApart = 2;

/** Shares on a grid of equal steps of the logarithm; a wide bin is spread over what it covers. */
function onGrid(bins: readonly Bin[]): { first: number; shares: number[] } {
  const ends = bins.map(({ fromMs, toMs }) => {
    const to = Number.isFinite(toMs) ? toMs : fromMs * 2;
    // The first of fio's own bins begins at nothing.
    const from = fromMs > 0 ? fromMs : to / 2;
    return { from: Math.log2(from) * binsPerDoubling, to: Math.log2(to) * binsPerDoubling };
  });
  const first = Math.floor(Math.min(...ends.map(({ from }) => from)) + 1e-9);
  const last = Math.ceil(Math.max(...ends.map(({ to }) => to)) - 1e-9);
  const shares = new Array<number>(last - first).fill(0);
  bins.forEach(({ share }, index) => {
    const { from, to } = ends[index] as { from: number; to: number };
    for (let cell = 0; cell < shares.length; cell++) {
      const covered = Math.min(to, first + cell + 1) - Math.max(from, first + cell);
      if (covered > 0) shares[cell] = (shares[cell] ?? 0) + (share * covered) / (to - from);
    }
  });
  return { first, shares };
}

/** Each with its neighbours, the middle counting twice: a heap is one, however its bins happen to lie. */
const smoothed = (shares: readonly number[]): number[] =>
  shares.map((share, cell) => ((shares[cell - 1] ?? 0) + 2 * share + (shares[cell + 1] ?? 0)) / 4);

/** The cell where the least is, from one peak to the next. */
function valleyBetween(heights: readonly number[], left: number, right: number): number {
  let lowest = left;
  for (let cell = left; cell <= right; cell++)
    if ((heights[cell] as number) < (heights[lowest] as number)) lowest = cell;
  return lowest;
}

/**
 * The heaps of a distribution, the quickest first: one for most, two where something throttles or two kinds of storage
 * answer. Heaps that are not apart (by a valley of half the lower peak, and twice the time) are one.
 */
export function modesOf(bins: readonly Bin[]): Mode[] {
  if (bins.length === 0) return [];
  const { first, shares } = onGrid(bins);
  const heights = smoothed(shares);
  const height = (cell: number): number => heights[cell] ?? 0;
  let peaks = heights.flatMap((value, cell) =>
    value > 0 && value >= height(cell - 1) && value > height(cell + 1) ? [cell] : [],
  );
  const sumOf = (from: number, to: number): number =>
    shares.slice(from, to).reduce((sum, share) => sum + share, 0);

  /** From which cell to which each peak's heap is. */
  const heaps = (): { peak: number; from: number; to: number; share: number }[] => {
    const cuts = peaks.slice(1).map((peak, index) => valleyBetween(heights, peaks[index] as number, peak));
    return peaks.map((peak, index) => {
      const [from, to] = [cuts[index - 1] ?? 0, cuts[index] ?? shares.length];
      return { peak, from, to, share: sumOf(from, to) };
    });
  };
  /** The first two that are one, or the one that is a tail: the lower peak goes. */
  const superfluous = (): number | undefined => {
    for (let index = 1; index < peaks.length; index++) {
      const [left, right] = [peaks[index - 1] as number, peaks[index] as number];
      const lower = height(left) < height(right) ? left : right;
      const valley = height(valleyBetween(heights, left, right));
      if (valley > deepestValley * height(lower) || right - left < Math.log2(leastApart) * binsPerDoubling)
        return lower;
    }
    return heaps()
      .filter(({ share }) => share < minShare)
      .sort((a, b) => a.share - b.share)[0]?.peak;
  };
  for (let gone = superfluous(); gone !== undefined && peaks.length > 1; gone = superfluous())
    peaks = peaks.filter((peak) => peak !== gone);

  return heaps().map(({ peak, from, to, share }) => {
    const filled = shares
      .map((one, cell) => ({ one, cell }))
      .filter(({ one, cell }) => one > 0 && cell >= from && cell < to);
    const [least = from, most = to - 1] = [filled[0]?.cell, filled.at(-1)?.cell];
    return {
      fromMs: fromMsOf(first + least),
      toMs: fromMsOf(first + most + 1),
      peakMs: fromMsOf(first + peak + 0.5),
      share,
    };
  });
}

/** So many operations took about so long. */
export interface Point {
  ms: number;
  count: number;
}

/** A share of operations that took from, and less than, so long; of the last one nothing says how long at most. */
export interface Bin {
  fromMs: number;
  toMs: number;
  share: number;
}

export interface Latency {
  meanMs: number;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  /** Percentiles of several jobs cannot be put together: these are the worst of them, and the true ones are not above. */
  isWorstOfSeveral: boolean;
}

/** One direction of one job. */
export interface Measured {
  operations: number;
  latency: FioLatency;
  /** Of `latency`, in a millisecond: by division a value on a bound of a scale stays on it. */
  unitsPerMs: number;
}

const nsPerMs = 1e6;
const usPerMs = 1e3;

/** What it waited for the device; the whole from asking to having only where fio has percentiles of that alone. */
export function measuredOf(direction: FioDirection): Measured | null {
  const { clat_ns, lat_ns, clat, lat } = direction;
  const inNs = clat_ns !== undefined || lat_ns !== undefined;
  const [completion, whole] = inNs ? [clat_ns, lat_ns] : [clat, lat];
  const latency =
    completion?.percentile === undefined && whole?.percentile !== undefined ? whole : completion;
  if (latency === undefined) return null;
  // Before 2.2 operations are not counted: of the same time their rate weighs the same.
  const operations = direction.total_ios ?? direction.iops * (direction.runtime / msPerSecond);
  return operations > 0 ? { operations, latency, unitsPerMs: inNs ? nsPerMs : usPerMs } : null;
}

/** The middle of a bin of fio 2, which tells its number: 64 bins for each doubling. Source: fio's stat.c. */
function middleOf(bin: number, perDoubling: number): number {
  if (bin < 2 * perDoubling) return bin;
  const width = 2 ** (Math.floor(bin / perDoubling) - 1);
  return width * (perDoubling + (bin % perDoubling) + 0.5);
}

function pointsOf({ latency: { bins = {} }, unitsPerMs }: Measured): Point[] {
  const perDoubling = bins['FIO_IO_U_PLAT_VAL'];
  return Object.entries(bins)
    .filter(([key, count]) => /^\d+$/.test(key) && count > 0)
    .map(([key, count]) => ({
      ms: (perDoubling === undefined ? Number(key) : middleOf(Number(key), perDoubling)) / unitsPerMs,
      count,
    }));
}

/** All operations of all of them, the quickest first; null where one of them tells no distribution. */
export function pointsOfAll(measured: readonly Measured[]): Point[] | null {
  const all = measured.map(pointsOf);
  if (all.some((points) => points.length === 0)) return null;
  return all.flat().sort((a, b) => a.ms - b.ms);
}

/** What so many percent took at most: the nearest rank. @param points sorted, at least one. */
function percentileMs(points: readonly Point[], percent: number): number {
  const total = points.reduce((sum, { count }) => sum + count, 0);
  let below = 0;
  for (const { ms, count } of points) {
    below += count;
    if (below >= (total * percent) / 100) return ms;
  }
  return (points.at(-1) as Point).ms;
}

function printed({ latency: { percentile = {} }, unitsPerMs }: Measured, percent: number): number | null {
  const found = Object.entries(percentile).find(([key]) => Number(key) === percent);
  return found === undefined ? null : found[1] / unitsPerMs;
}

/** null where one of them prints none. */
function worstPrinted(measured: readonly Measured[], percent: number): number | null {
  const all = measured.map((one) => printed(one, percent));
  return all.reduce<number | null>(
    (worst, ms) => (worst === null || ms === null ? null : Math.max(worst, ms)),
    0,
  );
}

/** In percent. */
const notified = [50, 95, 99];

/** @param measured those that had operations, at least one. */
export function latencyOf(measured: readonly Measured[]): Latency {
  const operations = measured.reduce((sum, one) => sum + one.operations, 0);
  const meanMs = measured.reduce(
    (sum, one) => sum + (one.latency.mean / one.unitsPerMs) * (one.operations / operations),
    0,
  );
  const points = pointsOfAll(measured);
  const asPrinted = notified.map((percent) => worstPrinted(measured, percent));
  // Of one alone as fio prints them, where it prints all: of the bins it is the middle, and the two are not mixed.
  const [p50Ms = null, p95Ms = null, p99Ms = null] =
    points === null || (measured.length === 1 && asPrinted.every((ms) => ms !== null))
      ? asPrinted
      : notified.map((percent) => percentileMs(points, percent));
  return {
    ...{ meanMs, p50Ms, p95Ms, p99Ms },
    isWorstOfSeveral: measured.length > 1 && points === null,
  };
}

/** As fio prints them: the upper ends in ns, us and ms. */
const scales = [
  { key: 'latency_ns', unitsPerMs: nsPerMs },
  { key: 'latency_us', unitsPerMs: usPerMs },
  { key: 'latency_ms', unitsPerMs: 1 },
] as const;

/**
 * The shares that fio prints of every job, reads and writes together, about twenty bins; empty ones are left out.
 * @param jobs with how many operations each had.
 */
export function printedBins(jobs: readonly { job: FioJob; operations: number }[]): Bin[] {
  const total = jobs.reduce((sum, { operations }) => sum + operations, 0);
  const bins: Bin[] = [];
  let fromMs = 0;
  for (const { key, unitsPerMs } of scales) {
    const ends = new Set(jobs.flatMap(({ job }) => Object.keys(job[key] ?? {})));
    const sorted = [...ends].map((end) => ({
      end,
      to: end.startsWith('>') ? Number.POSITIVE_INFINITY : Number(end),
    }));
    for (const { end, to } of sorted.sort((a, b) => a.to - b.to)) {
      const percent = jobs.reduce(
        (sum, { job, operations }) => sum + ((job[key]?.[end] ?? 0) * operations) / total,
        0,
      );
      const toMs = to / unitsPerMs;
      if (percent > 0) bins.push({ fromMs, toMs, share: percent });
      fromMs = toMs;
    }
  }
  // By their sum: each was rounded.
  const all = bins.reduce((sum, { share }) => sum + share, 0);
  return bins.map((bin) => ({ ...bin, share: bin.share / all }));
}
