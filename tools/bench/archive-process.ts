/** Reads minutes in a process of its own and says what it took: node archive-process.ts parquet|json DIRECTORY IDS-A-BATCH */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveDirectory } from '../../adapters/archive/directory.ts';
import { readMinutes } from '../../adapters/archive/read-minutes.ts';
import { readGetMetricData } from '../../adapters/files/aws-cli-metrics.ts';
import { fileAt } from '../../adapters/files/read-file.ts';
import { seriesOf } from '../../core/archive/resource-minutes.ts';
import { MetricCollector, metricNames } from '../../core/load/metrics.ts';
import { archivedTarget } from './archive.ts';
import { endEpochSeconds, startEpochSeconds } from './two-pass-series.ts';

const [kind, directory = '', idsABatch = ''] = process.argv.slice(2);

/** Points and their sum: both forms must come to the same. */
interface Taken {
  points: number;
  sum: number;
}

function take(taken: Taken, values: Float64Array): void {
  taken.points += values.length;
  for (const value of values) taken.sum += value;
}

async function ofParquet(taken: Taken): Promise<void> {
  const store = new ArchiveDirectory(directory);
  const ids = JSON.parse(readFileSync(join(directory, 'ids.json'), 'utf8')) as string[];
  const batch = Number(idsABatch);
  for (let first = 0; first < ids.length; first += batch) {
    const { minutes } = await readMinutes(store, archivedTarget, {
      fromSeconds: startEpochSeconds,
      endSeconds: endEpochSeconds,
      resourceIds: ids.slice(first, first + batch),
      metrics: metricNames,
      evaluation: false,
    });
    for (const one of minutes) {
      for (const metric of one.metrics.keys())
        take(taken, seriesOf(one, metric)?.values ?? new Float64Array());
    }
  }
}

function ofJson(taken: Taken): void {
  for (const name of readdirSync(directory).sort()) {
    const collector = new MetricCollector();
    readGetMetricData(fileAt(join(directory, name)), collector);
    const metrics = collector.finish();
    for (const id of metrics.resourceIds()) {
      for (const { values } of metrics.of(id).values()) take(taken, values);
    }
  }
}

const taken: Taken = { points: 0, sum: 0 };
const before = process.cpuUsage();
if (kind === 'parquet') await ofParquet(taken);
else ofJson(taken);
const { user, system } = process.cpuUsage(before);
const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ ...taken, cpuSeconds: (user + system) / 1e6, peakMiB }));
