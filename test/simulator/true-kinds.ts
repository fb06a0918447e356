/**
 * Which troubles a resource truly has, from its true minutes and the words' thresholds alone.
 * Written apart from the engine on purpose: the two must agree without sharing a line.
 */
import type { Cause } from './causes.ts';
import type { TroubleKind } from './plan.ts';

const minutesPerDay = 1_440;
const throttledMinutesInDay = 5;
const throttledOfLastFive = 3;
export const microBurstsInDay = 3;
const microBurstShare = 0.8;
const atTheLimit = 0.95;
const exhaustedPercent = 1;
const drainWindowMinutes = 30;
const exhaustsWithinMinutes = 120;

export interface VolumeTruth {
  causes: readonly Cause[];
  /** The minute's average as a share of the volume's limit, in operations and in bytes. */
  shareOfIops: ArrayLike<number>;
  shareOfThroughput: ArrayLike<number>;
  /** Lowest of each minute; NaN where there is no bucket. */
  balancePercent: ArrayLike<number>;
  operations: ArrayLike<number>;
}

export interface InstanceTruth {
  causes: readonly Cause[];
  /** The minute's average as a share of the instance's maximum. */
  shareOfIops: ArrayLike<number>;
  shareOfThroughput: ArrayLike<number>;
  /** The lower of the two buckets, lowest of each minute. */
  balancePercent: ArrayLike<number>;
  operations: ArrayLike<number>;
}

/** The most minutes that fit the test within any 24 hours. */
export function maxInADay(minutes: number, fits: (minute: number) => boolean): number {
  let count = 0;
  let most = 0;
  for (let minute = 0; minute < minutes; minute++) {
    if (fits(minute)) count++;
    if (minute >= minutesPerDay && fits(minute - minutesPerDay)) count--;
    most = Math.max(most, count);
  }
  return most;
}

type Shares = Pick<VolumeTruth, 'shareOfIops' | 'shareOfThroughput'>;

/** Throttled by an operations or byte limit that the whole minute did not come near. */
function isBurst(causes: readonly Cause[], shares: Shares, minute: number): boolean {
  const cause = causes[minute] ?? 'none';
  const byIops = cause === 'volume-iops' || cause === 'instance-iops';
  const byThroughput = cause === 'volume-throughput' || cause === 'instance-throughput';
  const share = byIops ? shares.shareOfIops[minute] : byThroughput ? shares.shareOfThroughput[minute] : 1;
  return (share ?? 0) < microBurstShare;
}

/** Throttled is load that waited for minutes: a minute that a burst of seconds fills is none. */
function isThrottledBy({ causes, ...shares }: Shares & Pick<VolumeTruth, 'causes'>, cause: Cause): boolean {
  const is = (minute: number): boolean => causes[minute] === cause && !isBurst(causes, shares, minute);
  const lastFive = [1, 2, 3, 4, 5].filter((before) => is(causes.length - before)).length;
  return maxInADay(causes.length, is) >= throttledMinutesInDay || lastFive >= throttledOfLastFive;
}

const isMicroBurst = ({ causes, ...shares }: VolumeTruth, minute: number): boolean =>
  (causes[minute] === 'volume-iops' || causes[minute] === 'volume-throughput') &&
  isBurst(causes, shares, minute);

/**
 * Minutes that look throttled by operations / ceil(60 - idle) although the average is low. A volume that serves one
 * I/O at a time runs at 1 / latency while it is busy, whatever is provisioned, so this alone proves nothing.
 */
export function activeTimeRateMinutes(truth: VolumeTruth, idleSeconds: ArrayLike<number>): number {
  const looksHeld = (share: number, minute: number): boolean => {
    const activeSeconds = Math.max(1, Math.ceil(60 - (idleSeconds[minute] ?? 0)));
    return share < microBurstShare && (share * 60) / activeSeconds >= atTheLimit;
  };
  return maxInADay(
    truth.causes.length,
    (minute) =>
      looksHeld(truth.shareOfIops[minute] ?? 0, minute) ||
      looksHeld(truth.shareOfThroughput[minute] ?? 0, minute),
  );
}

function isExhausted(balancePercent: ArrayLike<number>, operations: ArrayLike<number>): boolean {
  for (let minute = 0; minute < operations.length; minute++) {
    if ((balancePercent[minute] ?? Number.NaN) <= exhaustedPercent && (operations[minute] ?? 0) >= 1)
      return true;
  }
  return false;
}

/** Minutes until the bucket is empty at the pace of the last 30; infinite where it is not draining. */
export function minutesToEmpty(balancePercent: ArrayLike<number>): number {
  const last = balancePercent[balancePercent.length - 1] ?? Number.NaN;
  const before = balancePercent[balancePercent.length - 1 - drainWindowMinutes] ?? Number.NaN;
  const percentPerMinute = (before - last) / drainWindowMinutes;
  return percentPerMinute > 0 ? last / percentPerMinute : Number.POSITIVE_INFINITY;
}

function isIdle(operations: ArrayLike<number>): boolean {
  let total = 0;
  for (let minute = 0; minute < operations.length; minute++) total += operations[minute] ?? 0;
  return operations.length >= minutesPerDay && total < operations.length;
}

/** The kinds of an attached volume that published its metrics. */
export function volumeKinds(truth: VolumeTruth): TroubleKind[] {
  const { causes, balancePercent, operations } = truth;
  const kinds: TroubleKind[] = [];
  const exhausted = isExhausted(balancePercent, operations);
  if (isThrottledBy(truth, 'volume-iops')) kinds.push('throttled-volume-iops');
  if (isThrottledBy(truth, 'volume-throughput')) kinds.push('throttled-volume-throughput');
  if (exhausted) kinds.push('credits-exhausted');
  if (!exhausted && minutesToEmpty(balancePercent) <= exhaustsWithinMinutes)
    kinds.push('credits-will-exhaust');
  if (maxInADay(causes.length, (minute) => isMicroBurst(truth, minute)) >= microBurstsInDay)
    kinds.push('micro-burst');
  if (causes.includes('stalled')) kinds.push('stalled');
  if (isIdle(operations)) kinds.push('idle');
  return kinds;
}

export function instanceKinds(truth: InstanceTruth): TroubleKind[] {
  const kinds: TroubleKind[] = [];
  if (isThrottledBy(truth, 'instance-iops')) kinds.push('throttled-instance-iops');
  if (isThrottledBy(truth, 'instance-throughput')) kinds.push('throttled-instance-throughput');
  if (isExhausted(truth.balancePercent, truth.operations)) kinds.push('instance-credits-exhausted');
  return kinds;
}

const causeOfKind: Partial<Record<TroubleKind, Cause>> = {
  'throttled-volume-iops': 'volume-iops',
  'throttled-volume-throughput': 'volume-throughput',
  'credits-exhausted': 'volume-credits',
  stalled: 'stalled',
  'throttled-instance-iops': 'instance-iops',
  'throttled-instance-throughput': 'instance-throughput',
  'instance-credits-exhausted': 'instance-credits',
};

/** Minutes in which I/O waited for this trouble; null of one that is no waiting. */
export function waitedMinutes(kind: TroubleKind, truth: Shares & Pick<VolumeTruth, 'causes'>): number | null {
  const cause = causeOfKind[kind];
  if (cause === undefined && kind !== 'micro-burst') return null;
  const { causes, ...shares } = truth;
  return causes.filter((one, minute) => {
    const isOfBurst = isBurst(causes, shares, minute);
    if (kind === 'micro-burst') return (one === 'volume-iops' || one === 'volume-throughput') && isOfBurst;
    return one === cause && !isOfBurst;
  }).length;
}
