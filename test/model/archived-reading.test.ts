/**
 * Runs that read for the archive, against a small model of CloudWatch: points that never come, points that come late, days without
 * a run, volumes that cannot be read, runs that stop before they commit. In the end the archive has each point that a run could have
 * read, once, and no other.
 */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { manifestsOf } from '../../adapters/archive/archived-targets.ts';
import { commit, stage } from '../../adapters/archive/commit.ts';
import { everything, openMetrics } from '../../adapters/archive/open-metrics.ts';
import { readMinutes } from '../../adapters/archive/read-minutes.ts';
import { metricsPrefix } from '../../core/archive/keys.ts';
import { archivedQueries, readableFrom } from '../../core/archive/reading-plan.ts';
import { type AuditBatch, archivedPlan } from '../../core/audit/batches.ts';
import { MetricCollector, type MetricQuery, settleSeconds } from '../../core/load/metrics.ts';
import { archivedReads } from '../../lambdas/discover-volumes/archived.ts';
import { ArchivedReading } from '../../lambdas/evaluate-batch/archived-reading.ts';
import { MemoryStore } from '../adapters/archive/memory-store.ts';
import { aVolume } from '../fixtures/inventory.ts';

const target = { account: '111122223333', region: 'us-east-1' };
const begin = Date.parse('2026-10-20T00:00:00Z') / 1_000;
const daySeconds = 86_400;
/** A point each so often: fewer to compare. */
const stepSeconds = 600;

/** The same for the same point, whoever asks. */
function hash(id: string, seconds: number): number {
  let sum = seconds / 60;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  return sum;
}
const isThere = (id: string, seconds: number): boolean => hash(id, seconds) % 10 !== 0;
/** One in seven is two and a half hours late. */
const cameAt = (id: string, seconds: number): number =>
  seconds + 60 + (hash(id, seconds) % 7 === 0 ? 9_000 : 0);
const figureOf = (id: string, seconds: number): number => 1 + (hash(id, seconds) % 1_000);

interface Run {
  now: number;
  unread: Set<string>;
}

async function runOnce(
  store: MemoryStore,
  batch: AuditBatch,
  { now, unread }: Run,
  name: string,
  /** Volumes that few metrics clear. */
  cleared: readonly string[] = [],
): Promise<number> {
  const plan = archivedPlan({
    ...{ lookbackDays: 2, periodSeconds: 'two-passes', settleSeconds },
    ...{ until: new Date(now * 1_000), now: new Date(now * 1_000) },
  });
  const { reads, startEpochSeconds } = await archivedReads(
    manifestsOf(store, target),
    plan,
    new Date(now * 1_000),
  );
  let points = 0;
  const reading = new ArchivedReading(
    {
      readMinutes: (asked) => readMinutes(store, target, asked),
      stage: (of) => stage(store, target, 'run', of),
    },
    { batch, reads, metrics: 'default', now: new Date(now * 1_000) },
    async (queries, { startEpochSeconds: from, endEpochSeconds: end }, collectorOf) => {
      const names = queries.map(({ resourceId, metric, dimensions }) =>
        JSON.stringify([resourceId, metric, dimensions]),
      );
      expect(new Set(names).size).toBe(names.length);
      for (const query of queries) {
        const { resourceId, metric } = query;
        if (unread.has(resourceId)) collectorOf(query).unread(resourceId, { code: 'conflicting-points' });
        const times: number[] = [];
        for (let at = Math.ceil(from / stepSeconds) * stepSeconds; at < end; at += stepSeconds)
          if (isThere(resourceId, at) && cameAt(resourceId, at) <= now) times.push(at);
        points += times.length;
        collectorOf(query).add(
          resourceId,
          metric,
          times,
          times.map((at) => figureOf(resourceId, at)),
        );
      }
      return { metricsRequested: queries.length, points, incomplete: [] };
    },
  );
  const queue = archivedQueries(batch, 'default').filter(({ metric }) => metric === 'VolumeQueueLength');
  const collector = new MetricCollector(60);
  await reading.readMetrics(queue, { ...plan, startEpochSeconds }, (_: MetricQuery) => collector);
  const evaluations = cleared.map((volumeId) => ({ volumeId, evaluatedBy: 'coarse' as const }));
  await reading.stage(name, evaluations);
  return points;
}

/** "id seconds" of each row a glob sees. */
async function rowsOf(store: MemoryStore): Promise<Map<string, number>> {
  const rows = new Map<string, number>();
  for (const key of await store.list(metricsPrefix)) {
    const object = await store.open(key);
    if (object === null) continue;
    for await (const minutes of (await openMetrics(object)).resources(everything)) {
      const queue = minutes.metrics.get('VolumeQueueLength');
      minutes.epochSeconds.forEach((time, i) => {
        const row = `${minutes.resourceId} ${time}`;
        expect(rows.has(row)).toBe(false);
        rows.set(row, queue?.[i] ?? Number.NaN);
      });
    }
  }
  return rows;
}

test.each([
  { seed: 1, volumes: 3 },
  { seed: 2, volumes: 3 },
  { seed: 3, volumes: 25 },
])(
  'seed $seed, $volumes volumes: nothing lost, nothing twice, nothing made up',
  async ({ seed, volumes }) => {
    const random = xoroshiro128plus(seed);
    const upTo = (most: number): number => uniformInt(random, 0, most);
    const ids = Array.from({ length: volumes }, (_, i) => `vol-${String(i).padStart(17, '0')}`);
    const batch: AuditBatch = {
      volumes: ids.map((volumeId) => aVolume({ volumeId })),
      instances: [],
      published: {},
    };
    const store = new MemoryStore();
    const runs: Run[] = [];
    let now = begin + 20 * daySeconds;
    for (let n = 0; n < 6; n++) {
      const isLast = n === 5;
      const run = { now, unread: new Set(isLast ? [] : ids.filter(() => upTo(4) === 0)) };
      runs.push(run);
      await runOnce(store, batch, run, `batch-${n}`);
      // What a run that stopped has staged is committed by the next one.
      if (isLast || upTo(2) > 0) await commit(store, target);
      now += upTo(3) === 0 ? (3 + upTo(17)) * daySeconds : daySeconds + upTo(7_200) - 3_600;
    }
    const expected = new Map<string, number>();
    for (const { now: at, unread } of runs)
      for (const id of ids) {
        if (unread.has(id)) continue;
        const end = Math.floor((at - settleSeconds) / 60) * 60;
        for (
          let time = Math.ceil(readableFrom(at) / stepSeconds) * stepSeconds;
          time < end;
          time += stepSeconds
        )
          if (isThere(id, time) && cameAt(id, time) <= at) expected.set(`${id} ${time}`, figureOf(id, time));
      }
    const rows = await rowsOf(store);
    expect(rows.size).toBe(expected.size);
    expect(new Map([...rows].sort())).toEqual(new Map([...expected].sort()));
  },
  60_000,
);

test('minutes before the window that is evaluated are kept without a status', async () => {
  const batch: AuditBatch = { volumes: [aVolume()], instances: [], published: {} };
  const store = new MemoryStore();
  const now = begin + 20 * daySeconds;
  const { volumeId } = batch.volumes[0] ?? aVolume();
  // Of 15 days that are read two are evaluated.
  await runOnce(store, batch, { now, unread: new Set() }, 'first', [volumeId]);
  await commit(store, target);
  const windowStart = now - settleSeconds - 2 * daySeconds;
  let [before, within] = [0, 0];
  for (const key of await store.list(metricsPrefix)) {
    const object = await store.open(key);
    if (object === null) continue;
    for await (const minutes of (await openMetrics(object)).resources({ ...everything, evaluation: true }))
      minutes.epochSeconds.forEach((time, i) => {
        const status = minutes.evaluation?.status[i] ?? null;
        expect([time, status]).toEqual([time, time < windowStart ? null : 'ok']);
        if (time < windowStart) before++;
        else within++;
      });
  }
  expect(before).toBeGreaterThan(1_000);
  expect(within).toBeGreaterThan(200);
});

test('a run a day reads 27 hours of each metric, not the 359 that the first run reads', async () => {
  const batch: AuditBatch = { volumes: [aVolume()], instances: [], published: {} };
  const store = new MemoryStore();
  const now = begin + 20 * daySeconds;
  const first = await runOnce(store, batch, { now, unread: new Set() }, 'first');
  await commit(store, target);
  const second = await runOnce(store, batch, { now: now + daySeconds, unread: new Set() }, 'second');
  // 27 of 359 hours; which points are missing differs a little.
  expect(second / first).toBeGreaterThan(0.06);
  expect(second / first).toBeLessThan(0.09);
});
