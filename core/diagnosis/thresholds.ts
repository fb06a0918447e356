/** The words of the audit in figures, all in one place. */
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../units.ts';

export const thresholds = {
  /** At the limit: at least this share of it. */
  atLimitShare: 0.95,
  /** A held-back minute whose average stays below this share of the limit is a micro-burst. */
  microBurstAverageShare: 0.8,
  /** Queue at the limit: this many times the queue that the same rate has when nothing holds it back. */
  queueTimesUnthrottled: 2,
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
  throttledWarningMinutes: 5,
  throttledCriticalMinutes: 60,
  /** Critical too: so many of the last so many minutes. */
  throttledCriticalOfLast: { minutes: 3, of: 5 },
  microBurstMinutes: 3,
  /** A balance at or below this many percent counts as empty. */
  emptyBalancePercent: 1,
  creditsExhaustedCriticalMinutes: 15,
  willExhaustSeconds: 2 * secondsPerHour,
  willExhaustCriticalSeconds: 30 * secondsPerMinute,
  /** The rate that a forecast is made from: the mean of the last so many seconds. */
  recentRateSeconds: 30 * secondsPerMinute,
  /** Without a finding, healthy is said from this much known time on, or this share of a shorter window. */
  healthyKnownSeconds: secondsPerHour,
  healthyKnownShare: 0.9,
  idleOpsPerMinute: 1,
  idleWindowSeconds: secondsPerDay,
  /** Share of the window that must be known before a volume is called idle. */
  idleKnownShare: 0.9,
  /** An unused volume is a warning from this price a month, an information below. */
  unusedWarningUsd: 20,
  /** What is paid for beyond an instance's limit is told from this price a month, as a warning from the second. */
  unreachableUsd: 5,
  unreachableWarningUsd: 20,
  /** What a volume needs is the most that was seen and this share more, in a window of a day that is known to so much. */
  savingHeadroom: 0.25,
  savingWindowSeconds: secondsPerDay,
  savingKnownShare: 0.9,
  /** USD a month from which a saving is told: less of the same type, another type, a stripe (which also takes a share). */
  overProvisionedUsd: 5,
  cheaperTypeUsd: 1,
  cheaperStripeUsd: 20,
  cheaperStripeShare: 0.2,
  savingWarningUsd: 20,
} as const;
