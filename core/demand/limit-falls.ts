/**
 * The think time of workers, from falls of their limit (credits run out, a neighbour comes) and its rises. Q of n workers
 * are in the volume while X x z think: n = Q + X x z, throttled or not. Where the limit falls and the workers stay, z is how
 * much longer the queue became by how much less was served: (Q2 - Q1) / (X1 - X2). Both are means over a few periods.
 */
import { median } from 'simple-statistics';
import { causeCode } from '../diagnosis/causes.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import { areLikeSizes, queueOf, sizeClassOf } from './calm-periods.ts';

const figures = {
  /** Periods on either side that are averaged. */
  side: 5,
  fewestOnSide: 2,
  /** Of a smaller fall nothing can be known. */
  leastFall: 0.1,
  /** A fall counts where it is larger than so many times what the load changes by itself. */
  ownChanges: 4,
  /** Within one side the rate stays within this factor. */
  sideFactor: 2,
  /** Calm places at which the load's own change is read: every so many periods. */
  everyCalm: 11,
  fewestCalm: 10,
  /** With fewer of them, and at least. */
  usualChange: 0.15,
  leastChange: 0.01,
  /** From a median of absolute deviations to a standard deviation. */
  normal: 1.4826,
  /** Four of five lie within so many; the spread of the service time brings the demand to more than nine of ten. */
  standardErrors: 1.3,
} as const;

/** Means over periods on one side of a place. */
class Side {
  count = 0;
  rate = 0;
  queue = 0;
  mibPerIo = 0;

  /** Reads up to five periods from `first` on, in steps of 1 or -1, as long as the same goes on without a gap. */
  read(load: VolumeLoad, first: number, step: 1 | -1): void {
    const { iops, mibps, epochSeconds, periodSeconds } = load;
    this.count = 0;
    let rates = 0;
    let queues = 0;
    for (let k = 0, i = first; k < figures.side; k++, i += step) {
      if (i < 0 || i >= iops.length) break;
      const apart = (epochSeconds[i] as number) - (epochSeconds[first] as number);
      const rate = iops[i] as number;
      const queue = queueOf(load, i);
      const mibPerIo = (mibps[i] as number) / rate;
      if (apart !== k * step * periodSeconds || !(rate > 0) || !(queue >= 0)) break;
      if (k === 0) this.mibPerIo = mibPerIo;
      const mean = k === 0 ? rate : rates / k;
      if (rate > figures.sideFactor * mean || mean > figures.sideFactor * rate) break;
      if (!areLikeSizes(mibPerIo, this.mibPerIo)) break;
      rates += rate;
      queues += queue;
      this.count++;
    }
    this.rate = rates / this.count;
    this.queue = queues / this.count;
  }
}

/** By how much the load itself changes over such a distance, as a share: from calm places. */
function ownChange(load: VolumeLoad, cause: Uint8Array): number {
  const { side, everyCalm } = figures;
  const changes: number[] = [];
  const before = new Side();
  const after = new Side();
  for (let i = side; i + side < load.iops.length; i += everyCalm) {
    const { none } = causeCode;
    if (cause[i - side] !== none || cause[i] !== none || cause[i + side] !== none) continue;
    before.read(load, i - 1, -1);
    after.read(load, i + 1, 1);
    if (before.count < side || after.count < side) continue;
    changes.push(Math.abs(after.rate / before.rate - 1));
  }
  if (changes.length < figures.fewestCalm) return figures.usualChange;
  return Math.max(figures.leastChange, figures.normal * median(changes));
}

interface Fall {
  sizeClass: number;
  thinkSeconds: number;
  /** What a change of the workers by themselves would make of it, for each part of them that came or went. */
  perOwnChange: number;
  factor: number;
}

function fallBetween(fewer: Side, more: Side): Fall | null {
  const drop = more.rate - fewer.rate;
  if (Math.min(fewer.count, more.count) < figures.fewestOnSide) return null;
  if (!(drop > figures.leastFall * fewer.rate) || !areLikeSizes(fewer.mibPerIo, more.mibPerIo)) return null;
  // Less is served and less waits: the work ended.
  if (fewer.queue < (1 - figures.leastFall) * more.queue) return null;
  const thinkSeconds = (fewer.queue - more.queue) / drop;
  const workers = fewer.queue + Math.max(0, thinkSeconds) * fewer.rate;
  return {
    sizeClass: sizeClassOf(fewer.mibPerIo),
    thinkSeconds,
    perOwnChange: workers / drop,
    factor: more.rate / fewer.rate,
  };
}

/** A fall or a rise of the limit at period i, from the periods before to those after it; null where there is none. */
function fallAt(
  load: VolumeLoad,
  cause: Uint8Array,
  i: number,
  { before, after }: { before: Side; after: Side },
): Fall | null {
  const { iops, epochSeconds, periodSeconds } = load;
  const earlier = iops[i - 1] as number;
  const later = iops[i + 1] as number;
  const isFall = later < earlier;
  if (cause[isFall ? i + 1 : i - 1] === causeCode.none) return null;
  if (!(Math.abs(later - earlier) > figures.leastFall * Math.min(earlier, later))) return null;
  const apart = (epochSeconds[i + 1] as number) - (epochSeconds[i - 1] as number);
  if (apart !== 2 * periodSeconds) return null;
  before.read(load, i - 1, -1);
  after.read(load, i + 1, 1);
  return isFall ? fallBetween(after, before) : fallBetween(before, after);
}

interface ThinkFromFalls {
  low: number;
  high: number;
  falls: number;
}

export class LimitFalls {
  private readonly falls: Fall[][] = [];
  private readonly change: number;

  constructor(load: VolumeLoad, cause: Uint8Array) {
    const sides = { before: new Side(), after: new Side() };
    let last: { at: number; fall: Fall; like: Fall[] } | null = null;
    for (let i = 1; i + 1 < load.iops.length; i++) {
      if (cause[i - 1] === causeCode.none && cause[i + 1] === causeCode.none) continue;
      const fall = fallAt(load, cause, i, sides);
      if (fall === null) continue;
      // Places near each other show the same fall: the sharpest of them is where it happened.
      const isSame: boolean = last !== null && i - last.at <= figures.side;
      if (isSame && last !== null && last.fall.factor >= fall.factor) continue;
      if (isSame) last?.like.pop();
      const like = this.falls[fall.sizeClass] ?? [];
      this.falls[fall.sizeClass] = like;
      like.push(fall);
      last = { at: i, fall, like };
    }
    this.change = this.falls.length === 0 ? figures.usualChange : ownChange(load, cause);
  }

  /** Seconds that workers with I/O of this size think; null where no fall tells. */
  thinkTime(sizeClass: number): ThinkFromFalls | null {
    const clear = (this.falls[sizeClass] ?? []).filter(
      ({ factor }) => factor > 1 + figures.ownChanges * this.change,
    );
    if (clear.length === 0) return null;
    const middle = median(clear.map(({ thinkSeconds }) => thinkSeconds));
    const spread = median(clear.map(({ thinkSeconds }) => Math.abs(thinkSeconds - middle)));
    const own = this.change * median(clear.map(({ perOwnChange }) => perOwnChange));
    const deviation = Math.max(figures.normal * spread, own);
    const error = (figures.standardErrors * deviation) / Math.sqrt(clear.length);
    if (middle + error < 0) return null;
    return { low: Math.max(0, middle - error), high: Math.max(0, middle) + error, falls: clear.length };
  }
}
