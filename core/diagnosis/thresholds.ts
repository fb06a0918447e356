/**
 * The words of the audit in figures, all in one place. Those that a configuration may set (`core/config/threshold-settings.ts` says
 * between which bounds) are an argument of whatever decides by them; the others are the same in every evaluation.
 */
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';

// The time that an audit looks at, and how much of it must be known.

export interface AuditWindow {
  startEpochSeconds: number;
  endEpochSeconds: number;
}

export const secondsOf = ({ startEpochSeconds, endEpochSeconds }: AuditWindow): number =>
  endEpochSeconds - startEpochSeconds;

/** Is enough known for the absence of a finding to mean something? */
export const isEnoughKnown = (knownSeconds: number, window: AuditWindow): boolean =>
  knownSeconds >=
  Math.min(fixedThresholds.healthyKnownSeconds, fixedThresholds.healthyKnownShare * secondsOf(window));

/**
 * As they are documented, in the order in which a result lists those that differ. An evaluation is given these, or others
 * made of them by `thresholdsOf`.
 */
export const defaultThresholds = {
  throttledWarningMinutes: 5,
  throttledCriticalMinutes: 60,
  /** Critical too: so many of the last five minutes. */
  throttledCriticalMinutesOfLastFive: 3,
  microBurstMinutes: 3,
  /** A throttled minute whose average stays below this share of the limit is a micro-burst. */
  microBurstAverageShare: 0.8,
  /** A balance at or below this many percent counts as empty. */
  emptyBalancePercent: 1,
  creditsExhaustedCriticalMinutes: 15,
  willExhaustSeconds: 2 * secondsPerHour,
  willExhaustCriticalSeconds: 30 * secondsPerMinute,
  idleOpsPerMinute: 1,
  idleWindowSeconds: secondsPerDay,
  /** Share of the window that must be known before a volume is called idle. */
  idleKnownShare: 0.9,
  /** An unused volume is a warning from this price a month, an information below. */
  unusedWarningUsd: 20,
  /** What is paid for beyond an instance's limit is reported from this price a month, as a warning from the second. */
  unreachableUsd: 5,
  unreachableWarningUsd: 20,
  /** USD a month from which a saving is reported: less of the same type, another type, a stripe (which also takes a share). */
  overProvisionedUsd: 5,
  cheaperTypeUsd: 1,
  cheaperStripeUsd: 20,
  cheaperStripeShare: 0.2,
  savingWarningUsd: 20,
  /** What a volume needs is the most that was seen and this share more, in a window of a day that is known to so much. */
  savingHeadroom: 0.25,
  savingWindowSeconds: secondsPerDay,
  savingKnownShare: 0.9,
  /** A straggler's latency is so many times its siblings' median, and at least so long, for so many minutes of 24 h. */
  stragglerTimes: 3,
  stragglerLeastMs: 1,
  stragglerMinutes: 10,
  /** A period with fewer operations a second, on it or on a sibling, is no load. */
  stragglerLeastIops: 1,
  /** The average latency of small I/O that a user wants, and in so many minutes of 24 h it must be above it; 0: none is asked for. */
  maxLatencyMs: 0,
  latencyMinutes: 10,
} as const satisfies Record<string, number>;

export type ThresholdName = keyof typeof defaultThresholds;
/** Of one evaluation: two that go on at the same time can have different ones. */
export type Thresholds = Readonly<Record<ThresholdName, number>>;
/** What is not there stays as documented. */
export type OtherThresholds = { readonly [K in ThresholdName]?: number | undefined };

const differing = (figures: OtherThresholds): Partial<Thresholds> =>
  Object.fromEntries(
    Object.entries(figures).filter(
      ([name, figure]) => figure !== undefined && figure !== defaultThresholds[name as ThresholdName],
    ),
  );

/** These figures, and all others as documented. */
export const thresholdsOf = (figures: OtherThresholds): Thresholds => ({
  ...defaultThresholds,
  ...differing(figures),
});

/** Those that are not the documented ones: a reader must know that the words mean something else. */
export const otherThresholds = (thresholds: Thresholds): Partial<Thresholds> => differing(thresholds);

/** No configuration changes these. */
export const fixedThresholds = {
  /** At the limit: at least this share of it. */
  atLimitShare: 0.95,
  /** What passes is above an instance limit by more than this: then it is not the limit that it is taken for. */
  maxLimitShare: 1.05,
  /** Queue at the limit: this many times the queue that the same rate has when nothing throttles it. */
  queueTimesUnthrottled: 2,
  /** So many times are enough where AWS says that the instance throttled: the question is only whether it was this volume. */
  queueTimesProved: 1.25,
  /** Periods well below the limit that it takes to know that queue. */
  calmPeriodsForQueue: 10,
  /** Periods whose I/O size differs by no more than this factor are alike. */
  likeIoSizeFactor: 2,
  /** With fewer of them: what an operation takes; AWS says single-digit milliseconds, and large I/O takes longer. */
  typicalSecondsPerIo: { ssd: 0.001, hdd: 0.01, perMiB: 0.01 },
  /** Beyond this share of the limit by number, operations on HDD must have merged. */
  mergedShare: 1.05,
  /** From this share on the rate is the limit itself, whatever waits. */
  saturatedShare: 0.99,
  /** AWS promises 90 % of what is provisioned: a limit is seen in a rate from this share on, so steady, for so many periods. */
  seenLimitShare: 0.85,
  seenLimitWithin: 0.01,
  seenLimitPeriods: 3,
  /** A burst is this many times the load of the periods beside it. */
  burstTimesBeside: 1.1,
  /** The rate that a forecast is made from: the mean of the last so many seconds. */
  recentRateSeconds: 30 * secondsPerMinute,
  /** A replayed balance whose median is so many points off the published one does not explain it. */
  replayDisagreesPoints: 5,
  /** A rhythm by hour of the day needs so much history, one by hour of the week so much; longer ago than so much is no guide. */
  dailyRhythmSeconds: secondsPerDay,
  weeklyRhythmSeconds: 7 * secondsPerDay,
  oldestRhythmSeconds: 56 * secondsPerDay,
  /** An hour counts where at least this share of it is known. */
  rhythmHourKnownShare: 0.5,
  /** Hours are a rhythm where it explains at least this share of how they vary: what comes at random is not forecast by it. */
  rhythmExplainedShare: 0.5,
  /** Without a finding, healthy is said from this much known time on, or this share of a shorter window. */
  healthyKnownSeconds: secondsPerHour,
  healthyKnownShare: 0.9,
  /** A replay that shows so much of what was throttled explains it: then it also evaluates what would help. */
  replayExplainsShare: 0.5,
  /** Of a load that was throttled and shows no bound of its demand, so much more than the limit is taken. */
  openHeadroom: 0.25,
  // First reads of a volume from a snapshot. AWS says single-digit milliseconds of SSD: slow is 10 ms and more, so many times what a
  // read of its size takes, and so many times what writes beside it take; of at least so many reads a second.
  firstReadsLeastMs: 10,
  firstReadsTimesUsual: 5,
  firstReadsTimesWrites: 3,
  firstReadsLeastPerSecond: 1,
  /** A volume whose busy seconds come so near to a limit may wait for that. */
  firstReadsBusyShare: 0.8,
  /** So long after its creation, for so many minutes of a day; a warning from the second on, or while it goes on. */
  firstReadsSeconds: 7 * secondsPerDay,
  firstReadsMinutes: 10,
  firstReadsWarningMinutes: 60,
  /** What is read once is there: from one half to the other the share of slow periods does not rise by so much; to so much it fell. */
  firstReadsMoreShare: 0.1,
  firstReadsLessTimes: 0.75,
  // Stripes. Volumes look like one where in this share of at least so many busy periods (so many operations in each) their
  // operations and bytes are within so much of each other.
  stripeBusyPeriods: 60,
  stripeLeastOps: 1_000,
  stripeAlikeShare: 0.9,
  stripeAlikeWithin: 0.1,
  /** Their load varies by so much of its mean at least, and by so many times as much as they differ. */
  stripeLeastVariation: 0.002,
  stripeVariationTimes: 3,
  /** Of what is dealt out neither gets more in the long run. */
  stripeMostBias: 0.03,
  /** Parts that are as even as this are dealt out rather than balanced. */
  stripeEvenWithin: 0.02,
} as const;
