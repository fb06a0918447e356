/** How fast volumes are diagnosed, and whether memory grows with their number. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { diagnoseAll } from './diagnose-process.ts';
import { diagnosedFleet, metricsEach } from './diagnosed-fleet.ts';
import { type Measure, medianOf, secondsOfRuns } from './measure.ts';
import { days } from './synthetic-account.ts';

const inMemory = 100;
const runs = 31;
const few = 5_000;
const many = 20_000;

const conditions = `${days} days of five-minute points, ${metricsEach} metrics a volume; 4 volumes on an m6i.4xlarge, 1 in 20 throttled at its limit for an hour a day; load, attribution, demand, credits, findings and recommendation with replay, in one thread`;

interface Peak {
  peakMiB: number;
  volumes: number;
}

/** In a process that does nothing else: the points of a volume are made when they are asked for. */
const peakOf = (volumes: number): Peak =>
  JSON.parse(
    execFileSync(process.execPath, [join(import.meta.dirname, 'diagnose-process.ts'), `${volumes}`], {
      encoding: 'utf8',
    }),
  );

export function diagnoseVolumesPerSecond(): Measure[] {
  const fleet = diagnosedFleet(inMemory, inMemory);
  const { value, spread } = medianOf(
    secondsOfRuns(runs, () => void diagnoseAll(fleet)).map((seconds) => inMemory / seconds),
    0,
  );
  return [
    {
      name: 'diagnose-volumes-per-second',
      value,
      unit: 'volumes/s on one core',
      conditions: `${inMemory} volumes already in memory, ${conditions}; ${spread}`,
    },
  ];
}

export function diagnosePeakMemory(): Measure[] {
  const [less, more] = [peakOf(few), peakOf(many)];
  const perVolumeKiB = ((more.peakMiB - less.peakMiB) * 1024) / (many - few);
  return [
    {
      name: 'diagnose-memory-per-volume-kib',
      value: Number(perVolumeKiB.toFixed(1)),
      unit: 'KiB resident for each volume more',
      conditions: `${less.peakMiB} MiB for ${few} volumes, ${more.peakMiB} MiB for ${many}, with the whole result in memory; ${conditions}; one run each`,
    },
  ];
}
