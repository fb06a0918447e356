/** How often the monitoring polls, in figures, all in one place. Why these: docs/guides/monitoring.md. */

import { z } from 'zod';
import { usdOfMetrics } from '../load/metrics.ts';
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';

// What a budget for audits and monitoring together leaves monitoring.

/** Nothing is left: it asks for as good as nothing, and an alarm says so. */
const minMetrics = 1;

export interface Spent {
  /** USD of audits since the month began. */
  auditUsd: number;
  /** Since the month began, and of all of it: AWS bills by the month of the calendar, which has 28 to 31 days. */
  elapsedSeconds: number;
  monthSeconds: number;
  auditEveryHours: number;
}

/**
 * What audits cost in the whole month, going on as since it began: each run stands for the time until the next. What is
 * shorter than a day is taken as a day, and grows with each run.
 */
function auditUsdOfMonth({ auditUsd, elapsedSeconds, monthSeconds, auditEveryHours }: Spent): number {
  const everySeconds = auditEveryHours * secondsPerHour;
  const runs = Math.max(1, Math.ceil(elapsedSeconds / everySeconds));
  return auditUsd * (monthSeconds / Math.max(runs * everySeconds, secondsPerDay));
}

/** Metrics that monitoring may ask for in a month of usual length, so that the month of the calendar keeps to the budget. */
export function allowance(apiUsdPerMonth: number, spent: Spent): number {
  const metrics = metricsForUsd(Math.max(0, apiUsdPerMonth - auditUsdOfMonth(spent)));
  return Math.max(minMetrics, Math.floor(metrics * (secondsPerMonth / spent.monthSeconds)));
}

// What monitoring may ask for a month, as a bucket of tokens: a token is a metric.

/** AWS bills by month: 30 days here. */
export const secondsPerMonth = 30 * secondsPerDay;

export const budgetSchema = z.strictObject({
  metricsPerMonth: z.number().positive(),
  /** What is left to ask for now, and as of when. */
  left: z.number(),
  atEpochSeconds: z.number(),
});
export type Budget = z.infer<typeof budgetSchema>;

/** What was not used in quiet hours can be spent in busy ones: up to a day's worth. */
const mostSavedSeconds = secondsPerDay;
const usdPerMillion = usdOfMetrics(1_000_000);

/** Metrics that a sum of USD pays for. */
export const metricsForUsd = (usd: number): number => Math.floor((usd / usdPerMillion) * 1_000_000);

const mostSaved = (metricsPerMonth: number): number => (metricsPerMonth / secondsPerMonth) * mostSavedSeconds;

/** Full, as on the first day. */
export const newBudget = (metricsPerMonth: number, nowEpochSeconds: number): Budget => ({
  metricsPerMonth,
  left: mostSaved(metricsPerMonth),
  atEpochSeconds: nowEpochSeconds,
});

/**
 * With what came in since; another allowance counts from now on.
 * @param budget as it was kept; null on the first day.
 */
export function budgetNow(budget: Budget | null, metricsPerMonth: number, nowEpochSeconds: number): Budget {
  if (budget === null) return newBudget(metricsPerMonth, nowEpochSeconds);
  const seconds = Math.max(0, nowEpochSeconds - budget.atEpochSeconds);
  const left = budget.left + (metricsPerMonth / secondsPerMonth) * seconds;
  return {
    metricsPerMonth,
    left: Math.min(left, mostSaved(metricsPerMonth)),
    atEpochSeconds: Math.max(nowEpochSeconds, budget.atEpochSeconds),
  };
}

export const spent = (budget: Budget, metrics: number): Budget => ({
  ...budget,
  left: budget.left - metrics,
});

export const pace = {
  /** CloudWatch has a minute so long after its end, as a rule. What it takes longer is learned, Region by Region. */
  publicationSeconds: 2 * secondsPerMinute,
  /** What is not there so long after its end was not published: nothing comes any later but by exception. */
  latestPublicationSeconds: 5 * secondsPerMinute,
  /** A newest minute that is older says nothing of CloudWatch: nothing is published of that volume now. */
  mostPublicationSeconds: 20 * secondsPerMinute,
  /** Windows begin so much before the last poll: a minute that came late is seen by the next one, at no cost. */
  overlapSeconds: 15 * secondsPerMinute,
  /** What a poll asks for at least: a metric costs the same whatever its window. */
  minWindowSeconds: 70 * secondsPerMinute,
  /** Without AWS's checks the rate is evaluated by its queue, for which calm minutes are needed. */
  uncheckedWindowSeconds: 3 * secondsPerHour,
  /** The first poll a volume. */
  firstWindowSeconds: secondsPerDay,

  /** A bucket is polled again before this share of the time is over in which it could run dry. */
  creditsShareOfTime: 0.5,
  /** Below so much time to empty at full speed it is polled by every tick, as long as nobody was warned. */
  creditsUrgentSeconds: 12 * secondsPerMinute,
  creditsReportedSeconds: 3 * secondsPerMinute,
  creditsUnknownSeconds: 10 * secondsPerMinute,
  creditsLongestSeconds: 3 * secondsPerHour,

  /** Of a bucket that falls is warned where its load is likely to go on. */
  warning: {
    /** It goes on: the rate of so long; and has for a while: the rate of so long. */
    nowSeconds: 5 * secondsPerMinute,
    longSeconds: secondsPerHour,
    /** It is below this share of the lowest balance of the same hours before. */
    shareOfLowest: 0.8,
    /** The same hours: so long from now on. */
    aheadSeconds: 3 * secondsPerHour,
    /** Whatever was before: what is empty so soon by one of the rates, or at full speed; and what is critical. */
    alwaysSeconds: 8 * secondsPerMinute,
    alwaysAtMostSeconds: 5 * secondsPerMinute,
    alwaysCriticalSeconds: 5 * secondsPerMinute,
  },

  /** From this share of a limit on a volume is near it, and AWS's check of that limit is asked for. */
  nearShare: 0.65,
  nearSeconds: 3 * secondsPerMinute,
  /** The check of a limit that it is so far from is left out while it is near the other. */
  otherLimitShare: 0.5,
  /** While it is near: whether it still is. */
  nearRatesSeconds: 15 * secondsPerMinute,
  /** By the highest share lately or expected: how often its queue is polled. Beyond the last one it is near. */
  quiet: [
    { belowShare: 0.2, seconds: 15 * secondsPerMinute },
    { belowShare: 0.4, seconds: 10 * secondsPerMinute },
    { belowShare: 0.65, seconds: 5 * secondsPerMinute },
  ],
  /** A volume of which nothing at all is published: its instance is stopped, as a rule. */
  silentSeconds: 30 * secondsPerMinute,
  /** After so many polls that brought nothing. */
  pollsAtNew: 6,
  /** A queue that speaks of this share of the limit calls for the rates, and for the checks. */
  suspectShare: 0.5,
  /** Not again within so long, but where the queue speaks of more than the limit. */
  suspectAgainSeconds: 15 * secondsPerMinute,
  overLimitShare: 1.2,
  /** How near it came counts whole for so long, and then half of it each time as long again. */
  latelySeconds: 30 * secondsPerMinute,
  /** A load that grew by so much of itself in so long is taken to grow on for as long again. */
  growing: { seconds: 10 * secondsPerMinute, leastShareOfIt: 0.25 },
  /** The hours before are a guide for so much time around now. */
  expectedAroundSeconds: 15 * secondsPerMinute,
  /** What an hour counts as of which nothing was ever seen: the first day is watched more closely. */
  unseenShare: 0.5,
  /** What a volume counts as that was throttled in the last 24 hours, too seldom to be reported. */
  throttledShare: 0.5,
  /** What an hour brought a week ago and not this week counts so much next week. */
  expectedFades: 0.7,
  /** A full poll, from which hours and the queue are learned. */
  learnSeconds: 6 * secondsPerHour,
  /** Checks that were not published are asked for again so often. */
  tryChecksSeconds: secondsPerDay,

  /** After a minute that was throttled every tick polls, for so long. */
  throttledSeconds: 6 * secondsPerMinute,
  /** A minute with a check of 1 whose rates are not there: nothing is said of it or of later ones for so long. */
  undecidedHoldsSeconds: 10 * secondsPerMinute,
  /** Its rates are asked for with the checks, and every few minutes after that, for so long. */
  undecidedSeconds: 30 * secondsPerMinute,
  /** While it is reported as critical, or as a warning: whether it still is. */
  criticalSeconds: 5 * secondsPerMinute,
  warningSeconds: 30 * secondsPerMinute,
  /** Three throttled minutes of five that are over count as long as this. */
  freshSeconds: 10 * secondsPerMinute,
  /**
   * What is other than it was is said so many times over so long, since what is better counts when it stays so; after that what
   * did not change is said now and then, and what is gone is forgotten.
   */
  saying: { times: 4, seconds: 20 * secondsPerMinute, everySeconds: 5 * secondsPerMinute },
  sayAgainSeconds: 30 * secondsPerMinute,
  /** While it is said to be gone. */
  goneSeconds: 10 * secondsPerMinute,

  /**
   * Watches that one tick makes, and that it removes, at most: each write is 2 units in the table and 2 in its index, and a
   * partition takes 1,000 a second. Twice as many as are polled for the first time, so that polls never wait for them.
   */
  changesPerTick: 500,
  /** Volumes that are polled for the first time in one tick, at most: their windows are long. */
  newVolumesPerTick: 250,
  /**
   * How long one round of a tick reads, at most, by its rate of points more than three hours old: after a gap windows are long, and its
   * function has two minutes.
   */
  secondsOfReading: 30,
  /** Of several accounts: targets of a shard that are read at one time. Each has quotas of its own. */
  targetsAtOnce: 16,
  /** So many rounds' points of one target may a shard read in a round, of all targets together. */
  roundsOfShard: 2,
  /** Targets whose inventory a shard reads anew in one tick, at most: all become old at one time. */
  inventoriesPerTick: 20,
  /** One account that does not answer must not take the time of the others. */
  mostTargetSeconds: 30,
  /** From then on a tick of a shard reads nothing more: what was read is written before its time is over. */
  readUntilSeconds: 80,
  /** A watch of which no target is left, though its account is read: whether there is one again. */
  untargetedSeconds: secondsPerHour,
  /** Volumes of an account that refuses are due again after as long as they were not polled, within these. */
  refused: { leastSeconds: 10 * secondsPerMinute, mostSeconds: secondsPerHour },
  /** How long the function of a tick may run: Lambda ends it then. */
  mostTickSeconds: 120,
  /** How long a tick is alone at most: longer than it can live, so that who comes after it never meets it. */
  leaseSeconds: 150,
} as const;
