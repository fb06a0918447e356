/** Credits that are gone, or will be. */
import { forecastByRhythm, type RhythmForecast } from '../credits/forecast.ts';
import { type NoRhythm, type Rhythm, rhythmOf } from '../credits/rhythm.ts';
import { type CreditBucket, secondsToEmpty } from '../credits/volume-credits.ts';
import { type Known, unknown } from '../known.ts';
import { minimum, type TimeAxis } from '../load/series.ts';
import type { RhythmEvidence } from '../schemas/evidence.ts';
import type { Limit, RateUnit, Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds } from '../units.ts';
import { type Balance, isPublishedAt, rateWithCredits } from './balance.ts';
import type { Confidence } from './causes.ts';
import { type Draft, type EvaluatedLoad, loadDrafts, throttledMinutesBy } from './draft.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { evidenceOver, exhaustedSeverity } from './throttled.ts';

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
  const { bucket, ratePerSecond } = balance;
  for (let i = 0; i < ratePerSecond.length; i++) {
    if ((ratePerSecond[i] as number) > bucket.baselinePerSecond) {
      return rhythmOf(load, rateWithCredits(balance), endOf(load));
    }
  }
  return unknown({ code: 'never-above-baseline' });
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
