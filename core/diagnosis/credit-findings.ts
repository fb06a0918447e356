/** Credits that are gone, or will be. */
import { forecastByRhythm, type RhythmForecast } from '../credits/forecast.ts';
import { type Rhythm, rhythmOf } from '../credits/rhythm.ts';
import { type CreditBucket, secondsToEmpty } from '../credits/volume-credits.ts';
import { figure } from '../figures.ts';
import { type Known, unknown } from '../known.ts';
import { minimum, type TimeAxis } from '../load/series.ts';
import type { Finding, Limit, RateUnit, Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerMinute } from '../units.ts';
import { type Balance, isPublishedAt, rateWithCredits } from './balance.ts';
import type { Confidence } from './causes.ts';
import { type Draft, draftOf, heldBackBy, type JudgedLoad } from './draft.ts';
import { fixedThresholds, type Thresholds } from './thresholds.ts';
import { evidenceOver, exhaustedSeverity, show, whenText } from './throttled.ts';

const rateUnit = ({ unit }: CreditBucket): RateUnit => (unit === 'io' ? 'IOPS' : 'MiB/s');

/** What it is limited to without credits. */
export const baselineLimit = (bucket: CreditBucket): Limit => ({
  ...{ what: 'baseline', value: bucket.baselinePerSecond, unit: rateUnit(bucket), scope: 'volume' },
});

/** Where a balance comes from, in words. */
function sourceText({ source, bucket }: Balance): string {
  if (source === 'published') return 'published';
  const merged = bucket.unit === 'mib' ? '; every I/O taken as sequential and merged, the cheapest case' : '';
  return `modelled: no BurstBalance published, so the bucket is taken as full at the start and replayed from the load${merged}`;
}

const disagrees = ({ deviation }: Balance): boolean =>
  deviation !== null && deviation.medianPoints > fixedThresholds.replayDisagreesPoints;

/** What the balance rests on, and whether the load explains it. */
function balanceEvidence(balance: Balance): Finding['evidence'] {
  const { deviation } = balance;
  return {
    balance: sourceText(balance),
    replayMedianDeviationPoints: deviation?.medianPoints ?? null,
    replayLargestDeviationPoints: deviation?.largestPoints ?? null,
    replayComparedPoints: deviation?.comparedPoints ?? 0,
    balanceDisagreement: disagrees(balance)
      ? `the balance replayed from the load is ${show(deviation?.medianPoints ?? 0)} points off the published one (median of ${figure(deviation?.comparedPoints ?? 0)} points): the load costs other than its metrics show, as small I/O on HDD that is not merged, or its series has gaps`
      : null,
  };
}

export function creditsExhausted(judged: JudgedLoad): Draft[] {
  const { balance } = judged.attribution;
  if (balance === null) return [];
  const counted = { causes: ['volume-credits'] } as const;
  const held = heldBackBy(judged, counted);
  const { bucket } = balance;
  return draftOf(judged, {
    kind: 'credits-exhausted',
    severity: exhaustedSeverity(held, judged.thresholds),
    counted,
    held,
    limit: baselineLimit(bucket),
    reason: `its burst credits were used up under load ${whenText(held, judged.thresholds)}; without them it does ${show(bucket.baselinePerSecond)} ${rateUnit(bucket)}`,
    evidence: { lowestBalancePercent: minimum(balance.percent), ...balanceEvidence(balance) },
  });
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
function recentDrain({ load }: JudgedLoad, balance: Balance): RecentDrain | null {
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
function spendingRhythm({ load }: JudgedLoad, balance: Balance): Known<Rhythm> {
  const { bucket, ratePerSecond } = balance;
  for (let i = 0; i < ratePerSecond.length; i++) {
    if ((ratePerSecond[i] as number) > bucket.baselinePerSecond) {
      return rhythmOf(load, rateWithCredits(balance), endOf(load));
    }
  }
  return unknown('its rate never passed its baseline');
}

/** What the forecast by rhythm rests on, in words. */
function rhythmText(rhythm: Known<Rhythm>, forecast: RhythmForecast | null): string {
  if (!rhythm.known) return `none: ${rhythm.because}`;
  const history = `from ${show(rhythm.value.historyDays)} days of history`;
  if (forecast === null) return `${history}: not empty within the next 7 days`;
  return forecast.basis === 'one day'
    ? `by hour of the day (UTC), ${history}: seen on one day only`
    : `by ${forecast.basis} (UTC), ${history}; what came on one day only is left out`;
}

const weekdays = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];

/** What the coming hours are like, for people. */
function asBefore({ basis }: RhythmForecast, emptyEpochSeconds: number): string {
  if (basis === 'hour of the week') {
    return `as on ${weekdays[new Date(emptyEpochSeconds * msPerSecond).getUTCDay()]} at this hour`;
  }
  return basis === 'one day' ? 'as the day before at this hour' : 'as on most days at this hour';
}

interface Forecast {
  seconds: number;
  by: 'recent rate' | 'rhythm';
  /** When, and why then. */
  text: string;
  isSure: boolean;
}

const minutesText = (seconds: number): string => `${Math.floor(seconds / secondsPerMinute)} min`;

/** The sooner of the two: what the higher rate brings. */
function sooner(atRecentRate: number | null, byRhythm: RhythmForecast | null, now: number): Forecast | null {
  const bySeconds = byRhythm?.secondsToEmpty ?? Number.POSITIVE_INFINITY;
  if (atRecentRate !== null && atRecentRate <= bySeconds) {
    return {
      seconds: atRecentRate,
      by: 'recent rate',
      text: `at the rate of the last 30 minutes for ${minutesText(atRecentRate)} more`,
      isSure: true,
    };
  }
  if (byRhythm === null) return null;
  const at = isoFromEpochSeconds(Math.floor(now + bySeconds)).slice(11, 16);
  return {
    seconds: bySeconds,
    by: 'rhythm',
    text: `empty in ${minutesText(bySeconds)} (${at} UTC), ${asBefore(byRhythm, now + bySeconds)}`,
    isSure: byRhythm.basis !== 'one day',
  };
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
export function creditsWillExhaust(judged: JudgedLoad): Draft[] {
  const { load, attribution, windowEndEpochSeconds, thresholds } = judged;
  const { balance } = attribution;
  const now = endOf(load);
  if (balance === null || now < windowEndEpochSeconds - fixedThresholds.recentRateSeconds) return [];
  const recent = recentDrain(judged, balance);
  if (recent === null || recent.percent <= balance.emptyPercent) return [];
  const { bucket } = balance;
  const credits = (recent.percent / 100) * bucket.capacity;
  const atRecentRate = secondsToEmpty(bucket, credits, bucket.baselinePerSecond + recent.drainPerSecond);
  const rhythm = spendingRhythm(judged, balance);
  const byRhythm = rhythm.known ? forecastByRhythm(bucket, credits, rhythm.value, now) : null;
  const forecast = sooner(atRecentRate, byRhythm, now);
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
      reason: `${show(recent.percent)} % of its burst credits are left, ${forecast.text}; without them it does ${show(bucket.baselinePerSecond)} ${unit}`,
      evidence: {
        balancePercent: recent.percent,
        recentRatePerSecond: roundTo(recent.ratePerSecond, 3),
        drainPerSecond: roundTo(recent.drainPerSecond, 3),
        secondsToEmpty: rounded(forecast.seconds),
        forecastBy: forecast.by,
        secondsToEmptyAtRecentRate: rounded(atRecentRate),
        secondsToEmptyByRhythm: rounded(byRhythm?.secondsToEmpty),
        rhythm: rhythmText(rhythm, byRhythm),
        unit,
        ...balanceEvidence(balance),
      },
    },
  ];
}
