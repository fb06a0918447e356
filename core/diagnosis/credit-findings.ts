/** Credits that are gone, or will be. */
import { mean } from 'simple-statistics';
import { type CreditBucket, secondsToEmpty } from '../credits/volume-credits.ts';
import { minimum, type TimeAxis } from '../load/series.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../units.ts';
import { type Balance, bucketRate } from './balance.ts';
import { type Draft, draftOf, heldBackBy, type JudgedLoad } from './draft.ts';
import { thresholds } from './thresholds.ts';
import { exhaustedSeverity, show, whenText } from './throttled.ts';

const rateUnit = ({ unit }: CreditBucket): string => (unit === 'io' ? 'IOPS' : 'MiB/s');

/** Where a balance comes from, in words. */
function sourceText({ source, bucket }: Balance): string {
  if (source === 'published') return 'published';
  const merged = bucket.unit === 'mib' ? '; every I/O taken as sequential and merged, the cheapest case' : '';
  return `modelled: no BurstBalance published, so the bucket is taken as full at the start and replayed from the load${merged}`;
}

export function creditsExhausted(judged: JudgedLoad): Draft[] {
  const { balance } = judged.attribution;
  if (balance === null) return [];
  const counted = { causes: ['volume-credits'] } as const;
  const held = heldBackBy(judged, counted);
  const { bucket } = balance;
  return draftOf(judged, {
    kind: 'credits-exhausted',
    severity: exhaustedSeverity(held),
    counted,
    held,
    reason: `its burst credits were used up under load ${whenText(held)}; without them it does ${show(bucket.baselinePerSecond)} ${rateUnit(bucket)}`,
    evidence: { lowestBalancePercent: minimum(balance.percent), balance: sourceText(balance) },
  });
}

/** End of the last period; a load has at least two. */
const endOf = ({ epochSeconds, periodSeconds }: TimeAxis): number =>
  (epochSeconds.at(-1) as number) + periodSeconds;

interface RecentDrain {
  percent: number;
  ratePerSecond: number;
  /** By the rate, or by the balance where that falls faster (unmerged I/O on HDD costs more than its bytes). */
  drainPerSecond: number;
}

/** What the last half hour of the load does to the balance; null where its rate or balance is unknown. */
function recentDrain({ load }: JudgedLoad, balance: Balance): RecentDrain | null {
  const { bucket, percent } = balance;
  const end = endOf(load);
  const from = load.epochSeconds.findIndex((time) => time >= end - thresholds.recentRateSeconds);
  const rates = [...bucketRate(bucket, load).subarray(from)].filter((rate) => !Number.isNaN(rate));
  const known = [...percent.keys()].filter((i) => i >= from && !Number.isNaN(percent[i] as number));
  const [first] = known;
  const last = known.at(-1);
  if (rates.length === 0 || first === undefined || last === undefined) return null;
  const fallenPercent = (percent[first] as number) - (percent[last] as number);
  const ratePerSecond = mean(rates);
  return {
    percent: percent[last] as number,
    ratePerSecond,
    drainPerSecond: Math.max(
      Math.min(ratePerSecond, bucket.burstPerSecond) - bucket.baselinePerSecond,
      ((fallenPercent / 100) * bucket.capacity) / (end - (load.epochSeconds[from] as number)),
    ),
  };
}

const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits));

/** From the rate of the last 30 minutes; a load whose figures end before the window does is not forecast. */
export function creditsWillExhaust(judged: JudgedLoad): Draft[] {
  const { load, attribution, windowEndEpochSeconds } = judged;
  const { balance } = attribution;
  const end = endOf(load);
  if (balance === null || end < windowEndEpochSeconds - thresholds.recentRateSeconds) return [];
  const recent = recentDrain(judged, balance);
  if (recent === null || recent.percent <= thresholds.emptyBalancePercent) return [];
  const { bucket } = balance;
  const credits = (recent.percent / 100) * bucket.capacity;
  const seconds = secondsToEmpty(bucket, credits, bucket.baselinePerSecond + recent.drainPerSecond);
  if (seconds === null || seconds > thresholds.willExhaustSeconds) return [];
  const unit = rateUnit(bucket);
  return [
    {
      kind: 'credits-will-exhaust',
      severity: seconds <= thresholds.willExhaustCriticalSeconds ? 'critical' : 'warning',
      since: isoFromEpochSeconds(end),
      reason: `${show(recent.percent)} % of its burst credits are left, at the rate of the last 30 minutes for ${Math.floor(seconds / secondsPerMinute)} min more; without them it does ${show(bucket.baselinePerSecond)} ${unit}`,
      evidence: {
        balancePercent: recent.percent,
        recentRatePerSecond: roundTo(recent.ratePerSecond, 3),
        drainPerSecond: roundTo(recent.drainPerSecond, 3),
        secondsToEmpty: roundTo(seconds, 1),
        unit,
        balance: sourceText(balance),
        forecast: 'from the last 30 minutes only',
        confidence: balance.source === 'modelled' ? 'low' : 'high',
      },
    },
  ];
}
