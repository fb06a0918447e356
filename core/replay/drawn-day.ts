/**
 * A day given by its hours, replayed minute by minute, day after day, until it repeats: what becomes of the credits, when
 * they are gone, and in which hours load is throttled.
 */
import { type CreditBucket, secondsToEmpty } from '../credits/credits.ts';
import { type Cause, causeCode, causes } from '../diagnosis/causes.ts';
import { minutesPerHour, secondsPerDay, secondsPerMinute } from '../units.ts';
import { type CreditedRate, most, ofPeriod, type ReplayConfiguration } from './configuration.ts';
import { type ReplaySeries, replayCredits } from './replay.ts';

export const hoursPerDay = 24;
export const minutesPerDay = hoursPerDay * minutesPerHour;

/** One mean rate an hour, from 00:00 on; of HDD, which counts bytes, the I/O are the MiB. */
export interface DrawnDay {
  iops: readonly number[];
  mibps: readonly number[];
}

/** What is counted: I/O, or bytes. */
export type Measure = 'iops' | 'mibps';

/** What a bucket holds and lets through; one entry a minute. */
export interface BucketMinutes {
  measure: Measure;
  /** Percent of a full bucket when the first day begins. */
  startPercent: number;
  /** Percent at the end of the minute; 100 where the limit has no bucket. */
  percent: Float64Array;
  /** What it would let through a second in this minute, with the credits that are left. */
  limit: Float64Array;
  /** Null: what it has all the time is its limit. */
  bucket: CreditBucket | null;
}

export interface DayFigures {
  /** Of the bucket that is lowest at that moment; 100 where there is none. */
  startPercent: number;
  endPercent: number;
  lowestPercent: number;
  /** The minute of the day at whose end it is lowest for the first time. */
  lowestMinute: number;
  throttledMinutes: number;
  /** By hour of the day, 0 to 60 each. */
  throttledMinutesByHour: number[];
  /** What is absent throttled nothing. */
  byCause: Partial<Record<Cause, number>>;
}

/**
 * How it goes on. repeats: from some day on each day is as the one before. waits-more: so is it with the credits, but what
 * is not served in time waits, and grows. changes: credits still fall or rise when the replay ends.
 */
type Course = 'repeats' | 'waits-more' | 'changes';

export interface ReplayedDays {
  course: Course;
  /** The last is the first that begins as it ends, or of which all is throttled; of `changes` the last that is replayed. */
  days: DayFigures[];
  /** Seconds from 00:00 of the first day until a bucket is empty; null: it never is. */
  secondsToEmpty: number | null;
  /** Until all buckets are full, 0 where they are; null: they never are. */
  secondsToFull: number | null;
  buckets: BucketMinutes[];
  /** `causeCode`, one entry a minute. */
  cause: Uint8Array;
}

/** First few days, then more: most days repeat at once. */
const daysTried = [2, 8, 32] as const;

const spread = (hours: readonly number[], days: number): Float64Array => {
  const rates = new Float64Array(days * minutesPerDay);
  for (let day = 0; day < days; day++)
    for (let hour = 0; hour < hoursPerDay; hour++) {
      const from = day * minutesPerDay + hour * minutesPerHour;
      rates.fill(hours[hour] as number, from, from + minutesPerHour);
    }
  return rates;
};

function drawnSeries({ iops, mibps }: DrawnDay, days: number): ReplaySeries {
  const epochSeconds = Float64Array.from({ length: days * minutesPerDay }, (_, i) => i * secondsPerMinute);
  return {
    ...{ periodSeconds: secondsPerMinute, epochSeconds, writeShare: 0 },
    ...{ iops: spread(iops, days), mibps: spread(mibps, days) },
  };
}

function bucketOf(measure: Measure, rate: CreditedRate, credits: Float64Array): BucketMinutes | null {
  const { baselinePerSecond, burstPerSecond, creditCapacity: capacity, startCredits } = rate;
  if (!Number.isFinite(baselinePerSecond)) return null;
  const ofMinute = ofPeriod(rate, secondsPerMinute);
  const { refillFactor } = ofMinute;
  const unit = measure === 'iops' ? 'io' : 'mib';
  const percentOf = (left: number): number => (capacity > 0 ? (100 * left) / capacity : 100);
  return {
    measure,
    bucket: capacity > 0 ? { unit, capacity, baselinePerSecond, burstPerSecond, refillFactor } : null,
    startPercent: percentOf(startCredits),
    percent: credits.map(percentOf),
    limit: credits.map((_, i) => {
      const left = i === 0 ? startCredits : (credits[i - 1] as number);
      return most(ofMinute, left) / secondsPerMinute;
    }),
  };
}

interface Replayed {
  buckets: BucketMinutes[];
  /** Lowest of all buckets at the end of each minute. */
  lowest: Float64Array;
  startPercent: number;
  backlog: Float64Array;
  cause: Uint8Array;
}

function replayed(series: ReplaySeries, configuration: ReplayConfiguration): Replayed {
  const { credits, backlog, cause } = replayCredits(series, configuration);
  const { volumeIops, volumeMiBps, instance } = configuration;
  const buckets = [
    bucketOf('iops', volumeIops, credits.volumeIo),
    bucketOf('mibps', volumeMiBps, credits.volumeMiB),
    ...(instance === null
      ? []
      : [
          bucketOf('iops', instance.iops, credits.instanceIo),
          bucketOf('mibps', instance.mibps, credits.instanceMiB),
        ]),
  ].filter((one) => one !== null);
  const lowest = new Float64Array(cause.length).fill(100);
  for (const { percent } of buckets)
    for (let i = 0; i < lowest.length; i++) lowest[i] = Math.min(lowest[i] as number, percent[i] as number);
  const startPercent = Math.min(100, ...buckets.map((bucket) => bucket.startPercent));
  return { buckets, lowest, startPercent, backlog, cause };
}

function dayOf({ lowest, startPercent, cause }: Replayed, day: number): DayFigures {
  const from = day * minutesPerDay;
  const figures: DayFigures = {
    startPercent: day === 0 ? startPercent : (lowest[from - 1] as number),
    endPercent: lowest[from + minutesPerDay - 1] as number,
    ...{ lowestPercent: Number.POSITIVE_INFINITY, lowestMinute: 0, throttledMinutes: 0, byCause: {} },
    throttledMinutesByHour: new Array<number>(hoursPerDay).fill(0),
  };
  for (let minute = 0; minute < minutesPerDay; minute++) {
    const percent = lowest[from + minute] as number;
    if (percent < figures.lowestPercent) {
      figures.lowestPercent = percent;
      figures.lowestMinute = minute;
    }
    const code = cause[from + minute] as number;
    if (code === causeCode.none) continue;
    const hour = Math.floor(minute / minutesPerHour);
    const name = causes[code] as Cause;
    figures.throttledMinutes++;
    figures.throttledMinutesByHour[hour] = (figures.throttledMinutesByHour[hour] as number) + 1;
    figures.byCause[name] = (figures.byCause[name] ?? 0) + 1;
  }
  return figures;
}

/** Balances that differ by less are the same, in points. */
const samePoints = 0.005;
/** So is what waits, as a share of what a day asks for. */
const sameShare = 1e-6;

/** The first day after which nothing changes any more but, perhaps, what waits; null where there is none. */
function settledDay(
  { buckets, backlog, cause }: Replayed,
  days: number,
  ioPerDay: number,
): { day: number; course: Course } | null {
  for (let day = 0; day < days; day++) {
    const [start, end] = [day * minutesPerDay, (day + 1) * minutesPerDay];
    const before = (column: Float64Array, first: number): number =>
      day === 0 ? first : (column[start - 1] as number);
    const isSame = buckets.every(
      ({ percent, startPercent }) =>
        Math.abs((percent[end - 1] as number) - before(percent, startPercent)) < samePoints,
    );
    if (!isSame) continue;
    const grown = (backlog[end - 1] as number) - before(backlog, 0);
    const isAllThrottled = cause.subarray(start, end).every((code) => code !== causeCode.none);
    // Bytes alone have no I/O that wait: where each minute of the day is throttled, they do.
    if (isAllThrottled && (grown > sameShare * ioPerDay || ioPerDay === 0))
      return { day, course: 'waits-more' };
    if (Math.abs(grown) <= sameShare * ioPerDay) return { day, course: 'repeats' };
  }
  return null;
}

/** What remains of sums that come to nothing. */
const dustPercent = 1e-9;

/** Within the minute in which it happens, by the rate that is asked in it, with what waits. */
function emptyAfter({ buckets, backlog }: Replayed, series: ReplaySeries): number | null {
  const moments = buckets.flatMap(({ measure, bucket, percent, startPercent }) => {
    if (bucket === null) return [];
    const before = (minute: number): number =>
      minute === 0 ? startPercent : (percent[minute - 1] as number);
    const rateOf = (minute: number): number => {
      const isWaiting = minute > 0 && (backlog[minute - 1] as number) > 0;
      return isWaiting ? bucket.burstPerSecond : (series[measure][minute] as number);
    };
    const minute = percent.findIndex(
      (left, i) => left <= dustPercent && (before(i) > dustPercent || rateOf(i) > bucket.baselinePerSecond),
    );
    if (minute < 0) return [];
    const left = (bucket.capacity * before(minute)) / 100;
    const seconds = secondsToEmpty(bucket, left, rateOf(minute)) ?? secondsPerMinute;
    return [minute * secondsPerMinute + Math.min(secondsPerMinute, seconds)];
  });
  return moments.length === 0 ? null : Math.min(...moments);
}

function secondsToFull({ lowest, startPercent }: Replayed): number | null {
  if (startPercent >= 100) return 0;
  const minute = lowest.findIndex((percent) => percent >= 100 - dustPercent);
  return minute < 0 ? null : (minute + 1) * secondsPerMinute;
}

/**
 * Replays the day from the balances of the configuration until it repeats, for 32 days at most. What is not served in its
 * minute waits and is served as soon as the limits let it through, as in every replay.
 */
export function replayDrawnDay(drawn: DrawnDay, configuration: ReplayConfiguration): ReplayedDays {
  const ioPerDay = drawn.iops.reduce((sum, rate) => sum + (rate * secondsPerDay) / hoursPerDay, 0);
  for (const tried of daysTried) {
    const series = drawnSeries(drawn, tried);
    const all = replayed(series, configuration);
    const settled = settledDay(all, tried, ioPerDay);
    if (settled === null && tried !== daysTried.at(-1)) continue;
    const count = settled === null ? tried : settled.day + 1;
    const end = count * minutesPerDay;
    return {
      course: settled?.course ?? 'changes',
      days: Array.from({ length: count }, (_, day) => dayOf(all, day)),
      secondsToEmpty: emptyAfter(all, series),
      secondsToFull: secondsToFull(all),
      buckets: all.buckets.map((bucket) => ({
        ...bucket,
        percent: bucket.percent.subarray(0, end),
        limit: bucket.limit.subarray(0, end),
      })),
      cause: all.cause.subarray(0, end),
    };
  }
  throw new Error('the last number of days is always answered');
}
