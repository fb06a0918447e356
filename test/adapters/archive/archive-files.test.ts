/** The archive's files on both stores: by range, of older versions, and broken. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { commit, stage } from '../../../adapters/archive/commit.ts';
import { ArchiveDirectory } from '../../../adapters/archive/directory.ts';
import { everything, openMetrics } from '../../../adapters/archive/open-metrics.ts';
import { readMinutes } from '../../../adapters/archive/read-minutes.ts';
import { MetricsWriter } from '../../../adapters/archive/write-metrics.ts';
import { metricColumns } from '../../../core/archive/columns.ts';
import { dayStart } from '../../../core/archive/keys.ts';
import { minutesOf, type ResourceMinutes, seriesOf } from '../../../core/archive/resource-minutes.ts';
import { type MetricName, metricNames } from '../../../core/load/metrics.ts';
import { MemoryStore } from './memory-store.ts';

const target = { account: '111122223333', region: 'eu-central-1' };
const start = dayStart('2026-11-23');
const minutesADay = 1_440;
const times = Float64Array.from({ length: minutesADay }, (_, i) => start + i * 60);

const volume = (n: number, metrics: readonly MetricName[]): ResourceMinutes => ({
  resourceType: 'volume',
  resourceId: `vol-${String(n).padStart(17, '0')}`,
  arn: `arn:aws:ec2:eu-central-1:111122223333:volume/vol-${n}`,
  epochSeconds: times,
  metrics: new Map(metrics.map((metric, m) => [metric, times.map((_, i) => n + m + (i % 7))])),
  evaluation: null,
});

const read = async (store: MemoryStore | ArchiveDirectory, resourceIds: string[], metrics = metricNames) =>
  readMinutes(store, target, {
    fromSeconds: start,
    endSeconds: start + 86_400,
    resourceIds,
    metrics,
    evaluation: true,
  });

async function archived(
  store: MemoryStore | ArchiveDirectory,
  minutes: ResourceMinutes[],
  readAtSeconds = 1,
): Promise<void> {
  const resourceIds = minutes.map(({ resourceId }) => resourceId);
  const reads = [{ fromSeconds: start, endSeconds: start + 86_400, metrics: [...metricNames], resourceIds }];
  await stage(store, target, 'run', { name: 'batch', readAtSeconds, reads, minutes });
  expect((await commit(store, target)).broken).toEqual([]);
}

describe('one volume of 100', () => {
  const store = new MemoryStore();
  const volumes = Array.from({ length: 100 }, (_, n) => volume(n, ['VolumeReadOps', 'VolumeWriteBytes']));
  beforeAll(() => archived(store, volumes));

  test('is read from its row group of 13 volumes: less than a third of the object, footer included', async () => {
    store.reads = [];
    const { minutes } = await read(store, [volumes[42]?.resourceId as string], ['VolumeReadOps']);
    expect(minutes.map(({ resourceId }) => resourceId)).toEqual([volumes[42]?.resourceId]);
    expect(minutes[0]?.metrics.get('VolumeReadOps')).toEqual(volumes[42]?.metrics.get('VolumeReadOps'));
    const [key] = await store.list('history/metrics/');
    const bytes = store.reads.filter((one) => one.key === key).reduce((sum, one) => sum + one.bytes, 0);
    const footer = 64 * 1024;
    expect(bytes - footer).toBeLessThan((store.objects.get(key as string) as Uint8Array).byteLength / 10);
  });

  test('comes back as it was read: no metric that was not asked for, no point that was not there', async () => {
    const { minutes } = await read(store, [volumes[7]?.resourceId as string]);
    expect([...(minutes[0]?.metrics.keys() ?? [])]).toEqual(['VolumeReadOps', 'VolumeWriteBytes']);
    expect(minutes[0]?.arn).toBe(volumes[7]?.arn);
  });
});

test('a series comes back as CloudWatch gave it: its gaps are gaps, its zeros zeros', async () => {
  const store = new MemoryStore();
  const queue = {
    periodSeconds: 60,
    epochSeconds: times.filter((_, i) => i % 3 > 0),
    values: new Float64Array(960).fill(0.1),
  };
  const balance = {
    periodSeconds: 300,
    epochSeconds: times.filter((_, i) => i % 5 === 0),
    values: new Float64Array(288),
  };
  const set = new Map<MetricName, typeof queue>([
    ['VolumeQueueLength', queue],
    ['BurstBalance', balance],
  ]);
  await archived(store, [minutesOf({ resourceType: 'volume', resourceId: 'vol-1', arn: null }, set)]);
  const [minutes] = (await read(store, ['vol-1'])).minutes as [ResourceMinutes];
  expect(seriesOf(minutes, 'VolumeQueueLength')).toEqual(queue);
  expect(seriesOf(minutes, 'BurstBalance')).toEqual(balance);
  expect(seriesOf(minutes, 'VolumeReadOps')).toBeNull();
});

test('each metric keeps the values that it can have, to the last digit', async () => {
  // The most of one volume in a minute (256,000 IOPS, 4,000 MiB/s) and of an instance in five (400,000 IOPS).
  const most: Partial<Record<MetricName, number>> = {
    VolumeReadOps: 256_000 * 60,
    VolumeReadBytes: 4_000 * 1_048_576 * 60,
    EBSReadOps: 400_000 * 300,
    VolumeTotalReadTime: 12.345_678_9,
    VolumeQueueLength: 0.1,
    BurstBalance: 99.87,
    'EBSIOBalance%': 0.01,
  };
  const checks: MetricName[] = metricNames.filter((metric) => metricColumns[metric].type === 'FLOAT');
  for (const check of checks) most[check] = 5;
  const store = new MemoryStore();
  const metrics = new Map(metricNames.map((metric) => [metric, Float64Array.of(most[metric] ?? 1 / 3)]));
  const one = { ...volume(1, []), epochSeconds: Float64Array.of(start), metrics };
  await archived(store, [one]);
  expect((await read(store, [one.resourceId])).minutes[0]?.metrics).toEqual(metrics);
  // As FLOAT the second and third would be others.
  expect(checks).toHaveLength(5);
  expect(Math.fround(400_000 * 300 + 1)).not.toBe(400_000 * 300 + 1);
});

test('what evaluation says of a minute is kept beside its points, and replaced by what it says later', async () => {
  const store = new MemoryStore();
  const points = volume(1, ['VolumeReadOps']);
  await archived(store, [points]);
  const said = (status: string, cause: string | null): ResourceMinutes => ({
    ...points,
    epochSeconds: Float64Array.of(start, start + 60),
    metrics: new Map(),
    evaluation: { status: [status, null], cause: [cause, null], limit_scope: [null, null] },
  });
  await archived(store, [said('throttled', 'iops')], 2);
  await archived(store, [said('normal', null)], 3);
  const [minutes] = (await read(store, [points.resourceId])).minutes as [ResourceMinutes];
  expect(minutes.evaluation?.status.slice(0, 3)).toEqual(['normal', null, null]);
  expect(minutes.evaluation?.cause.slice(0, 3)).toEqual([null, null, null]);
  expect(minutes.metrics).toEqual(points.metrics);
});

describe('files of other versions', () => {
  const older = (extra: { name: string; data: unknown[]; type: 'DOUBLE' }[] = []) =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'resource_type', data: ['volume'], type: 'STRING' },
          { name: 'resource_id', data: ['vol-1'], type: 'STRING' },
          { name: 'minute', data: [new Date(start * 1_000)], type: 'TIMESTAMP' },
          { name: 'volume_read_ops', data: [5], type: 'DOUBLE' },
          ...(extra as []),
        ],
      }),
    );
  const opened = async (bytes: Uint8Array) => {
    const store = new MemoryStore(new Map([['file', bytes]]));
    return openMetrics((await store.open('file')) as never);
  };

  test('an older one has no column of a newer metric: that metric is unknown there, the others are read', async () => {
    const found: ResourceMinutes[] = [];
    for await (const one of (await opened(older())).resources(everything)) found.push(one);
    expect(found).toEqual([
      {
        resourceType: 'volume',
        resourceId: 'vol-1',
        arn: null,
        epochSeconds: Float64Array.of(start),
        metrics: new Map([['VolumeReadOps', Float64Array.of(5)]]),
        evaluation: null,
      },
    ]);
  });

  test('a newer one has a column that is not known here: it is named, so that nobody writes the file without it', async () => {
    const file = await opened(older([{ name: 'volume_new_metric', data: [1], type: 'DOUBLE' }]));
    expect(file.unknownColumns()).toEqual(['volume_new_metric']);
  });

  test('such a file that is staged stays staged, and is named: its points wait for the newer version', async () => {
    const store = new MemoryStore();
    await stage(store, target, 'run', {
      ...{ name: 'batch', readAtSeconds: 1 },
      reads: [
        { fromSeconds: start, endSeconds: start + 60, metrics: ['VolumeReadOps'], resourceIds: ['vol-1'] },
      ],
      minutes: [],
    });
    const [key = ''] = [...store.objects.keys()];
    store.objects.set(key, older([{ name: 'volume_new_metric', data: [1], type: 'DOUBLE' }]));
    const { written, broken } = await commit(store, target);
    const reason = expect.stringContaining(
      'a newer version of stripewise wrote its column volume_new_metric; deploy that version again',
    );
    expect([written, broken, [...store.objects.keys()]]).toEqual([[], [{ key, reason }], [key]]);
  });
});

describe('a day with a broken file', () => {
  const volumes = Array.from({ length: 300 }, (_, n) => ({
    ...volume(n, ['VolumeReadOps']),
    epochSeconds: times.slice(0, 2),
    metrics: new Map([['VolumeReadOps', Float64Array.of(n, n)] as const]),
  }));
  const ids = volumes.map(({ resourceId }) => resourceId);
  const damages: [string, (bytes: Uint8Array) => Uint8Array][] = [
    ['cut', (bytes) => bytes.subarray(0, bytes.byteLength / 2)],
    ['empty', () => new Uint8Array()],
    ['no Parquet', () => new TextEncoder().encode('{"Messages": []}'.repeat(9))],
    [
      'of other columns',
      () => new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'a', data: [1], type: 'INT32' }] })),
    ],
    ['damaged in its middle', (bytes) => bytes.map((byte, i) => (i > 10 && i < 2_000 ? 255 : byte))],
  ];
  for (const [what, damage] of damages) {
    test(`one of two files is ${what}: it is named, and the 150 volumes of the other are read`, async () => {
      const store = new MemoryStore();
      await archived(store, volumes);
      const [first, second] = (await store.list('history/metrics/')) as [string, string];
      store.objects.set(first, Uint8Array.from(damage(store.objects.get(first) as Uint8Array)));
      const { minutes, broken } = await read(store, ids);
      expect(minutes.map(({ resourceId }) => resourceId)).toEqual(ids.slice(150));
      expect(broken).toEqual([
        { key: first, reason: expect.stringContaining(`${first}: cannot be read as Parquet`) },
      ]);
      expect(second).toMatch(new RegExp(`/0002-${ids[150]}\\.parquet$`));
    });
  }
});

describe('in a directory', () => {
  const path = mkdtempSync(join(tmpdir(), 'archive-'));
  afterAll(() => rmSync(path, { recursive: true }));
  const store = new ArchiveDirectory(path);

  test('it is what it is in memory: the same keys, the same rows, and no part is left behind', async () => {
    const memory = new MemoryStore();
    const volumes = [volume(1, ['VolumeReadOps']), volume(2, ['VolumeReadOps'])];
    for (const one of [store, memory]) await archived(one, volumes);
    expect(await store.list('')).toEqual(await memory.list(''));
    const ids = volumes.map(({ resourceId }) => resourceId);
    expect((await read(store, ids)).minutes).toEqual((await read(memory, ids)).minutes);
    expect(readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith('.part'))).toEqual(
      [],
    );
  });

  test('a put on a condition is refused where the condition is not met, and changes nothing', async () => {
    const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
    expect(await store.put('a/b', one, { isNew: true })).toBe(true);
    const opened = await store.open('a/b');
    expect(await store.put('a/b', other, { isNew: true })).toBe(false);
    expect(await store.put('a/b', other, { etag: 'another' })).toBe(false);
    expect(new Uint8Array((await opened?.slice(0)) as ArrayBuffer)).toEqual(one);
    expect(await store.put('a/b', other, { etag: opened?.etag as string })).toBe(true);
    await expect(opened?.slice(0)).rejects.toThrow('was replaced while it was read');
  });

  test('a file that is being written is no object', async () => {
    const writer = new MetricsWriter();
    await store.put('c/d.parquet.123.part', writer.finish(), null);
    expect(await store.list('c/')).toEqual([]);
  });
});
