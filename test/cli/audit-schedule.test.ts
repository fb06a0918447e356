/** An audit of an archive with earlier modifications: a schedule of IOPS beside the other saving, and none without them. */
import { join } from 'node:path';
import { dayStart } from '../../core/archive/keys.ts';
import { plannedChangeOf } from '../../core/changes/plan.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { describeInstances, describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const first = dayStart('2026-10-12');
const days = 21;

/** 10,000 IOPS for two hours from 01:00 UTC, 500 all else. */
const rateAt = (minute: number): number => ([1, 2].includes(Math.floor(minute / 60) % 24) ? 10_000 : 500);

const modification = (StartTime: string, EndTime: string | null, ModificationState = 'completed') => ({
  ...{ VolumeId: vol, ModificationState, StartTime, Progress: 100 },
  ...(EndTime === null ? {} : { EndTime }),
});

beforeAll(async () => {
  const operations = (minute: number): number => 60 * rateAt(minute);
  await writeArchive(
    archive,
    { account: '111122223333', region: 'us-east-1' },
    [
      {
        id: vol,
        epochSeconds: Array.from({ length: days * 1_440 }, (_, i) => first + i * 60),
        metrics: {
          VolumeReadOps: operations,
          VolumeWriteOps: () => 0,
          VolumeReadBytes: (minute) => operations(minute) * 16_384,
          VolumeWriteBytes: () => 0,
          VolumeIdleTime: (minute) => (rateAt(minute) > 500 ? 0 : 0.2),
          VolumeQueueLength: () => 1,
          VolumeIOPSExceededCheck: () => 0,
          VolumeThroughputExceededCheck: () => 0,
        },
      },
    ],
    { fromSeconds: first, endSeconds: first + days * 86_400 },
  );
  directory.write('volumes.json', describeVolumes({ Size: 500, Iops: 16_000, Throughput: 500 }));
  directory.write('instances.json', describeInstances({ InstanceType: 'm6i.8xlarge' }));
});

const audit = (...more: string[]) =>
  runCli(
    ...['audit', '--archive', archive, '--lookback-days', `${days}`],
    ...['--volumes', join(directory.path, 'volumes.json')],
    ...['--instances', join(directory.path, 'instances.json'), '--json'],
    ...more,
  );

function written(name: string, modifications: unknown[]): string {
  directory.write(name, JSON.stringify({ VolumesModifications: modifications }));
  return join(directory.path, name);
}

async function resultWith(...more: string[]) {
  return auditResultSchema.parse(JSON.parse((await audit(...more)).out));
}

test('files of two days tell of two modifications: the longest is the lead', async () => {
  const files = [
    written('a.json', [modification('2026-10-01T10:00:00+00:00', '2026-10-01T10:20:00+00:00')]),
    written('b.json', [modification('2026-10-03T10:00:00.000Z', '2026-10-03T11:12:00.000Z')]),
  ];
  const { findings, summary, notices } = await resultWith('--modifications', ...files);
  const schedule = findings.find(({ kind }) => kind === 'schedule-iops');
  expect(schedule?.evidence).toMatchObject({
    ...{ scheduledDays: 'daily', busyFromUtc: '01:00', busyUntilUtc: '03:00' },
    ...{ raiseAtUtc: '23:45', leadMinutes: 75, earlierModifications: 2, historyDays: 21 },
  });
  expect(notices.filter(({ code }) => code.startsWith('modifications-'))).toEqual([]);
  const [recommendation] = schedule?.recommendations ?? [];
  expect(recommendation?.effect).toMatchObject({
    ...{ method: 'simulated', throttledMinutesBefore: 0, throttledMinutesAfter: 0 },
  });
  // Stripewise executes no schedule: nothing of it can be approved.
  expect(schedule && plannedChangeOf(schedule, '2026-11-01')).toBeNull();
  // The money of one volume counts once, though all-month figures save part of it too.
  expect(findings.map(({ kind }) => kind)).toContain('over-provisioned');
  expect(summary.possibleSavingsMonthlyUsd).toBeCloseTo(-(recommendation?.monthlyUsdDelta ?? 0), 2);
});

const unknownHistory = { code: 'modifications-unknown', volumeIds: [vol], count: 1 };
const tooSlow = { code: 'modifications-too-slow', volumeIds: [vol], count: 1 };
test.each<[string, string[], object | null]>([
  ['without --modifications', [], unknownHistory],
  ['where the volume was never modified', ['--modifications', 'never.json'], unknownHistory],
  ['where one goes on', ['--modifications', 'ongoing.json'], null],
  ['where one took half of the gap and more', ['--modifications', 'slow.json'], tooSlow],
])('no schedule %s, and a notice where somebody can do something about it', async (_, more, notice) => {
  written('never.json', [{ VolumeId: vol, ModificationState: null, StartTime: null }]);
  written('ongoing.json', [modification('2026-11-01T10:00:00Z', null, 'optimizing')]);
  written('slow.json', [modification('2026-10-01T00:00:00Z', '2026-10-01T11:30:00Z')]);
  const at = more.map((one) => (one.endsWith('.json') ? join(directory.path, one) : one));
  const { findings, notices } = await resultWith(...at);
  const ofModifications = notices.filter(({ code }) => code.startsWith('modifications-'));
  expect(ofModifications).toEqual(notice === null ? [] : [notice]);
  const kinds = findings.map(({ kind }) => kind);
  expect(kinds).toContain('over-provisioned');
  expect(kinds).not.toContain('schedule-iops');
});

test.each<[string, string, RegExp]>([
  ['half of an answer', JSON.stringify({ VolumesModifications: [], NextToken: 'x' }), /NextToken/],
  ['another answer', JSON.stringify({ Volumes: [] }), /describe-volumes-modifications/],
])('%s is refused', async (_, text, message) => {
  directory.write('bad.json', text);
  const { code, err } = await audit('--modifications', join(directory.path, 'bad.json'));
  expect(code).toBe(2);
  expect(err).toMatch(message);
});

test('an audit of the account has no use for them', async () => {
  const { code, err } = await runCli('audit', '--region', 'us-east-1', '--modifications', 'x.json');
  expect(code).toBe(2);
  expect(err).toMatch(/--modifications is for an audit of files or of an archive/);
});
