/**
 * The credit balance of a volume over time: as published, beside it replayed from the load, and one column that it is
 * evaluated by.
 */
import {
  type CreditBucket,
  creditBucket,
  creditChanges,
  type Deviation,
  DeviationTally,
  fullAtFirst,
  replayBetween,
  replayPercent,
  startFromLowest,
} from '../credits/credits.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { summaryOf } from '../load/load-summary.ts';
import { countedSsdIops, type VolumeLoad } from '../load/volume-load.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';

/** Columns have one entry a period of the load, in percent, the lowest of the period. */
export interface Balance {
  bucket: CreditBucket;
  /** The rate that spends it, in its unit a second. */
  ratePerSecond: Float64Array;
  /** What the volume is evaluated by: published where it was, in between replayed from the last published point on. */
  percent: Float64Array;
  /** NaN where nothing was published (an idle minute publishes no balance); null where nothing was at all. */
  publishedPercent: Float64Array | null;
  /** From the load alone: from the first published point on, or from a full bucket where there is none. */
  replayedPercent: Float64Array;
  /** The replay against what was published; null where nothing was. */
  deviation: Deviation | null;
  /** 'modelled': no BurstBalance at all, so the bucket is taken as full at the start and replayed from the load. */
  source: 'published' | 'modelled';
  /** At or below so many percent it counts as empty. */
  emptyPercent: number;
}

/**
 * The rate that spends this bucket: operations as SSD counts them (large ones split), or MiB/s. Published sums know an I/O
 * size on average only: small and large I/O in one period count less than they cost, and on HDD every I/O is taken as
 * merged, the cheapest case.
 */
function bucketRate({ unit }: CreditBucket, load: VolumeLoad): Float64Array {
  const { iops, mibps } = load;
  if (unit === 'mib') return mibps;
  if (summaryOf(load).isSmallThroughout) return iops;
  const counted = new Float64Array(iops.length);
  for (let i = 0; i < iops.length; i++) counted[i] = countedSsdIops(iops[i] as number, mibps[i] as number);
  return counted;
}

function firstKnown(column: Float64Array | null): number {
  if (column !== null)
    for (let i = 0; i < column.length; i++) if (!Number.isNaN(column[i] as number)) return i;
  return -1;
}

function deviationOf(replayed: Float64Array, published: Float64Array): Deviation | null {
  const tally = new DeviationTally();
  for (let i = 0; i < published.length; i++) tally.add(replayed[i] as number, published[i] as number);
  return tally.result();
}

const mostGapPeriods = 10;

/** All periods of its time are there, with their figures. */
function isWhole(load: VolumeLoad): boolean {
  const { epochSeconds, periodSeconds } = load;
  const last = epochSeconds.length - 1;
  const seconds = (epochSeconds[last] as number) - (epochSeconds[0] as number);
  const { isAnyUnknown, busiest } = summaryOf(load);
  return seconds === last * periodSeconds && !isAnyUnknown && !busiest.isMibUnknown;
}

/**
 * Without a published balance nothing corrects a replay. Few periods without figures are taken to be as the one after them:
 * else a bucket that ran empty in one of them would never seem to be.
 * @param changes of each period: that after a gap gets what came in it too.
 */
function fillGaps(
  changes: Float64Array,
  ratePerSecond: Float64Array,
  { epochSeconds, periodSeconds }: VolumeLoad,
): void {
  let unknown = 0;
  for (let i = 0; i < changes.length; i++) {
    const step = i === 0 ? periodSeconds : (epochSeconds[i] as number) - (epochSeconds[i - 1] as number);
    if (step > periodSeconds) unknown += Math.round(step / periodSeconds) - 1;
    if (Number.isNaN(ratePerSecond[i])) {
      unknown++;
      continue;
    }
    if (unknown > 0 && unknown <= mostGapPeriods) changes[i] = (changes[i] as number) * (1 + unknown);
    unknown = 0;
  }
}

/** The balance on the load's time axis; null where the volume has no bucket or never spends it. */
export function volumeBalance(
  limits: VolumeLimits,
  load: VolumeLoad,
  published: Float64Array | null,
  { emptyBalancePercent }: Pick<Thresholds, 'emptyBalancePercent'>,
): Balance | null {
  const bucket = creditBucket(limits);
  if (bucket === null || bucket.burstPerSecond <= bucket.baselinePerSecond) return null;
  const ratePerSecond = bucketRate(bucket, load);
  const changes = creditChanges(bucket, ratePerSecond, load.periodSeconds);
  const period = firstKnown(published);
  if (published === null || period < 0) {
    if (!isWhole(load)) fillGaps(changes, ratePerSecond, load);
    const percent = replayPercent(bucket, changes, fullAtFirst(bucket));
    return {
      bucket,
      ratePerSecond,
      percent,
      publishedPercent: null,
      replayedPercent: percent,
      deviation: null,
      source: 'modelled',
      emptyPercent: emptyBalancePercent,
    };
  }
  const first = { period, periods: 1, lowestPercent: published[period] as number };
  const start = startFromLowest(bucket, changes, first);
  const replayed = replayPercent(bucket, changes, start);
  return {
    bucket,
    ratePerSecond,
    percent: replayBetween(bucket, changes, published, { replayed, start }),
    publishedPercent: published,
    replayedPercent: replayed,
    deviation: deviationOf(replayed, published),
    source: 'published',
    emptyPercent: emptyBalancePercent,
  };
}

export const isEmptyAt = (balance: Balance | null, period: number): boolean =>
  balance !== null && (balance.percent[period] as number) <= balance.emptyPercent;

/**
 * The rate that would spend the bucket if it never ran out: while it is empty under load a rate shows the baseline and not
 * the demand, so the last rate before is taken to have gone on. An upper bound: workers that wait ask for less.
 */
export function rateWithCredits(balance: Balance): Float64Array {
  const { ratePerSecond, bucket } = balance;
  const atBaseline = fixedThresholds.atLimitShare * bucket.baselinePerSecond;
  let rates = ratePerSecond;
  let before = 0;
  for (let i = 0; i < ratePerSecond.length; i++) {
    const rate = ratePerSecond[i] as number;
    const isHeld = rate >= atBaseline && rate < before && isEmptyAt(balance, i);
    if (isHeld) {
      if (rates === ratePerSecond) rates = ratePerSecond.slice();
      rates[i] = before;
    } else if (!Number.isNaN(rate)) before = rate;
  }
  return rates;
}

/** AWS published a balance in this period; elsewhere it is replayed. */
export const isPublishedAt = ({ publishedPercent }: Balance, period: number): boolean =>
  publishedPercent !== null && !Number.isNaN(publishedPercent[period] as number);
