/** What the metrics of a poll say of each minute: how near to the limits, how much in flight, what throttled. */
import { median } from 'simple-statistics';
import { attribute } from '../diagnosis/attribute.ts';
import { causes, proofs } from '../diagnosis/causes.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import { isHdd } from '../limits/volume-limits.ts';
import { finestEbsPeriodSeconds, type MetricName, type MetricSet } from '../load/metrics.ts';
import type { Series } from '../load/series.ts';
import { countedSsdIops, type VolumeLoad, volumeLoad } from '../load/volume-load.ts';
import { type ThrottledMinute, type ThrottlingCause, throttlingCauses } from './throttled-minutes.ts';
import { limitsOf, type Watched } from './watched.ts';

/** Columns of the minutes whose rates are known. */
export interface SeenRates {
  load: VolumeLoad;
  iopsShare: Float64Array;
  throughputShare: Float64Array;
}

/** The end of the last point; a series has at least one. */
export const endOf = ({ epochSeconds }: Pick<Series, 'epochSeconds'>): number =>
  (epochSeconds.at(-1) as number) + finestEbsPeriodSeconds;

/** The end of the last point of any metric; null where there is none. */
export function seenUntil(metrics: MetricSet): number | null {
  const ends = [...metrics.values()].map(endOf);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Shares of the limits minute by minute; null where the rates were not asked for, or none is known. */
export function seenRates(watched: Watched, metrics: MetricSet): SeenRates | null {
  const known = volumeLoad(metrics);
  if (!known.known) return null;
  const load = known.value;
  const { iops: limitIops, mibps: limitMiBps } = limitsOf(watched);
  const hdd = isHdd(watched.limits.volumeType);
  const iopsShare = new Float64Array(load.ops.length);
  const throughputShare = new Float64Array(load.ops.length);
  for (let i = 0; i < load.ops.length; i++) {
    const [iops, mibps] = [load.iops[i] as number, load.mibps[i] as number];
    const byNumber = (hdd ? iops : countedSsdIops(iops, mibps)) / limitIops;
    // More I/O than the limit on HDD: they merged, and bytes alone tell.
    iopsShare[i] = hdd && byNumber > fixedThresholds.mergedShare ? 0 : byNumber;
    throughputShare[i] = mibps / limitMiBps;
  }
  return { load, iopsShare, throughputShare };
}

export const shareAt = ({ iopsShare, throughputShare }: SeenRates, i: number): number => {
  const [iops, throughput] = [iopsShare[i] as number, throughputShare[i] as number];
  return Number.isNaN(throughput) ? iops : Math.max(iops, throughput);
};

/**
 * What is in flight at the limit, by the minutes that came nearest to it without waiting: queue / share, as far as the load
 * tells (Little, with a latency that does not change). Null where there was next to no load.
 * @param isHeld was the minute from this time on throttled? Its queue is what waits.
 */
export function queueAtLimit(rates: SeenRates, isHeld: (epochSeconds: number) => boolean): number | null {
  const { queueLength, epochSeconds } = rates.load;
  if (queueLength === null) return null;
  const calm: { share: number; queue: number }[] = [];
  for (let i = 0; i < epochSeconds.length; i++) {
    const [share, queue] = [shareAt(rates, i), queueLength[i] as number];
    if (share >= minShareToLearn && share < fixedThresholds.atLimitShare && queue > 0) {
      if (!isHeld(epochSeconds[i] as number)) calm.push({ share, queue });
    }
  }
  const top = calm.reduce((most, { share }) => Math.max(most, share), 0);
  const ratios = calm.filter(({ share }) => share >= top / 2).map(({ share, queue }) => queue / share);
  return ratios.length === 0 ? null : median(ratios);
}

const minShareToLearn = 0.02;

/** The last value at or before a time; NaN where there is none. */
function valueBefore({ epochSeconds, values }: Series, time: number): number {
  let value = Number.NaN;
  for (let i = 0; i < epochSeconds.length && (epochSeconds[i] as number) <= time; i++)
    value = values[i] as number;
  return value;
}

/** The minutes in which a check was 1. */
function exceededIn(series: Series | undefined): Set<number> {
  const times = new Set<number>();
  series?.epochSeconds.forEach((time, i) => {
    if ((series.values[i] as number) > 0) times.add(time);
  });
  return times;
}

export interface FallbackEvidence {
  /** Which limit it is nearer to where both of AWS's checks are 1. */
  nearer: 'volume-iops' | 'volume-throughput';
  /** The last balance before the window, percent; null where none is known. */
  balancePercent: number | null;
}

/** What AWS's checks say, minute by minute: 1 on an empty bucket is for want of credits, but at the full rate of the burst. */
function byChecks(
  { thresholds }: Watched,
  metrics: MetricSet,
  rates: SeenRates | null,
  fallback: FallbackEvidence,
): ThrottledMinute[] {
  const iops = exceededIn(metrics.get('VolumeIOPSExceededCheck'));
  const throughput = exceededIn(metrics.get('VolumeThroughputExceededCheck'));
  const balance = metrics.get('BurstBalance');
  const indexOf = new Map<number, number>();
  rates?.load.epochSeconds.forEach((time, i) => {
    indexOf.set(time, i);
  });
  const nearerAt = (i: number | undefined): ThrottlingCause => {
    if (rates === null || i === undefined) return fallback.nearer;
    return (rates.throughputShare[i] as number) > (rates.iopsShare[i] as number)
      ? 'volume-throughput'
      : 'volume-iops';
  };
  const causeAt = (time: number): ThrottlingCause => {
    const [byIops, byThroughput] = [iops.has(time), throughput.has(time)];
    const i = indexOf.get(time);
    const percent = balance === undefined ? Number.NaN : valueBefore(balance, time);
    const known = Number.isNaN(percent) ? (fallback.balancePercent ?? 100) : percent;
    const isFull = rates !== null && i !== undefined && shareAt(rates, i) >= fixedThresholds.saturatedShare;
    if (known <= thresholds.emptyBalancePercent && !isFull) return 'volume-credits';
    if (byIops && byThroughput) return nearerAt(i);
    return byIops ? 'volume-iops' : 'volume-throughput';
  };
  const times = new Set([...iops, ...throughput]);
  return [...times].map((epochSeconds) => ({ epochSeconds, cause: causeAt(epochSeconds) }));
}

/** Where AWS says nothing: by the rate and its queue, as the audit evaluates it. */
function byRates(watched: Watched, metrics: MetricSet, { load }: SeenRates): ThrottledMinute[] {
  const { cause, proof } = attribute(watched.limits, load, metrics, [], watched.thresholds);
  const minutes: ThrottledMinute[] = [];
  load.epochSeconds.forEach((epochSeconds, i) => {
    const isSure = proofs[proof[i] as number] !== 'active-time-rate';
    const found = throttlingCauses.find((one) => isSure && one === causes[cause[i] as number]);
    if (found !== undefined) minutes.push({ epochSeconds, cause: found });
  });
  return minutes;
}

const checkMetrics: readonly MetricName[] = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'];

export interface SeenThrottled {
  minutes: ThrottledMinute[];
  /** The end of the last minute of which it is known whether anything throttled it. */
  untilEpochSeconds: number;
  isByChecks: boolean;
}

/** What was throttled; null where the poll had nothing that tells. */
export function seenThrottled(
  watched: Watched,
  metrics: MetricSet,
  rates: SeenRates | null,
  fallback: FallbackEvidence & { isChecked: boolean },
): SeenThrottled | null {
  const ofChecks = checkMetrics.flatMap((name) => metrics.get(name) ?? []);
  if (ofChecks.length > 0) {
    const untilEpochSeconds = Math.max(...ofChecks.map(endOf));
    return { minutes: byChecks(watched, metrics, rates, fallback), untilEpochSeconds, isByChecks: true };
  }
  if (fallback.isChecked || rates === null || !metrics.has('VolumeQueueLength')) return null;
  return {
    minutes: byRates(watched, metrics, rates),
    untilEpochSeconds: endOf(rates.load),
    isByChecks: false,
  };
}
