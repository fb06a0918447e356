/** How long operations took: figures and distribution of one direction of one job, and of several together. */
import { msPerSecond } from '../units.ts';
import type { FioDirection, FioJob, FioLatency } from './fio-result.ts';

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
