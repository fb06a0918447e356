/** `replay --series` of what a host or a database recorded. */
import type { ReplayAnswer } from '../../core/schemas/replay-answer.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { bootThenTwoMinutes, iostatText, pg16Csv, sar12h, usTimes } from './host-recordings.ts';
import { gp3Layout, replayOf } from './replay-files.ts';
import { cliJson } from './run-cli.ts';

const directory = temporaryDirectory();
const answerOf = (text: string, ...options: string[]) =>
  cliJson<ReplayAnswer>(...replayOf(directory, text), ...options);

test('iostat: minutes above the limit are throttled, and the notes of the recording are there', async () => {
  const text = iostatText({ times: usTimes, reports: bootThenTwoMinutes });
  const answer = await answerOf(text, '--device', 'nvme1n1');
  expect(answer).toMatchObject({
    throttledMinutes: 2, // 4,000 of 3,000; 1,000 x 60 wait, and are done in 60 s of the next
    asked: { highestIops: 4_000, meanIops: 3_000, writeShare: 0.25, meanIoSizeKiB: 16 },
    series: { from: '2026-11-27T14:00:00Z', periodSeconds: 60, rows: 2, gaps: 0, overlappingRows: 0 },
  });
  expect(answer.notes.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['served-rates', 'first-report-dropped', 'clock-without-zone']),
  );
});

test('a clock that wanders by a second makes no gaps; an interval twice as long is unknown', async () => {
  const times = ['00:00', '01:00', '02:01', '03:00', '05:00', '06:00'].map(
    (time) => `2026-11-27T14:${time}Z`,
  );
  const load = [['sdf', 100, 0] as const];
  const answer = await answerOf(iostatText({ times, reports: times.map(() => load) }));
  // Five intervals; the one of 120 s is left out, and its time is a gap.
  expect(answer).toMatchObject({ minutes: 6, unknownMinutes: 2, series: { gaps: 1, overlappingRows: 0 } });
  expect(answer.notes).toContainEqual({ code: 'other-intervals', intervals: 1, periodSeconds: 60 });
});

test('sar: which I/O write is unknown, and a layout that it matters to is refused', async () => {
  const answer = await answerOf(sar12h);
  expect(answer.asked).toMatchObject({ highestIops: 600, writeShare: null, meanIoSizeKiB: 16 });
  expect(answer.notes).toContainEqual({ code: 'split-unknown' });
  await expectOneLine(
    replayOf(directory, sar12h, { ...gp3Layout, kind: 'raid10', members: 4 }),
    /raid10 cannot be replayed: the recording does not show which I\/O write/,
  );
});

test('pg_stat_io', async () => {
  expect(await answerOf(pg16Csv)).toMatchObject({ asked: { highestIops: 120 }, throttledMinutes: 0 });
});

test('an AWR report is refused, with the way out', async () => {
  await expectOneLine(
    replayOf(directory, 'WORKLOAD REPOSITORY report for\n'),
    /is an Oracle AWR report: it has means .* run `stripewise demand --awr .*`; .* with `iostat -xt 60`$/,
  );
});
