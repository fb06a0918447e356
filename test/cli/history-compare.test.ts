/** `stripewise history compare`: two periods of one volume. */
import { join } from 'node:path';
import { dayStart } from '../../core/archive/keys.ts';
import { hasMonthEnd } from '../../core/month-ends.ts';
import { periodsComparisonSchema } from '../../core/schemas/history-compare.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const id = 'vol-0000000000000aaaa';
const first = dayStart('2026-11-28');

/**
 * Two days before and two days after the end of November. Before: 100 IOPS of 2 ms a read, 144 throttled minutes a day. After: 200 IOPS
 * of 1 ms; nothing is throttled. Writes: none.
 */
beforeAll(async () => {
  const isAfter = (minute: number): boolean => minute >= 4_320;
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id,
        epochSeconds: [0, 1, 3, 4].flatMap((day) =>
          Array.from({ length: 1_440 }, (_, i) => first + day * 86_400 + i * 60),
        ),
        metrics: {
          VolumeReadOps: (minute) => (isAfter(minute) ? 12_000 : 6_000),
          VolumeWriteOps: () => 0,
          VolumeTotalReadTime: () => 12,
          VolumeTotalWriteTime: () => 0,
          VolumeQueueLength: (minute) => (isAfter(minute) ? 1 : 4),
        },
        status: (minute) => (!isAfter(minute) && minute % 10 === 0 ? 'throttled' : 'normal'),
      },
    ],
    { fromSeconds: first, endSeconds: first + 5 * 86_400 },
  );
});

const [before, after] = ['2026-11-28/2026-11-29', '2026-12-01/2026-12-02'];
const here = (...more: string[]): string[] => ['history', 'compare', id, '--archive', archive, ...more];

test('as data: each period by itself', async () => {
  const found = periodsComparisonSchema.parse(await cliJson(...here('--period', after, '--with', before)));
  expect(found.period).toMatchObject({
    ...{
      start: '2026-12-01T00:00:00Z',
      end: '2026-12-03T00:00:00Z',
      minutes: 2_880,
      minutesWithPoints: 2_880,
    },
    iops: { average: 200, percentile95: 200, highest: 200 },
    // 12 seconds of 12,000 reads.
    readLatencyMs: { average: 1, percentile95: 1, highest: 1 },
    writeLatencyMs: { average: null },
    ...{ throttledMinutes: 0, throttledMinutesPerDay: 0, exceededMinutes: null },
  });
  expect(found.with).toMatchObject({
    readLatencyMs: { average: 2 },
    ...{ evaluatedMinutes: 2_880, throttledMinutes: 288, throttledMinutesPerDay: 144 },
    // Without a point of bytes.
    mibps: { average: null, percentile95: null, highest: null },
  });
  // Saturday and Sunday against Tuesday and Wednesday.
  expect(found.notes).toEqual(['weekdays-differ']);
});

test('in the terminal: the change in percent, - where it is unknown', async () => {
  const { code, out } = await runCli(...here('--period', after, '--with', before));
  expect(code).toBe(0);
  expect(out).toMatch(/IOPS, average +│ 200 +│ 100 +│ \+100 %/);
  expect(out).toMatch(/ms a read, average +│ 1 +│ 2 +│ -50 %/);
  expect(out).toMatch(/ms a write, average +│ - +│ - +│ -/);
  expect(out).toMatch(/throttled minutes a day +│ 0 +│ 144 +│ -100 %/);
});

test('a period with a hole, and with the end of a month: both are said', async () => {
  const found = periodsComparisonSchema.parse(
    await cliJson(...here('--period', '2026-11-29/2026-11-30', '--with', after)),
  );
  expect(found.period).toMatchObject({ minutes: 2_880, minutesWithPoints: 1_440, hasMonthEnd: true });
  expect(found.notes).toEqual(['few-points', 'weekdays-differ', 'month-end-in-one']);
});

test.each([
  ['2026-11-29', '2026-12-01', true],
  ['2026-11-01', '2026-11-30', false],
  ['2026-11-30', '2026-12-01', true],
  ['2026-12-01', '2026-12-31', false],
  ['2026-12-31', '2027-01-01', true],
  ['2027-01-31', '2027-03-01', true],
])('from %s up to %s the last day of a month is in it: %s', (from, end, expected) => {
  expect(hasMonthEnd(dayStart(from), dayStart(end))).toBe(expected);
});

test.each([
  ['2026-11-29', /--period "2026-11-29" is no period: give one like/],
  ['2026-11-30/2026-11-29', /--period "2026-11-30\/2026-11-29" ends before it begins/],
  ['x/2026-11-29', /--period "x" is not a day or a time/],
])('--period %s is refused in one line', async (period, line) => {
  await expectOneLine(here('--period', period, '--with', before), line);
});
