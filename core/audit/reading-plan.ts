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
  periodSeconds: number;
}

/** CloudWatch keeps points of one minute for 15 days and of five minutes for 63; hourly ones hide what we look for. */
const retention = [
  { periodSeconds: 60, days: 15 },
  { periodSeconds: 300, days: 63 },
];

/** CloudWatch's newest points come late and grow: an audit of now ends so long ago. */
export const settleSeconds = 180;

/** Clocks differ a little. */
const futureSeconds = 300;

interface ReadingRequest {
  lookbackDays: number;
  periodSeconds: number;
  /** The end of the window: a time of the past, or now. */
  until: Date;
  now: Date;
  /** How fresh figures may be; the newest minutes of CloudWatch are not complete yet. */
  settleSeconds: number;
}

/** @throws BadInput where CloudWatch does not keep such points, or not that long. */
export function readingPlan(request: ReadingRequest): ReadingPlan {
  const { lookbackDays, periodSeconds, until, now, settleSeconds } = request;
  const kept = retention.find((entry) => entry.periodSeconds === periodSeconds);
  if (kept === undefined) {
    throw new BadInput(
      `a period of ${periodSeconds} s is too coarse, or CloudWatch does not keep it: ask for 60 or 300`,
    );
  }
  if (lookbackDays > kept.days) {
    throw new BadInput(
      `${lookbackDays} days are longer than CloudWatch keeps points of ${periodSeconds} s (${kept.days} days): ask for fewer days or a longer period`,
    );
  }
  const nowSeconds = now.getTime() / msPerSecond;
  const untilSeconds = until.getTime() / msPerSecond;
  if (untilSeconds > nowSeconds + futureSeconds) {
    throw new BadInput(`${isoFromEpochSeconds(untilSeconds)} is in the future: ask for a time that is over`);
  }
  const oldest = nowSeconds - kept.days * secondsPerDay;
  const whole = (seconds: number): number => Math.floor(seconds / periodSeconds) * periodSeconds;
  const end = whole(Math.min(untilSeconds, nowSeconds - settleSeconds));
  const periods = Math.max(1, Math.round((lookbackDays * secondsPerDay) / periodSeconds));
  // All that is kept is a little less than it was when the newest points were complete.
  const start = Math.max(end - periods * periodSeconds, whole(oldest) + periodSeconds);
  if (untilSeconds - lookbackDays * secondsPerDay < oldest || start >= end) {
    throw new BadInput(
      `${isoFromEpochSeconds(untilSeconds)} and ${lookbackDays} days before it are longer ago than CloudWatch keeps points of ${periodSeconds} s (${kept.days} days): ask for a later time, fewer days or a longer period`,
    );
  }
  return { startEpochSeconds: start, endEpochSeconds: end, periodSeconds };
}
