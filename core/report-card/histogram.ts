/** A distribution of latencies as bins, and its modes. */
import type { Bin, Point } from './latency.ts';

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
const leastShare = 0.05;
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
      .filter(({ share }) => share < leastShare)
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
