/** The findings of a look: exactly by the words and figures of the audit, in the last 24 hours. */
import { rememberedEvidence } from '../advisory/remembered-evidence.ts';
import { baselineLimit } from '../diagnosis/credit-findings.ts';
import type { Thresholds } from '../diagnosis/thresholds.ts';
import {
  countEvidence,
  countHeldBack,
  exhaustedSeverity,
  type HeldBack,
  show,
  throttledSeverity,
} from '../diagnosis/throttled.ts';
import { limitOf } from '../diagnosis/volume-findings.ts';
import { finestEbsPeriodSeconds } from '../load/metrics.ts';
import type { Finding, Severity } from '../schemas/finding.ts';
import { secondsPerMinute, utcText } from '../units.ts';
import type { Drain } from './drain.ts';
import { type HeldBackCause, type HeldBackMinutes, minutesByCause } from './held-back-minutes.ts';
import { pace } from './pace.ts';
import type { PulseKind } from './watch.ts';
import type { Watched } from './watched.ts';

/** What is said of one kind of finding; what is not in the list of a look was not looked at. */
export interface Judged {
  kind: PulseKind;
  /** Null: it was looked at, and is not there. */
  found:
    | ({ severity: Severity; sinceEpochSeconds: number; untilEpochSeconds: number; reason: string } & Pick<
        Finding,
        'status' | 'limit' | 'confidence' | 'evidence'
      >)
    | null;
}

/** "14:03 UTC", where the day is plain. */
const timeText = (epochSeconds: number): string => `${utcText(epochSeconds).slice(11)} UTC`;

const minutesText = (minutes: number): string => `${show(minutes)} min`;

function heldBackAt(minutes: readonly number[], endEpochSeconds: number): HeldBack {
  const axis = { epochSeconds: Float64Array.from(minutes), periodSeconds: finestEbsPeriodSeconds };
  return countHeldBack(axis, new Float64Array(minutes.length).fill(1), endEpochSeconds);
}

/**
 * As it was told at its most urgent while nobody looked: three of five minutes that are over since a few minutes would
 * have been told by who looked all the time.
 */
function heldBackLately(minutes: readonly number[], endEpochSeconds: number): HeldBack {
  const now = heldBackAt(minutes, endEpochSeconds);
  const fresh = minutes.filter((minute) => minute >= endEpochSeconds - pace.freshSeconds);
  const lastFive = fresh.map((last) => {
    const from = last - 4 * secondsPerMinute;
    return fresh.filter((minute) => minute >= from && minute <= last).length;
  });
  return { ...now, lastFive: Math.max(now.lastFive, ...lastFive) };
}

/** How long and since when. */
function sinceText(
  minutes: readonly number[],
  { lastFive }: HeldBack,
  endEpochSeconds: number,
  { throttledCriticalMinutesOfLastFive }: Thresholds,
): string {
  const first = minutes[0] as number;
  const last = (minutes.at(-1) as number) + secondsPerMinute;
  const length = `${minutesText(minutes.length)} of the last 24 h, first at ${utcText(first)} UTC`;
  const isOn = endEpochSeconds - last < 2 * secondsPerMinute;
  const often = lastFive >= throttledCriticalMinutesOfLastFive;
  if (isOn) return often ? `${length}; it goes on` : length;
  return `${length}, last at ${timeText(last - secondsPerMinute)}`;
}

/** From the first to the end of the last of them, and whether that is now. */
function spanOf(minutes: readonly number[], endEpochSeconds: number) {
  const untilEpochSeconds = (minutes.at(-1) as number) + secondsPerMinute;
  const isOn = untilEpochSeconds > endEpochSeconds - 5 * secondsPerMinute;
  return {
    status: isOn ? ('ongoing' as const) : ('ended' as const),
    ...{ sinceEpochSeconds: minutes[0] as number, untilEpochSeconds },
  };
}

const limitText = { 'volume-iops': 'IOPS', 'volume-throughput': 'MiB/s' } as const;

function throttledLimit({ limits }: Watched, cause: 'volume-iops' | 'volume-throughput'): string {
  const isApproximate = limits.approximate !== undefined;
  const about = isApproximate ? 'about ' : '';
  const [iops, mibps] = isApproximate
    ? [limits.baselineIops, limits.baselineMiBps]
    : [limits.burstIops, limits.burstMiBps];
  return `${about}${show(cause === 'volume-iops' ? iops : mibps)} ${limitText[cause]}`;
}

type Found = Judged['found'];

function throttledBy(
  watched: Watched,
  cause: 'volume-iops' | 'volume-throughput',
  minutes: readonly number[],
  endEpochSeconds: number,
): Found {
  if (minutes.length === 0) return null;
  const held = heldBackLately(minutes, endEpochSeconds);
  const severity = throttledSeverity(held, watched.thresholds);
  if (severity === null) return null;
  const when = sinceText(minutes, held, endEpochSeconds, watched.thresholds);
  const own = cause === 'volume-iops' ? 'iops' : 'throughput';
  return {
    ...{ severity, ...spanOf(minutes, endEpochSeconds), limit: limitOf(watched.limits, own) },
    confidence: watched.checks.length > 0 ? 'high' : 'medium',
    evidence: rememberedEvidence(countEvidence(held)),
    reason: `held back at its own limit of ${throttledLimit(watched, cause)} in ${when}`,
  };
}

/** By each limit alone; where neither is enough, by both together under the name of the one that held for longer. */
function throttled(
  watched: Watched,
  { 'volume-iops': iops, 'volume-throughput': throughput }: Record<HeldBackCause, number[]>,
  endEpochSeconds: number,
): Judged[] {
  const alone = {
    'volume-iops': throttledBy(watched, 'volume-iops', iops, endEpochSeconds),
    'volume-throughput': throttledBy(watched, 'volume-throughput', throughput, endEpochSeconds),
  };
  const isNone = alone['volume-iops'] === null && alone['volume-throughput'] === null;
  if (isNone && iops.length > 0 && throughput.length > 0) {
    const both = [...iops, ...throughput].sort((a, b) => a - b);
    const longer = iops.length >= throughput.length ? 'volume-iops' : 'volume-throughput';
    alone[longer] = throttledBy(watched, longer, both, endEpochSeconds);
  }
  return [
    { kind: 'throttled-volume-iops', found: alone['volume-iops'] },
    { kind: 'throttled-volume-throughput', found: alone['volume-throughput'] },
  ];
}

const limitWithoutCredits = ({ bucket }: Watched): Finding['limit'] => bucket && baselineLimit(bucket);

/** What it does without credits, in the unit of its bucket. */
function withoutCredits({ bucket }: Watched): string {
  if (bucket === null) return '';
  return `; without them it does ${show(bucket.baselinePerSecond)} ${bucket.unit === 'io' ? 'IOPS' : 'MiB/s'}`;
}

function exhausted(watched: Watched, minutes: readonly number[], endEpochSeconds: number): Judged {
  const { thresholds } = watched;
  const held = heldBackAt(minutes, endEpochSeconds);
  const severity = minutes.length === 0 ? null : exhaustedSeverity(held, thresholds);
  const reason = (): string =>
    `its burst credits were used up under load in ${sinceText(minutes, held, endEpochSeconds, thresholds)}${withoutCredits(watched)}`;
  return {
    kind: 'credits-exhausted',
    found:
      severity === null
        ? null
        : {
            ...{ severity, ...spanOf(minutes, endEpochSeconds), limit: limitWithoutCredits(watched) },
            ...{ confidence: 'high', reason: reason() },
            evidence: rememberedEvidence(countEvidence(held)),
          },
  };
}

/** What the look says of minutes that were held back. */
export function judgeHeldBack(
  watched: Watched,
  heldBack: HeldBackMinutes,
  endEpochSeconds: number,
): Judged[] {
  const minutes = minutesByCause(heldBack, endEpochSeconds);
  const found = throttled(watched, minutes, endEpochSeconds);
  if (watched.bucket === null) return found;
  return [...found, exhausted(watched, minutes['volume-credits'], endEpochSeconds)];
}

/** Where the last minute's rate leaves less than this share of the time, both are said. */
const mostAtLast = 0.8;

/**
 * Empty within `willExhaustSeconds` at the rate of the last 30 minutes. A balance that rises or stands is none,
 * and one that is gone is exhausted and not told to come.
 */
export function judgeDrain(watched: Watched, drain: Drain): Judged {
  const { thresholds } = watched;
  const { percent, untilEpochSeconds, secondsToEmpty, secondsToEmptyAtLast } = drain;
  const isComing =
    percent > thresholds.emptyBalancePercent &&
    secondsToEmpty !== null &&
    secondsToEmpty <= thresholds.willExhaustSeconds;
  if (!isComing) return { kind: 'credits-will-exhaust', found: null };
  const left = (seconds: number): string =>
    `${Math.floor(Math.round(seconds) / secondsPerMinute)} min (${timeText(untilEpochSeconds + seconds)})`;
  // A drain that began a moment ago is slow in the mean of 30 minutes.
  const isFaster = secondsToEmptyAtLast !== null && secondsToEmptyAtLast < mostAtLast * secondsToEmpty;
  const when = `${left(secondsToEmpty)} at the rate of the last 30 minutes${isFaster ? `, in ${left(secondsToEmptyAtLast)} at that of the last minute` : ''}`;
  const reason = `${show(percent)} % of its burst credits are left, empty in ${when}${withoutCredits(watched)}`;
  const severity = secondsToEmpty <= thresholds.willExhaustCriticalSeconds ? 'critical' : 'warning';
  return {
    kind: 'credits-will-exhaust',
    found: {
      ...{ severity, status: 'forecast', sinceEpochSeconds: untilEpochSeconds, untilEpochSeconds },
      ...{ limit: limitWithoutCredits(watched), confidence: 'high', reason },
      evidence: { balancePercent: percent, secondsToEmpty },
    },
  };
}
