/** Every code of a report card, with figures. */

import type { LoadUnknown } from '../../../core/report-card/job-options.ts';
import type { LimitUnknown } from '../../../core/report-card/members.ts';
import type { LogTrouble } from '../../../core/report-card/over-time.ts';
import type { LatencyReason, ScalingReason } from '../../../core/report-card/report-card.ts';
import type { GradeNote } from '../../../core/schemas/grade-answer.ts';
import { gradeNoteText, limitLine, slowMembersLine, whyLines } from '../../../report/wording/report-card.ts';
import { type LinesOfCodes, linesOfCodes, type SamplesOf } from './coded-lines.ts';

const loadUnknown: SamplesOf<LoadUnknown> = {
  'not-in-file': [
    { code: 'not-in-file', what: 'access' },
    { code: 'not-in-file', what: 'block-size' },
    { code: 'not-in-file', what: 'users' },
    { code: 'not-in-file', what: 'io-depth' },
  ],
  'other-access': [{ code: 'other-access', access: 'randtrim' }],
  'no-single-block-size': [{ code: 'no-single-block-size', blocks: '4k-4m' }],
  'no-count': [{ code: 'no-count', option: 'iodepth', value: 'many' }],
  'not-what-it-did': [{ code: 'not-what-it-did', access: 'write' }],
};

const graded: Extract<LatencyReason, { code: 'graded' }> = {
  ...{ code: 'graded', access: 'randread', blockKiB: 8, users: 16, letter: 'A-', p95Ms: 5 },
  ...{ isAtMost: false, side: 'below', boundMs: 6 },
};

const latency: SamplesOf<LatencyReason> = {
  graded: [
    graded,
    { ...graded, isAtMost: true },
    {
      ...graded,
      access: 'read',
      blockKiB: 1_024,
      users: 1,
      letter: 'D',
      p95Ms: 31.5,
      side: 'from',
      boundMs: 24,
    },
  ],
  'no-scale': [{ code: 'no-scale', access: 'randrw', blockKiB: 16 }],
  'no-scale-at-users': [
    { code: 'no-scale-at-users', access: 'write', blockKiB: 128, users: 1, scaleUsers: 4 },
  ],
  failed: [
    { code: 'failed', error: { code: 'fio-error', errno: 5 } },
    { code: 'failed', error: { code: 'operations-failed', operations: 1 } },
    { code: 'failed', error: { code: 'operations-failed', operations: 1_200 } },
  ],
  'no-latency': [{ code: 'no-latency' }],
  'no-p95': [{ code: 'no-p95' }],
  'load-unknown': Object.values(loadUnknown)
    .flat()
    .map((reason) => ({ code: 'load-unknown' as const, reason })),
  'several-in-flight': [{ code: 'several-in-flight', ioDepth: 32 }],
  paced: [{ code: 'paced', option: 'rate_iops', value: '100' }],
  'through-page-cache': [
    { code: 'through-page-cache', isWrite: false },
    { code: 'through-page-cache', isWrite: true },
  ],
};

const scaling: SamplesOf<ScalingReason> = {
  graded: [{ code: 'graded', letter: 'B', higherUsers: 32, higherP95Ms: 8, growth: 0.3 }],
  'no-test-at-users': [{ code: 'no-test-at-users', higherUsers: 32 }],
  'no-p95': [{ code: 'no-p95' }],
};

const limits: SamplesOf<LimitUnknown> = {
  'no-disk': [{ code: 'no-disk' }],
  'device-silent': [
    { code: 'device-silent', deviceSays: null },
    { code: 'device-silent', deviceSays: 'nvme-cli is not there' },
  ],
  'no-whole-minute-of-volume': [
    { code: 'no-whole-minute-of-volume', volumeId: 'vol-0123456789abcdef0', deviceSays: null },
    {
      code: 'no-whole-minute-of-volume',
      volumeId: 'vol-0123456789abcdef0',
      deviceSays: 'nvme-cli is not there',
    },
  ],
  'no-whole-minute-of-instance': [{ code: 'no-whole-minute-of-instance', deviceSays: null }],
  'some-disks-silent': [{ code: 'some-disks-silent', silent: 1, disks: 2 }],
};

const troubles: SamplesOf<LogTrouble> = {
  'no-whole-second': [{ code: 'no-whole-second' }],
  'largest-values': [{ code: 'largest-values' }],
  'averaging-unreadable': [{ code: 'averaging-unreadable', logAvgMsec: 'often' }],
  'no-log': [{ code: 'no-log', log: 'card_iops.1.log' }],
  'too-large': [{ code: 'too-large', maxMiB: 64 }],
  'of-several-tests': [{ code: 'of-several-tests' }],
  'not-as-many-as-jobs': [{ code: 'not-as-many-as-jobs' }],
  unreadable: [{ code: 'unreadable', message: 'EACCES: permission denied' }],
};

const notes: SamplesOf<GradeNote> = {
  'not-compared': [
    { code: 'not-compared', run: 'two.json', name: 'randread', error: { code: 'fio-error', errno: 5 } },
  ],
  'files-of-one-run': [
    { code: 'files-of-one-run', run: 'run1', files: ['run1-randread.json', 'run1-randwrite.json'] },
  ],
  'users-with-depth': [
    {
      code: 'users-with-depth',
      file: 'a.json',
      test: 'randread',
      engine: 'libaio',
      jobs: 1,
      ioDepth: 16,
      more: 0,
    },
    {
      code: 'users-with-depth',
      file: 'a.json',
      test: 'randread',
      engine: 'io_uring',
      jobs: 4,
      ioDepth: 8,
      more: 2,
    },
  ],
  'users-without-depth': [
    {
      code: 'users-without-depth',
      file: 'a.json',
      test: 'write',
      engine: 'psync',
      jobs: 4,
      ioDepth: 32,
      more: 1,
    },
  ],
  'not-over-time': Object.values(troubles)
    .flat()
    .map((reason) => ({ code: 'not-over-time' as const, file: 'card.json', reason })),
  'latency-not-over-time': [
    { code: 'latency-not-over-time', file: 'card.json', reason: { code: 'of-several-tests' } },
  ],
  'odd-log-lines': [
    { code: 'odd-log-lines', file: 'card.json', lines: 1, first: 'card_iops.1.log:2' },
    { code: 'odd-log-lines', file: 'card.json', lines: 1_200, first: 'card_iops.1.log:2' },
  ],
};

const mode = { fromMs: 0.5, toMs: 0.7, peakMs: 0.55, share: 0.6 };
const member = {
  ...{ volumeId: 'vol-0123456789abcdef0', device: 'nvme1n1', iops: 100, share: 1, waitMs: 1 },
  ...{ exceeded: null, isSlow: true },
};

export const reportCardLines: readonly LinesOfCodes[] = [
  linesOfCodes<LatencyReason>('why a test has its letter for latency, or none', latency, (reason) =>
    whyLines({ why: { latency: reason, scaling: null }, modes: [] }),
  ),
  linesOfCodes<ScalingReason>(
    'how it scales',
    scaling,
    (reason) =>
      whyLines({ why: { latency: { code: 'no-latency' }, scaling: reason }, modes: [] })[1] as string,
  ),
  {
    title: 'modes, members, limits',
    lines: [
      ...whyLines({
        why: { latency: { code: 'no-latency' }, scaling: null },
        modes: [mode, { ...mode, peakMs: 14.2, share: 0.4 }],
      }).slice(1),
      slowMembersLine({ members: [member, { ...member, volumeId: null }] }) as string,
      limitLine({ limit: 'volume-iops', limitReason: null }),
      limitLine({ limit: 'volume-throughput', limitReason: null }),
      limitLine({ limit: 'instance-iops', limitReason: null }),
      limitLine({ limit: 'instance-throughput', limitReason: null }),
      limitLine({ limit: null, limitReason: null }),
    ],
  },
  linesOfCodes<LimitUnknown>('why what limited it is unknown', limits, (limitReason) =>
    limitLine({ limit: null, limitReason }),
  ),
  linesOfCodes<GradeNote>('notes', notes, gradeNoteText),
];
