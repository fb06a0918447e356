/** The findings of one volume that follow from its load, its attribution and its credits. */
import { type CreditBucket, secondsToEmpty } from '../credits/volume-credits.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { maximum, minimum } from '../load/series.ts';
import type { VolumeLoad } from '../load/volume-load.ts';
import type { Finding, FindingKind, Severity } from '../schemas/finding.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../units.ts';
import type { Attribution } from './attribute.ts';
import { bucketRate } from './balance.ts';
import { type Cause, causeCode, type Proof, proofs } from './causes.ts';
import { thresholds } from './thresholds.ts';
import {
  countHeldBack,
  exhaustedSeverity,
  type HeldBack,
  sinceOf,
  throttledSeverity,
  untilOf,
} from './throttled.ts';

/** A finding without the identity that its resource gives it. */
export type Draft = Pick<Finding, 'kind' | 'severity' | 'since' | 'reason' | 'evidence'>;

export interface JudgedLoad {
  limits: VolumeLimits;
  load: VolumeLoad;
  attribution: Attribution;
}

const figures = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const show = (value: number): string => figures.format(value);

/** Periods held back by a cause, by what proved it. */
function proofCounts({ attribution }: JudgedLoad, cause: Cause): Record<Proof, number> {
  const counts: Record<Proof, number> = { check: 0, rate: 0, 'busy-rate': 0, balance: 0 };
  attribution.cause.forEach((code, i) => {
    const proof = proofs[attribution.proof[i] as number];
    if (code === causeCode[cause] && proof !== undefined) counts[proof]++;
  });
  return counts;
}

/** How sure: AWS's own word or balance, a rate with its queue, or a rate that nothing else confirms. */
function confidenceOf(
  { load, attribution }: JudgedLoad,
  counts: Record<Proof, number>,
): 'high' | 'medium' | 'low' {
  if (counts.check > 0 || (counts.balance > 0 && attribution.balance?.source === 'published')) return 'high';
  return load.queueLength === null || counts.balance > 0 ? 'low' : 'medium';
}

function heldBackBy(judged: JudgedLoad, cause: Cause, onlyMicroBursts = false): HeldBack {
  const { load, attribution } = judged;
  const code = causeCode[cause];
  const minutes = attribution.heldBackMinutes.map((value, i) =>
    attribution.cause[i] === code && (!onlyMicroBursts || attribution.microBurst[i] === 1) ? value : 0,
  );
  return countHeldBack(load.epochSeconds, minutes, load.periodSeconds);
}

function countedEvidence(judged: JudgedLoad, cause: Cause, held: HeldBack): Finding['evidence'] {
  const { limits, load } = judged;
  const counts = proofCounts(judged, cause);
  return {
    throttledMinutesWorst24h: held.worst.minutes,
    throttledMinutesInWindow: held.minutesInWindow,
    throttledMinutesOfLastFive: held.lastFive,
    until: untilOf(held, load.periodSeconds),
    limitIops: limits.burstIops,
    limitMiBps: limits.burstMiBps,
    baselineIops: limits.baselineIops,
    baselineMiBps: limits.baselineMiBps,
    topAverageIops: maximum(load.iops),
    topAverageMiBps: maximum(load.mibps),
    topBusyIops: maximum(load.busyIops),
    topQueueLength: maximum(load.queueLength),
    periodsProvedByCheck: counts.check,
    periodsProvedByRate: counts.rate,
    periodsProvedByBusyRate: counts['busy-rate'],
    periodsProvedByBalance: counts.balance,
    confidence: confidenceOf(judged, counts),
  };
}

interface Told {
  kind: FindingKind;
  severity: Severity | null;
  cause: Cause;
  held: HeldBack;
  reason: string;
}

/** A finding where there is a severity, nothing where there is none. */
function told(judged: JudgedLoad, { kind, severity, cause, held, reason }: Told): Draft[] {
  if (severity === null) return [];
  return [{ kind, severity, since: sinceOf(held), reason, evidence: countedEvidence(judged, cause, held) }];
}

interface LimitTexts {
  iops: string;
  throughput: string;
}

/** True where IOPS and throughput bound together in at least half of the periods of this cause. */
function bindTogether({ attribution }: JudgedLoad, cause: Cause): boolean {
  let periods = 0;
  let together = 0;
  attribution.cause.forEach((code, i) => {
    if (code !== causeCode[cause]) return;
    periods++;
    together += attribution.bothLimits[i] as number;
  });
  return periods > 0 && together >= periods / 2;
}

function throttledBy(judged: JudgedLoad, own: 'iops' | 'throughput', texts: LimitTexts): Draft[] {
  const cause = `volume-${own}` as const;
  const held = heldBackBy(judged, cause);
  const together = bindTogether(judged, cause);
  const limit = together ? `${texts.iops} and ${texts.throughput} at once` : texts[own];
  const drafts = told(judged, {
    kind: `throttled-${cause}`,
    severity: throttledSeverity(held),
    cause,
    held,
    reason: `held back at its own ${limit} (${judged.limits.volumeType}) in ${show(held.worst.minutes)} min of the worst 24 h`,
  });
  const bindingLimit = together ? 'iops+throughput' : own;
  return drafts.map((found) => ({ ...found, evidence: { ...found.evidence, bindingLimit } }));
}

function microBurst(judged: JudgedLoad, texts: LimitTexts): Draft[] {
  const byIops = heldBackBy(judged, 'volume-iops', true);
  const byThroughput = heldBackBy(judged, 'volume-throughput', true);
  const iops = byIops.worst.minutes >= byThroughput.worst.minutes;
  const held = iops ? byIops : byThroughput;
  return told(judged, {
    kind: 'micro-burst',
    severity: held.worst.minutes >= thresholds.microBurstMinutes ? 'warning' : null,
    cause: iops ? 'volume-iops' : 'volume-throughput',
    held,
    reason: `short bursts hit its ${iops ? texts.iops : texts.throughput} in ${show(held.worst.minutes)} min of the worst 24 h, while the average of those minutes stays below 80 % of it`,
  });
}

function stalled(judged: JudgedLoad): Draft[] {
  const held = heldBackBy(judged, 'stalled');
  return told(judged, {
    kind: 'stalled',
    severity: held.minutesInWindow > 0 ? 'critical' : null,
    cause: 'stalled',
    held,
    reason: `AWS saw I/O that did not complete in ${show(held.minutesInWindow)} min of the window`,
  });
}

const rateUnit = ({ unit }: CreditBucket): string => (unit === 'io' ? 'IOPS' : 'MiB/s');

const modelledNote =
  'no BurstBalance published: bucket taken as full at the start and replayed from the load';

function creditsExhausted(judged: JudgedLoad): Draft[] {
  const { balance } = judged.attribution;
  if (balance === null) return [];
  const held = heldBackBy(judged, 'volume-credits');
  const drafts = told(judged, {
    kind: 'credits-exhausted',
    severity: exhaustedSeverity(held),
    cause: 'volume-credits',
    held,
    reason: `its burst credits were used up under load in ${show(held.worst.minutes)} min of the worst 24 h, so it fell to its baseline of ${show(balance.bucket.baselinePerSecond)} ${rateUnit(balance.bucket)}`,
  });
  return drafts.map((found) => ({
    ...found,
    evidence: {
      ...found.evidence,
      lowestBalancePercent: minimum(balance.percent),
      balance: balance.source === 'modelled' ? modelledNote : 'published',
    },
  }));
}

/** Credits spent per second at the end of the load: by the rate, or by the published balance where it falls faster. */
function recentDrain({
  load,
  attribution,
}: JudgedLoad): { drainPerSecond: number; percent: number; rate: number } | null {
  const { balance } = attribution;
  if (balance === null) return null;
  const end = (load.epochSeconds.at(-1) ?? 0) + load.periodSeconds;
  const rates = bucketRate(balance.bucket, load);
  const recent: { time: number; rate: number; percent: number }[] = [];
  for (let i = load.epochSeconds.length - 1; i >= 0; i--) {
    const time = load.epochSeconds[i] as number;
    if (time < end - thresholds.recentRateSeconds) break;
    recent.unshift({ time, rate: rates[i] as number, percent: balance.percent[i] as number });
  }
  const withRate = recent.filter(({ rate }) => !Number.isNaN(rate));
  const withBalance = recent.filter(({ percent }) => !Number.isNaN(percent));
  const [first] = withBalance;
  const last = withBalance.at(-1);
  if (withRate.length === 0 || first === undefined || last === undefined) return null;
  const rate = withRate.reduce((total, entry) => total + entry.rate, 0) / withRate.length;
  const { capacity, baselinePerSecond, burstPerSecond } = balance.bucket;
  const fallen = (((first.percent - last.percent) / 100) * capacity) / Math.max(1, last.time - first.time);
  const byRate = Math.min(rate, burstPerSecond) - baselinePerSecond;
  return { drainPerSecond: Math.max(byRate, fallen), percent: last.percent, rate };
}

function creditsWillExhaust(judged: JudgedLoad, windowEndEpochSeconds: number): Draft[] {
  const { load, attribution } = judged;
  const bucket = attribution.balance?.bucket;
  const recent = recentDrain(judged);
  const end = (load.epochSeconds.at(-1) ?? 0) + load.periodSeconds;
  if (bucket === undefined || recent === null || end < windowEndEpochSeconds - thresholds.recentRateSeconds)
    return [];
  if (recent.percent <= thresholds.emptyBalancePercent) return [];
  const credits = (recent.percent / 100) * bucket.capacity;
  const seconds = secondsToEmpty(bucket, credits, bucket.baselinePerSecond + recent.drainPerSecond);
  if (seconds === null || seconds > thresholds.willExhaustSeconds) return [];
  const minutes = Math.floor(seconds / secondsPerMinute);
  const unit = rateUnit(bucket);
  return [
    {
      kind: 'credits-will-exhaust',
      severity: seconds <= thresholds.willExhaustCriticalSeconds ? 'critical' : 'warning',
      since: isoFromEpochSeconds(end),
      reason: `at the last 30 minutes' rate its burst credits are gone in ${minutes} min, and it falls to ${show(bucket.baselinePerSecond)} ${unit}`,
      evidence: {
        balancePercent: recent.percent,
        recentRatePerSecond: recent.rate,
        drainPerSecond: recent.drainPerSecond,
        secondsToEmpty: seconds,
        unit,
        balance: attribution.balance?.source === 'modelled' ? modelledNote : 'published',
        forecast: 'from the last 30 minutes only',
        confidence: attribution.balance?.source === 'modelled' ? 'low' : 'high',
      },
    },
  ];
}

/** Every finding that the load of a volume gives rise to. */
export function loadFindings(judged: JudgedLoad, windowEndEpochSeconds: number): Draft[] {
  const { limits } = judged;
  const texts: LimitTexts =
    limits.approximate === undefined
      ? { iops: `${show(limits.burstIops)} IOPS`, throughput: `${show(limits.burstMiBps)} MiB/s` }
      : {
          iops: `about ${show(limits.baselineIops)} IOPS`,
          throughput: `about ${show(limits.baselineMiBps)} MiB/s`,
        };
  return [
    ...stalled(judged),
    ...creditsExhausted(judged),
    ...creditsWillExhaust(judged, windowEndEpochSeconds),
    ...throttledBy(judged, 'iops', texts),
    ...throttledBy(judged, 'throughput', texts),
    ...microBurst(judged, texts),
  ];
}
