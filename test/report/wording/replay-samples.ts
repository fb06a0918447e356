/** Every code of a replay's notes, with figures, in the forms that its words have. */
import { magneticFigures } from '../../../core/limits/volume-limits.ts';
import type { ReplayNote } from '../../../core/schemas/replay-answer.ts';
import { samplesOf } from './samples-of.ts';

const gap = { longestFrom: '2026-11-20T00:04:00Z', longestTo: '2026-11-20T00:20:00Z' };

export const replayNoteSamples = samplesOf<ReplayNote>({
  'recorded-rates': [{}],
  'ignored-figure': [
    { figure: 'iops', given: 9_000, volumeType: 'gp2', sizeGiB: 1_500, has: 4_500 },
    { figure: 'throughputMiBps', given: 128, volumeType: 'gp2', sizeGiB: 100, has: 75 },
  ],
  'low-credits': [
    { lowest: [{ bucket: 'volume', percent: 16.666_667 }] },
    {
      lowest: [
        { bucket: 'instanceIo', percent: 3 },
        { bucket: 'instanceBytes', percent: 0.04 },
      ],
    },
  ],
  'on-credits': [{ instanceType: 'm5.large', baselineIops: 3_600, baselineMiBps: 77.486 }],
  'one-member-at-worst': [{ members: 4 }],
  'hdd-merged': [
    { volumeType: 'st1', smallIoSizeKiB: null },
    { volumeType: 'sc1', smallIoSizeKiB: 16 },
  ],
  'mostly-unknown': [{ knownMinutes: 6, minutes: 21 }],
  gaps: [
    { minutes: 15, gaps: 1, ...gap },
    { minutes: 1_500, gaps: 3, ...gap },
  ],
  'repeated-timestamps': [
    { rows: 1, at: ['2026-11-20T00:04:00Z'], more: 0 },
    { rows: 1_234, at: ['2026-11-20T00:04:00Z', '2026-11-20T00:05:00Z'], more: 600 },
  ],
  'overlapping-rows': [{ rows: 2, firstAt: '2026-11-20T02:29:30Z', periodSeconds: 60 }],
  'nothing-asked': [{}],
  'no-idle-seconds': [{}],
  'average-of-type': [{ volumeType: 'standard', note: { code: 'magnetic', ...magneticFigures } }],
  'instance-credits-assumed': [{}],
  'served-rates': [{}],
  'first-report-dropped': [{ reports: 1 }, { reports: 3 }],
  'split-unknown': [{}],
  'database-requests': [{ hasWal: false }, { hasWal: true }],
  'counters-reset': [{ intervals: 1 }],
  'clock-without-zone': [{}],
  'month-first': [{}],
  'clock-steps': [{ intervals: 2 }],
  'device-absent': [{ reports: 4 }],
  'last-line-cut': [{}],
  'other-intervals': [{ intervals: 2, periodSeconds: 30 }],
  'averages-hide-peaks': [{ periodSeconds: 600 }],
});
