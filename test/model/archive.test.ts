/**
 * The archive against a small model: readings are staged and committed, stopped at each change of the store and begun again. After each
 * stop a plain glob counts the rows: nothing that was committed is lost, nothing is there twice, nothing is there that nobody read.
 */
import { parquetReadObjects } from 'hyparquet';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { commit, stage } from '../../adapters/archive/commit.ts';
import { readManifest } from '../../adapters/archive/read-manifest.ts';
import { readMinutes } from '../../adapters/archive/read-minutes.ts';
import { MetricsWriter } from '../../adapters/archive/write-metrics.ts';
import { dayOf, dayStart, metricsPrefix } from '../../core/archive/keys.ts';
import type { ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { Unavailable } from '../../core/errors.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { MemoryStore, Stopped } from '../adapters/archive/memory-store.ts';

const target = { account: '111122223333', region: 'us-east-1' };
const metrics: MetricName[] = ['VolumeReadOps', 'VolumeQueueLength', 'VolumeIOPSExceededCheck'];
const columns = ['volume_read_ops', 'volume_queue_length', 'volume_iops_exceeded_check'];

/** `id minute` and the three metrics, null where there is no point. */
type Rows = Map<string, (number | null)[]>;

/** What a query over `history/metrics/**` sees, read by the library alone. */
async function globbed(store: MemoryStore): Promise<{ rows: Rows; count: number }> {
  const rows: Rows = new Map();
  let count = 0;
  for (const key of await store.list(metricsPrefix)) {
    const file = Uint8Array.from(store.objects.get(key) as Uint8Array).buffer;
    for (const row of await parquetReadObjects({ file })) {
      count++;
      const minute = (row['minute'] as Date).getTime() / 1_000;
      rows.set(
        `${row['resource_id']} ${minute}`,
        columns.map((column) => (row[column] ?? null) as number | null),
      );
    }
  }
  return { rows, count };
}

interface Reading {
  readAtSeconds: number;
  minutes: ResourceMinutes[];
}

const keyOf = (id: string, time: number): string => `${id} ${time}`;

/** What must be there of readings: of each point the last that was read, and never a gap where there was a point. */
function expectedOf(readings: readonly Reading[]): Rows {
  const rows: Rows = new Map();
  for (const { minutes } of [...readings].sort((a, b) => a.readAtSeconds - b.readAtSeconds)) {
    for (const one of minutes) {
      one.epochSeconds.forEach((time, i) => {
        const key = keyOf(one.resourceId, time);
        const row = rows.get(key) ?? metrics.map(() => null);
        metrics.forEach((metric, column) => {
          const value = one.metrics.get(metric)?.[i];
          if (value !== undefined && !Number.isNaN(value)) row[column] = value;
        });
        rows.set(key, row);
      });
    }
  }
  return rows;
}

/** Each point of the one is in the other. */
function isWithin(part: Rows, whole: Rows, isSame: (a: number, b: number) => boolean): boolean {
  for (const [key, row] of part) {
    const other = whole.get(key);
    if (other === undefined) return false;
    for (let i = 0; i < row.length; i++) {
      const [a, b] = [row[i], other[i]];
      if (a !== null && (b === null || !isSame(a as number, b as number))) return false;
    }
  }
  return true;
}

const sorted = (rows: Rows): [string, (number | null)[]][] => [...rows].sort(([a], [b]) => (a < b ? -1 : 1));

/** Two days of November and two of December: a month ends in between. */
const firstDay = dayStart('2026-11-29');
const days = 4;
const daySeconds = 86_400;

function randomReadings(seed: number, ids: readonly string[], count: number): Reading[] {
  const random = xoroshiro128plus(seed);
  const upTo = (most: number): number => uniformInt(random, 0, most);
  return Array.from({ length: count }, (_, n) => {
    const first = upTo(days - 1);
    const last = Math.min(days - 1, first + upTo(1));
    const minutes = ids
      .filter(() => upTo(3) > 0)
      .map((resourceId): ResourceMinutes => {
        // Minutes 10 to 13 of each day: a later reading meets points of an earlier one.
        const epochSeconds = Float64Array.from(
          Array.from({ length: last - first + 1 }, (_, day) => first + day).flatMap((day) =>
            [10, 11, 12, 13]
              .filter(() => upTo(2) > 0)
              .map((minute) => firstDay + day * daySeconds + minute * 60),
          ),
        );
        const values = () => epochSeconds.map(() => (upTo(2) === 0 ? Number.NaN : upTo(9)));
        const read = new Map(
          metrics.filter((_, i) => i === 0 || upTo(1) > 0).map((metric) => [metric, values()]),
        );
        // A row has a point.
        read.set(
          'VolumeReadOps',
          epochSeconds.map(() => 1 + upTo(9)),
        );
        return {
          resourceType: 'volume',
          resourceId,
          arn: null,
          epochSeconds,
          metrics: read,
          evaluation: null,
        };
      })
      .filter(({ epochSeconds }) => epochSeconds.length > 0);
    return { readAtSeconds: 1_000 + n, minutes };
  });
}

const stageReading = (store: MemoryStore, reading: Reading, name: string): Promise<void> =>
  stage(store, target, 'run', {
    name,
    readAtSeconds: reading.readAtSeconds,
    reads: [
      {
        fromSeconds: firstDay,
        endSeconds: firstDay + days * daySeconds,
        metrics,
        resourceIds: reading.minutes.map(({ resourceId }) => resourceId),
      },
    ],
    minutes: reading.minutes,
  });

const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `vol-${String((i * 7919) % 100_003).padStart(17, '0')}`);

/** Stops at each change, before and after it is made; then it is begun again and must come to the same. */
async function stoppedEverywhere(before: MemoryStore, expected: Rows): Promise<number> {
  const whole = new MemoryStore(before.objects);
  await commit(whole, target);
  const kept = (await globbed(before)).rows;
  let stops = 0;
  for (let change = 0; change < whole.changes; change++) {
    for (const isMade of [false, true]) {
      const store = new MemoryStore(before.objects);
      store.stopAt = { change, isMade };
      await expect(commit(store, target)).rejects.toThrow(Stopped);
      const seen = await globbed(store);
      expect(seen.count).toBe(seen.rows.size);
      expect(isWithin(kept, seen.rows, () => true)).toBe(true);
      expect(isWithin(seen.rows, expected, () => true)).toBe(true);
      store.stopAt = null;
      await commit(store, target);
      const after = await globbed(store);
      expect(after.count).toBe(expected.size);
      expect(sorted(after.rows)).toEqual(sorted(expected));
      stops++;
    }
  }
  return stops;
}

const scenarios = [
  { kept: 'month', volumes: 3, readings: 5, seeds: [1, 2, 3] },
  { kept: 'day', volumes: 40, readings: 3, seeds: [4, 5] },
  { kept: 'day', volumes: 340, readings: 2, seeds: [6] },
] as const;

for (const { kept, volumes, readings: count, seeds } of scenarios) {
  for (const seed of seeds) {
    test(`${volumes} volumes kept by ${kept}, ${count} readings, seed ${seed}: after each stop each row is there once, and begun again all are`, async () => {
      const ids = idsOf(volumes);
      const readings = randomReadings(seed, ids, count);
      const store = new MemoryStore();
      const done: Reading[] = [];
      let stops = 0;
      for (const [n, reading] of readings.entries()) {
        await stageReading(store, reading, `batch-${n}`);
        done.push(reading);
        const expected = expectedOf(done);
        stops += await stoppedEverywhere(store, expected);
        // Time is over after each day, or month: what is not put yet stays staged.
        for (let calls = 0; ; calls++) {
          const { isWhole } = await commit(store, target, { mayGoOn: () => false });
          const part = await globbed(store);
          expect(part.count).toBe(part.rows.size);
          if (isWhole) break;
          expect(calls).toBeLessThan(days);
        }
        const seen = await globbed(store);
        expect(seen.count).toBe(expected.size);
        expect(sorted(seen.rows)).toEqual(sorted(expected));
      }
      // Each commit changes at least a manifest, an object, and the stage; each is stopped before and after.
      expect(stops).toBeGreaterThanOrEqual(count * 3 * 2);
      const { layout } = (await readManifest(store, '2026-11-30', target)) ?? {};
      expect(layout?.kept).toBe(kept);
    });
  }
}

/** One point of each volume at each time, whose figure is when it was read. */
const aPointOf = (ids: readonly string[], times: readonly number[], readAtSeconds: number): Reading => ({
  readAtSeconds,
  minutes: ids.map(
    (resourceId): ResourceMinutes => ({
      ...{ resourceType: 'volume', resourceId, arn: null, epochSeconds: Float64Array.from(times) },
      metrics: new Map([['VolumeReadOps', Float64Array.from(times, () => readAtSeconds)]]),
      evaluation: null,
    }),
  ),
});

test('a reading of few volumes does not touch the objects of others, and the day counts all its rows', async () => {
  const store = new MemoryStore();
  const ids = idsOf(600);
  await stageReading(store, aPointOf(ids, [firstDay], 1_000), 'all');
  await commit(store, target);
  const day = dayOf(firstDay);
  const before = await readManifest(store, day, target);
  expect(before?.objects).toHaveLength(3);
  store.reads = [];
  await stageReading(store, aPointOf(ids.slice(0, 1), [firstDay], 2_000), 'one');
  const { written } = await commit(store, target);
  expect(written).toEqual([before?.objects[0]?.key]);
  const opened = new Set(store.reads.map(({ key }) => key).filter((key) => key.startsWith(metricsPrefix)));
  expect([...opened]).toEqual(written);
  const after = await readManifest(store, day, target);
  expect([after?.rows, after?.objects.length]).toEqual([600, 3]);
});

test('days of 20, 21 and 20 volumes lie in a month, a day and the month again: the minutes of a volume stay in order', async () => {
  const store = new MemoryStore();
  const days = [0, 1, 2].map((n) => firstDay - 10 * daySeconds + n * daySeconds);
  for (const [n, day] of days.entries()) {
    await stageReading(store, aPointOf(idsOf(n === 1 ? 21 : 20), [day, day + 60], 1_000 + n), `run-${n}`);
    await commit(store, target);
  }
  expect(await store.list(metricsPrefix)).toHaveLength(2);
  const { minutes } = await readMinutes(store, target, {
    ...{ fromSeconds: days[0] as number, endSeconds: (days[2] as number) + daySeconds },
    ...{ resourceIds: idsOf(1), metrics: ['VolumeReadOps'], evaluation: true },
  });
  expect(Array.from(minutes[0]?.epochSeconds ?? [])).toEqual(days.flatMap((day) => [day, day + 60]));
  expect(Array.from(minutes[0]?.metrics.get('VolumeReadOps') ?? [])).toEqual(
    [0, 1, 2].flatMap((n) => [1_000 + n, 1_000 + n]),
  );
});

test('what was read of another metric, without a point, leaves the rows of the day as they are', async () => {
  const store = new MemoryStore();
  await stageReading(store, aPointOf(idsOf(1), [firstDay, firstDay + 60], 1_000), 'first');
  await commit(store, target);
  await stageReading(store, { ...aPointOf(idsOf(1), [firstDay], 2_000), minutes: [] }, 'none');
  await commit(store, target);
  expect((await readManifest(store, dayOf(firstDay), target))?.rows).toBe(2);
});

test('a first reading of few volumes of many is kept by day: the month of all would be too large', async () => {
  const [reading] = randomReadings(11, idsOf(5), 1) as [Reading];
  const store = new MemoryStore();
  await stageReading(store, reading, 'batch');
  let asked = 0;
  const discoveredIds = async (): Promise<string[]> => {
    asked++;
    return idsOf(300);
  };
  await commit(store, target, { discoveredIds });
  expect((await readManifest(store, '2026-11-30', target))?.layout.kept).toBe('day');
  expect(asked).toBe(1);
});

test('where time is over and the first day cannot be put, the next call would come no further', async () => {
  const store = new MemoryStore();
  const [older, newer] = [firstDay, firstDay + daySeconds];
  await stageReading(store, aPointOf(idsOf(30), [older, newer], 1_000), 'batch');
  await commit(store, target);
  const [, newest = ''] = await store.list(metricsPrefix);
  store.objects.set(newest, new Uint8Array([1, 2, 3]));
  await stageReading(store, aPointOf(idsOf(30), [older, newer], 2_000), 'again');
  const calls = [];
  do calls.push(await commit(store, target, { mayGoOn: () => false }));
  while (calls.length < 10 && calls.at(-1)?.isWhole === false);
  // Two days after them were read and have no points: the first two calls put these.
  expect(calls).toHaveLength(3);
  expect(calls[2]).toMatchObject({ written: [], broken: [{ key: newest }] });
  // With time the day beside it is put all the same.
  const { written, broken } = await commit(store, target);
  expect(written).toHaveLength(1);
  expect(broken).toMatchObject([{ key: newest }]);
});

test('the same reading again changes nothing: 4 removals from the stage, one a day, and no put', async () => {
  const [reading] = randomReadings(11, idsOf(5), 1) as [Reading];
  const store = new MemoryStore();
  await stageReading(store, reading, 'batch');
  await commit(store, target);
  const before = new Map(store.objects);
  await stageReading(store, reading, 'batch');
  const changes = store.changes;
  const committed = await commit(store, target);
  expect(committed.written).toEqual([]);
  expect(store.changes - changes).toBe(4);
  expect(store.objects).toEqual(before);
});

test('a reading that was committed late gives way to a newer one, and fills what that left open', async () => {
  const store = new MemoryStore();
  const at = (readAtSeconds: number, ops: number[]): Reading => ({
    readAtSeconds,
    minutes: [
      {
        resourceType: 'volume',
        resourceId: 'vol-1',
        arn: null,
        epochSeconds: Float64Array.from([firstDay, firstDay + 60]),
        metrics: new Map([['VolumeReadOps', Float64Array.from(ops)]]),
        evaluation: null,
      },
    ],
  });
  await stageReading(store, at(2_000, [20, Number.NaN]), 'newer');
  await commit(store, target);
  await stageReading(store, at(1_000, [10, 11]), 'older');
  await commit(store, target);
  expect((await globbed(store)).rows).toEqual(
    new Map([
      [keyOf('vol-1', firstDay), [20, null, null]],
      [keyOf('vol-1', firstDay + 60), [11, null, null]],
    ]),
  );
});

test('two that commit at once: who comes second reads again, and both readings are there', async () => {
  const [one, other] = randomReadings(21, idsOf(30), 2) as [Reading, Reading];
  const store = new MemoryStore();
  await stageReading(store, one, 'one');
  const slow = commit(store, target);
  await stageReading(store, other, 'other');
  // What one of them has committed and removed, the other may find missing: it is called again.
  for (const outcome of await Promise.allSettled([slow, commit(store, target)])) {
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Unavailable);
  }
  await commit(store, target);
  const expected = expectedOf([one, other]);
  const seen = await globbed(store);
  expect(seen.count).toBe(expected.size);
  expect(sorted(seen.rows)).toEqual(sorted(expected));
});

test('a file that is cut is named; its day waits on the stage, the other days are committed', async () => {
  const [reading] = randomReadings(31, idsOf(30), 1) as [Reading];
  const day = dayOf(reading.minutes[0]?.epochSeconds[0] as number);
  const store = new MemoryStore();
  await stageReading(store, reading, 'batch');
  const whole = new MemoryStore(store.objects);
  await commit(whole, target);
  const [key] = await whole.list(`${metricsPrefix}day=${day}/`);
  const bytes = whole.objects.get(key as string) as Uint8Array;
  store.objects.set(key as string, bytes.subarray(0, bytes.byteLength - 100));
  const { broken } = await commit(store, target);
  expect(broken).toEqual([
    { key, reason: expect.stringMatching(/cannot be read as Parquet.*; remove it, or put it back whole$/) },
  ]);
  store.objects.delete(key as string);
  expect((await commit(store, target)).broken).toEqual([]);
  expect(sorted((await globbed(store)).rows)).toEqual(sorted(expectedOf([reading])));
});

test('FLOAT is for whole numbers below 2^24: another check is refused, not rounded', () => {
  const writer = new MetricsWriter();
  writer.add({
    resourceType: 'volume',
    resourceId: 'vol-1',
    arn: null,
    epochSeconds: Float64Array.of(firstDay),
    metrics: new Map([['VolumeIOPSExceededCheck', Float64Array.of(0.1)]]),
    evaluation: null,
  });
  expect(() => writer.finish()).toThrow(
    'vol-1: VolumeIOPSExceededCheck of 0.1 cannot be kept as it is: give whole numbers below 2^24, as the Sum of CloudWatch has them',
  );
});
