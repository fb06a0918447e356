/** What is known of a demand, and what not: what its bounds rest on, why a load does not show a need, what was tried in vain. */
import { figure } from '../../core/figures.ts';
import type { DemandAssumption, NeedUnknown } from '../../core/schemas/load-codes.ts';
import type { NotRecommended } from '../../core/schemas/recommendation.ts';
import { secondsPerMinute } from '../../core/units.ts';
import { counted, layoutText, minutesText, type WordsByCode, wordsOf } from './words.ts';

const spanText = (lowMs: number, highMs: number | null): string =>
  highMs === null ? `at least ${figure(lowMs)} ms` : `${figure(lowMs)} to ${figure(highMs)} ms`;

interface Periods {
  periods: number;
  throttledPeriods: number;
}

/** "In 3 of 40 throttled periods". */
const inPeriods = ({ periods, throttledPeriods }: Periods): string =>
  `In ${figure(periods, 0)} of ${counted(throttledPeriods, 'throttled period')}`;

type Of<C extends DemandAssumption['code']> = Extract<DemandAssumption, { code: C }>;

function serviceText({ ioKiB, isMeasured, lowMs, highMs }: Of<'service-time'>): string {
  const io = `An I/O${ioKiB === null ? '' : ` of about ${figure(ioKiB)} KiB`}`;
  return isMeasured
    ? `${io} takes ${spanText(lowMs, highMs)} when nothing throttles it.`
    : `${io} is taken to need ${spanText(lowMs, highMs)}: there are too few calm periods with I/O of like size.`;
}

function thinkText({ lowMs, highMs, calmSteps, limitFalls }: Of<'think-time'>): string {
  const sources = [
    ...(calmSteps > 0
      ? [`how the rate followed the latency in ${counted(calmSteps, 'step')} between calm periods`]
      : []),
    ...(limitFalls > 0 ? [`${counted(limitFalls, 'fall')} of the limit`] : []),
  ].join(' and ');
  if (lowMs === 0 && highMs === null) {
    const not = sources === '' ? '' : ` It cannot be known from ${sources}.`;
    return `How long workers think between two I/O is unknown. Demand is at least what was served, at most that of workers that never think.${not}`;
  }
  const open = highMs === null ? ', or do not wait for replies' : '';
  return `Workers think ${spanText(lowMs, highMs)} between two I/O${open}. Source: ${sources}.`;
}

const assumptions: WordsByCode<DemandAssumption> = {
  'at-most-unknown': () =>
    'The highest demand is unknown: calm periods, or a day with a higher limit, would show it.',
  'service-time': serviceText,
  'think-time': thinkText,
  backlog: (one) =>
    `${inPeriods(one)} demand piled up or was worked off: it is what was served and what the queue grew by.`,
  'short-bursts': (one) =>
    `${inPeriods(one)} only seconds were throttled: the demand was met within the period.`,
  stalled: (one) =>
    `${inPeriods(one)} the volume completed nothing: demand is at least what was served, without an upper bound.`,
  'no-queue-no-latency': (one) =>
    `${inPeriods(one)} there is no queue and no latency: demand is at least what was served, without an upper bound.`,
};

export const assumptionText = (one: DemandAssumption): string => wordsOf<DemandAssumption>(assumptions, one);

const needs: WordsByCode<NeedUnknown> = {
  throttled: ({ minutes }) => `It was throttled in ${minutesText(minutes)}: its demand does not show.`,
  'window-too-short': ({ minHours }) => `The window is shorter than ${figure(minHours, 1)} h.`,
  'too-many-gaps': ({ knownPercent }) => `Only ${figure(knownPercent, 0)} % of the window is known.`,
  'bytes-unknown': () => 'The bytes of periods with I/O are not known.',
  'averages-hide-bursts': ({ periodSeconds }) =>
    `Averages over ${minutesText(periodSeconds / secondsPerMinute)} without the idle time hide bursts.`,
  'not-read': () => 'Its load was not read: the few metrics of the first pass showed no trouble.',
};

export const needUnknownText = (reason: NeedUnknown): string => wordsOf<NeedUnknown>(needs, reason);

/** "gp3 100 GiB, 7,500 IOPS, 125 MiB/s: 40 min throttled (simulated), 40 min today." */
export function notRecommendedText({
  layout,
  throttledMinutes,
  throttledMinutesIfLikely,
  throttledMinutesNow,
}: NotRecommended): string {
  const likely =
    throttledMinutes === throttledMinutesIfLikely
      ? ''
      : `; ${minutesText(throttledMinutesIfLikely)} if demand is as likely`;
  return `${layoutText(layout, null)}: ${minutesText(throttledMinutes)} throttled (simulated${likely}), ${minutesText(throttledMinutesNow)} today.`;
}
