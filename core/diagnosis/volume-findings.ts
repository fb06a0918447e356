/** The findings of one volume that follow from its load: throttled, micro-burst, stalled, and those of its credits. */

import { median } from 'simple-statistics';
import { type CreditBucket, secondsToEmpty } from '../credits/credits.ts';
import {
  forecastByRhythm,
  type NoRhythm,
  type Rhythm,
  type RhythmForecast,
  rhythmOf,
} from '../credits/rhythm.ts';
import { secondsPerIo } from '../demand/cycle-times.ts';
import { type Known, unknown } from '../known.ts';
import type { Deployment, VolumeLimits } from '../limits/volume-limits.ts';
import { minimum, type TimeAxis, topOf } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { RhythmEvidence } from '../schemas/evidence.ts';
import type { EvidenceOf, Limit, RateUnit, Severity } from '../schemas/finding.ts';
import type { PriceReason } from '../schemas/unknown-reasons.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerHour, secondsPerMinute } from '../units.ts';
import { type Balance, isPublishedAt, rateWithCredits } from './balance.ts';
import { alsoBit, type Cause, type Confidence, causeCode } from './causes.ts';
import {
  type Counted,
  countedPeriods,
  type Draft,
  type EvaluatedLoad,
  loadDrafts,
  throttledMinutesAt,
  throttledMinutesBy,
} from './draft.ts';
import { latencyFindings } from './latency.ts';
import { microBursts } from './micro-bursts.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import {
  byConfiguration,
  evidenceOver,
  exhaustedSeverity,
  standing,
  throttledSeverity,
} from './throttled.ts';

// Volumes that cost money and do nothing: unattached, or attached and idle.

/** What an unused volume costs: known, or why not; on an Outpost the price is the Region's. */
export interface UnusedPrice {
  usd: Known<number, PriceReason>;
  deployment: Deployment;
}

const unusedSeverity = ({ usd }: UnusedPrice, { unusedWarningUsd }: Thresholds): Severity =>
  usd.known && usd.value >= unusedWarningUsd ? 'warning' : 'info';

const priceEvidence = ({ usd, deployment }: UnusedPrice) => ({
  monthlyUsd: usd.known ? usd.value : null,
  priceUnknownReason: usd.known ? null : usd.reason,
  isOnOutpost: deployment === 'outposts',
});

/** A volume in state available. EC2 does not say since when. */
export const unattachedFinding = (price: UnusedPrice, thresholds: Thresholds): Draft<'unattached'> => ({
  kind: 'unattached',
  severity: unusedSeverity(price, thresholds),
  ...standing,
  ...{ limit: null, demand: null, confidence: 'high', ...byConfiguration },
  evidence: { state: 'available', ...priceEvidence(price) },
});

/** Attached, with fewer than one operation a minute over a window of at least a day; null where that is not so. */
export function idleFinding(
  load: VolumeLoad,
  windowSeconds: number,
  price: UnusedPrice,
  thresholds: Thresholds,
): Draft<'idle'> | null {
  const { knownSeconds } = load;
  if (windowSeconds < thresholds.idleWindowSeconds) return null;
  if (knownSeconds < thresholds.idleKnownShare * windowSeconds) return null;
  const knownMinutes = knownSeconds / secondsPerMinute;
  // Of most volumes one period alone has enough operations.
  const most = topOf(load.iops) * load.periodSeconds;
  if (most > 2 * thresholds.idleOpsPerMinute * knownMinutes) return null;
  let operations = 0;
  for (const ops of load.ops) if (ops > 0) operations += ops;
  if (operations / knownMinutes >= thresholds.idleOpsPerMinute) return null;
  const opsPerMinute = operations / knownMinutes;
  const lastActive = load.ops.findLastIndex((ops) => ops > 0);
  return {
    kind: 'idle',
    severity: unusedSeverity(price, thresholds),
    status: 'standing',
    firstSeen: isoFromEpochSeconds(load.epochSeconds[0] as number),
    lastSeen: isoFromEpochSeconds((load.epochSeconds.at(-1) as number) + load.periodSeconds),
    ...{ limit: null, demand: null, confidence: 'high', ...evidenceOver(load, knownSeconds) },
    evidence: {
      operations,
      opsPerMinute,
      knownHours: knownSeconds / secondsPerHour,
      lastActive: lastActive < 0 ? null : isoFromEpochSeconds(load.epochSeconds[lastActive] as number),
      ...priceEvidence(price),
    },
  };
}

// Credits that are gone, or will be.

const rateUnit = ({ unit }: CreditBucket): RateUnit => (unit === 'io' ? 'IOPS' : 'MiB/s');

/** What it is limited to without credits. */
export const baselineLimit = (bucket: CreditBucket): Limit => ({
  ...{ what: 'baseline', value: bucket.baselinePerSecond, unit: rateUnit(bucket), scope: 'volume' },
});

/** Where a balance comes from; the bucket of an HDD is spent by MiB, as if every I/O were merged. */
function basisOf({ source, bucket }: Balance): 'metric' | 'simulated' | 'simulated-merged-io' {
  if (source === 'published') return 'metric';
  return bucket.unit === 'mib' ? 'simulated-merged-io' : 'simulated';
}

const disagrees = ({ deviation }: Balance): boolean =>
  deviation !== null && deviation.medianPoints > fixedThresholds.replayDisagreesPoints;

/** What the balance rests on, and whether the load explains it. */
function balanceEvidence(balance: Balance) {
  const { deviation } = balance;
  return {
    balanceBasis: basisOf(balance),
    replayMedianDeviationPoints: deviation?.medianPoints ?? null,
    replayLargestDeviationPoints: deviation?.largestPoints ?? null,
    replayComparedPoints: deviation?.comparedPoints ?? 0,
    balanceDisagrees: disagrees(balance),
  };
}

export function creditsExhausted(evaluated: EvaluatedLoad): Draft<'credits-exhausted'>[] {
  const { balance } = evaluated.attribution;
  if (balance === null) return [];
  const counted = { causes: ['volume-credits'] } as const;
  const held = throttledMinutesBy(evaluated, counted);
  const severity = exhaustedSeverity(held, evaluated.thresholds);
  const limit = baselineLimit(balance.bucket);
  return loadDrafts(evaluated, { severity, counted, held, limit }).map((draft) => ({
    ...draft,
    kind: 'credits-exhausted',
    evidence: {
      ...draft.evidence,
      lowestBalancePercent: minimum(balance.percent),
      ...balanceEvidence(balance),
    },
  }));
}

/** End of the last period; a load has at least two. */
const endOf = ({ epochSeconds, periodSeconds }: TimeAxis): number =>
  (epochSeconds.at(-1) as number) + periodSeconds;

interface RecentDrain {
  percent: number;
  /** AWS published the balance somewhere in it. */
  isPublished: boolean;
  ratePerSecond: number;
  /** By the rate, or by the balance where that falls faster (unmerged I/O on HDD costs more than its bytes). */
  drainPerSecond: number;
}

/** Percent that the balance fell in the periods from one to another, both included. */
function fallenPercent({ percent }: Balance, axis: TimeAxis, first: number, last: number): number {
  const { epochSeconds, periodSeconds } = axis;
  const follows =
    first > 0 && (epochSeconds[first] as number) - (epochSeconds[first - 1] as number) <= periodSeconds;
  return (percent[follows ? first - 1 : first] as number) - (percent[last] as number);
}

/** What the last half hour of the load does to the balance; null where its rate is unknown. */
function recentDrain({ load }: EvaluatedLoad, balance: Balance): RecentDrain | null {
  const { bucket, percent, ratePerSecond } = balance;
  const { epochSeconds, periodSeconds } = load;
  const last = epochSeconds.length - 1;
  const earliest = endOf(load) - fixedThresholds.recentRateSeconds;
  let [sum, count, first, isPublished] = [0, 0, last, false];
  for (let i = last; i === last || (i >= 0 && (epochSeconds[i] as number) >= earliest); i--) {
    first = i;
    isPublished ||= isPublishedAt(balance, i);
    const rate = ratePerSecond[i] as number;
    if (Number.isNaN(rate)) continue;
    sum += rate;
    count++;
  }
  if (count === 0) return null;
  const fallenCredits = (fallenPercent(balance, load, first, last) / 100) * bucket.capacity;
  const seconds = (epochSeconds[last] as number) - (epochSeconds[first] as number) + periodSeconds;
  return {
    percent: percent[last] as number,
    isPublished,
    ratePerSecond: sum / count,
    drainPerSecond: Math.max(
      Math.min(sum / count, bucket.burstPerSecond) - bucket.baselinePerSecond,
      fallenCredits / seconds,
    ),
  };
}

/** The rhythm of what spends the bucket: not asked for where nothing ever did. */
function spendingRhythm(
  { load }: EvaluatedLoad,
  balance: Balance,
): Known<Rhythm, NoRhythm | { code: 'never-above-baseline' }> {
  return topOf(balance.ratePerSecond) > balance.bucket.baselinePerSecond
    ? rhythmOf(load, rateWithCredits(balance), endOf(load))
    : unknown({ code: 'never-above-baseline' });
}

/** What the forecast by rhythm rests on. */
function rhythmEvidence(
  rhythm: ReturnType<typeof spendingRhythm>,
  forecast: RhythmForecast | null,
): RhythmEvidence {
  if (!rhythm.known) return rhythm.reason;
  return {
    code: forecast?.basis ?? 'not-empty-in-7-days',
    historyDays: roundTo(rhythm.value.historyDays, 2),
  };
}

interface Forecast {
  seconds: number;
  by: 'recent-rate' | 'rhythm';
  isSure: boolean;
}

/** The sooner of the two: what the higher rate brings. */
function sooner(atRecentRate: number | null, byRhythm: RhythmForecast | null): Forecast | null {
  const bySeconds = byRhythm?.secondsToEmpty ?? Number.POSITIVE_INFINITY;
  if (atRecentRate !== null && atRecentRate <= bySeconds)
    return { seconds: atRecentRate, by: 'recent-rate', isSure: true };
  return byRhythm && { seconds: bySeconds, by: 'rhythm', isSure: byRhythm.basis !== 'one-day' };
}

const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits));
const rounded = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : roundTo(seconds, 1);

function confidenceOf(balance: Balance, { isPublished }: RecentDrain, { by, isSure }: Forecast): Confidence {
  if (balance.source === 'modelled' || !isSure) return 'low';
  if (by === 'rhythm') return disagrees(balance) ? 'low' : 'medium';
  return isPublished ? 'high' : 'medium';
}

/** What rests on one day only is not critical. */
const severityOf = ({ seconds, isSure }: Forecast, thresholds: Thresholds): Severity =>
  isSure && seconds <= thresholds.willExhaustCriticalSeconds ? 'critical' : 'warning';

/**
 * Empty within 2 h at the rate of the last 30 minutes or by the rhythm of the coming hours, whichever is sooner. A load
 * whose figures end before the window does is not forecast.
 */
export function creditsWillExhaust(evaluated: EvaluatedLoad): Draft<'credits-will-exhaust'>[] {
  const { load, attribution, windowEndEpochSeconds, thresholds } = evaluated;
  const { balance } = attribution;
  const now = endOf(load);
  if (balance === null || now < windowEndEpochSeconds - fixedThresholds.recentRateSeconds) return [];
  const recent = recentDrain(evaluated, balance);
  if (recent === null || recent.percent <= balance.emptyPercent) return [];
  const { bucket } = balance;
  const credits = (recent.percent / 100) * bucket.capacity;
  const atRecentRate = secondsToEmpty(bucket, credits, bucket.baselinePerSecond + recent.drainPerSecond);
  // No rhythm has more than its highest rate: where even that leaves credits for longer, it is not asked for.
  const atHighestRate = secondsToEmpty(bucket, credits, topOf(balance.ratePerSecond));
  const soonest = Math.min(
    atRecentRate ?? Number.POSITIVE_INFINITY,
    atHighestRate ?? Number.POSITIVE_INFINITY,
  );
  if (soonest > thresholds.willExhaustSeconds) return [];
  const rhythm = spendingRhythm(evaluated, balance);
  const byRhythm = rhythm.known ? forecastByRhythm(bucket, credits, rhythm.value, now) : null;
  const forecast = sooner(atRecentRate, byRhythm);
  if (forecast === null || forecast.seconds > thresholds.willExhaustSeconds) return [];
  const unit = rateUnit(bucket);
  return [
    {
      kind: 'credits-will-exhaust',
      severity: severityOf(forecast, thresholds),
      ...{ status: 'forecast', firstSeen: isoFromEpochSeconds(now), lastSeen: null },
      limit: baselineLimit(bucket),
      confidence: confidenceOf(balance, recent, forecast),
      ...evidenceOver(load, load.knownSeconds),
      demand: null,
      evidence: {
        balancePercent: recent.percent,
        recentRatePerSecond: roundTo(recent.ratePerSecond, 3),
        drainPerSecond: roundTo(recent.drainPerSecond, 3),
        secondsToEmpty: roundTo(forecast.seconds, 1),
        forecastBy: forecast.by,
        secondsToEmptyAtRecentRate: rounded(atRecentRate),
        secondsToEmptyByRhythm: rounded(byRhythm?.secondsToEmpty),
        rhythm: rhythmEvidence(rhythm, byRhythm),
        unit,
        ...balanceEvidence(balance),
      },
    },
  ];
}

const ownCauses = { iops: 'volume-iops', throughput: 'volume-throughput' } as const;
type Own = keyof typeof ownCauses;

/** Its own limit in force; with credits left it is the burst. */
export function limitOf({ approximate, ...limits }: VolumeLimits, own: Own): Limit {
  const [baseline, burst] =
    own === 'iops' ? [limits.baselineIops, limits.burstIops] : [limits.baselineMiBps, limits.burstMiBps];
  const unit = own === 'iops' ? 'IOPS' : 'MiB/s';
  if (approximate !== undefined) return { what: 'baseline', value: baseline, unit, scope: 'volume' };
  return { what: burst > baseline ? 'burst' : 'maximum', value: burst, unit, scope: 'volume' };
}

/** True where IOPS and throughput bound together in at least half of the periods of this cause. */
function bindTogether({ attribution }: EvaluatedLoad, cause: Cause): boolean {
  let periods = 0;
  let together = 0;
  const other = alsoBit(cause === 'volume-iops' ? 'volume-throughput' : 'volume-iops');
  for (const i of attribution.throttledAt) {
    if (attribution.cause[i] !== causeCode[cause]) continue;
    periods++;
    if (((attribution.also[i] as number) & other) !== 0) together++;
  }
  return periods > 0 && together >= periods / 2;
}

function throttledBy(evaluated: EvaluatedLoad, own: Own, counted: Counted): Draft[] {
  const held = throttledMinutesBy(evaluated, counted);
  const severity = throttledSeverity(held, evaluated.thresholds);
  const limit = limitOf(evaluated.limits, own);
  return loadDrafts(evaluated, { severity, counted, held, limit }).map((draft) => ({
    ...draft,
    kind: `throttled-${ownCauses[own]}` as const,
    evidence: {
      ...draft.evidence,
      bindingLimit: bindTogether(evaluated, ownCauses[own]) ? ('iops+throughput' as const) : own,
    },
  }));
}

const bothCauses = [ownCauses.iops, ownCauses.throughput];

/** Which of its two limits throttled the volume for longer. */
function mostlyBy(evaluated: EvaluatedLoad, onlyMicroBursts: boolean): Own {
  const minutes = (own: Own): number =>
    throttledMinutesBy(evaluated, { causes: [ownCauses[own]], onlyMicroBursts }).minutesInWindow;
  return minutes('iops') >= minutes('throughput') ? 'iops' : 'throughput';
}

/** By each limit alone; where neither is enough, by both together under the name of the one that held for longer. */
function throttled(evaluated: EvaluatedLoad): Draft[] {
  const alone = (['iops', 'throughput'] as const).flatMap((own) =>
    throttledBy(evaluated, own, { causes: [ownCauses[own]] }),
  );
  return alone.length > 0
    ? alone
    : throttledBy(evaluated, mostlyBy(evaluated, false), { causes: bothCauses });
}

type BurstEvidence = Pick<
  EvidenceOf<'micro-burst'>,
  Extract<keyof EvidenceOf<'micro-burst'>, `burst${string}`>
>;

/** How high and how long, as far as the queue tells. */
function burstEvidence({ load, attribution, limits }: EvaluatedLoad, own: Own): BurstEvidence {
  const found = microBursts(load, attribution, limits, own);
  if (found === null) return {};
  if (!found.bursts.known) return { burstsUnknownReason: found.bursts.reason };
  const { notified, secondsMedian, secondsLongest, ...rate } = found.bursts.value;
  const round = (value: number): number => Number(value.toFixed(1));
  return {
    burstsMeasured: notified,
    burstSecondsMedian: round(secondsMedian),
    burstSecondsLongest: round(secondsLongest),
    burstUnit: own === 'iops' ? 'IOPS' : 'MiB/s',
    burstRateMedian: round(rate.rateMedian),
    burstRateMedianLow: round(rate.rateMedianLow),
    burstRateMedianHigh: round(rate.rateMedianHigh),
    burstRateHighest: round(rate.rateHighest),
  };
}

/** Periods of bursts in which operations took twice as long as usual, or nobody knows how long. */
function waitedIn({ load, attribution: { timesCalmQueue } }: EvaluatedLoad, bursts: Int32Array) {
  const longer: number[] = [];
  let isUnknown = false;
  const at = bursts.filter((i) => {
    const times = timesCalmQueue?.[i] ?? Number.NaN;
    if (times < fixedThresholds.queueTimesUnthrottled) return false;
    const tookMs = msPerSecond * secondsPerIo(load, i);
    if (Number.isNaN(times)) isUnknown = true;
    else if (!Number.isNaN(tookMs)) longer.push(tookMs * (1 - 1 / times));
    return true;
  });
  return { at, isUnknown, medianMs: longer.length === 0 ? null : median(longer) };
}

/** A burst that nobody waits for is an information. */
function microBurst(evaluated: EvaluatedLoad): Draft[] {
  const { thresholds } = evaluated;
  const counted = { causes: bothCauses, onlyMicroBursts: true };
  const held = throttledMinutesBy(evaluated, counted);
  if (held.minutesPeak24h < thresholds.microBurstMinutes) return [];
  const own = mostlyBy(evaluated, true);
  const limit = limitOf(evaluated.limits, own);
  const waited = waitedIn(evaluated, countedPeriods(evaluated, counted));
  const waitedMinutes = throttledMinutesAt(evaluated, waited.at).minutesPeak24h;
  const severity = waitedMinutes < thresholds.microBurstMinutes ? 'info' : 'warning';
  return loadDrafts(evaluated, { severity, counted, held, limit }).map((draft) => ({
    ...draft,
    kind: 'micro-burst',
    evidence: {
      ...draft.evidence,
      waitedMinutesPeak24h: waited.isUnknown ? null : waitedMinutes,
      waitedMsMedian: waited.medianMs === null ? null : roundTo(waited.medianMs, 1),
      ...burstEvidence(evaluated, own),
    },
  }));
}

function stalled(evaluated: EvaluatedLoad): Draft[] {
  const counted = { causes: ['stalled'] } as const;
  const held = throttledMinutesBy(evaluated, counted);
  const severity = held.minutesInWindow > 0 ? 'critical' : null;
  return loadDrafts(evaluated, { severity, counted, held, limit: null }).map((draft) => ({
    ...draft,
    kind: 'stalled',
  }));
}

/** Every finding that the load of a volume gives rise to. */
export function loadFindings(evaluated: EvaluatedLoad): Draft[] {
  // Most volumes are never throttled: they are not counted cause by cause.
  if (evaluated.attribution.throttledAt.length === 0)
    return [...creditsWillExhaust(evaluated), ...latencyFindings(evaluated)];
  return [
    ...stalled(evaluated),
    ...creditsExhausted(evaluated),
    ...creditsWillExhaust(evaluated),
    ...throttled(evaluated),
    ...microBurst(evaluated),
    ...latencyFindings(evaluated),
  ];
}
