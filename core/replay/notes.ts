/** What a reader of a replay should know: what is odd about the series, what was taken for granted. */
import { fewOf } from '../few.ts';
import { figure } from '../figures.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { TimeQuality } from '../load/series.ts';
import { provisioned } from '../plan/layout.ts';
import { leastHddIoKiB } from '../plan/need.ts';
import type { ReplayAnswer } from '../schemas/replay-answer.ts';
import { secondsPerMinute } from '../units.ts';
import { instanceCreditsAssumption } from './configuration.ts';

function gapsNote({ gaps }: TimeQuality): string | null {
  const [first] = gaps;
  if (first === undefined) return null;
  const seconds = gaps.reduce((total, { unknownSeconds }) => total + unknownSeconds, 0);
  const longest = gaps.reduce((a, b) => (b.unknownSeconds > a.unknownSeconds ? b : a), first);
  const where = `${gaps.length === 1 ? '' : 'the most '}between the rows of ${longest.from} and ${longest.to}`;
  return `${figure(seconds / secondsPerMinute)} minutes have no row (${where}): unknown; what waits and what is saved stand still there`;
}

function repeatedNote({ repeatedPoints, repeatedAt }: TimeQuality): string | null {
  if (repeatedPoints === 0) return null;
  return `rows with a timestamp that comes again: ${figure(repeatedPoints)} (${fewOf(repeatedAt)}); the last of each was kept`;
}

function overlapNote({ shortSteps }: TimeQuality, periodSeconds: number): string | null {
  const [first] = shortSteps;
  if (first === undefined) return null;
  return `rows that come sooner than the period of ${periodSeconds} s after the one before: ${figure(shortSteps.length)}, the first at ${first.at}; each was replayed as a whole period`;
}

const mostlyUnknownNote = ({ minutes, unknownMinutes }: ReplayAnswer): string | null =>
  unknownMinutes * 2 > minutes
    ? `most of the time is unknown: the answer is of ${figure(minutes - unknownMinutes)} of ${figure(minutes)} minutes`
    : null;

/** Figures that EBS derives, given otherwise. */
function derivedNote({ configuration }: ReplayAnswer, limits: VolumeLimits): string | null {
  const { layout, deployment } = configuration;
  const set = provisioned(layout, deployment);
  const differs = (given: number, has: number): boolean => Math.abs(given - has) > 0.01 * has;
  const isOther =
    (set.iops === undefined && differs(layout.iops, limits.baselineIops)) ||
    (set.throughputMiBps === undefined && differs(layout.throughputMiBps, limits.baselineMiBps));
  if (!isOther) return null;
  return `${layout.volumeType} of ${figure(layout.sizeGiB)} GiB has ${figure(limits.baselineIops)} IOPS and ${figure(limits.baselineMiBps)} MiB/s all the time; what the layout gives beside what can be set was not used`;
}

function hddNote({ asked, configuration }: ReplayAnswer): string | null {
  const { volumeType } = configuration.layout;
  if (!isHdd(volumeType)) return null;
  const size = asked.meanIoSizeKiB;
  const small =
    size !== null && size < leastHddIoKiB
      ? `; here it is ${figure(size)} KiB on average and will hardly merge, so that much more would be held back`
      : '';
  return `${volumeType} is taken at its MiB/s, as if all I/O were sequential and merged to 1 MiB: random I/O costs 1 MiB each${small}`;
}

const instanceNote = ({ configuration: { instance } }: ReplayAnswer): string | null =>
  instance !== null &&
  (instance.maximumIops > instance.baselineIops || instance.maximumMiBps > instance.baselineMiBps)
    ? instanceCreditsAssumption
    : null;

const approximateNote = ({ volumeType, approximate }: VolumeLimits): string | null =>
  approximate === undefined ? null : `${volumeType} is taken at its average: ${approximate}`;

/** One line each. */
export function replayNotes(
  answer: ReplayAnswer,
  {
    quality,
    limits,
    hasQueueLength,
  }: { quality: TimeQuality; limits: VolumeLimits; hasQueueLength: boolean },
): string[] {
  const { asked, burstMinutes, series } = answer;
  return [
    hasQueueLength
      ? 'the series has queue_length: it was recorded, so its rates are what was served then, not what was wanted; where it was held back, more was wanted than is replayed here'
      : null,
    hddNote(answer),
    mostlyUnknownNote(answer),
    gapsNote(quality),
    repeatedNote(quality),
    overlapNote(quality, series.periodSeconds),
    asked.highestIops === 0 && asked.highestMiBps === 0 ? 'nothing was asked for in the series' : null,
    burstMinutes === null
      ? 'the series has no idle_seconds: bursts shorter than a period cannot be seen'
      : null,
    derivedNote(answer, limits),
    approximateNote(limits),
    instanceNote(answer),
  ].filter((note) => note !== null);
}
