/** Two periods of a volume, one beside the other: rates, latency, queue, throttled minutes. What is not known is null. */
import { quantile } from 'simple-statistics';
import type { MetricName } from '../load/metrics.ts';
import { hasMonthEnd } from '../month-ends.ts';
import type { Period, PeriodNote, PeriodRates } from '../schemas/history-compare.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerDay, secondsPerMinute } from '../units.ts';
import { isExceeded } from './heat-map.ts';
import { ratesOf } from './rates.ts';
import type { Interval } from './reading-plan.ts';
import type { ResourceMinutes } from './resource-minutes.ts';
import { throttledStatus } from './views.ts';
import { metricsOfHistory } from './volume-history.ts';

export const metricsOfPeriods: readonly MetricName[] = [
  ...metricsOfHistory,
  ...(['VolumeTotalReadTime', 'VolumeTotalWriteTime'] as const),
];

const noRates: PeriodRates = { average: null, percentile95: null, highest: null };

function ratesIn(values: Float64Array | undefined): PeriodRates {
  const known = [...(values ?? [])].filter((value) => !Number.isNaN(value));
  if (known.length === 0) return noRates;
  return {
    average: known.reduce((sum, value) => sum + value, 0) / known.length,
    percentile95: quantile(known, 0.95),
    highest: known.reduce((most, value) => Math.max(most, value)),
  };
}

/** Of minutes with operations; the average is of all operations together. */
function latencyIn(minutes: ResourceMinutes, ops: MetricName, time: MetricName): PeriodRates {
  const [counts, seconds] = [minutes.metrics.get(ops), minutes.metrics.get(time)];
  if (counts === undefined || seconds === undefined) return noRates;
  let [allCounts, allSeconds] = [0, 0];
  const each = counts.map((count, i) => {
    const took = seconds[i] ?? Number.NaN;
    if (!(count > 0) || Number.isNaN(took)) return Number.NaN;
    allCounts += count;
    allSeconds += took;
    return (msPerSecond * took) / count;
  });
  return allCounts === 0 ? noRates : { ...ratesIn(each), average: (msPerSecond * allSeconds) / allCounts };
}

/** Minutes of points that are something, of all points of which that is known. */
function counted(is: readonly number[], minutesOfPoint: number) {
  const known = is.filter((value) => !Number.isNaN(value));
  const minutes = known.reduce((sum, value) => sum + value, 0) * minutesOfPoint;
  const all = known.length * minutesOfPoint;
  const perDay = (minutes / all) * (secondsPerDay / secondsPerMinute);
  return all === 0 ? { all, minutes: null, perDay: null } : { all, minutes, perDay };
}

/** @param minutes null where no row of it is there. */
export function periodOfVolume(minutes: ResourceMinutes | null, { from, end }: Interval): Period {
  const rates = ratesOf(minutes);
  const minutesOfPoint = rates.periodSeconds / secondsPerMinute;
  const times = minutes?.epochSeconds ?? new Float64Array();
  const status = minutes?.evaluation?.status ?? [];
  const throttled = counted(
    status.map((text) => (text === null ? Number.NaN : text === throttledStatus ? 1 : 0)),
    minutesOfPoint,
  );
  const [iopsCheck, throughputCheck] = (
    ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const
  ).map((metric) => minutes?.metrics.get(metric));
  const exceeded = counted(
    Array.from(times, (_, i) => isExceeded(iopsCheck?.[i] ?? Number.NaN, throughputCheck?.[i] ?? Number.NaN)),
    minutesOfPoint,
  );
  return {
    ...{ start: isoFromEpochSeconds(from), end: isoFromEpochSeconds(end) },
    ...{ minutes: (end - from) / secondsPerMinute, minutesWithPoints: times.length * minutesOfPoint },
    hasMonthEnd: hasMonthEnd(from, end),
    ...{ iops: ratesIn(rates.iops), mibps: ratesIn(rates.mibps) },
    queueLength: ratesIn(minutes?.metrics.get('VolumeQueueLength')),
    readLatencyMs: minutes === null ? noRates : latencyIn(minutes, 'VolumeReadOps', 'VolumeTotalReadTime'),
    writeLatencyMs: minutes === null ? noRates : latencyIn(minutes, 'VolumeWriteOps', 'VolumeTotalWriteTime'),
    ...{ evaluatedMinutes: throttled.all, throttledMinutes: throttled.minutes },
    throttledMinutesPerDay: throttled.perDay,
    ...{ exceededMinutes: exceeded.minutes, exceededMinutesPerDay: exceeded.perDay },
  };
}

/** Of all minutes; below it what is compared is a part. */
const leastShare = 0.9;
const secondsPerWeek = 7 * secondsPerDay;

const isFew = ({ minutes, minutesWithPoints }: Period): boolean => minutesWithPoints < leastShare * minutes;
const beginOf = ({ start }: Period): number => Date.parse(start) / msPerSecond;
const isWholeWeeks = ({ minutes }: Period): boolean => (minutes * secondsPerMinute) % secondsPerWeek === 0;

/** The same hours of the week are in both. */
const hasSameWeekdays = (one: Period, other: Period): boolean =>
  (isWholeWeeks(one) && isWholeWeeks(other)) ||
  (one.minutes === other.minutes && (beginOf(one) - beginOf(other)) % secondsPerWeek === 0);

export function periodNotesOf(one: Period, other: Period): PeriodNote[] {
  return [
    ...(isFew(one) || isFew(other) ? ['few-points' as const] : []),
    ...(hasSameWeekdays(one, other) ? [] : ['weekdays-differ' as const]),
    ...(one.hasMonthEnd === other.hasMonthEnd ? [] : ['month-end-in-one' as const]),
  ];
}
