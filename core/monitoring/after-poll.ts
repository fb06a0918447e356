/** What a poll showed: the watch as it is from now on, and what is said of findings. */
import { fixedThresholds } from '../diagnosis/thresholds.ts';
import type { MetricSet } from '../load/metrics.ts';
import type { Series } from '../load/series.ts';
import { secondsPerHour, secondsPerMinute } from '../units.ts';
import { Checked } from './checked-minutes.ts';
import {
  type Drain,
  type DrainBefore,
  drainOf,
  type Evaluated,
  evaluateDrain,
  evaluateThrottled,
} from './evaluate-poll.ts';
import { growthOf, isChecked, latelyNow, nearnessOf, nextPoll } from './next-poll.ts';
import { pace } from './pace.ts';
import type { Poll } from './queries-of-poll.ts';
import { endedOf, type MonitoringObservation, type PricesOf, say } from './say.ts';
import {
  queueAtLimit,
  type SeenRates,
  type SeenThrottled,
  seenRates,
  seenThrottled,
  seenUntil,
  shareAt,
} from './seen.ts';
import { isThrottledAt, lastMinuteEnd, type ThrottledMinutes, withMinutes } from './throttled-minutes.ts';
import {
  endOfHour,
  isOfCredits,
  lowestBefore,
  startOfHour,
  type Watch,
  withBalances,
  withHour,
} from './watch.ts';
import { typicalQueueAtLimit, type Watched } from './watched.ts';

export interface PollContext {
  /** The time of this poll: never before that of the one before; two rounds of one tick have one time. */
  nowEpochSeconds: number;
  tickSeconds: number;
  /** How old the newest minutes of this Region are; null where nobody knows. */
  delaySeconds: number | null;
  advising: PricesOf;
}

export interface AfterPoll {
  watch: Watch;
  observations: MonitoringObservation[];
}

interface Seen {
  metrics: MetricSet;
  rates: SeenRates | null;
  throttled: SeenThrottled | null;
  checked: Checked;
  drain: Drain | null;
}

function seenOf(watch: Watch, watched: Watched, metrics: MetricSet, nowEpochSeconds: number): Seen {
  const rates = seenRates(watched, metrics);
  const balance = metrics.get('BurstBalance');
  const before = watch.balance?.percent ?? null;
  const { iops, throughput } = nearnessOf(watch, nowEpochSeconds);
  const checked = new Checked(watch.checked);
  const asked = watch.askedEpochSeconds.checks;
  const evidence = {
    nearer: throughput > iops ? ('volume-throughput' as const) : ('volume-iops' as const),
    balancePercent: before,
    isChecked: isChecked(watch, watched),
    newFromEpochSeconds: asked === null ? 0 : asked - pace.overlapSeconds,
    isCounted: (time: number) => isThrottledAt(watch.throttled, time),
  };
  return {
    ...{ metrics, rates, checked },
    throttled: seenThrottled(watched, metrics, rates, evidence, checked),
    drain: watched.bucket === null || balance === undefined ? null : drainOf(watched.bucket, balance, before),
  };
}

/** Whole hours since those that are learned; an hour in which load was throttled came to its limit. */
function learned(
  watch: Watch,
  { rates, throttled, checked }: Seen,
): Pick<Watch, 'hours' | 'learnedUntilEpochSeconds' | 'queueAtLimit'> {
  if (rates === null) {
    const { hours, learnedUntilEpochSeconds, queueAtLimit: atLimit } = watch;
    return { hours, learnedUntilEpochSeconds, queueAtLimit: atLimit };
  }
  const { epochSeconds } = rates.load;
  const held = new Set(throttled?.minutes.map((minute) => minute.epochSeconds));
  const whole = startOfHour((epochSeconds.at(-1) as number) + secondsPerMinute);
  const from =
    watch.learnedUntilEpochSeconds ??
    startOfHour((epochSeconds[0] as number) + secondsPerHour - secondsPerMinute);
  const highest = new Map<number, number>();
  for (let i = 0; i < epochSeconds.length; i++) {
    const time = epochSeconds[i] as number;
    const share = held.has(time) ? Math.max(1, shareAt(rates, i)) : shareAt(rates, i);
    const end = endOfHour(time);
    if (time < from || end > whole || Number.isNaN(share)) continue;
    highest.set(end, Math.max(share, highest.get(end) ?? 0));
  }
  const atLimit = queueAtLimit(rates, (time) => held.has(time) || checked.has(time));
  let { hours } = watch;
  for (const [end, share] of highest) hours = withHour(hours, end - 1, share);
  return {
    hours,
    learnedUntilEpochSeconds: Math.max(watch.learnedUntilEpochSeconds ?? 0, whole),
    queueAtLimit: atLimit === null ? watch.queueAtLimit : rounded(atLimit),
  };
}

/** A watch is written with every poll: no longer than it must be. */
const rounded = (value: number): number => Number(value.toFixed(4));
const shortLately = (lately: Watch['lately']): Watch['lately'] =>
  lately && { ...lately, iops: rounded(lately.iops), throughput: rounded(lately.throughput) };
const balanceOf = ({ percent, untilEpochSeconds }: Drain): Watch['balance'] => ({
  ...{ percent: rounded(percent), untilEpochSeconds },
});

/** The highest share of each limit in the last half hour that is known, or what it grows to. */
function latelyByRates({ load, iopsShare, throughputShare }: SeenRates): NonNullable<Watch['lately']> {
  const { epochSeconds } = load;
  const last = epochSeconds.at(-1) as number;
  let lately = { iops: 0, throughput: 0 };
  for (
    let i = epochSeconds.length - 1;
    i >= 0 && (epochSeconds[i] as number) > last - pace.latelySeconds;
    i--
  ) {
    const [iops, throughput] = [iopsShare[i] as number, throughputShare[i] as number];
    if (iops > lately.iops) lately = { ...lately, iops };
    if (throughput > lately.throughput) lately = { ...lately, throughput };
  }
  return {
    iops: Math.max(lately.iops, (iopsShare.at(-1) as number) + growthOf(epochSeconds, iopsShare) || 0),
    throughput: Math.max(
      lately.throughput,
      (throughputShare.at(-1) as number) + growthOf(epochSeconds, throughputShare) || 0,
    ),
    atEpochSeconds: last,
  };
}

/** The highest share of its limits that its queue speaks of: in the minutes that are new, or that it grows to. */
function shareByQueue(watch: Watch, watched: Watched, metrics: MetricSet): number {
  const queue = metrics.get('VolumeQueueLength');
  if (queue === undefined) return 0;
  // Where CloudWatch is late, from the last minute on that was there.
  const since = Math.min(
    (watch.askedEpochSeconds.queue ?? 0) - pace.latestPublicationSeconds,
    watch.seenUntilEpochSeconds ?? 0,
  );
  let highest = 0;
  for (let i = queue.values.length - 1; i >= 0 && (queue.epochSeconds[i] as number) >= since; i--) {
    highest = Math.max(highest, queue.values[i] as number);
  }
  const grown = (queue.values.at(-1) as number) + growthOf(queue.epochSeconds, queue.values);
  return Math.max(highest, grown) / (watch.queueAtLimit ?? typicalQueueAtLimit(watched));
}

/** Rates say how near it came; hints raise what was known of it. */
function latelyOf(watch: Watch, watched: Watched, seen: Seen, byQueue: number, now: number): Watch['lately'] {
  const { rates, drain, throttled } = seen;
  let lately = rates === null ? watch.lately : latelyByRates(rates);
  const raise = (limit: 'iops' | 'throughput', share: number, at: number): void => {
    const before = latelyNow({ ...watch, lately }, now);
    if (share > before[limit])
      lately = { ...before, [limit]: share, atEpochSeconds: Math.max(at, lately?.atEpochSeconds ?? 0) };
  };
  // A bucket that falls so fast is spent at this rate.
  if (drain !== null && watched.bucket !== null && rates === null) {
    const limit = watched.bucket.unit === 'io' ? 'iops' : 'throughput';
    raise(limit, drain.spentCreditsPerSecond / watched.bucket.burstPerSecond, drain.untilEpochSeconds);
  }
  // A queue alone makes nothing near: it calls for the rates.
  if (rates === null) raise('iops', Math.min(byQueue, pace.suspectShare), now - pace.publicationSeconds);
  for (const { epochSeconds, cause } of throttled?.minutes ?? []) {
    if (epochSeconds < now - pace.latelySeconds || cause === 'volume-credits') continue;
    raise(cause === 'volume-iops' ? 'iops' : 'throughput', 1, epochSeconds);
  }
  return lately;
}

/** Of 24 hours up to the last minute that is known. */
function throttledOf(
  watch: Watch,
  throttled: SeenThrottled | null,
  nowEpochSeconds: number,
): ThrottledMinutes {
  if (throttled === null) return withMinutes(watch.throttled, [], nowEpochSeconds);
  const { minutes, untilEpochSeconds } = throttled;
  const ends = minutes.map(({ epochSeconds }) => epochSeconds + secondsPerMinute);
  return withMinutes(
    watch.throttled,
    minutes,
    Math.max(untilEpochSeconds, lastMinuteEnd(watch.throttled) ?? 0, ...ends),
  );
}

/** A queue like that of the limit calls for the rates and the checks, unless the rates were there a moment ago. */
function isSuspect(watch: Watch, { parts }: Poll, byQueue: number): boolean {
  if (parts.includes('rates') || !parts.includes('queue')) return false;
  const { rates, queue } = watch.askedEpochSeconds;
  const isLongAgo = rates === null || (queue ?? 0) - rates >= pace.suspectAgainSeconds;
  return byQueue >= (isLongAgo ? pace.suspectShare : pace.overLimitShare);
}

/** What was asked for is not asked for again until its time; what brought nothing was asked for too. */
function askedNow(watch: Watch, { parts }: Poll, nowEpochSeconds: number): Watch['askedEpochSeconds'] {
  const asked = { ...watch.askedEpochSeconds };
  for (const part of parts) asked[part] = nowEpochSeconds;
  return asked;
}

/** Other metrics went on while no balance was published: the volume does nothing, and its bucket does not fall. */
function isIdleBucket({ balance }: Watch, { metrics }: Seen): boolean {
  const until = seenUntil(metrics);
  const quiet = until === null || balance === null ? 0 : until - balance.untilEpochSeconds;
  return quiet > fixedThresholds.recentRateSeconds;
}

/** @param watch as it is after the poll. */
function evaluatedOf(watch: Watch, watched: Watched, seen: Seen): Evaluated[] {
  const { throttled, drain } = seen;
  const ofMinutes =
    throttled === null ? [] : evaluateThrottled(watched, watch.throttled, throttled.untilEpochSeconds);
  // Such as a gp2 that became a gp3.
  if (watched.bucket === null) return [...ofMinutes, ...endedOf(watch, (kind) => !isOfCredits(kind))];
  if (isIdleBucket(watch, seen)) return [...ofMinutes, { kind: 'credits-will-exhaust', found: null }];
  if (drain === null) return ofMinutes;
  const open = watch.open['credits-will-exhaust'];
  const { untilEpochSeconds: until } = drain;
  const before: DrainBefore = {
    severity: open === undefined || open.gone ? null : open.severity,
    lowestPercent: lowestBefore(watch.lowest, until, until + pace.warning.aheadSeconds),
  };
  return [...ofMinutes, evaluateDrain(watched, drain, before)];
}

/**
 * The watch after a poll, and what the poll says of findings.
 * What is not there is unknown and never 0: nothing is said of what the poll did not see. A poll whose metrics could not be
 * read must not be given here: its watch stays due.
 * @param metrics of this volume, in minutes from `look.fromEpochSeconds` on.
 */
export function afterPoll(
  watch: Watch,
  watched: Watched,
  poll: Poll,
  metrics: MetricSet,
  { nowEpochSeconds, tickSeconds, delaySeconds, advising }: PollContext,
): AfterPoll {
  const seen = seenOf(watch, watched, metrics, nowEpochSeconds);
  const { rates, throttled, drain } = seen;
  const byQueue = shareByQueue(watch, watched, metrics);
  const asked = askedNow(watch, poll, nowEpochSeconds);
  const next: Watch = {
    ...watch,
    revision: watch.revision + 1,
    askedEpochSeconds: asked,
    seenUntilEpochSeconds: Math.max(watch.seenUntilEpochSeconds ?? 0, seenUntil(metrics) ?? 0) || null,
    delaySeconds: delaySeconds ?? watch.delaySeconds,
    balance: drain === null ? watch.balance : balanceOf(drain),
    lowest:
      drain === null
        ? watch.lowest
        : withBalances(watch.lowest, metrics.get('BurstBalance') as Series, watch.balance),
    lately: shortLately(latelyOf(watch, watched, seen, byQueue, nowEpochSeconds)),
    throttled: throttledOf(watch, throttled, nowEpochSeconds),
    checked: seen.checked.kept(nowEpochSeconds),
    ...learned(watch, seen),
    suspect: isSuspect({ ...watch, askedEpochSeconds: asked }, poll, byQueue),
  };
  if (poll.parts.includes('checks') && rates !== null) next.unchecked = throttled?.isByChecks !== true;
  const evaluated = evaluatedOf(next, watched, seen);
  const { open, observations } = say(next, watched, evaluated, nowEpochSeconds, advising);
  next.open = open;
  next.nextPollEpochSeconds = nextPoll(next, watched, nowEpochSeconds, tickSeconds);
  return { watch: next, observations };
}
