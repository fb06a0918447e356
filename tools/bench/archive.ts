/** What the archive takes: bytes a point, and reading it back against JSON as the AWS CLI prints it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, stage } from '../../adapters/archive/commit.ts';
import { ArchiveDirectory } from '../../adapters/archive/directory.ts';
import { MetricsWriter } from '../../adapters/archive/write-metrics.ts';
import { readInventory } from '../../adapters/files/aws-cli-fleet.ts';
import { readGetMetricData } from '../../adapters/files/aws-cli-metrics.ts';
import { fileAt } from '../../adapters/files/read-file.ts';
import type { ArchivedMetrics } from '../../core/archive/columns.ts';
import { daysOf } from '../../core/archive/manifest.ts';
import { archivedOfVolume } from '../../core/archive/reading-plan.ts';
import { minutesOf, type ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { type VolumeType, volumeLimits } from '../../core/limits/volume-limits.ts';
import { labelOf, MetricCollector, type MetricName } from '../../core/load/metrics.ts';
import { isoFromEpochSeconds } from '../../core/units.ts';
import { simulateFleet } from '../../test/simulator/fleet.ts';
import { writeFleet } from '../../test/simulator/write-fleet.ts';
import type { Measure } from './measure.ts';
import {
  endEpochSeconds,
  minutes,
  startEpochSeconds,
  volumeMetric,
  volumeMinutes,
} from './two-pass-series.ts';

const root = join(import.meta.dirname, '../..');
const scratch = join(root, '.bench/archive');

export const archivedTarget = { account: '111122223333', region: 'us-east-1' };

/** Of the fleet whose loads are simulated request by request. */
export function archiveBytesAPoint(): Measure[] {
  const directory = join(scratch, 'fleet');
  const fleet = simulateFleet();
  writeFleet(fleet, directory);
  const files = (name: string): string[] =>
    fleet.regions.map(({ region }) => join(directory, region, `${name}.json`));
  const { volumes } = readInventory(
    files('describe-volumes').map(fileAt),
    files('describe-instances').map(fileAt),
  );
  const collector = new MetricCollector();
  for (const file of files('get-metric-data')) readGetMetricData(fileAt(file), collector);
  const metrics = collector.finish();
  rmSync(directory, { recursive: true });
  const sorted = [...volumes].sort((a, b) => (a.volumeId < b.volumeId ? -1 : 1));
  const measure = (name: string, archived: ArchivedMetrics): Measure => {
    const writer = new MetricsWriter();
    let points = 0;
    for (const volume of sorted) {
      const wanted = archivedOfVolume(volume, archived);
      const set = new Map([...metrics.of(volume.volumeId)].filter(([metric]) => wanted.includes(metric)));
      for (const { values } of set.values()) points += values.length;
      const arn = `arn:aws:ec2:${volume.region}:111122223333:volume/${volume.volumeId}`;
      writer.add(minutesOf({ resourceType: 'volume', resourceId: volume.volumeId, arn }, set));
    }
    const bytes = writer.finish().byteLength;
    return {
      name,
      value: Number((bytes / points).toFixed(2)),
      unit: 'bytes a point',
      conditions: `${points} points of ${volumes.length} simulated volumes, ${writer.rows} rows of 26 h, ${bytes} bytes with footer`,
    };
  };
  return [measure('archive-bytes-per-point', 'all'), measure('archive-bytes-per-point-default', 'default')];
}

const volumesRead = 500;
/** What is in memory at once: 3.6 million points. */
const volumesABatch = 25;
/** JSON of all 500 is 5 GB: so many batches are read, and their time is multiplied. */
const batchesOfJson = 4;

const kinds: readonly [VolumeType, number, number][] = [
  ['gp3', 100, 40],
  ['gp3', 30, 1.5],
  ['gp2', 500, 30],
  ['io2', 200, 500],
  ['gp3', 300, 300],
];

const defaultMetrics: readonly MetricName[] = [
  ...(['VolumeReadOps', 'VolumeWriteOps', 'VolumeReadBytes', 'VolumeWriteBytes'] as const),
  ...(['VolumeQueueLength', 'BurstBalance'] as const),
  ...(['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'] as const),
];

function archivedVolume(n: number): ResourceMinutes {
  const [volumeType, sizeGiB, usualIops] = kinds[n % kinds.length] as (typeof kinds)[number];
  const limits = volumeLimits({
    volumeType,
    sizeGiB,
    ...(volumeType === 'io2' ? { iops: 3_000 } : {}),
    deployment: 'region',
  });
  const trouble = n % 20 === 0 ? 'throttled-iops' : null;
  const load = {
    seed: 1,
    rhythm: `volume ${n}`,
    limits,
    usualIops,
    nightIops: 2_000,
    ioKiB: 16,
    trouble,
  } as const;
  const made = volumeMinutes(load);
  const metrics = new Map<MetricName, Float64Array>();
  for (const metric of defaultMetrics) {
    const values = volumeMetric(made, metric);
    if (values !== null) metrics.set(metric, values);
  }
  return {
    resourceType: 'volume',
    resourceId: `vol-${n.toString(16).padStart(17, '0')}`,
    arn: `arn:aws:ec2:us-east-1:111122223333:volume/vol-${n.toString(16).padStart(17, '0')}`,
    epochSeconds: Float64Array.from({ length: minutes }, (_, i) => startEpochSeconds + i * 60),
    metrics,
    evaluation: null,
  };
}

async function writeArchive(directory: string): Promise<number> {
  const store = new ArchiveDirectory(directory);
  const ids: string[] = [];
  let points = 0;
  for (let first = 0; first < volumesRead; first += 100) {
    const part = Array.from({ length: 100 }, (_, i) => archivedVolume(first + i));
    ids.push(...part.map(({ resourceId }) => resourceId));
    for (const { metrics } of part) points += metrics.size * minutes;
    const reads = [
      {
        fromSeconds: startEpochSeconds,
        endSeconds: endEpochSeconds,
        metrics: [...defaultMetrics],
        resourceIds: ids,
      },
    ];
    await stage(store, archivedTarget, 'bench', {
      name: String(first),
      readAtSeconds: 1,
      reads,
      minutes: part,
    });
  }
  await commit(store, archivedTarget);
  writeFileSync(join(directory, 'ids.json'), JSON.stringify(ids.sort()));
  return points;
}

/** As the AWS CLI prints it: 4 spaces a level, a line each for times and values. */
function writeJson(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (let batch = 0; batch < batchesOfJson; batch++) {
    const MetricDataResults = Array.from({ length: volumesABatch }, (_, i) =>
      archivedVolume(batch * volumesABatch + i),
    ).flatMap(({ resourceId, metrics, epochSeconds }) => {
      const Timestamps = Array.from(epochSeconds, (time) => isoFromEpochSeconds(time).replace('Z', '+00:00'));
      return [...metrics].map(([metric, values], i) => ({
        ...{ Id: `m${i}`, Label: labelOf(resourceId, metric), Timestamps },
        ...{ Values: Array.from(values), StatusCode: 'Complete' },
      }));
    });
    writeFileSync(
      join(directory, `${batch}.json`),
      JSON.stringify({ Messages: [], MetricDataResults }, null, 4),
    );
  }
}

interface Read {
  points: number;
  sum: number;
  cpuSeconds: number;
  peakMiB: number;
}

const readApart = (kind: 'parquet' | 'json', directory: string): Read =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [join(root, 'tools/bench/archive-process.ts'), kind, directory, String(volumesABatch)],
      { encoding: 'utf8' },
    ),
  ) as Read;

/** 14 days of 500 volumes, 25 in memory at a time, each form in a process of its own. */
export async function archiveAgainstJson(): Promise<Measure[]> {
  const [parquetIn, jsonIn] = [join(scratch, 'parquet'), join(scratch, 'json')];
  rmSync(scratch, { recursive: true, force: true });
  const points = await writeArchive(parquetIn);
  writeJson(jsonIn);
  const [parquet, json] = [readApart('parquet', parquetIn), readApart('json', jsonIn)];
  rmSync(scratch, { recursive: true });
  if (parquet.points !== points) throw new Error(`${parquet.points} of ${points} points came back`);
  const secondsOfJson = (json.cpuSeconds * points) / json.points;
  const days = daysOf(startEpochSeconds, endEpochSeconds).length;
  const conditions = `${points} points of ${volumesRead} volumes, ${days} days of minutes, ${volumesABatch} volumes at a time, processor time: Parquet ${parquet.cpuSeconds.toFixed(1)} s and ${parquet.peakMiB} MiB; JSON ${secondsOfJson.toFixed(1)} s (of ${json.points} points, multiplied) and ${json.peakMiB} MiB`;
  return [
    {
      name: 'archive-read-times-faster',
      value: Number((secondsOfJson / parquet.cpuSeconds).toFixed(1)),
      unit: 'times as fast as JSON (target 5)',
      conditions,
    },
    {
      name: 'archive-read-memory-percent',
      value: Math.round((100 * parquet.peakMiB) / json.peakMiB),
      unit: '% of the peak memory of JSON (target 50)',
      conditions,
    },
  ];
}
