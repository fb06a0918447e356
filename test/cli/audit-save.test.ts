/** `audit --save` and `audit --archive`: what was read is kept, and evaluated again from there. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import {
  day,
  describeInstances,
  describeVolumes,
  getMetricData,
  load,
  type MetricReply,
} from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { expectOneLine } from './expect-one-line.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const account = liveAccount();
const directory = temporaryDirectory();
const vol = 'vol-0123456789abcdef0';
const volumes = directory.write('volumes.json', describeVolumes({}));
const instances = directory.write('instances.json', describeInstances({}));
const described = ['--volumes', volumes, '--instances', instances];
// Minute 7 is missing.
const metrics = directory.write('metrics.json', getMetricData(...load(vol, day(600, { 7: undefined }))));

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();

const rowsOf = (path: string): Promise<Record<string, unknown>[]> =>
  parquetReadObjects({ file: Uint8Array.from(readFileSync(path)).buffer });

const monthFile = 'history/metrics/month=2026-11/account=111122223333/region=us-east-1/metrics.parquet';
const manifestFile = 'history/manifests/account=111122223333/region=us-east-1/day=2026-11-18.json';

const ofDay = 'day=2026-11-19/account=111122223333/region=us-east-1';
const inventoryFile = `history/inventory/${ofDay}/inventory.parquet`;
const findingsFile = `history/findings/${ofDay}/findings.parquet`;

describe('files', () => {
  const archive = join(directory.path, 'of-files');
  const save = () => runCli('audit', ...described, '--metrics', metrics, '--save', archive);

  test('are kept by month and day: a row a minute, none for the missing one', async () => {
    const { code, err } = await save();
    expect(err).toBe(`saved 1 volume or instance, 2026-11-18, in ${archive} (1 file written)`);
    expect(code).toBe(0);
    expect(filesIn(archive)).toEqual([findingsFile, inventoryFile, manifestFile, monthFile]);
    const rows = await rowsOf(join(archive, monthFile));
    expect(rows).toHaveLength(1_440 - 1);
    expect(rows[0]).toMatchObject({
      resource_id: vol,
      volume_read_ops: 600,
      volume_read_bytes: 600 * 16_384,
    });
  });

  test('with what was there, and what was found: a row a volume, a row a finding', async () => {
    await save();
    const [row] = await rowsOf(join(archive, inventoryFile));
    expect(row).toMatchObject({
      volume_id: vol,
      volume_type: 'gp3',
      baseline_iops: 3_000,
      status: 'healthy',
    });
    // A day without findings has a file that says so.
    expect(await rowsOf(join(archive, findingsFile))).toEqual([]);
    const { out } = await runCli(
      ...['history', 'sql', '--archive', archive, '--json'],
      'SELECT i.volume_id, count(f.finding_id) FROM inventory i LEFT JOIN findings f ON f.resource_id = i.volume_id AND f.day = i.day GROUP BY 1',
    );
    expect((JSON.parse(out) as { rows: unknown[][] }).rows).toEqual([[vol, 0]]);
  });

  test('twice changes nothing', async () => {
    await save();
    const before = filesIn(archive).map((name) => statSync(join(archive, name), { bigint: true }).mtimeNs);
    const { err } = await save();
    expect(err).toContain('(nothing was new)');
    const after = filesIn(archive).map((name) => statSync(join(archive, name), { bigint: true }).mtimeNs);
    expect(after).toEqual(before);
  });

  const coarse = (replies: MetricReply[], from = 0, end = 288): MetricReply[] =>
    replies.map(({ label, values }) => ({ label, values: values.slice(from, end), periodSeconds: 300 }));
  const fives = coarse(load(vol, day(3_000)));
  const saveOf = async (name: string, ...replies: MetricReply[][]) => {
    const place = join(directory.path, name);
    const given = replies.map((one, i) => directory.write(`${name}-${i}.json`, getMetricData(...one)));
    const { err } = await runCli('audit', ...described, '--metrics', ...given, '--save', place);
    const kept = filesIn(place).filter((path) => path.endsWith('metrics.parquet'));
    return { err, rows: (await Promise.all(kept.map((path) => rowsOf(join(place, path))))).flat() };
  };
  const right = 'ask for them with `audit queries --period-seconds 60`';

  test('points of five minutes are not stretched: they are left out, and said', async () => {
    const given = directory.write('fives.json', getMetricData(...fives));
    await expectOneLine(
      ['audit', ...described, '--metrics', given, '--save', join(directory.path, 'fives')],
      new RegExp(`--save keeps one-minute points, and --metrics has none: ${right}`),
    );
  });

  test('nor those of five minutes among those of one: sums of both are not of one length', async () => {
    // The first 20 hours as 240 sums of five minutes, the last four as 240 minutes; the queue is of minutes alone.
    const late = (values: (number | undefined)[]) =>
      values.map((value, i) => (i < 1_200 ? undefined : value));
    const minutes = load(vol, late(day(600)), { VolumeQueueLength: late(day(1)) });
    const { err, rows } = await saveOf('mixed', coarse(load(vol, day(3_000)), 0, 240), minutes);
    expect(err).toContain(
      `stripewise: --save: 4 metrics not kept, as their points are not all of one minute (${vol}): ${right}`,
    );
    expect(rows).toHaveLength(240);
    expect(rows.every((row) => row['volume_read_ops'] === null && row['volume_queue_length'] === 1)).toBe(
      true,
    );
  });

  test('nor a point alone, whose length nothing tells', async () => {
    const other = 'vol-0123456789abcdef1';
    const two = directory.write('two.json', describeVolumes({}, { VolumeId: other }));
    const alone = directory.write('alone.json', getMetricData(...load(vol, day(600)), ...load(other, [600])));
    const given = ['--volumes', two, '--instances', instances, '--metrics', alone];
    const { err } = await runCli('audit', ...given, '--save', join(directory.path, 'alone'));
    expect(err).toContain(`4 metrics not kept, as their points are not all of one minute (${other})`);
  });

  describe('sums of five minutes of an instance', () => {
    const ofInstance = coarse([
      { label: 'i-0123456789abcdef0 EBSReadOps', values: day(3_000) },
      { label: 'i-0123456789abcdef0 EBSIOBalance%', values: day(99) },
    ]);
    const sums = (rows: Record<string, unknown>[]) =>
      rows.filter((row) => row['ebs_read_ops'] !== null && row['ebs_read_ops'] !== undefined);

    test('are kept where minutes were asked for: it publishes none', async () => {
      const { err, rows } = await saveOf('basic', load(vol, day(600)), ofInstance);
      expect(err).not.toContain('not kept');
      expect(sums(rows)).toHaveLength(288);
    });

    test('are not kept where five minutes were asked for: it may publish minutes', async () => {
      const { err, rows } = await saveOf('asked-for-fives', fives, ofInstance);
      expect(err).toContain(
        `5 metrics not kept, as their points are not all of one minute (${vol}, i-0123456789abcdef0): ${right}`,
      );
      // Of the balance CloudWatch has nothing finer.
      expect(rows).toHaveLength(288);
      expect(sums(rows)).toEqual([]);
    });
  });

  test('whose account nobody tells are refused', () =>
    expectOneLine(
      ['audit', '--volumes', volumes, '--metrics', metrics, '--save', join(directory.path, 'nobody')],
      /--save keeps by account, and no file says whose the volumes are: give --instances/,
    ));
});

test.each([
  ['a file', [...described, '--metrics', metrics, '--save', volumes], /a file is there; give a directory/],
  [
    'below a file',
    [...described, '--metrics', metrics, '--save', join(volumes, 'x')],
    /a file is there; give a directory/,
  ],
  ['empty', [...described, '--metrics', metrics, '--save', ''], /--save is empty/],
  [
    'beside --archive',
    [...described, '--archive', directory.path, '--save', directory.path],
    /--save keeps what --archive has already/,
  ],
  ['of recordings', ['--recorded', 'there', '--save', directory.path], /where recorded series are audited/],
  [
    'of five minutes of the account',
    ['--region', 'us-east-1', '--period-seconds', '300', '--save', directory.path],
    /--save keeps one-minute points, and points of 300 s would be read/,
  ],
  ['--archive that is not there', [...described, '--archive', 'nowhere'], /there is no such directory/],
  ['--archive without volumes', ['--archive', directory.path], /give --volumes/],
  [
    '--archive beside --metrics',
    [...described, '--archive', '.', '--metrics', metrics],
    /instead of --metrics/,
  ],
  [
    '--archive that is empty',
    [...described, '--archive', join(process.cwd(), 'docs')],
    /docs: no archive is in it/,
  ],
  [
    '--archive that is empty, with an end',
    [...described, '--archive', join(process.cwd(), 'docs'), '--until', '2026-11-23T00:00Z'],
    /docs: no archive is in it/,
  ],
  [
    '--archive for too long',
    [...described, '--archive', directory.path, '--lookback-days', '396'],
    /at most 395 days/,
  ],
])('%s is one line', (_, argv, line) => expectOneLine(['audit', ...argv], line));

describe('the account', () => {
  const until = ['--until', '2026-11-20T00:00Z', '--lookback-days', '1', '--region', 'us-east-1'];
  const rates = ['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes'];
  beforeEach(async () => {
    account.regions['us-east-1'] = {
      describeVolumes: describeVolumes({}),
      describeInstances: describeInstances({}),
    };
    const startSeconds = endSeconds - 86_400;
    const value = (metric: string): number[] => day(metric.endsWith('Ops') ? 60 : 60 * 16_384) as number[];
    await account.cloudWatch.load(
      rates.map((metric) => series(vol, value(metric), { metric, startSeconds })),
      'us-east-1',
    );
  });

  test('is kept minute by minute as it was read', async () => {
    const archive = join(directory.path, 'of-account');
    const { err } = await runCli('audit', ...until, '--period-seconds', '60', '--save', archive);
    expect(err).toContain(`2026-11-19, in ${archive} (1 file written)`);
    const rows = await rowsOf(join(archive, monthFile));
    expect(rows).toHaveLength(1_440);
    expect(rows.every((row) => row['volume_read_ops'] === 60)).toBe(true);
    expect(filesIn(archive).filter((name) => name.startsWith('history-staging'))).toEqual([]);
  });
});

describe('from the archive', () => {
  const archive = join(directory.path, 'to-evaluate');
  const evaluate = async () => {
    const { code, out, err } = await runCli(
      'audit',
      ...described,
      '--archive',
      archive,
      '--lookback-days',
      '1',
      '--json',
    );
    return { code, err, result: auditResultSchema.parse(JSON.parse(out)) };
  };
  beforeAll(() => runCli('audit', ...described, '--metrics', metrics, '--save', archive));

  test('the same is found as from the files; the window ends where the archive does', async () => {
    const { code, result } = await evaluate();
    const files = await runCli('audit', ...described, '--metrics', metrics, '--json');
    const ofFiles = auditResultSchema.parse(JSON.parse(files.out));
    expect(result.window).toEqual({ start: '2026-11-18T00:00:00Z', end: '2026-11-19T00:00:00Z' });
    expect(result.volumes).toEqual(ofFiles.volumes);
    expect(result.findings).toEqual(ofFiles.findings);
    expect(result.cost.usd).toBe(0);
    expect(code).toBe(files.code);
  });

  test('a file that is cut is named, and the run is partial', async () => {
    const path = join(archive, monthFile);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    const { code, result } = await evaluate();
    writeFileSync(path, whole);
    expect(code).toBe(3);
    expect(result.coverage.incomplete).toMatchObject([{ code: 'archive-file-not-read', file: monthFile }]);
    expect(result.coverage.evaluated).toBe(0);
  });
});
