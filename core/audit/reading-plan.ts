/** Which time an audit reads, in points of which period: what CloudWatch still keeps, aligned to whole periods. */
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import { BadInput } from '../errors.ts';
import { isoFromEpochSeconds, msPerSecond, secondsPerDay } from '../units.ts';

/** A moment as people write it, with its zone: 2026-11-20T14:30Z, seconds if they like. @throws BadInput */
export function momentOf(text: string): Date {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(isMoment ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new BadInput(`"${text}" is not a time: give one like 2026-11-20T14:30Z`);
}

export interface ReadingPlan extends AuditWindow {
  /** Of every metric; of two passes, of the second. */
  periodSeconds: number;
  /**
   * Two passes: few metrics of all volumes in points of this period first, then all metrics of the suspects. Without it one
   * pass reads everything.
   */
  coarsePeriodSeconds?: number | undefined;
}

export type PassPlan = ReadingPlan & { coarsePeriodSeconds: number };

export const isInPasses = (plan: ReadingPlan): plan is PassPlan => plan.coarsePeriodSeconds !== undefined;

/** CloudWatch keeps points of one minute for 15 days and of five minutes for 63; hourly ones hide what we look for. */
const retention = [
  { periodSeconds: 60, days: 15 },
  { periodSeconds: 300, days: 63 },
] as const;
type Kept = (typeof retention)[number];

const coarsest = retention[1];
/** Of the first of two passes. */
export const coarsestPeriodSeconds: number = coarsest.periodSeconds;

/** CloudWatch's newest points come late and grow: an audit of now ends so long ago. */
export const settleSeconds = 180;

/** Clocks differ a little. */
const futureSeconds = 300;

interface ReadingRequest {
  lookbackDays: number;
  /**
   * Of one pass, in seconds or the finest that CloudWatch still keeps; in two the first one reads points of five minutes, the
   * second the finest.
   */
  periodSeconds: number | 'finest' | 'two-passes';
  /** The end of the window: a time of the past, or now. */
  until: Date;
  now: Date;
  /** How fresh figures may be; the newest minutes of CloudWatch are not complete yet. */
  settleSeconds: number;
}

const isKept = ({ lookbackDays, until, now }: ReadingRequest, { days }: Kept): boolean =>
  lookbackDays <= days &&
  until.getTime() - lookbackDays * secondsPerDay * msPerSecond >=
    now.getTime() - days * secondsPerDay * msPerSecond;

/** @throws BadInput where CloudWatch does not keep such points. */
function keptFor(request: ReadingRequest): Kept {
  const { periodSeconds } = request;
  if (typeof periodSeconds === 'string') return retention.find((kept) => isKept(request, kept)) ?? coarsest;
  const kept = retention.find((entry) => entry.periodSeconds === periodSeconds);
  if (kept !== undefined) return kept;
  throw new BadInput(
    `a period of ${periodSeconds} s is too coarse, or CloudWatch does not keep it: ask for 60 or 300`,
  );
}

/**
 * The window in whole periods; of two passes in whole periods of the first.
 * @throws BadInput where CloudWatch does not keep such points, or not that long.
 */
export function readingPlan(request: ReadingRequest): ReadingPlan {
  const { lookbackDays, until, now, settleSeconds } = request;
  const kept = keptFor(request);
  const { periodSeconds, days } = kept;
  if (lookbackDays > days) {
    throw new BadInput(
      `${lookbackDays} days are longer than CloudWatch keeps points of ${periodSeconds} s (${days} days): ask for fewer days or a longer period`,
    );
  }
  const nowSeconds = now.getTime() / msPerSecond;
  const untilSeconds = until.getTime() / msPerSecond;
  if (untilSeconds > nowSeconds + futureSeconds) {
    throw new BadInput(`${isoFromEpochSeconds(untilSeconds)} is in the future: ask for a time that is over`);
  }
  const isTwoPasses = request.periodSeconds === 'two-passes';
  const stepSeconds = isTwoPasses ? coarsest.periodSeconds : periodSeconds;
  const oldest = nowSeconds - days * secondsPerDay;
  const whole = (seconds: number): number => Math.floor(seconds / stepSeconds) * stepSeconds;
  const end = whole(Math.min(untilSeconds, nowSeconds - settleSeconds));
  const steps = Math.max(1, Math.round((lookbackDays * secondsPerDay) / stepSeconds));
  // All that is kept is a little less than it was when the newest points were complete.
  const start = Math.max(end - steps * stepSeconds, whole(oldest) + stepSeconds);
  if (untilSeconds - lookbackDays * secondsPerDay < oldest || start >= end) {
    throw new BadInput(
      `${isoFromEpochSeconds(untilSeconds)} and ${lookbackDays} days before it are longer ago than CloudWatch keeps points of ${periodSeconds} s (${days} days): ask for a later time, fewer days or a longer period`,
    );
  }
  const plan = { startEpochSeconds: start, endEpochSeconds: end, periodSeconds };
  return isTwoPasses ? { ...plan, coarsePeriodSeconds: coarsest.periodSeconds } : plan;
}
