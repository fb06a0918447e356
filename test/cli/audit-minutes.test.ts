/** `audit --minutes FILE`: each minute in which something was throttled, beside what the audit says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { minuteColumns } from '../../core/diagnosis/minutes.ts';
import {
  day,
  describeInstances,
  describeVolumes,
  getMetricData,
  load,
  type MetricReply,
} from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { expectOneLine } from './expect-one-line.ts';
import { calm, calmQueue, instance, minutes, vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const path = join(directory.path, 'minutes.csv');

type Row = Record<string, string>;
const rowsOf = (): Row[] => parse(readFileSync(path, 'utf8'), { columns: true });
const lastLine = (): string | undefined => readFileSync(path, 'utf8').trimEnd().split('\n').at(-1);

const files = (metrics: MetricReply[], ...more: Record<string, unknown>[]): string[] => [
  ...['--volumes', directory.write('volumes.json', describeVolumes({}, ...more))],
  ...['--instances', directory.write('instances.json', describeInstances({}))],
  ...['--metrics', directory.write('metrics.json', getMetricData(...metrics))],
];
const audited = (metrics: MetricReply[], ...more: Record<string, unknown>[]) =>
  runCli('audit', ...files(metrics, ...more), '--json', '--minutes', path);

/** Its own check says that minutes 100 to 109 were throttled. */
const throttled = (id = vol): MetricReply[] =>
  load(id, day(calm), {
    VolumeQueueLength: day(calmQueue, minutes(100, 110, 20)),
    VolumeIOPSExceededCheck: day(0, minutes(100, 110, 1)),
    VolumeThroughputExceededCheck: day(0),
  });

test('ten minutes by its own check are ten rows under the header', async () => {
  const { code, err } = await audited(throttled());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(readFileSync(path, 'utf8').split('\n')[0]).toBe(minuteColumns.join(','));
  const rows = rowsOf();
  expect(rows.map(({ timestamp }) => timestamp)).toEqual(
    Array.from({ length: 10 }, (_, i) => `2026-11-18T01:4${i}:00Z`), // 100 minutes are 1 h 40
  );
  for (const row of rows) {
    expect(row).toMatchObject({
      ...{ volume_id: vol, cause: 'volume-iops', also: '', confidence: 'high', proved_by: 'check' },
      ...{ throttled_minutes: '1', micro_burst: 'yes', iops: '100', queue_length: '20' },
      ...{ mibps: '1.563', active_time_iops: '', latency_ms: '', balance_percent: '' }, // 100 x 16 KiB; not published
    });
  }
});

test('what its instance throttled stands beside', async () => {
  const check = { label: `${instance} InstanceEBSIOPSExceededCheck`, values: day(0, minutes(105, 112, 1)) };
  await audited([...throttled(), check]);
  expect(rowsOf().map(({ cause, also }) => `${cause} ${also}`.trim())).toEqual([
    ...Array<string>(5).fill('volume-iops'),
    ...Array<string>(5).fill('instance-iops volume-iops'), // in 110 and 111 the volume waited for nothing
  ]);
});

test('several volumes are one file, a quiet one has no row', async () => {
  const [quiet, other] = ['vol-0123456789abcdef1', 'vol-0123456789abcdef2'];
  const metrics = [...load(quiet, day(calm)), ...throttled(), ...throttled(other)];
  await audited(metrics, { VolumeId: quiet }, { VolumeId: other });
  expect(rowsOf().map((row) => row['volume_id'])).toEqual([
    ...Array<string>(10).fill(vol),
    ...Array<string>(10).fill(other),
  ]);
});

test('a minute of which nobody knows the operations is unknown, and its figures are empty', async () => {
  const gap = minutes(200, 202, 0) as Record<number, number | undefined>;
  for (const minute of [200, 201]) gap[minute] = undefined;
  const metrics = load(vol, day(calm), { VolumeWriteOps: day(0, gap), VolumeQueueLength: day(calmQueue) });
  await audited(metrics);
  expect(rowsOf()).toHaveLength(2);
  expect(rowsOf()[0]).toMatchObject({
    ...{ timestamp: '2026-11-18T03:20:00Z', cause: 'unknown', also: '', confidence: '', proved_by: '' },
    ...{ iops: '', demand_iops_low: '', demand_iops_high: '', queue_length: '0.1' },
  });
});

test('the limit of a minute is the one in force: of a gp2 without credits its baseline', async () => {
  const gp2 = { VolumeType: 'gp2', Size: 33, Iops: 100, Throughput: undefined };
  // At its 3,000 IOPS until the credits are gone, then at the 100 that are left.
  const metrics = load(vol, day(calm, { ...minutes(100, 110, 180_000), ...minutes(110, 115, 6_000) }), {
    VolumeQueueLength: day(calmQueue, minutes(100, 115, 20)),
    BurstBalance: day(50, minutes(110, 115, 0)),
  });
  const described = ['--volumes', directory.write('gp2.json', describeVolumes(gp2))];
  await runCli('audit', ...described, ...files(metrics).slice(2), '--minutes', path);
  expect(rowsOf().map((row) => [row['cause'], row['limit_iops'], row['limit_mibps']])).toEqual([
    ...Array<string[]>(10).fill(['volume-iops', '3000', '128']),
    ...Array<string[]>(5).fill(['volume-credits', '100', '25']), // 100 of 256 KiB
  ]);
});

test('it changes nothing of what the audit says', async () => {
  const read = files(throttled());
  const without = await runCli('audit', ...read, '--json');
  const withMinutes = await runCli('audit', ...read, '--json', '--minutes', path);
  expect(withMinutes).toEqual(without);
  expect(rowsOf()).toHaveLength(10);
  const failing = await runCli('audit', ...read, '--json', '--minutes', path, '--fail-on', 'warning');
  expect(failing.code).toBe(1);
  expect(rowsOf()).toHaveLength(10);
});

describe('of recorded series', () => {
  const recorded = (volumeId: string): string[] => {
    // An hour at 100 IOPS on 3,000 but for five minutes at 3,000: without a queue the rate alone tells
    const rows = Array.from({ length: 60 }, (_, i) => {
      const ops = i >= 30 && i < 35 ? 180_000 : 6_000;
      return `2026-11-18T00:${String(i).padStart(2, '0')}:00Z,${ops},0,${ops * 16_384},0`;
    });
    const header = 'timestamp,read_ops,write_ops,read_bytes,write_bytes';
    directory.write('recorded/s.csv', [header, ...rows].join('\n'));
    directory.write('recorded/volumes.json', {
      volumes: [{ volumeId, series: 's.csv', volumeType: 'gp3', sizeGiB: 100 }],
    });
    return ['audit', '--recorded', join(directory.path, 'recorded'), '--json', '--minutes', path];
  };

  test('the same rows, of low confidence without a queue', async () => {
    const { code } = await runCli(...recorded('db'));
    expect(code).toBe(0);
    expect(rowsOf()).toHaveLength(5);
    expect(rowsOf()[0]).toEqual({
      ...{ demand_mibps_low: '46.875', demand_mibps_high: '', limit_iops: '3000', limit_mibps: '125' },
      ...{ volume_name: '', instance_id: '' },
      ...{ timestamp: '2026-11-18T00:30:00Z', volume_id: 'db', cause: 'volume-iops', also: '' },
      ...{ confidence: 'low', proved_by: 'rate', throttled_minutes: '1', micro_burst: 'no' },
      ...{ iops: '3000', mibps: '46.875', active_time_iops: '', queue_length: '', latency_ms: '' },
      balance_percent: '',
      demand_iops_low: expect.stringMatching(/^\d+(\.\d+)?$/),
      demand_iops_high: '', // without a queue nothing tells how much more
    });
    expect(Number(rowsOf()[0]?.['demand_iops_low'])).toBeGreaterThanOrEqual(3_000); // what was served at least
  });

  test('an id that a spreadsheet would take for a formula is escaped', async () => {
    await runCli(...recorded('=HYPERLINK("https://evil.example")'));
    expect(rowsOf()[0]?.['volume_id']).toBe(`'=HYPERLINK("https://evil.example")`);
    expect(lastLine()).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
  });
});

describe('a path that cannot be written is one line, before anything is read', () => {
  test.each([
    [
      'in a directory that is not there',
      '/nowhere/minutes.csv',
      /\/nowhere\/minutes\.csv: cannot be written: there is no such directory; make it, or give another path/,
    ],
    ['a directory', directory.path, /cannot be written: .*directory/],
  ])('%s', async (_what, unwritable, line) => {
    await expectOneLine(['audit', ...files(throttled()), '--minutes', unwritable], line);
    await expectOneLine(['audit', '--recorded', '/nowhere', '--minutes', unwritable], line);
    expect(existsSync('/nowhere')).toBe(false);
  });

  test('and so is the option without a path', async () => {
    await expectOneLine(['audit', ...files(throttled()), '--minutes'], /--minutes <file>.* argument missing/);
  });
});
