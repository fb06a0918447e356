/** Days of the archive that are not as they were written, and a volume that is not what it was: what a run makes of them, from what was read to what is kept. */
import { manifestsOf } from '../../../adapters/archive/archived-targets.ts';
import { commit, stage } from '../../../adapters/archive/commit.ts';
import { everything, openMetrics } from '../../../adapters/archive/open-metrics.ts';
import { readMinutes } from '../../../adapters/archive/read-minutes.ts';
import { dayStart, manifestKey, metricsPrefix } from '../../../core/archive/keys.ts';
import type { Manifest } from '../../../core/archive/manifest.ts';
import { isPartial } from '../../../core/audit/audit.ts';
import { archivedPlan } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Volume } from '../../../core/inventory.ts';
import { type MetricName, settleSeconds } from '../../../core/load/metrics.ts';
import { archivedReads } from '../../../lambdas/discover-volumes/archived.ts';
import { ArchivedReading } from '../../../lambdas/evaluate-batch/archived-reading.ts';
import { type EvaluateFrom, evaluateBatch } from '../../../lambdas/evaluate-batch/evaluate-batch.ts';
import { MemoryStore } from '../../adapters/archive/memory-store.ts';
import { anInstance, aVolume } from '../../fixtures/inventory.ts';

const target = { account: '111122223333', region: 'us-east-1' };
const [monday, tuesday, wednesday] = ['2026-11-16', '2026-11-17', '2026-11-18'] as const;
const at = (day: string, hours: number): number => dayStart(day) + hours * 3_600;

const calm = aVolume();
const throttled = aVolume({ volumeId: 'vol-2' });
const bothVolumes = [calm, throttled];
/** From then on vol-2 is a gp2, where it is one at all. */
const changedAt = at(tuesday, 12);

/** CloudWatch has points from Monday on. On Tuesday at nine vol-2 is held at its 3,000 IOPS for 20 minutes. */
function figureOf(id: string, metric: MetricName, time: number): number | null {
  const held = id === throttled.volumeId && time >= at(tuesday, 9) && time < at(tuesday, 9) + 20 * 60;
  if (metric === 'BurstBalance') return time >= changedAt ? 40 : null;
  if (metric === 'VolumeIOPSExceededCheck') return held ? 1 : 0;
  if (metric === 'VolumeQueueLength') return held ? 30 : 0.05;
  if (metric === 'VolumeReadOps') return (held ? 3_000 : 60) * 60;
  if (metric === 'VolumeReadBytes') return (held ? 3_000 : 60) * 60 * 8_192;
  return metric === 'VolumeIdleTime' && !held ? 57 : 0;
}

/** A run as it is deployed: what the archive has, what CloudWatch is asked for beside it, the evaluation, and what is kept of both. */
async function run(store: MemoryStore, nowSeconds: number, volumes: Volume[] = bothVolumes) {
  const now = new Date(nowSeconds * 1_000);
  const plan = archivedPlan({ lookbackDays: 2, periodSeconds: 60, settleSeconds, until: now, now });
  const { reads, startEpochSeconds } = await archivedReads(manifestsOf(store, target), plan, now);
  let askedFrom = nowSeconds;
  const cloudWatch: EvaluateFrom['readMetrics'] = async (queries, when, collectorOf) => {
    for (const query of queries) {
      const { resourceId, metric } = query;
      if (query.namespace !== 'AWS/EBS') continue;
      if (metric !== 'BurstBalance') askedFrom = Math.min(askedFrom, when.startEpochSeconds);
      const points: [number, number][] = [];
      for (
        let time = Math.max(when.startEpochSeconds, at(monday, 0));
        time < when.endEpochSeconds;
        time += 60
      ) {
        const figure = figureOf(resourceId, metric, time);
        if (figure !== null) points.push([time, figure]);
      }
      const [times, figures] = [points.map(([time]) => time), points.map(([, figure]) => figure)];
      collectorOf(query).add(resourceId, metric, times, figures);
    }
    return { metricsRequested: queries.length, points: 0, incomplete: [] };
  };
  const batch = { volumes, instances: [anInstance({ instanceType: 'm6i.4xlarge' })], published: null };
  const archive = new ArchivedReading(
    {
      readMinutes: (asked) => readMinutes(store, target, asked),
      stage: (of) => stage(store, target, 'run', of),
    },
    { batch, reads, metrics: 'default', now },
    cloudWatch,
  );
  const result = await evaluateBatch(
    {
      ...{ runId: 'run', batch, regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
      ...{ plan: { ...plan, startEpochSeconds }, notices: [], incomplete: [] },
      onDiagnosed: archive.onDiagnosed,
    },
    { readMetrics: archive.readMetrics, apiCalls: () => 0 },
  );
  await archive.stage(`batch-${nowSeconds}`, result.volumes);
  const { broken } = await commit(store, target);
  return { result, askedFrom, broken };
}

/** A larger fleet keeps a file a day; with two volumes it would be one a month. */
function keptByDay(): MemoryStore {
  const store = new MemoryStore();
  for (const day of [monday, tuesday, wednesday]) {
    const manifest: Manifest = {
      ...{ version: 1, day, ...target, layout: { kept: 'day', firstIds: [''] } },
      ...{ objects: [], rows: 0, metrics: [], reads: [], watermarkSeconds: null },
    };
    store.objects.set(manifestKey(day, target), new TextEncoder().encode(JSON.stringify(manifest)));
  }
  return store;
}

const fileOf = async (store: MemoryStore, day: string): Promise<string> => {
  const [key, ...others] = await store.list(`${metricsPrefix}day=${day}/`);
  expect(others).toEqual([]);
  return key as string;
};

/** Wednesday at six, after a run on Wednesday at half past midnight: the window begins on Monday at six, less what is not settled. */
async function afterDamage(damage: (store: MemoryStore) => Promise<[key: string, bytes: Uint8Array]>) {
  const store = keptByDay();
  await run(store, at(wednesday, 0.5));
  const [key, bytes] = await damage(store);
  const whole = store.objects.get(key) as Uint8Array;
  store.objects.set(key, Uint8Array.from(bytes));
  return { store, key, whole, ...(await run(store, at(wednesday, 6))) };
}

const found = ({ findings }: Awaited<ReturnType<typeof run>>['result']) =>
  findings.map(({ kind, resource }) => [kind, resource.id]);
const theFinding = [['throttled-volume-iops', throttled.volumeId]];
const minutesOfDay = 1_440;

describe.each([
  ['cut', (bytes: Uint8Array) => bytes.subarray(0, bytes.byteLength / 2)],
  ['no Parquet', () => new TextEncoder().encode('{"Messages": []}'.repeat(9))],
])('a file of a day is %s', (_, damage) => {
  const broken = () =>
    afterDamage(async (store) => {
      const key = await fileOf(store, monday);
      return [key, damage(store.objects.get(key) as Uint8Array)];
    });

  test('it is named, the run is partial, and the volumes are evaluated on the other days', async () => {
    const { result, key } = await broken();
    expect(result.coverage.incomplete).toEqual([
      {
        code: 'archive-file-not-read',
        file: key,
        reason: expect.stringContaining('cannot be read as Parquet'),
      },
    ]);
    expect(isPartial(result)).toBe(true);
    expect(found(result)).toEqual(theFinding);
    // Tuesday and six hours of Wednesday; what was on Monday is unknown, and no zero.
    for (const { knownMinutes, unknownMinutes } of result.volumes) {
      expect(knownMinutes).toBe(minutesOfDay + 6 * 60 - 3);
      expect(unknownMinutes).toBe(18 * 60 + 3);
    }
  });

  test('what is read now is kept all the same; CloudWatch is not asked for the day again', async () => {
    const { store, askedFrom, broken: notKept } = await broken();
    expect(notKept).toEqual([]);
    expect(askedFrom).toBeGreaterThan(at(tuesday, 20));
    expect(await fileOf(store, wednesday)).toContain(`day=${wednesday}/`);
  });
});

test('a manifest that cannot be read is named; its day is read again, and waits on the stage until somebody repairs it', async () => {
  const { store, key, whole, result, askedFrom, broken } = await afterDamage(async () => [
    manifestKey(monday, target),
    new TextEncoder().encode('{"version": 1'),
  ]);
  const named = { file: key, reason: expect.stringContaining('it has not its fields') };
  expect(result.coverage.incomplete).toEqual([{ code: 'archive-file-not-read', ...named }]);
  expect(isPartial(result)).toBe(true);
  expect(found(result)).toEqual(theFinding);
  expect(askedFrom).toBeLessThanOrEqual(at(monday, 0));
  for (const { knownMinutes } of result.volumes) expect(knownMinutes).toBe(2 * minutesOfDay);
  expect(broken).toEqual([{ key, reason: named.reason }]);
  store.objects.set(key, whole);
  expect((await commit(store, target)).broken).toEqual([]);
  expect(isPartial((await run(store, at(wednesday, 7))).result)).toBe(false);
});

test('a volume that became another type at noon: each minute once, what each type has where it was, and what was said then', async () => {
  const store = keptByDay();
  await run(store, at(tuesday, 12.5), [throttled]);
  const gp2 = aVolume({ volumeId: throttled.volumeId, volumeType: 'gp2', iops: 300, throughputMiBps: null });
  const { result, askedFrom } = await run(store, at(wednesday, 0.5), [gp2]);
  expect(result.coverage).toMatchObject({ evaluated: 1, unknown: [], incomplete: [] });
  // Of what both types have, the three hours that were not settled.
  expect(askedFrom).toBeGreaterThan(at(tuesday, 9));
  const object = await store.open(await fileOf(store, tuesday));
  if (object === null) throw new Error('no file of Tuesday');
  const rows: { hour: number; balance: number; status: string | null }[] = [];
  for await (const one of (await openMetrics(object)).resources({ ...everything, evaluation: true })) {
    if (one.resourceType !== 'volume') continue;
    one.epochSeconds.forEach((time, i) => {
      rows.push({
        hour: (time - at(tuesday, 0)) / 3_600,
        balance: one.metrics.get('BurstBalance')?.[i] ?? Number.NaN,
        status: one.evaluation?.status[i] ?? null,
      });
    });
  }
  expect(rows.map(({ hour }) => Math.round(hour * 60))).toEqual(
    Array.from({ length: minutesOfDay }, (_, i) => i),
  );
  expect(rows.map(({ balance }) => balance)).toEqual(rows.map(({ hour }) => (hour < 12 ? Number.NaN : 40)));
  // 20 minutes, evaluated by 3,000 IOPS; a gp2 of 100 GiB has a baseline of 300.
  expect(rows.filter(({ status }) => status === 'throttled').map(({ hour }) => Math.floor(hour))).toEqual(
    Array.from({ length: 20 }, () => 9),
  );
});
