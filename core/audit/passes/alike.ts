/** Volumes that may be members of one stripe, and whether one of them waits longer than the others. */
import type { Volume } from '../../inventory.ts';
import { type Series, sameTimes } from '../../load/series.ts';

/** A straggler's latency is three times its siblings' median; in a stripe all do the same rate, so its queue is too. */
const unevenTimes = 2;
/** It takes ten minutes of that to be told; half of them make a suspect. */
const unevenSeconds = 300;
/** What keeps less in flight, some twenty operations a second at a millisecond each, is no load to tell a latency by. */
const loadInFlight = 0.02;
/** Members of a stripe differ by a few in a hundred operations of a minute; volumes of one load by no more than this. */
const oneLoadDifference = 0.3;

const likeness = ({ volumeType, sizeGiB, iops, throughputMiBps }: Volume): string =>
  JSON.stringify([volumeType, sizeGiB, iops, throughputMiBps]);

const several = <T>(groups: Iterable<T[]>): T[][] => [...groups].filter(({ length }) => length > 1);

/** Volumes of one instance with the same type, size and figures: they may be a stripe that nobody told of. */
export const lookingAlike = (volumes: readonly Volume[]): Volume[][] =>
  several(Map.groupBy(volumes, likeness).values());

/** Volumes of one instance with the same tag that says so. */
export const toldAlike = (volumes: readonly Volume[]): Volume[][] =>
  several(
    Map.groupBy(
      volumes.filter(({ stripeTag }) => stripeTag !== null),
      ({ stripeTag }) => stripeTag,
    ).values(),
  );

const areComparable = (series: readonly Series[]): boolean =>
  series.every(({ epochSeconds }) => sameTimes(epochSeconds, (series[0] as Series).epochSeconds));

/** The median of all but one. @param sorted scratch space, one shorter than the values. */
function medianOfOthers(values: Float64Array, but: number, sorted: Float64Array): number {
  for (let i = 0, count = 0; i < values.length; i++) {
    if (i === but) continue;
    const value = values[i] as number;
    let place = count++;
    for (; place > 0 && (sorted[place - 1] as number) > value; place--) {
      sorted[place] = sorted[place - 1] as number;
    }
    sorted[place] = value;
  }
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Does one queue stand at twice its siblings' median under load, for minutes? Queues that cannot be compared are uneven. */
export function isUneven(queues: readonly Series[]): boolean {
  const [first, ...others] = queues;
  if (first === undefined || others.length === 0) return false;
  if (!areComparable(queues)) return true;
  const values = new Float64Array(queues.length);
  const sorted = new Float64Array(others.length);
  const seconds = new Float64Array(queues.length);
  for (let i = 0; i < first.values.length; i++) {
    for (let member = 0; member < queues.length; member++) {
      values[member] = (queues[member] as Series).values[i] as number;
    }
    for (let member = 0; member < queues.length; member++) {
      const own = values[member] as number;
      if (own < loadInFlight || own < unevenTimes * medianOfOthers(values, member, sorted)) continue;
      seconds[member] = (seconds[member] as number) + first.periodSeconds;
      if ((seconds[member] as number) >= unevenSeconds) return true;
    }
  }
  return false;
}

export interface Operations {
  reads: Series;
  writes: Series;
}

/** Can two volumes carry one load, by their operations? What cannot be compared can. */
export function isOneLoad(a: Operations, b: Operations): boolean {
  if (!areComparable([a.reads, a.writes, b.reads, b.writes])) return true;
  let [difference, larger] = [0, 0];
  for (let i = 0; i < a.reads.values.length; i++) {
    const one = (a.reads.values[i] as number) + (a.writes.values[i] as number);
    const other = (b.reads.values[i] as number) + (b.writes.values[i] as number);
    difference += Math.abs(one - other);
    larger += Math.max(one, other);
  }
  return difference <= oneLoadDifference * larger;
}
