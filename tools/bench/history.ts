/** Questions to an archive: a year of one volume from the local S3, and throttled minutes of a fleet in a quarter by SQL. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { ArchiveBucket } from '../../adapters/archive/bucket.ts';
import { ArchiveDirectory } from '../../adapters/archive/directory.ts';
import type { ArchiveStore } from '../../adapters/archive/store.ts';
import { MetricsWriter } from '../../adapters/archive/write-metrics.ts';
import { chooseLayout, dayOf, dayStart, manifestKey, type Slot, slotsOf } from '../../core/archive/keys.ts';
import type { Manifest } from '../../core/archive/manifest.ts';
import type { ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import type { MetricName } from '../../core/load/metrics.ts';
import { secondsPerDay } from '../../core/units.ts';
import { freePort, plainEnvironment, startProcess } from '../../local/processes.ts';
import { ensurePython } from '../../local/python.ts';
import { archivedTarget as target } from './archive.ts';
import type { Measure } from './measure.ts';
import { medianOf } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const firstDay = dayStart('2025-12-01');
const minutesADay = 1_440;
const metrics: readonly MetricName[] = [
  ...(['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes'] as const),
  ...(['VolumeQueueLength', 'VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const),
];

const idOf = (n: number): string => `vol-${n.toString(16).padStart(17, '0')}`;

/** A day of a volume, the same each day: what is measured is reading. One of twenty is throttled in an hour of it. */
function dayOfVolume(n: number): { values: Map<MetricName, Float64Array>; status: (string | null)[] } {
  const random = xoroshiro128plus(n);
  const usual = 1 + (n % 20) * 25;
  const operations = Float64Array.from({ length: minutesADay }, (_, i) =>
    Math.round(60 * usual * (0.5 + uniformFloat64(random) + Math.sin(i / 229))),
  ).map((value) => Math.max(0, value));
  const isThrottled = (i: number): boolean => n % 20 === 0 && i >= 600 && i < 660;
  const writes = operations.map((value) => Math.round(value / 3));
  return {
    values: new Map<MetricName, Float64Array>([
      ['VolumeReadOps', operations],
      ['VolumeWriteOps', writes],
      ['VolumeReadBytes', operations.map((value) => value * 16_384)],
      ['VolumeWriteBytes', writes.map((value) => value * 16_384)],
      ['VolumeQueueLength', operations.map((value) => Math.round(value / 60) / 1_000)],
      ['VolumeIOPSExceededCheck', operations.map((_, i) => (isThrottled(i) ? 1 : 0))],
      ['VolumeThroughputExceededCheck', operations.map(() => 0)],
    ]),
    status: Array.from(operations, (_, i) => (isThrottled(i) ? 'throttled' : 'normal')),
  };
}

const repeated = (values: Float64Array, times: number): Float64Array => {
  const all = new Float64Array(values.length * times);
  for (let i = 0; i < times; i++) all.set(values, i * values.length);
  return all;
};

/** Writes days of a fleet as a commit would leave them, without staging them. */
async function writeFleet(store: ArchiveStore, volumes: number, days: number): Promise<void> {
  const ids = Array.from({ length: volumes }, (_, n) => idOf(n));
  const layout = chooseLayout(ids);
  const made = ids.map((_, n) => dayOfVolume(n));
  const daysOfSlot = new Map<string, { slot: Slot; days: number[] }>();
  for (let n = 0; n < days; n++) {
    const fromSeconds = firstDay + n * secondsPerDay;
    const day = dayOf(fromSeconds);
    for (const slot of slotsOf(day, target, layout)) {
      const found = daysOfSlot.get(slot.key) ?? { slot, days: [] };
      found.days.push(fromSeconds);
      daysOfSlot.set(slot.key, found);
    }
    const read = { fromSeconds, endSeconds: fromSeconds + secondsPerDay, metrics: [...metrics] };
    const manifest: Manifest = {
      ...{ version: 1, day, ...target, layout, objects: [], rows: volumes * minutesADay },
      ...{ metrics: [...metrics], reads: [{ ...read, resourceIds: ids }] },
      watermarkSeconds: read.endSeconds,
    };
    await store.put(manifestKey(day, target), new TextEncoder().encode(JSON.stringify(manifest)), null);
  }
  for (const { slot, days: own } of daysOfSlot.values()) {
    const writer = new MetricsWriter();
    for (const [n, resourceId] of ids.entries()) {
      if (resourceId < slot.firstId || (slot.endId !== null && resourceId >= slot.endId)) continue;
      const { values, status } = made[n] as (typeof made)[number];
      const none = new Array<null>(own.length * minutesADay).fill(null);
      const minutes: ResourceMinutes = {
        ...{ resourceType: 'volume', resourceId, arn: null },
        epochSeconds: Float64Array.from(
          own.flatMap((start) => Array.from({ length: minutesADay }, (_, i) => start + i * 60)),
        ),
        metrics: new Map([...values].map(([metric, ofDay]) => [metric, repeated(ofDay, own.length)])),
        evaluation: { status: own.flatMap(() => status), cause: none, limit_scope: none },
      };
      writer.add(minutes);
    }
    await store.put(slot.key, writer.finish(), null);
  }
}

const running = (words: readonly string[], env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bin/stripewise.ts'), ...words], {
      env: { ...plainEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (text) => (out += text));
    child.on('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`${words.join(' ')}: ${code}`)),
    );
  });

/** Seconds of the whole command, its start included. */
async function secondsOf(
  words: readonly string[],
  env: Record<string, string>,
  isRight: (answer: never) => boolean,
): Promise<number[]> {
  const seconds: number[] = [];
  for (let run = 0; run < 3; run++) {
    const start = process.hrtime.bigint();
    const answer = JSON.parse(await running([...words, '--json'], env));
    seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
    if (!isRight(answer as never)) throw new Error(`${words.join(' ')}: not the answer`);
  }
  return seconds;
}

const daysAYear = 365;
const hasYear = ({ minutesWithPoints }: { minutesWithPoints: number }): boolean =>
  minutesWithPoints === daysAYear * minutesADay;

/** Of a target whose days are kept by month, and of one that keeps an object a day. */
export async function historyVolumeYear(): Promise<Measure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-bench-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const server = await startProcess({
    command: await ensurePython({ root, say: (line) => console.error(line) }),
    args: [join(root, 'local/ministack/launch.py'), '--patches', 'all'],
    env: {
      ...plainEnvironment(),
      ...{ TMPDIR: directory, STATE_DIR: join(directory, 'state'), BIND_HOST: '127.0.0.1' },
      ...{ GATEWAY_PORT: new URL(url).port, MINISTACK_REGION: 'us-east-1', SFTP_ENABLED: '0' },
      ...{ MINISTACK_ACCOUNT_ID: target.account, IOT_MTLS_ENABLED: '0' },
    },
    readyUrl: `${url}/_ministack/health`,
    logFile: join(directory, 'ministack.log'),
  });
  const keys = { AWS_ACCESS_KEY_ID: target.account, AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'us-east-1' };
  const client = new S3Client({
    ...{ region: 'us-east-1', endpoint: url, forcePathStyle: true },
    credentials: { accessKeyId: target.account, secretAccessKey: 'test' },
  });
  try {
    const measures: Measure[] = [];
    for (const [name, volumes] of [
      ['history-volume-year-seconds', 20],
      ['history-volume-year-seconds-by-day', 100],
    ] as const) {
      await client.send(new CreateBucketCommand({ Bucket: name }));
      await writeFleet(new ArchiveBucket(client, name), volumes, daysAYear);
      const words = ['history', 'volume', idOf(7), '--archive', `s3://${name}`];
      const { value, spread } = medianOf(
        await secondsOf(words, { ...keys, AWS_ENDPOINT_URL_S3: url }, hasYear),
        2,
      );
      const conditions = `525,600 rows of one of ${volumes} volumes, from the local S3, the start of the command included; ${spread}`;
      measures.push({ name, value, unit: 's', conditions });
    }
    return measures;
  } finally {
    client.destroy();
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const fleet = { volumes: 1_000, days: 91 };
const weekly = `SELECT date_trunc('week', hour) AS week, volume_id, sum(throttled_minutes) AS minutes
FROM volume_hours GROUP BY 1, 2 HAVING sum(throttled_minutes) > 0`;
/** What it asks for, straight from the minutes. */
const weeklyOfMinutes = `SELECT date_trunc('week', minute) AS week, resource_id, count(*) AS minutes
FROM minutes WHERE status = 'throttled' GROUP BY 1, 2`;

/** Kept between runs: making it takes minutes. */
export async function historyFleetQuarter(): Promise<Measure[]> {
  const directory = join(root, '.bench/fleet-quarter');
  if (!existsSync(join(directory, 'whole'))) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    await writeFleet(new ArchiveDirectory(directory), fleet.volumes, fleet.days);
    writeFileSync(join(directory, 'whole'), '');
  }
  // One of twenty volumes is throttled an hour a day.
  const isRight = ({ rows }: { rows: [string, string, number][] }): boolean =>
    rows.reduce((sum, [, , minutes]) => sum + minutes, 0) === (fleet.volumes / 20) * fleet.days * 60;
  const measures: Measure[] = [];
  for (const [name, sql, view] of [
    ['history-fleet-quarter-seconds', weeklyOfMinutes, 'minutes'],
    ['history-fleet-quarter-seconds-by-hour', weekly, 'volume_hours'],
  ] as const) {
    const words = ['history', 'sql', sql, '--archive', directory];
    const { value, spread } = medianOf(await secondsOf(words, {}, isRight), 2);
    const conditions = `throttled minutes a week and volume, 131 million rows of 1,000 volumes, from ${view} by DuckDB; ${spread}`;
    measures.push({ name, value, unit: 's', conditions });
  }
  return measures;
}
