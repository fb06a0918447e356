/** What a reader of a replay should know, in words: one line a note. */
import { figure } from '../../core/figures.ts';
import type { ReplayNote } from '../../core/schemas/replay-answer.ts';
import { limitNoteText } from './catalog.ts';
import { hostNoteTexts } from './host-recording.ts';
import { shortText, type WordsByCode, wordsOf } from './words.ts';

const bucketNames = {
  volume: 'the volume',
  instanceIo: 'the instance (I/O)',
  instanceBytes: 'the instance (bytes)',
};

const texts: WordsByCode<ReplayNote> = {
  ...hostNoteTexts,
  'recorded-rates': () =>
    'the series has queue_length: it was recorded, so its rates are what was served, not the demand. Where it was throttled, demand was higher than what is replayed here',
  'ignored-figure': (one) =>
    `${one.figure} ${one.given} in the layout was ignored: ${one.volumeType} of ${figure(one.sizeGiB)} GiB has ${figure(one.has)}`,
  'low-credits': ({ lowest }) => {
    const low = lowest.map(({ bucket, percent }) => `${bucketNames[bucket]} to ${figure(percent, 1)} %`);
    return `nothing was throttled, but credits went low: of ${low.join(', of ')}. The same load for longer would use them up and be throttled`;
  },
  'on-credits': ({ instanceType, baselineIops, baselineMiBps }) =>
    `${shortText(instanceType, 40)} carries the highest rates of this load on its credits only: its baseline is ${figure(baselineIops)} IOPS and ${figure(baselineMiBps)} MiB/s`,
  'hdd-merged': ({ volumeType, smallIoSizeKiB }) => {
    const small =
      smallIoSizeKiB === null
        ? ''
        : `. Here it is ${figure(smallIoSizeKiB)} KiB on average and will hardly merge, so that more would be throttled`;
    return `${volumeType} is taken at its MiB/s, as if all I/O were sequential and merged to 1 MiB: random I/O costs 1 MiB each${small}`;
  },
  'one-member-at-worst': ({ members }) =>
    `linear: at worst all of the load lies on one of ${members} volumes, so that one volume’s limits are taken`,
  'mostly-unknown': ({ knownMinutes, minutes }) =>
    `most of the time is unknown: the answer is of ${figure(knownMinutes)} of ${figure(minutes)} minutes`,
  gaps: ({ minutes, gaps, longestFrom, longestTo }) =>
    `${figure(minutes)} minutes have no row and are unknown (${gaps === 1 ? '' : 'the most '}between the rows of ${shortText(longestFrom, 30)} and ${shortText(longestTo, 30)}). Backlog and credits stand still there`,
  'repeated-timestamps': ({ rows, at, more }) => {
    const named = [...at.map((one) => shortText(one, 30)), ...(more > 0 ? [`${figure(more)} more`] : [])];
    return `rows with a timestamp that comes again: ${figure(rows)} (${named.join(', ')}); the last of each was kept`;
  },
  'overlapping-rows': ({ rows, firstAt, periodSeconds }) =>
    `rows that come sooner than the period of ${periodSeconds} s after the one before: ${figure(rows)}, the first at ${shortText(firstAt, 30)}. Each was replayed as a whole period`,
  'nothing-asked': () => 'nothing was asked for in the series',
  'no-idle-seconds': () => 'the series has no idle_seconds: bursts shorter than a period cannot be seen',
  'average-of-type': ({ volumeType, note }) =>
    `${volumeType} is taken at its average: ${limitNoteText(note)}`,
  'instance-credits-assumed': () =>
    'AWS documents 30 minutes at the maximum of an instance at least once in 24 h, and not how its credits come back. We assume two buckets (I/O, bytes) of (maximum - baseline) x 1,800 s each. What the load leaves of the baseline refills them, in an idle instance within 24 h',
};

export const replayNoteText = (note: ReplayNote): string => wordsOf<ReplayNote>(texts, note);
