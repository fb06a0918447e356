/** What the metrics of a poll say of each minute: how near to the limits, how much in flight, what throttled. */
import { median } from 'simple-statistics';
import { attribute } from '../diagnosis/attribute.ts';
import { causes, proofs } from '../diagnosis/causes.ts';
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import { isHdd } from '../limits/volume-limits.ts';
import { finestEbsPeriodSeconds, type MetricName, type MetricSet } from '../load/metrics.ts';
import type { Series } from '../load/series.ts';
import { countedSsdIops, type VolumeLoad, volumeLoad } from '../load/volume-load.ts';
import { type Checked, checkBits } from './checked-minutes.ts';
import { pace } from './pace.ts';
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

/**
 * How old the newest minutes are, in seconds: the median of the volumes that were polled, as one that does nothing has older
 * ones. Null where none of them has any.
 */
export function delayOf(polled: readonly MetricSet[], nowEpochSeconds: number): number | null {
  const ages = polled.flatMap((metrics) => {
    const until = seenUntil(metrics);
    return until === null || nowEpochSeconds - until > pace.mostPublicationSeconds
      ? []
      : [nowEpochSeconds - until];
  });
  return ages.length === 0 ? null : median(ages);
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

const checkMetrics: readonly MetricName[] = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'];
const hasChecks = (metrics: MetricSet): boolean => checkMetrics.some((name) => metrics.has(name));

export interface CheckEvidence {
  /** Which limit it is nearer to where both of AWS's checks are 1 and the rates do not show it. */
  nearer: 'volume-iops' | 'volume-throughput';
  /** The last balance before the window, percent; null where none is known. */
  balancePercent: number | null;
  /** What is older was seen by an earlier poll. */
  newFromEpochSeconds: number;
  /** Was the minute from this time on throttled, as far as was seen before? */
  isCounted: (epochSeconds: number) => boolean;
}

/** Notes the minutes in which a check was 1, as far as they are new. */
function noteChecks(checked: Checked, metrics: MetricSet, newFromEpochSeconds: number): void {
  const note = (name: MetricName, checks: number): void => {
    const series = metrics.get(name);
    if (series === undefined) return;
    checked.untilEpochSeconds = Math.max(checked.untilEpochSeconds, endOf(series));
    series.epochSeconds.forEach((time, i) => {
      if (time >= newFromEpochSeconds && (series.values[i] as number) > 0) checked.add(time, checks);
    });
  };
  note('VolumeIOPSExceededCheck', checkBits.iops);
  note('VolumeThroughputExceededCheck', checkBits.throughput);
}

/**
 * What AWS's checks say, minute by minute: 1 on an empty bucket is for want of credits, but at the full rate of the burst. Any
 * other throttles where the minute's average is near the limit; where it is not known the minute stays undecided.
 */
function byChecks(
  { thresholds }: Watched,
  metrics: MetricSet,
  rates: SeenRates | null,
  { nearer, balancePercent, isCounted }: CheckEvidence,
  checked: Checked,
): ThrottledMinute[] {
  const decided = checked.decided();
  const balance = metrics.get('BurstBalance');
  const indexOf = new Map<number, number>();
  rates?.load.epochSeconds.forEach((time, i) => {
    indexOf.set(time, i);
  });
  const isEmptyAt = (time: number): boolean => {
    // Without new checks there are earlier minutes alone, and the bucket was not empty then.
    if (balance === undefined && !hasChecks(metrics)) return false;
    const percent = balance === undefined ? Number.NaN : valueBefore(balance, time);
    return (Number.isNaN(percent) ? (balancePercent ?? 100) : percent) <= thresholds.emptyBalancePercent;
  };
  const causeOf = (checks: number, i: number | undefined): ThrottlingCause => {
    if (checks === checkBits.iops) return 'volume-iops';
    if (checks === checkBits.throughput) return 'volume-throughput';
    if (rates === null || i === undefined) return nearer;
    return (rates.throughputShare[i] as number) > (rates.iopsShare[i] as number)
      ? 'volume-throughput'
      : 'volume-iops';
  };
  const minutes: ThrottledMinute[] = [];
  for (const [epochSeconds, checks] of checked.undecided()) {
    const i = indexOf.get(epochSeconds);
    const share = rates === null || i === undefined ? Number.NaN : shareAt(rates, i);
    const isOfCredits = isEmptyAt(epochSeconds) && !(share >= fixedThresholds.saturatedShare);
    if (!isOfCredits && Number.isNaN(share)) continue;
    checked.decide(epochSeconds);
    if (isOfCredits) minutes.push({ epochSeconds, cause: 'volume-credits' });
    else if (share >= thresholds.microBurstAverageShare)
      minutes.push({ epochSeconds, cause: causeOf(checks, i) });
  }
  // A balance that came later than the rates: what looked like a micro-burst was for want of credits.
  if (balance === undefined) return minutes;
  for (const epochSeconds of decided) {
    if (valueBefore(balance, epochSeconds) <= thresholds.emptyBalancePercent && !isCounted(epochSeconds))
      minutes.push({ epochSeconds, cause: 'volume-credits' });
  }
  return minutes;
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

export interface SeenThrottled {
  minutes: ThrottledMinute[];
  /** The end of the last minute of which it is known whether anything throttled it. */
  untilEpochSeconds: number;
  isByChecks: boolean;
}

/** Before the first minute that is undecided after all that are decided, but where its rates should be there since long. */
function decidedUntil(checked: Checked): number {
  const { untilEpochSeconds } = checked;
  const from = Math.max(...checked.decided(), untilEpochSeconds - pace.undecidedHoldsSeconds);
  return checked.undecided().find(([time]) => time > from)?.[0] ?? untilEpochSeconds;
}

/**
 * What was throttled; null where the poll had nothing that shows it.
 * @param checked the minutes in which a check was 1: those of this poll are added, and decided as far as their rates are known.
 */
export function seenThrottled(
  watched: Watched,
  metrics: MetricSet,
  rates: SeenRates | null,
  evidence: CheckEvidence & { isChecked: boolean },
  checked: Checked,
): SeenThrottled | null {
  const isByChecks = hasChecks(metrics);
  noteChecks(checked, metrics, evidence.newFromEpochSeconds);
  const isDeciding = rates !== null && evidence.isChecked && checked.undecided().length > 0;
  if (isByChecks || isDeciding) {
    const minutes = byChecks(watched, metrics, rates, evidence, checked);
    return { minutes, untilEpochSeconds: decidedUntil(checked), isByChecks };
  }
  if (evidence.isChecked || rates === null || !metrics.has('VolumeQueueLength')) return null;
  return {
    minutes: byRates(watched, metrics, rates),
    untilEpochSeconds: endOf(rates.load),
    isByChecks: false,
  };
}
