/** What a host's NVMe statistics say of a finding that CloudWatch suggests: the rules, and how they are kept with it. */
import { z } from 'zod';
import { confidences } from '../diagnosis/causes.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../units.ts';
import { type Between, type NotCompared, notComparedReasons } from './between-readings.ts';
import { type ExceededLimit, exceededLimits } from './ebs-statistics.ts';

const saysNothingReasons = [
  ...notComparedReasons,
  'few-minutes',
  'part-of-the-minutes',
  'on-credits',
  'shared',
  'in-between',
  'not-all-volumes',
] as const;
type SaysNothing = (typeof saysNothingReasons)[number];

export const hostStatisticsSchema = z
  .object({
    says: z.enum(['confirms', 'refutes', 'says-nothing']),
    reason: z.enum(saysNothingReasons).nullable().meta({ description: 'why they say nothing' }),
    limits: z.array(z.enum(exceededLimits)).meta({ description: 'above which the time was counted' }),
    volumeId: z
      .string()
      .nullable()
      .meta({ description: 'with the most of it; null where none was compared' }),
    exceededSeconds: z.number().nullable().meta({ description: 'between the two readings' }),
    throttledMinutes: z.number().nullable().meta({
      description: 'by CloudWatch, between the two readings',
    }),
    start: z.string().nullable().meta({ description: 'ISO 8601 UTC: the earlier reading' }),
    end: z.string().nullable().meta({ description: 'ISO 8601 UTC: the later reading' }),
    confidenceBefore: z.enum(confidences).meta({ description: 'by CloudWatch alone' }),
  })
  .meta({
    description:
      'what the EBS volumes of the host counted themselves (NVMe log page 0xD0); absent where no host said it',
  });
export type HostStatistics = z.infer<typeof hostStatisticsSchema>;

/** What is said of one volume, before it is known of which finding. */
export type Said = Omit<HostStatistics, 'confidenceBefore'>;

/**
 * The thresholds of the rules. A check of CloudWatch is 1 for a minute in which the limit was exceeded for some of its seconds,
 * so less than the minutes say is no contradiction; next to nothing is.
 */
const hostThresholds = {
  /** Fewer minutes than these between the readings are too few to say anything. */
  leastThrottledMinutes: 5,
  /** Of the throttled time so much above the limit confirms it; micro-bursts last seconds of a minute. */
  confirmingShare: { usual: 0.1, microBurst: 0.01 },
  /** Of the throttled time no more than so much above the limit refutes it. */
  refutingShare: { usual: 0.01, microBurst: 0.001 },
  /** A finding is refuted by the greater part of its minutes alone. */
  refutedShareOfMinutes: 0.5,
} as const;

/** What CloudWatch suggests of one volume. */
export interface Suspicion {
  limits: readonly ExceededLimit[];
  isMicroBurst: boolean;
  /** Limited by credits: whether time at the baseline is counted as exceeded is not documented, so none refutes nothing. */
  isOnCredits: boolean;
  /** On several instances, each of which counts for itself. */
  isShared: boolean;
  /** Of the finding, in the whole window. */
  throttledMinutesInWindow: number;
  /** Of the finding, between the two readings. */
  throttledMinutes: number;
  /** Between the two readings, without figures of CloudWatch in the window. */
  unseenSeconds: number;
}

const rounded = (value: number): number => Number(value.toFixed(3));

/**
 * The rules, in this order:
 * 1. under 5 throttled minutes between the readings: nothing;
 * 2. time above the limit, less what CloudWatch did not see, is 10 % of the throttled time or more (micro-bursts: 1 %): confirmed;
 * 3. more than 1 % of it (0.1 %), over all limits in question: nothing;
 * 4. limited by credits, or on several instances: nothing;
 * 5. less than half of the finding's minutes lie between the readings: nothing;
 * 6. refuted.
 */
export function statisticsSay(
  suspicion: Suspicion,
  between: Between,
): Pick<Said, 'says' | 'reason'> & {
  limits: ExceededLimit[];
  exceededSeconds: number;
} {
  const { limits, throttledMinutes, throttledMinutesInWindow, unseenSeconds } = suspicion;
  const kind = suspicion.isMicroBurst ? 'microBurst' : 'usual';
  const secondsOf = (limit: ExceededLimit): number => between.exceededSeconds[limit];
  const [most = 'volume-iops'] = [...limits].sort((a, b) => secondsOf(b) - secondsOf(a));
  const sum = limits.reduce((seconds, limit) => seconds + secondsOf(limit), 0);
  const all = { limits: [...limits], exceededSeconds: rounded(sum) };
  const nothing = (reason: SaysNothing) => ({ says: 'says-nothing' as const, reason, ...all });
  if (throttledMinutes < hostThresholds.leastThrottledMinutes) return nothing('few-minutes');
  const throttledSeconds = throttledMinutes * secondsPerMinute;
  if (secondsOf(most) - unseenSeconds >= hostThresholds.confirmingShare[kind] * throttledSeconds)
    return {
      says: 'confirms',
      reason: null,
      limits: [most],
      exceededSeconds: rounded(secondsOf(most)),
    };
  if (sum > hostThresholds.refutingShare[kind] * throttledSeconds) return nothing('in-between');
  if (suspicion.isOnCredits) return nothing('on-credits');
  if (suspicion.isShared) return nothing('shared');
  if (throttledMinutes < hostThresholds.refutedShareOfMinutes * throttledMinutesInWindow)
    return nothing('part-of-the-minutes');
  return { says: 'refutes', reason: null, ...all };
}

export const saidOfNoTime = (reason: NotCompared, limits: readonly ExceededLimit[]): Said => ({
  ...{ says: 'says-nothing', reason, limits: [...limits], volumeId: null },
  ...{ exceededSeconds: null, throttledMinutes: null, start: null, end: null },
});

export const saidOfVolume = (volumeId: string, suspicion: Suspicion, between: Between): Said => ({
  ...statisticsSay(suspicion, between),
  volumeId,
  throttledMinutes: rounded(suspicion.throttledMinutes),
  start: isoFromEpochSeconds(between.startEpochSeconds),
  end: isoFromEpochSeconds(between.endEpochSeconds),
});

/** Of several volumes with one finding: one that confirms it is enough, and all must refute it. Null of none. */
export function saidTogether(all: readonly Said[]): Said | null {
  const [most] = [...all].sort((a, b) => (b.exceededSeconds ?? -1) - (a.exceededSeconds ?? -1));
  if (most === undefined) return null;
  const confirming = [...all]
    .filter(({ says }) => says === 'confirms')
    .sort((a, b) => (b.exceededSeconds ?? 0) - (a.exceededSeconds ?? 0))[0];
  if (confirming !== undefined) return confirming;
  if (all.every(({ says }) => says === 'refutes')) return most;
  const quiet = all.find(({ says }) => says === 'says-nothing') ?? most;
  return all.some(({ says }) => says === 'refutes')
    ? { ...most, says: 'says-nothing', reason: 'not-all-volumes' }
    : quiet;
}
