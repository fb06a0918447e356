/** What monitoring remembers of a volume between two polls: a small record, the same after a trip through JSON. */

import { z } from 'zod';
import { hourOf, hoursPerWeek } from '../credits/rhythm.ts';
import type { Volume } from '../inventory.ts';
import { finestEbsPeriodSeconds } from '../load/metrics.ts';
import type { Series } from '../load/series.ts';
import { severities } from '../schemas/finding-kinds.ts';
import { secondsPerHour } from '../units.ts';
import { checkedSchema } from './checked-minutes.ts';
import { pace } from './pace.ts';
import { throttledSchema } from './throttled-minutes.ts';
import { configurationText } from './watched.ts';

// How near a volume came to its limits in each hour of the week, as far as it was seen: a character an hour, in steps of two
// percent. What an hour brought is a guide to the same hour of the next week, and of the next day.

const steps = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shareOfStep = 0.02;
const unseen = '.';
const hoursPerDay = 24;

export const noHours = unseen.repeat(hoursPerWeek);

/** The highest share of a limit in an hour of the week; null where it was not seen. */
function shareIn(hours: string, hour: number): number | null {
  const step = steps.indexOf(hours[((hour % hoursPerWeek) + hoursPerWeek) % hoursPerWeek] as string);
  return step < 0 ? null : step * shareOfStep;
}

/** With what an hour brought; what it brought a week ago fades. */
export function withHour(hours: string, epochSeconds: number, share: number): string {
  const slot = hourOf(epochSeconds) % hoursPerWeek;
  const counted = Math.max(share, pace.expectedFades * (shareIn(hours, slot) ?? 0));
  const step = Math.min(steps.length - 1, Math.round(counted / shareOfStep));
  return `${hours.slice(0, slot)}${steps[step]}${hours.slice(slot + 1)}`;
}

/**
 * The highest share that the same hours of last week, and of the day before, brought around a time. An hour that was never
 * seen may bring anything: it counts as half of the way.
 */
export function expectedShare(hours: string, nowEpochSeconds: number): number {
  let highest: number | null = null;
  for (const seconds of [-pace.expectedAroundSeconds, pace.expectedAroundSeconds]) {
    const hour = hourOf(nowEpochSeconds + seconds);
    for (const like of [hour, hour - hoursPerDay]) {
      const share = shareIn(hours, like);
      if (share !== null) highest = Math.max(highest ?? 0, share);
    }
  }
  return highest ?? pace.unseenShare;
}

// The lowest balance of each hour of the day, as it was published last: what the bucket came back from at that hour before. A
// character an hour in the same steps, rounded down: below two percent it ran dry. One more is of the hour that is not over.

export const noLowest = unseen.repeat(hoursPerDay + 1);

/** With what is newer than the last balance before; an hour in which none was published keeps what it had. */
export function withBalances(
  lowest: string,
  { epochSeconds, values }: Series,
  before: Watch['balance'],
): string {
  const from = before?.untilEpochSeconds ?? (epochSeconds[0] as number);
  const byHour = [...lowest];
  let hour = hourOf(before === null ? from : from - 1);
  for (let i = 0; i < values.length; i++) {
    const time = epochSeconds[i] as number;
    if (time < from) continue;
    if (hourOf(time) !== hour) {
      byHour[hour % hoursPerDay] = byHour[hoursPerDay] as string;
      byHour[hoursPerDay] = unseen;
      hour = hourOf(time);
    }
    const step = Math.floor((values[i] as number) / 100 / shareOfStep);
    const lowestStep = steps.indexOf(byHour[hoursPerDay] as string);
    if (lowestStep < 0 || step < lowestStep) byHour[hoursPerDay] = steps[step] as string;
  }
  return byHour.join('');
}

/** Percent, the lowest of the same hours before from one time to another; null where none was seen, or it ran dry. */
export function lowestBefore(
  lowest: string,
  fromEpochSeconds: number,
  toEpochSeconds: number,
): number | null {
  let least: number | null = null;
  for (let hour = hourOf(fromEpochSeconds); hour <= hourOf(toEpochSeconds); hour++) {
    const step = steps.indexOf(lowest[hour % hoursPerDay] as string);
    if (step >= 0) least = Math.min(least ?? step, step);
  }
  return least === null || least === 0 ? null : least * shareOfStep * 100;
}

export const endOfHour = (epochSeconds: number): number => (hourOf(epochSeconds) + 1) * secondsPerHour;
export const startOfHour = (epochSeconds: number): number => hourOf(epochSeconds) * secondsPerHour;

/** Seconds since 1970. */
const seconds = z.number();

/** What a poll can ask for: each is asked for at its own pace. */
export const parts = ['balance', 'queue', 'checks', 'rates'] as const;
export type Part = (typeof parts)[number];

const creditKinds = ['credits-exhausted', 'credits-will-exhaust'] as const;
/** The findings that monitoring tells. */
const monitoringKinds = ['throttled-volume-iops', 'throttled-volume-throughput', ...creditKinds] as const;
export type MonitoringKind = (typeof monitoringKinds)[number];

export const isOfCredits = (kind: string): boolean => creditKinds.some((one) => one === kind);

const openSchema = z.strictObject({
  severity: z.enum(severities),
  sinceEpochSeconds: seconds,
  /** It was there, and is not any more. */
  gone: z.boolean(),
  /** Since when it is as it is now, how often that was said, and when last. */
  fromEpochSeconds: seconds,
  times: z.int(),
  saidEpochSeconds: seconds,
});

export const watchSchema = z.strictObject({
  volumeId: z.string(),
  /** Where several accounts are watched. */
  account: z.string().optional(),
  region: z.string(),
  /** Counts the polls: who writes must have read the one before. */
  revision: z.int(),
  /** What it was when it was polled. */
  configuration: z.string(),
  nextPollEpochSeconds: seconds,
  /** When each part was asked for last; null: never. */
  askedEpochSeconds: z.strictObject({
    balance: seconds.nullable(),
    queue: seconds.nullable(),
    checks: seconds.nullable(),
    rates: seconds.nullable(),
  }),
  /** The end of the last minute of which anything was there; null: there was none. */
  seenUntilEpochSeconds: seconds.nullable(),
  /** How old the newest minutes of its Region were when it was polled last; null: not known. An earlier version kept none. */
  delaySeconds: seconds.nullable().default(null),
  /** The hours up to here are learned. */
  learnedUntilEpochSeconds: seconds.nullable(),
  /** The last balance that was published, and the end of its minute. */
  balance: z.strictObject({ percent: z.number(), untilEpochSeconds: seconds }).nullable(),
  /** The lowest balance by hour of the day, in characters. An earlier version kept none. */
  lowest: z.string().length(noLowest.length).default(noLowest),
  /** How near it came to each limit lately, as shares of it. */
  lately: z.strictObject({ iops: z.number(), throughput: z.number(), atEpochSeconds: seconds }).nullable(),
  /** By hour of the week: `hours-of-week.ts`. */
  hours: z.string().length(noHours.length),
  /** What is in flight when it is at its limit and nothing waits, as far as its load told. */
  queueAtLimit: z.number().nullable(),
  /** AWS should publish checks of it, and there are none. */
  unchecked: z.boolean(),
  throttled: throttledSchema,
  /** Minutes in which a check was 1, until their rates are known. An earlier version kept none. */
  checked: checkedSchema,
  /** A poll showed something that calls for the rest of the metrics. */
  suspect: z.boolean(),
  open: z.partialRecord(z.enum(monitoringKinds), openSchema),
});
export type Watch = z.infer<typeof watchSchema>;
export type OpenFinding = z.infer<typeof openSchema>;

/** Seconds that CloudWatch in its Region takes longer than it does as a rule: by so much all is seen later. */
export const lateSeconds = ({ delaySeconds }: Pick<Watch, 'delaySeconds'>): number =>
  Math.max(0, (delaySeconds ?? 0) - pace.publicationSeconds - finestEbsPeriodSeconds);

/**
 * A volume that nobody polled yet: it is due at once.
 * @param account where several are watched.
 */
export const newWatch = (volume: Volume, nowEpochSeconds: number, account?: string): Watch => ({
  ...{ volumeId: volume.volumeId, region: volume.region, revision: 0 },
  ...(account === undefined ? {} : { account }),
  configuration: configurationText(volume),
  nextPollEpochSeconds: nowEpochSeconds,
  askedEpochSeconds: { balance: null, queue: null, checks: null, rates: null },
  ...{
    seenUntilEpochSeconds: null,
    delaySeconds: null,
    learnedUntilEpochSeconds: null,
    balance: null,
    lowest: noLowest,
    lately: null,
    hours: noHours,
  },
  ...{ queueAtLimit: null, unchecked: false, throttled: null, checked: null, suspect: false, open: {} },
});

/**
 * The watch of a volume as it is now. Where it was changed, or moved to another instance, what was learned of it counts no
 * more: what throttled it before, how full its bucket was, how near it came. What is reported of it stays to be reported better.
 */
export function ofVolumeNow(watch: Watch, volume: Volume): Watch {
  if (watch.configuration === configurationText(volume)) return watch;
  const { account, revision, open, nextPollEpochSeconds } = watch;
  return { ...newWatch(volume, nextPollEpochSeconds, account), revision, open };
}

/** Its account refuses: it waits as long again as it was not polled, so that one that refuses for days is seldom asked. */
export function afterRefusal(watch: Watch, nowEpochSeconds: number): Watch {
  const { leastSeconds, mostSeconds } = pace.refused;
  const polled = Math.max(...Object.values(watch.askedEpochSeconds).map((at) => at ?? 0));
  const seconds = polled === 0 ? leastSeconds : nowEpochSeconds - polled;
  const wait = Math.min(Math.max(seconds, leastSeconds), mostSeconds);
  return { ...watch, nextPollEpochSeconds: nowEpochSeconds + wait };
}
