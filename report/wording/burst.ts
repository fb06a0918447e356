/** Credits in words: how long they last, how a day goes on, and what carries the load without them. */
import type { InstanceBucketAnswer } from '../../core/credits/burst-answer.ts';
import type { Cause } from '../../core/diagnosis/causes.ts';
import { duration, figure, signedUsdText } from '../../core/figures.ts';
import { gp2Figures, type VolumeType } from '../../core/limits/volume-limits.ts';
import type { InfeasibleReason } from '../../core/plan/search.ts';
import type { DayFigures, Measure, ReplayedDays } from '../../core/replay/drawn-day.ts';
import { minutesPerHour, secondsPerDay, secondsPerMinute } from '../../core/units.ts';
import { causeWords } from '../charts/words.ts';

/** 02:10 of the minutes or seconds of a day; the end of the day is 24:00. */
export const clockText = (minutes: number): string =>
  [minutes / minutesPerHour, minutes % minutesPerHour]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

/** "at 02:10", "on day 3 at 02:10". */
export function momentText(seconds: number): string {
  const day = Math.floor(seconds / secondsPerDay);
  const clock = clockText(Math.floor((seconds % secondsPerDay) / secondsPerMinute));
  return day === 0 ? `at ${clock}` : `on day ${day + 1} at ${clock}`;
}

const points = (percent: number): string => `${figure(percent, 1)} %`;

/** Hours of the day in which load is throttled, those that follow each other as one: "09:00 to 12:00, 15:00 to 16:00". */
function throttledHoursText({ throttledMinutesByHour }: DayFigures): string {
  const runs: [number, number][] = [];
  for (const [hour, minutes] of throttledMinutesByHour.entries()) {
    if (minutes === 0) continue;
    const last = runs.at(-1);
    if (last !== undefined && last[1] === hour) last[1]++;
    else runs.push([hour, hour + 1]);
  }
  return runs.map((run) => run.map((hour) => clockText(hour * minutesPerHour)).join(' to ')).join(', ');
}

/** "180 min by volume credits, 60 min by volume IOPS"; empty where nothing is throttled. */
export const byCauseText = ({ byCause }: DayFigures): string =>
  (Object.entries(byCause) as [Cause, number][])
    .sort(([, a], [, b]) => b - a)
    .map(([cause, minutes]) => `${figure(minutes)} min by ${causeWords[cause]}`)
    .join(', ');

/** Balances that differ by less read the same. */
const samePoints = 0.05;

export interface DayAnswer {
  /** Of which the other lines are the reasons. */
  headline: string;
  isSustained: boolean;
  lines: string[];
}

const dayNumber = (days: readonly unknown[]): string => `day ${days.length}`;

function courseLine({ course, days }: ReplayedDays): string {
  const last = days.at(-1) as DayFigures;
  if (course === 'waits-more')
    return `From ${dayNumber(days)} on what is not served waits, and each day more of it: the load is above what there is on average.`;
  if (course === 'changes')
    return `It has not settled after ${days.length} days: the last ends at ${points(last.endPercent)}.`;
  if (days.length === 1)
    return `Lowest ${points(last.lowestPercent)} at ${clockText(last.lowestMinute + 1)}.`;
  return `From ${dayNumber(days)} on each day is the same: from ${points(last.startPercent)}, lowest ${points(last.lowestPercent)}.`;
}

/** How a drawn day goes on when it comes every day. */
export function dayAnswer(replayed: ReplayedDays): DayAnswer {
  const { days, course, secondsToEmpty, secondsToFull } = replayed;
  const [first, last] = [days[0] as DayFigures, days.at(-1) as DayFigures];
  const change = first.endPercent - first.startPercent;
  const isThrottled = last.throttledMinutes > 0;
  const isSustained = course === 'repeats' && !isThrottled;
  const empty = secondsToEmpty === null ? '' : ` Empty ${momentText(secondsToEmpty)}.`;
  const ends = `The first day begins with ${points(first.startPercent)} and ends with ${points(first.endPercent)}`;
  const goesOn = courseLine(replayed);
  if (replayed.buckets.every(({ bucket }) => bucket === null))
    return {
      headline: isThrottled ? 'More than its limit' : 'No credits are needed',
      isSustained: !isThrottled,
      lines: course === 'waits-more' ? [goesOn] : [],
    };
  if (isSustained && Math.abs(change) < samePoints)
    return { headline: 'Sustained: the day ends as it began', isSustained, lines: [goesOn] };
  if (isSustained) {
    const full = secondsToFull === null ? '' : ` Full ${momentText(secondsToFull)}.`;
    return {
      headline: change > 0 ? 'Sustained: credits come back' : 'Sustained: the credits last',
      isSustained,
      lines: [`${ends}.${full}`, goesOn],
    };
  }
  if (change < -samePoints)
    return {
      headline: isThrottled
        ? 'The credits run out: throttled every day'
        : 'Not sustained: the day ends lower than it began',
      isSustained,
      lines: [`${ends}.${empty}`, goesOn],
    };
  return {
    headline: isThrottled ? 'Throttled every day' : 'Not sustained',
    isSustained,
    lines: [`${ends}.${empty}`, goesOn],
  };
}

/** 0 min; 212 min, 14:00 to 18:00. */
export const throttledText = (day: DayFigures): string =>
  day.throttledMinutes === 0 ? 'none' : `${figure(day.throttledMinutes)} min, ${throttledHoursText(day)}`;

/** How a steady rate goes on. */
export function steadyAnswer({ secondsToEmpty, secondsToFull, buckets }: ReplayedDays): DayAnswer {
  if (secondsToEmpty !== null) {
    const after = buckets
      .filter(({ bucket, percent }) => bucket !== null && (percent.at(-1) ?? 100) <= samePoints)
      .map(({ measure, limit }) => rateText(limit.at(-1) ?? 0, measure));
    return {
      headline: secondsToEmpty === 0 ? 'Empty from the start' : `Empty after ${duration(secondsToEmpty)}`,
      isSustained: false,
      lines: after.length === 0 ? [] : [`Then it is limited to its baseline of ${after.join(' and ')}.`],
    };
  }
  const isSpent = buckets.some(
    ({ bucket, percent, startPercent }) =>
      bucket !== null && (percent.at(-1) ?? startPercent) < startPercent - samePoints,
  );
  if (isSpent) return { headline: 'Credits are spent slowly', isSustained: false, lines: [] };
  const full =
    secondsToFull === null || secondsToFull === 0 ? [] : [`Full after ${duration(secondsToFull)}.`];
  return { headline: 'Lasts: this rate spends no credits', isSustained: true, lines: full };
}

// What a moment or a duration is, where it never comes.

export const emptyText = (seconds: number | null): string =>
  seconds === null ? 'never at this rate' : duration(seconds);

export function refillText(seconds: number | null): string {
  if (seconds === null) return 'never at this rate';
  return seconds === 0 ? 'it is full' : duration(seconds);
}

// One line each, of what is asked and has no answer in figures.

export const unitOf = { iops: 'IOPS', mibps: 'MiB/s' } as const satisfies Record<Measure, string>;

export const rateText = (rate: number, measure: Measure): string =>
  `${figure(rate, measure === 'iops' ? 0 : 1)} ${unitOf[measure]}`;

export const noBurstText = (volumeType: VolumeType, always: number): string =>
  volumeType === 'gp2'
    ? `It has no burst: from ${figure(Math.ceil(gp2Figures.burstIops / gp2Figures.iopsPerGiB))} GiB on a gp2 has a baseline of ${rateText(always, 'iops')}, and needs no credits.`
    : `It has no burst at this size: its ${rateText(always, 'mibps')} are its baseline and its maximum, and credits are never spent.`;

export const noInstanceBurstText = (instanceType: string): string =>
  `${instanceType} has no credits: its maximum is its baseline, and what it has lasts.`;

export const noLoadText = 'No load is asked for: no credits are spent, and they come back at the baseline.';

export const aboveMaximumText = (asked: number, maximum: number, measure: Measure): string =>
  `${rateText(asked, measure)} are more than it ever does: its maximum is ${rateText(maximum, measure)}, and what is above waits.`;

export const nothingLeftText = (baseline: number, measure: Measure): string =>
  `The balance is 0: it has its baseline of ${rateText(baseline, measure)} until credits come back.`;

export const throughputFirstText = (mibps: number, limitMiBps: number): string =>
  `At this I/O size the peak is ${rateText(mibps, 'mibps')}, above its ${rateText(limitMiBps, 'mibps')}: that limit comes before its credits.`;

/** "baseline 3,120 IOPS, burst 18,750". */
export const instanceBucketText = (
  { baseline, maximum }: Pick<InstanceBucketAnswer, 'baseline' | 'maximum'>,
  measure: Measure,
): string =>
  maximum > baseline
    ? `baseline ${rateText(baseline, measure)}, burst ${figure(maximum, measure === 'iops' ? 0 : 1)}`
    : `baseline ${rateText(baseline, measure)}`;

/** Why no gp3 is enough. */
export function noGp3Text(obstacle: InfeasibleReason): string {
  if (obstacle.limit === 'iops')
    return `No gp3 has ${rateText(obstacle.asked, 'iops')}: it has ${rateText(obstacle.atMost, 'iops')} at most. The Plan tab shows stripes and io2.`;
  if (obstacle.limit === 'throughput')
    return `No gp3 has ${rateText(obstacle.asked, 'mibps')}: it has ${rateText(obstacle.atMost, 'mibps')} at most. The Plan tab shows stripes.`;
  return 'No single gp3 carries this load. The Plan tab shows what does.';
}

/** "+3.20 USD a month". */
export const monthlyDeltaText = (usd: number): string => `${signedUsdText(usd)} a month`;
