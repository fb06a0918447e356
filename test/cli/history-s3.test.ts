/** `stripewise history` over S3: which objects are fetched, by which ranges, and that nothing of them stays here. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { dayStart } from '../../core/archive/keys.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { describeVolumes } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';
import { writeArchive } from './written-archive.ts';

const directory = temporaryDirectory();
const archive = join(directory.path, 'archive');
const days = ['2026-10-31', '2026-11-01', '2026-11-02'] as const;
const from = dayStart(days[0]);
const s3 = mockClient(S3Client);
const place = ['--archive', 's3://bucket/minutes'];
const fewVolumes = 'vol-0000000000000aaaa';
const target = { account: '111122223333', region: 'us-east-1' };
const byDay = { account: '444455556666', region: 'eu-central-1' };
const idOf = (n: number): string => `vol-${String(n).padStart(17, '0')}`;

/** Three days, a point an hour. One volume of one target is kept by month; 21 of the other by day. */
const volume = (id: string) => ({
  id,
  epochSeconds: Array.from({ length: 72 }, (_, hour) => from + hour * 3_600),
  metrics: { VolumeReadOps: () => 600, VolumeWriteOps: () => 0 },
});

beforeAll(async () => {
  const window = { fromSeconds: from, endSeconds: from + 3 * 86_400 };
  await writeArchive(archive, target, [volume(fewVolumes)], window);
  const many = Array.from({ length: 21 }, (_, n) => volume(idOf(n)));
  await writeArchive(archive, byDay, many, window);
});

const files = (): string[] =>
  readdirSync(archive, { recursive: true })
    .map((name) => String(name))
    .filter((name) => /\.(parquet|json)$/.test(name));

beforeEach(() => {
  s3.reset();
  s3.on(ListObjectsV2Command).callsFake(({ Prefix = '' }: { Prefix?: string }) => ({
    Contents: files()
      .map((name) => `minutes/${name}`)
      .filter((key) => key.startsWith(Prefix))
      .map((Key) => ({ Key, ETag: '"1"', Size: readFileSync(join(archive, Key.slice(8))).byteLength })),
  }));
  s3.on(GetObjectCommand).callsFake(({ Key = '', Range = '' }: { Key?: string; Range?: string }) => {
    const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(Range) ?? [];
    const bytes = readFileSync(join(archive, Key.slice(8))).subarray(Number(start), Number(last) + 1);
    return { Body: { transformToByteArray: async () => new Uint8Array(bytes) } };
  });
});

const fetched = (): string[] =>
  [
    ...new Set(
      s3
        .commandCalls(GetObjectCommand)
        .map(({ args }) => args[0].input.Key ?? '')
        .filter((key) => key.endsWith('.parquet'))
        .map((key) => key.replace('minutes/history/metrics/', '').replace(/account=\d+\/region=/, '')),
    ),
  ].sort();

/** Of this process alone: others fetch at the same time. */
const left = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`stripewise-history-${process.pid}-`));

test('all of it: every object once, and nothing is left on this machine', async () => {
  const { rows } = await cliJson<{ rows: unknown[] }>(
    'history',
    'sql',
    'SELECT count(*) FROM minutes',
    ...place,
  );
  expect(rows).toEqual([[22 * 72]]);
  expect(fetched()).toHaveLength(5);
  // No manifest: each day has an object.
  expect(s3.commandCalls(GetObjectCommand)).toHaveLength(5);
  expect(left()).toEqual([]);
});

test('of some days, of an account, of a Region: only the objects of these', async () => {
  const ask = async (...more: string[]) => {
    s3.resetHistory();
    const { rows } = await cliJson<{ rows: number[][] }>(
      'history',
      'sql',
      'SELECT count(*) FROM minutes',
      ...place,
      ...more,
    );
    return { rows: rows[0]?.[0], files: fetched() };
  };
  expect(await ask('--from', '2026-11-01', '--to', '2026-11-01')).toEqual({
    rows: 22 * 24,
    files: ['day=2026-11-01/eu-central-1/0001.parquet', 'month=2026-11/us-east-1/metrics.parquet'],
  });
  expect(await ask('--account', target.account)).toEqual({
    rows: 72,
    files: ['month=2026-10/us-east-1/metrics.parquet', 'month=2026-11/us-east-1/metrics.parquet'],
  });
  expect((await ask('--region', 'eu-central-1', '--to', '2026-10-31')).files).toEqual([
    'day=2026-10-31/eu-central-1/0001.parquet',
  ]);
});

test('one volume is found among targets, and read from its own objects; they are listed once, not one by one', async () => {
  const found = await cliJson<{ region: string; minutesWithPoints: number }>(
    'history',
    'volume',
    idOf(7),
    ...place,
  );
  expect(found).toMatchObject({ region: 'eu-central-1', minutesWithPoints: 3 * 24 * 60 });
  expect(fetched()).toEqual(days.map((day) => `day=${day}/eu-central-1/0001.parquet`));
  expect(s3.commandCalls(ListObjectsV2Command)).toHaveLength(3); // manifests, days, months
  // Of each day a footer and a range; the newest manifests of both targets; as no row is missing, those of both ends alone.
  expect(s3.commandCalls(GetObjectCommand)).toHaveLength(2 * days.length + 2 + 2);
});

const objectOf = (day: string): string =>
  `history/metrics/day=${day}/account=${byDay.account}/region=${byDay.region}/0001.parquet`;

function listWithout(gone: string): void {
  const there = files().filter((name) => name !== gone);
  expect(there.length).toBe(files().length - 1);
  s3.on(ListObjectsV2Command).callsFake(({ Prefix = '' }: { Prefix?: string }) => ({
    Contents: there
      .map((name) => `minutes/${name}`)
      .filter((key) => key.startsWith(Prefix))
      .map((Key) => ({ Key, ETag: '"1"', Size: readFileSync(join(archive, Key.slice(8))).byteLength })),
  }));
}

test('an object that a manifest names and that is not there: it is named, and the rest is used', async () => {
  const gone = objectOf('2026-11-01');
  listWithout(gone);
  const sql = await runCli('history', 'sql', 'SELECT count(*) FROM minutes', ...place, '--json');
  expect({ code: sql.code, rows: JSON.parse(sql.out).rows }).toEqual({
    code: 3,
    rows: [[22 * 72 - 21 * 24]],
  });
  expect(sql.err).toMatch(new RegExp(`^stripewise: partial: ${gone} could not be read`));
  const volume = await runCli('history', 'volume', idOf(7), ...place);
  expect(volume.code).toBe(3);
  expect(volume.out).toContain(
    '2026-11-01 00:00 to 2026-11-02 00:00: 1,440 min, the file is not there, or could not be read',
  );
  expect(volume.err).toMatch(new RegExp(`^stripewise: partial: ${gone} could not be read`));
});

test('the oldest day is kept no longer, its manifest is: nothing is missed, and the window begins after it', async () => {
  listWithout(objectOf(days[0]));
  const sql = await runCli('history', 'sql', 'SELECT count(*) FROM minutes', ...place, '--json');
  expect({ code: sql.code, rows: JSON.parse(sql.out).rows }).toEqual({
    code: 0,
    rows: [[22 * 72 - 21 * 24]],
  });
  const volume = await runCli('history', 'volume', idOf(7), ...place);
  expect(volume.code).toBe(0);
  expect(volume.out).toContain(`${days[1]} 00:00`);
  expect(volume.out).not.toContain(days[0]);
});

test('an archive without its manifests: `history volume` says that they are missing', async () => {
  const place = join(directory.path, 'without manifests');
  cpSync(archive, place, { recursive: true });
  rmSync(join(place, 'history/manifests'), { recursive: true });
  await expectOneLine(
    ['history', 'volume', fewVolumes, '--archive', place],
    /the manifests of the archive are missing, that is, all below history\/manifests\/: put them back/,
  );
});

test('where SQL fails what was fetched is removed, too', async () => {
  await expectOneLine(['history', 'sql', 'SELECT x FROM minutes', ...place], /the SQL failed: Binder Error/);
  expect(left()).toEqual([]);
  expect(existsSync(archive)).toBe(true);
});

test('a key that would leave the directory is none of the archive', async () => {
  s3.on(ListObjectsV2Command).resolves({
    Contents: [
      {
        Key: 'minutes/history/metrics/month=2026-11/account=../region=../../../../evil.parquet',
        ETag: '"1"',
        Size: 10,
      },
    ],
  });
  await expectOneLine(['history', 'top', ...place], /the archive has nothing of these days/);
  expect(s3.commandCalls(GetObjectCommand)).toHaveLength(0);
});

test('a prefix with nothing below it, and a bucket that refuses', async () => {
  s3.on(ListObjectsV2Command).resolves({});
  await expectOneLine(['history', 'top', ...place], /s3:\/\/bucket\/minutes\/: no archive is in it/);
  s3.on(ListObjectsV2Command).rejects(awsError('AccessDenied', 'no', 403));
  const { code, err } = await runCli('history', 'top', ...place);
  expect({ code, err }).toEqual({
    code: 4,
    err: expect.stringMatching(/^stripewise: failed: s3:ListBucket of .*AccessDenied/),
  });
});

test('audit --archive reads the same bucket: by range, and without anything that stays here', async () => {
  const volumes = directory.write('volumes.json', describeVolumes({ VolumeId: fewVolumes }));
  const files = ['--volumes', volumes, '--until', '2026-11-03T00:00Z'];
  const { code, out, err } = await runCli('audit', ...place, ...files, '--json');
  expect(err).toBe('');
  expect(code).toBe(0);
  const result = auditResultSchema.parse(JSON.parse(out));
  expect(result.window?.end).toBe('2026-11-03T00:00:00Z');
  expect(result.volumes.map(({ volumeId }) => volumeId)).toEqual([fewVolumes]);
  expect(fetched().some((name) => name.includes('eu-central-1'))).toBe(false);
});
