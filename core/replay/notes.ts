/** What a reader of a replay should know: what is odd about the series, what was taken for granted. */
import { fewOf } from '../few.ts';
import { figure } from '../figures.ts';
import type { VolumeLimits } from '../limits/volume-limits.ts';
import { isHdd } from '../limits/volume-types.ts';
import type { TimeQuality } from '../load/series.ts';
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
  approximate === undefined ? null : `${volumeType} is taken at its average`;

/** Of the buckets of the layout and of the instance, with the least that each had. */
const bucketNames = {
  volume: 'the volume',
  instanceIo: 'the instance (I/O)',
  instanceBytes: 'the instance (bytes)',
};

/** From here down a balance is worth a word though nothing was held back. */
const lowCreditPercent = 25;

/** Nothing was held back, and not much longer. */
function lowCreditsNote({ throttledMinutes, lowestCredits, configuration }: ReplayAnswer): string | null {
  if (throttledMinutes > 0) return null;
  const low = (['volume', 'instanceIo', 'instanceBytes'] as const).flatMap((bucket) => {
    const percent = lowestCredits[bucket];
    const isSpent = percent !== null && percent < configuration.startBalancePercent;
    return isSpent && percent < lowCreditPercent ? [`${bucketNames[bucket]} to ${figure(percent, 1)} %`] : [];
  });
  if (low.length === 0) return null;
  return `nothing was held back, but credits went low: of ${low.join(', of ')}; the same load for longer would empty them, and then it is held back`;
}

/** What its instance carries on credits it does not carry for ever. */
function onCreditsNote({ byCause, lowestCredits, configuration }: ReplayAnswer): string | null {
  const { instance, startBalancePercent } = configuration;
  const { instanceIo, instanceBytes } = lowestCredits;
  const isSpent = Math.min(instanceIo ?? 100, instanceBytes ?? 100) < startBalancePercent;
  const isHeldBack = Object.keys(byCause).some((cause) => cause.startsWith('instance-'));
  if (instance === null || !isSpent || isHeldBack) return null;
  return `${instance.instanceType} carries the highest rates of this load on its credits only: all the time it does ${figure(instance.baselineIops)} IOPS and ${figure(instance.baselineMiBps)} MiB/s`;
}

/** One line each. */
export function replayNotes(
  answer: ReplayAnswer,
  {
    quality,
    limits,
    hasQueueLength,
    ignored,
  }: { quality: TimeQuality; limits: VolumeLimits; hasQueueLength: boolean; ignored: readonly string[] },
): string[] {
  const { asked, burstMinutes, series } = answer;
  return [
    hasQueueLength
      ? 'the series has queue_length: it was recorded, so its rates are what was served then, not what was wanted; where it was held back, more was wanted than is replayed here'
      : null,
    ...ignored,
    lowCreditsNote(answer),
    onCreditsNote(answer),
    hddNote(answer),
    mostlyUnknownNote(answer),
    gapsNote(quality),
    repeatedNote(quality),
    overlapNote(quality, series.periodSeconds),
    asked.highestIops === 0 && asked.highestMiBps === 0 ? 'nothing was asked for in the series' : null,
    burstMinutes === null
      ? 'the series has no idle_seconds: bursts shorter than a period cannot be seen'
      : null,
    approximateNote(limits),
    instanceNote(answer),
  ].filter((note) => note !== null);
}
