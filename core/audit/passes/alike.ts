/** Volumes that may be members of one stripe, and whether one of them waits longer than the others. */

import type { Thresholds } from '../../diagnosis/thresholds.ts';
import type { Volume } from '../../inventory.ts';
import { type Series, sameTimes } from '../../load/series.ts';
import { msPerSecond, secondsPerMinute } from '../../units.ts';

/** A straggler's latency is so many times its siblings' median; in a stripe all do the same rate, so its queue is too. */
const unevenTimes = ({ stragglerTimes }: Thresholds): number => (2 / 3) * stragglerTimes;
/** It takes so many minutes of that to be reported; half of them make a suspect. */
const unevenSeconds = ({ stragglerMinutes }: Thresholds): number => (stragglerMinutes * secondsPerMinute) / 2;
/** What the fewest operations that a latency is evaluated by keep in flight at the shortest one. */
const loadInFlight = ({ stragglerLeastIops, stragglerLeastMs }: Thresholds): number =>
  (stragglerLeastIops * stragglerLeastMs) / msPerSecond;
/** Of two volumes with loads of their own each waits longer at some time, and one of them does so in most of it. */
const apartTimes = 2;
const apartShare = 0.5;

const figuresOf = ({ volumeType, sizeGiB, iops, throughputMiBps }: Volume): string =>
  JSON.stringify([volumeType, sizeGiB, iops, throughputMiBps]);

/** Volumes of one instance with the same type, size and figures: they may be a stripe that nobody told of. */
export const lookingAlike = (volumes: readonly Volume[]): Volume[][] =>
  [...Map.groupBy(volumes, figuresOf).values()].filter(({ length }) => length > 1);

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

/** Does one queue stand far above its siblings' median under load, for minutes? Queues that cannot be compared are uneven. */
export function isUneven(queues: readonly Series[], thresholds: Thresholds): boolean {
  const [first, ...others] = queues;
  if (first === undefined || others.length === 0) return false;
  if (!areComparable(queues)) return true;
  const values = new Float64Array(queues.length);
  const sorted = new Float64Array(others.length);
  const seconds = new Float64Array(queues.length);
  const [times, least] = [unevenTimes(thresholds), loadInFlight(thresholds)];
  const long = unevenSeconds(thresholds);
  for (let i = 0; i < first.values.length; i++) {
    for (let member = 0; member < queues.length; member++) {
      values[member] = (queues[member] as Series).values[i] as number;
    }
    for (let member = 0; member < queues.length; member++) {
      const own = values[member] as number;
      if (own < least || own < times * medianOfOthers(values, member, sorted)) continue;
      seconds[member] = (seconds[member] as number) + first.periodSeconds;
      if ((seconds[member] as number) >= long) return true;
    }
  }
  return false;
}

/** Do two queues differ in most of the time under load, now the one being longer and now the other? */
function isApart(a: Series, b: Series, thresholds: Thresholds): boolean {
  let [loaded, above, below] = [0, 0, 0];
  const leastInFlight = loadInFlight(thresholds);
  for (let i = 0; i < a.values.length; i++) {
    const [one, other] = [a.values[i] as number, b.values[i] as number];
    if (one < leastInFlight && other < leastInFlight) continue;
    loaded++;
    if (one >= apartTimes * other) above++;
    else if (other >= apartTimes * one) below++;
  }
  const least = unevenSeconds(thresholds) / a.periodSeconds;
  return above >= least && below >= least && above + below >= apartShare * loaded;
}

/**
 * Those of a group that may carry one load, by their queues; alone is who carries none with another. Taken for granted:
 * members of a stripe do not take turns in waiting twice as long as each other in most of their time.
 */
export function withOneLoad<T>(
  members: readonly T[],
  queueOf: (member: T) => Series,
  thresholds: Thresholds,
): T[][] {
  if (!areComparable(members.map(queueOf))) return [[...members]];
  let parts: T[][] = [];
  for (const member of members) {
    const isNear = (other: T): boolean => !isApart(queueOf(other), queueOf(member), thresholds);
    const near = parts.filter((part) => part.some(isNear));
    parts = [...parts.filter((part) => !near.includes(part)), [...near.flat(), member]];
  }
  return parts;
}
