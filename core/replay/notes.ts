/** What a reader of a replay should know, in codes: what is odd about the series, what was taken for granted. */
import { isHdd, magneticFigures, type VolumeLimits } from '../limits/volume-limits.ts';
import type { TimeQuality } from '../load/series.ts';
import { minHddIoKiB } from '../plan/layout.ts';
import type { HostNote } from '../schemas/host-demand.ts';
import {
  creditBuckets,
  type IgnoredFigure,
  type ReplayAnswer,
  type ReplayNote,
} from '../schemas/replay-answer.ts';
import { secondsPerMinute } from '../units.ts';

/** A list may be long. */
const maxNamed = 5;

function gapsNote({ gaps }: TimeQuality): ReplayNote | null {
  const [first] = gaps;
  if (first === undefined) return null;
  const seconds = gaps.reduce((total, { unknownSeconds }) => total + unknownSeconds, 0);
  const longest = gaps.reduce((a, b) => (b.unknownSeconds > a.unknownSeconds ? b : a), first);
  return {
    code: 'gaps',
    minutes: seconds / secondsPerMinute,
    gaps: gaps.length,
    longestFrom: longest.from,
    longestTo: longest.to,
  };
}

function repeatedNote({ repeatedPoints, repeatedAt }: TimeQuality): ReplayNote | null {
  if (repeatedPoints === 0) return null;
  const at = repeatedAt.slice(0, maxNamed);
  return { code: 'repeated-timestamps', rows: repeatedPoints, at, more: repeatedAt.length - at.length };
}

function overlapNote({ shortSteps }: TimeQuality, periodSeconds: number): ReplayNote | null {
  const [first] = shortSteps;
  if (first === undefined) return null;
  return { code: 'overlapping-rows', rows: shortSteps.length, firstAt: first.at, periodSeconds };
}

const mostlyUnknownNote = ({ minutes, unknownMinutes }: ReplayAnswer): ReplayNote | null =>
  unknownMinutes * 2 > minutes
    ? { code: 'mostly-unknown', knownMinutes: minutes - unknownMinutes, minutes }
    : null;

/** Small I/O will hardly merge, so that more would be throttled. */
function hddNote({ asked, configuration }: ReplayAnswer): ReplayNote | null {
  const { volumeType } = configuration.layout;
  if (!isHdd(volumeType)) return null;
  const size = asked.meanIoSizeKiB;
  const isSmall = size !== null && size < minHddIoKiB;
  return { code: 'hdd-merged', volumeType, smallIoSizeKiB: isSmall ? size : null };
}

const instanceNote = ({ configuration: { instance } }: ReplayAnswer): ReplayNote | null =>
  instance !== null &&
  (instance.maximumIops > instance.baselineIops || instance.maximumMiBps > instance.baselineMiBps)
    ? { code: 'instance-credits-assumed' }
    : null;

const approximateNote = ({ volumeType, approximate }: VolumeLimits): ReplayNote | null =>
  approximate === undefined
    ? null
    : { code: 'average-of-type', volumeType, note: { code: 'magnetic', ...magneticFigures } };

/** From here down a balance is worth a word though nothing was throttled. */
const lowCreditPercent = 25;

/** Nothing was throttled, and not much longer. */
function lowCreditsNote({ throttledMinutes, lowestCredits, configuration }: ReplayAnswer): ReplayNote | null {
  if (throttledMinutes > 0) return null;
  const lowest = creditBuckets.flatMap((bucket) => {
    const percent = lowestCredits[bucket];
    const isSpent = percent !== null && percent < configuration.startBalancePercent;
    return isSpent && percent < lowCreditPercent ? [{ bucket, percent }] : [];
  });
  return lowest.length === 0 ? null : { code: 'low-credits', lowest };
}

/** What its instance carries on credits it does not carry for ever. */
function onCreditsNote({ byCause, lowestCredits, configuration }: ReplayAnswer): ReplayNote | null {
  const { instance, startBalancePercent } = configuration;
  const { instanceIo, instanceBytes } = lowestCredits;
  const isSpent = Math.min(instanceIo ?? 100, instanceBytes ?? 100) < startBalancePercent;
  const isThrottled = Object.keys(byCause).some((cause) => cause.startsWith('instance-'));
  if (instance === null || !isSpent || isThrottled) return null;
  const { instanceType, baselineIops, baselineMiBps } = instance;
  return { code: 'on-credits', instanceType, baselineIops, baselineMiBps };
}

interface Noted {
  quality: TimeQuality;
  limits: VolumeLimits;
  hasQueueLength: boolean;
  ignored: readonly IgnoredFigure[];
  hostNotes?: readonly HostNote[];
}

/** The most important first. */
export function replayNotes(
  answer: ReplayAnswer,
  { quality, limits, hasQueueLength, ignored, hostNotes = [] }: Noted,
): ReplayNote[] {
  const { asked, burstMinutes, series } = answer;
  const { kind, members } = answer.configuration.layout;
  const isNothingAsked = asked.highestIops === 0 && asked.highestMiBps === 0;
  return [
    hasQueueLength ? ({ code: 'recorded-rates' } as const) : null,
    ...ignored,
    ...hostNotes,
    lowCreditsNote(answer),
    onCreditsNote(answer),
    hddNote(answer),
    kind === 'linear' ? ({ code: 'one-member-at-worst', members } as const) : null,
    mostlyUnknownNote(answer),
    gapsNote(quality),
    repeatedNote(quality),
    overlapNote(quality, series.periodSeconds),
    isNothingAsked ? ({ code: 'nothing-asked' } as const) : null,
    burstMinutes === null ? ({ code: 'no-idle-seconds' } as const) : null,
    approximateNote(limits),
    instanceNote(answer),
  ].filter((note) => note !== null);
}
