/**
 * When each part of a poll is due. A bucket with credits c cannot run dry before c / (burst - baseline) seconds, so half of
 * that is safe; a limit is polled by how near the volume came to it lately, or is expected to come.
 */

import { secondsToEmpty } from '../credits/credits.ts';
import { secondsPerMinute } from '../units.ts';
import { lastUndecided } from './checked-minutes.ts';
import { pace } from './pace.ts';
import { lastMinuteEnd } from './throttled-minutes.ts';
import { expectedShare, lateSeconds, type MonitoringKind, type Part, parts, type Watch } from './watch.ts';
import type { Watched } from './watched.ts';

// Is a load growing? Then it will be nearer to its limit by the time that it is polled again.

const minutesOfMean = 3;

/** Mean of some minutes up to a time; NaN where none of them is known. */
function meanUpTo(epochSeconds: Float64Array, values: Float64Array, end: number): number {
  let [sum, count] = [0, 0];
  for (
    let i = epochSeconds.length - 1;
    i >= 0 && (epochSeconds[i] as number) > end - minutesOfMean * secondsPerMinute;
    i--
  ) {
    const value = values[i] as number;
    if ((epochSeconds[i] as number) > end || Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** What it will have grown by in ten minutes, if it goes on as in the last ten; 0 where it does not grow, or nothing tells. */
export function growthOf(epochSeconds: Float64Array, values: Float64Array): number {
  const last = epochSeconds.at(-1);
  if (last === undefined) return 0;
  const now = meanUpTo(epochSeconds, values, last);
  const grown = now - meanUpTo(epochSeconds, values, last - pace.growing.seconds);
  return grown >= pace.growing.leastShareOfIt * now ? grown : 0;
}

/** How near it came to its limits: what was seen lately fades, what it is expected to do counts beside it. */
export interface Nearness {
  iops: number;
  throughput: number;
  /** The highest of all. */
  share: number;
}

/** What was seen lately counts whole for a while, and then less and less. */
export function latelyNow({ lately }: Watch, nowEpochSeconds: number): { iops: number; throughput: number } {
  if (lately === null) return { iops: 0, throughput: 0 };
  const late = Math.max(0, nowEpochSeconds - lately.atEpochSeconds - pace.latelySeconds);
  const left = 0.5 ** (late / pace.latelySeconds);
  return { iops: lately.iops * left, throughput: lately.throughput * left };
}

export function nearnessOf(watch: Watch, nowEpochSeconds: number): Nearness {
  const { iops, throughput } = latelyNow(watch, nowEpochSeconds);
  const held = watch.throttled === null ? 0 : pace.throttledShare;
  const share = Math.max(iops, throughput, held, expectedShare(watch.hours, nowEpochSeconds));
  return { iops, throughput, share };
}

const throttledKinds = ['throttled-volume-iops', 'throttled-volume-throughput'] as const;
const throttlingKinds = [...throttledKinds, 'credits-exhausted'] as const;

const isOpen = ({ open }: Watch, kind: MonitoringKind): boolean => open[kind] !== undefined;

const isNotified = ({ open }: Watch, kind: MonitoringKind): boolean => open[kind]?.gone === false;

/** Seconds until its bucket is empty at full speed, from the last balance that was published; null where that is not known. */
export function fastestSecondsToEmpty({ bucket }: Watched, { balance }: Watch): number | null {
  if (bucket === null || balance === null) return null;
  return secondsToEmpty(bucket, (balance.percent / 100) * bucket.capacity, bucket.burstPerSecond);
}

/**
 * The balance of a volume that did nothing is not published, and does not fall: what was published last holds until so
 * long ago that what came since could not be there yet.
 */
function balanceHoldsUntil(watch: Watch, nowEpochSeconds: number): number {
  return Math.max(
    watch.balance?.untilEpochSeconds ?? 0,
    nowEpochSeconds - pace.latestPublicationSeconds - lateSeconds(watch),
  );
}

/** Its bucket is empty, as far as is known. */
const isEmptyNow = (watch: Watch, { thresholds }: Watched, nowEpochSeconds: number): boolean =>
  watch.balance !== null &&
  watch.balance.percent <= thresholds.emptyBalancePercent &&
  nowEpochSeconds - watch.balance.untilEpochSeconds <= pace.freshSeconds + lateSeconds(watch);

/** A minute was throttled a moment ago, as far as it can be seen by now. */
export function isHeldNow(watch: Watch, nowEpochSeconds: number): boolean {
  const held = lastMinuteEnd(watch.throttled);
  return held !== null && nowEpochSeconds - held < pace.throttledSeconds + lateSeconds(watch);
}

/** What is reported already needs no haste: of a bucket that is empty nobody can be warned. */
function balanceSecondsWhenReported(
  watch: Watch,
  watched: Watched,
  asked: number,
  secondsToSafety: number,
): number | null {
  if (isNotified(watch, 'credits-exhausted') && isEmptyNow(watch, watched, asked))
    return pace.criticalSeconds;
  if (!isNotified(watch, 'credits-will-exhaust')) return null;
  return Math.min(pace.criticalSeconds, Math.max(pace.creditsReportedSeconds, secondsToSafety));
}

function balanceDue(watch: Watch, watched: Watched, tickSeconds: number): number {
  const asked = watch.askedEpochSeconds.balance;
  if (asked === null) return 0;
  const seconds = fastestSecondsToEmpty(watched, watch);
  if (seconds === null) return asked + pace.creditsUnknownSeconds;
  const safe = pace.creditsShareOfTime * seconds;
  const notified = balanceSecondsWhenReported(watch, watched, asked, safe);
  if (notified !== null) return asked + notified;
  if (seconds <= pace.creditsUrgentSeconds) return asked + tickSeconds;
  const longest = isOpen(watch, 'credits-will-exhaust') ? pace.goneSeconds : pace.creditsLongestSeconds;
  // The tick that is the last one before that time.
  const due = balanceHoldsUntil(watch, asked) + safe - tickSeconds;
  return Math.min(asked + longest, Math.max(due, asked + tickSeconds));
}

/** Nothing at all was published for long; a volume that is new may not have begun. */
const isSilent = ({ seenUntilEpochSeconds, revision }: Watch, nowEpochSeconds: number): boolean =>
  seenUntilEpochSeconds === null
    ? revision > pace.pollsAtNew
    : nowEpochSeconds - seenUntilEpochSeconds > pace.silentSeconds;

function quietSeconds({ share }: Nearness, watch: Watch, nowEpochSeconds: number): number {
  if (isSilent(watch, nowEpochSeconds)) return pace.silentSeconds;
  return pace.quiet.find(({ belowShare }) => share < belowShare)?.seconds ?? pace.nearSeconds;
}

/** While its bucket is empty the checks say whether that throttles anything. */
function emptySeconds(watch: Watch, watched: Watched, nowEpochSeconds: number): number {
  if (!isEmptyNow(watch, watched, nowEpochSeconds)) return pace.learnSeconds;
  return watch.open['credits-exhausted']?.severity === 'critical' ? pace.criticalSeconds : pace.nearSeconds;
}

/** Near a limit, or throttled by it a moment ago. */
function limitSeconds(
  watch: Watch,
  watched: Watched,
  nearness: Nearness,
  nowEpochSeconds: number,
  tickSeconds: number,
): number {
  const notified = throttledKinds.filter((kind) => isNotified(watch, kind));
  const isHeld = isHeldNow(watch, nowEpochSeconds);
  if (notified.some((kind) => watch.open[kind]?.severity === 'critical')) return pace.criticalSeconds;
  // By an empty bucket, which has a pace of its own.
  if (isHeld && !isEmptyNow(watch, watched, nowEpochSeconds))
    return notified.length > 0 ? pace.nearSeconds : tickSeconds;
  return nearness.share >= pace.nearShare ? pace.nearSeconds : pace.learnSeconds;
}

/** How often it is polled whether load is throttled. */
function checksSeconds(
  watch: Watch,
  watched: Watched,
  nearness: Nearness,
  nowEpochSeconds: number,
  tickSeconds: number,
): number {
  const open = throttlingKinds.filter((kind) => isOpen(watch, kind));
  const isAnyGone = open.some((kind) => watch.open[kind]?.gone);
  const notified = isAnyGone ? pace.goneSeconds : open.length > 0 ? pace.warningSeconds : pace.learnSeconds;
  return Math.min(
    notified,
    emptySeconds(watch, watched, nowEpochSeconds),
    limitSeconds(watch, watched, nearness, nowEpochSeconds, tickSeconds),
  );
}

const never = Number.POSITIVE_INFINITY;

/** Does AWS say of this volume what it throttled? Else its rates and its queue do. */
export const isChecked = ({ unchecked }: Watch, { checks }: Watched): boolean =>
  !unchecked && checks.length > 0;

/** When the rates are due that decide a minute with a check of 1: with the checks, and again until they are there. */
function decidingDue(
  { checked, askedEpochSeconds }: Watch,
  askedRates: number,
  nowEpochSeconds: number,
): number {
  const last = lastUndecided(checked);
  if (last === null || last < nowEpochSeconds - pace.undecidedSeconds) return never;
  return askedRates < (askedEpochSeconds.checks ?? 0) ? 0 : askedRates + pace.nearSeconds;
}

/** The tick within which it is due, and not the one that asked last. */
function tickOf(due: number, asked: number | null, tickSeconds: number): number {
  const tick = (epochSeconds: number): number => Math.floor(epochSeconds / tickSeconds) * tickSeconds;
  if (due <= 0 || asked === null) return due;
  return Math.max(tick(due), tick(asked) + tickSeconds);
}

/**
 * When each part of a poll is due: seconds since 1970, never (infinite) where the volume has no such metric.
 * @param tickSeconds a poll comes with a tick: what is due within one comes with its beginning.
 */
export function dueOfParts(
  watch: Watch,
  watched: Watched,
  nowEpochSeconds: number,
  tickSeconds: number,
): Record<Part, number> {
  const { askedEpochSeconds: asked } = watch;
  const nearness = nearnessOf(watch, nowEpochSeconds);
  const isNear = nearness.share >= pace.nearShare;
  const checked = isChecked(watch, watched);
  const seconds = checksSeconds(watch, watched, nearness, nowEpochSeconds, tickSeconds);
  const checks = asked.checks === null || watch.suspect ? 0 : asked.checks + seconds;
  const ratesSeconds = isNear && checked ? pace.nearRatesSeconds : pace.learnSeconds;
  const rates =
    asked.rates === null || watch.suspect
      ? 0
      : Math.min(asked.rates + ratesSeconds, decidingDue(watch, asked.rates, nowEpochSeconds));
  // Without checks the rates and the queue tell what was throttled.
  const byRate = (asked.rates ?? 0) + seconds;
  const quiet = (asked.queue ?? 0) + quietSeconds(nearness, watch, nowEpochSeconds);
  const due: Record<Part, number> = {
    balance: watched.bucket === null ? never : balanceDue(watch, watched, tickSeconds),
    // Near a limit the checks say what the queue would, and say it for sure.
    queue: isNear && checked ? never : quiet,
    checks: checked ? checks : never,
    rates: checked ? rates : Math.min(rates, byRate),
  };
  for (const part of parts) due[part] = tickOf(due[part], asked[part], tickSeconds);
  return due;
}

/** When the next poll is due: with the first of its parts. */
export function nextPoll(
  watch: Watch,
  watched: Watched,
  nowEpochSeconds: number,
  tickSeconds: number,
): number {
  const due = dueOfParts(watch, watched, nowEpochSeconds, tickSeconds);
  return Math.min(...parts.map((part) => due[part]));
}
