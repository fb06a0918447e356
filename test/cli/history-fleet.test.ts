/** `stripewise history fleet`: throttled minutes by ISO week and volume, where they were evaluated. */
import { join } from 'node:path';
import { isoWeek } from '../../core/archive/fleet-weeks.ts';
import { dayStart } from '../../core/archive/keys.ts';
import { fleetWeeksSchema } from '../../core/schemas/history-fleet.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { cliJson, runCli } from './run-cli.ts';
import { type ArchivedVolume, writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
/** A Sunday: the day after it another week begins. */
const sunday = dayStart('2027-01-03');
const [first, second, third] = ['a', 'b', 'c'].map((letter) => `vol-000000000000000${letter}`) as [
  string,
  string,
  string,
];
/** An hour of each of the two days. */
const hours = [0, 1_440].flatMap((day) => Array.from({ length: 60 }, (_, i) => sunday + (day + i) * 60));

/** On Sunday 10 minutes of a are throttled and on Monday 20, of b 5 on Monday; c was not evaluated: its checks report 7 on Sunday. */
beforeAll(async () => {
  const until = (onSunday: number, onMonday: number) => (minute: number) =>
    minute < 60 ? minute < onSunday : minute - 1_440 < onMonday;
  const volume = (id: string, isHigh: (minute: number) => boolean, isEvaluated: boolean): ArchivedVolume => ({
    id,
    epochSeconds: hours,
    metrics: {
      VolumeReadOps: () => 60,
      VolumeWriteOps: () => 0,
      VolumeIOPSExceededCheck: (minute) => (isHigh(minute) ? 1 : 0),
      VolumeThroughputExceededCheck: () => 0,
    },
    ...(isEvaluated ? { status: (minute: number) => (isHigh(minute) ? 'throttled' : 'normal') } : {}),
  });
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      volume(first, until(10, 20), true),
      volume(second, until(0, 5), true),
      volume(third, until(7, 0), false),
    ],
    { fromSeconds: sunday, endSeconds: sunday + 2 * 86_400 },
  );
});

const fleet = async (...more: string[]) =>
  fleetWeeksSchema.parse(await cliJson('history', 'fleet', '--archive', archive, ...more));

test('weeks begin on Monday; what was not evaluated is not counted as zero', async () => {
  const { weeks } = await fleet();
  expect(weeks.map(({ top: _, ...week }) => week)).toEqual([
    {
      ...{ week: '2026-W53', from: '2026-12-28', daysWithPoints: 1, volumes: 3, volumesEvaluated: 2 },
      ...{ volumesThrottled: 1, minutes: 180, evaluatedMinutes: 120 },
      // 10 of a; 10 of a and 7 of c.
      ...{ throttledMinutes: 10, exceededMinutes: 17 },
    },
    {
      ...{ week: '2027-W01', from: '2027-01-04', daysWithPoints: 1, volumes: 3, volumesEvaluated: 2 },
      ...{ volumesThrottled: 2, minutes: 180, evaluatedMinutes: 120 },
      ...{ throttledMinutes: 25, exceededMinutes: 25 },
    },
  ]);
  expect(weeks.map(({ top }) => top.map((one) => [one.volumeId, one.throttledMinutes]))).toEqual([
    [
      [first, 10],
      [third, null],
    ],
    [
      [first, 20],
      [second, 5],
    ],
  ]);
});

test('--top names fewer, and sums all', async () => {
  const { weeks } = await fleet('--top', '1');
  expect(weeks.map(({ top, throttledMinutes }) => [top.length, throttledMinutes])).toEqual([
    [1, 10],
    [1, 25],
  ]);
});

test('in the terminal: the sum first, then a line a week, and what is missing', async () => {
  const { code, out } = await runCli('history', 'fleet', '--archive', archive);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toBe('2 weeks: 35 throttled minutes of volumes');
  expect(out).toMatch(/2026-W53 │ 2026-12-28 │ 1 +│ 3 +│ 10 min +│ 1 +│ 17 min/);
  expect(lines.slice(-2)).toEqual([
    'Not each volume was evaluated: throttled minutes are of those that were.',
    'USD and findings are not in an archive: reports of the audit have them.',
  ]);
});

test.each([
  ['2026-12-28', '2026-W53'],
  ['2025-12-29', '2026-W01'],
  ['2024-12-30', '2025-W01'],
  ['2026-11-23', '2026-W48'],
])('the week of %s is %s', (monday, week) => {
  expect(isoWeek(monday)).toBe(week);
});
