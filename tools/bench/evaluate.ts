/** How fast volumes are evaluated, and how much memory a large fleet takes. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInventory } from '../../adapters/files/aws-cli-fleet.ts';
import { readGetMetricData } from '../../adapters/files/aws-cli-metrics.ts';
import { fileAt } from '../../adapters/files/read-file.ts';
import { audit } from '../../core/audit/audit.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import { MetricCollector } from '../../core/load/metrics.ts';
import { simulateFleet } from '../../test/simulator/fleet.ts';
import { writeFleet } from '../../test/simulator/write-fleet.ts';
import { writeLargeFleet } from './large-fleet.ts';
import { type Measure, medianOf, secondsOfRuns } from './measure.ts';

const root = join(import.meta.dirname, '../..');
const scratch = join(root, '.bench');

/** Evaluating alone, in one thread: the metrics are in memory. */
export function evaluateVolumesPerSecond(): Measure[] {
  const directory = join(scratch, 'fleet');
  const fleet = simulateFleet();
  writeFleet(fleet, directory);
  const files = (name: string): string[] =>
    fleet.regions.map(({ region }) => join(directory, region, `${name}.json`));
  const inventory = readInventory(
    files('describe-volumes').map(fileAt),
    files('describe-instances').map(fileAt),
  );
  const read = () => {
    const collector = new MetricCollector();
    for (const file of files('get-metric-data')) readGetMetricData(fileAt(file), collector);
    return collector.finish();
  };
  const metrics = read();
  const evaluate = (): void => {
    audit({
      runId: 'bench',
      inventory,
      read: { metrics, window: 'of-all' },
      rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
    });
  };
  const volumes = inventory.volumes.length;
  const rate = medianOf(
    secondsOfRuns(9, evaluate).map((seconds) => volumes / seconds),
    0,
  );
  const withReading = medianOf(
    secondsOfRuns(3, () => {
      read();
      evaluate();
    }).map((seconds) => volumes / seconds),
    0,
  );
  rmSync(directory, { recursive: true });
  const fleetText = `${volumes} simulated volumes and their instances, 26 h of one-minute points, ${metrics.series} metrics`;
  return [
    {
      name: 'evaluate-volumes-per-second',
      value: rate.value,
      unit: 'volumes/s on one core',
      conditions: `${fleetText}, already in memory; ${rate.spread}`,
    },
    {
      name: 'audit-volumes-per-second',
      value: withReading.value,
      unit: 'volumes/s on one core',
      conditions: `${fleetText}, JSON files read and parsed too; ${withReading.spread}`,
    },
  ];
}

/** The whole command line on a large fleet, in a process of its own. */
export function evaluatePeakMemory(): Measure[] {
  const directory = join(scratch, 'large');
  const { args, volumes, metrics } = writeLargeFleet(directory, 10_000);
  const argsFile = join(directory, 'args.json');
  writeFileSync(argsFile, JSON.stringify(args));
  const printed = execFileSync(process.execPath, [join(root, 'tools/bench/audit-process.ts'), argsFile], {
    encoding: 'utf8',
  });
  rmSync(directory, { recursive: true });
  const { peakMiB, seconds, code } = JSON.parse(printed) as {
    peakMiB: number;
    seconds: number;
    code: number;
  };
  if (code !== 3)
    throw new Error(
      `the audit of the large fleet ended with ${code}; 3 is expected (it has unknown volumes)`,
    );
  const conditions = `${volumes} simulated volumes, ${metrics} metrics, 24 h of five-minute points, the command line from files to JSON, one run`;
  return [
    { name: 'audit-peak-memory-10000', value: Math.round(peakMiB), unit: 'MiB resident', conditions },
    { name: 'audit-seconds-10000', value: Math.round(seconds * 10) / 10, unit: 's', conditions },
  ];
}
