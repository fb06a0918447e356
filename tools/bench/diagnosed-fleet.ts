/** Volumes with two weeks of five-minute points of eight metrics each, made when they are asked for and not kept. */

import type { Instance, Volume } from '../../core/inventory.ts';
import type { FleetMetrics, MetricName, MetricSet } from '../../core/load/metrics.ts';
import type { Series } from '../../core/load/series.ts';
import { uniformSource } from '../../test/simulator/random.ts';
import { endEpochSeconds, periodSeconds, points, syntheticInventory } from './synthetic-account.ts';

export const metricsEach = 8;

const epochSeconds = Float64Array.from(
  { length: points },
  (_, i) => endEpochSeconds - (points - i) * periodSeconds,
);
const series = (values: Float64Array): Series => ({ periodSeconds, epochSeconds, values });

/** One in twenty is throttled at its limit for an hour a day. */
const isTroubled = (index: number): boolean => index % 20 === 7;

const secondsPerIo = 0.0008;
const bytesPerIo = 16_384;

/** A day's rhythm with noise; what is above the limit is served later, with a queue. */
function metricsOf(index: number, limitIops: number): MetricSet {
  const uniform = uniformSource(index, 'diagnosed');
  const columns = Array.from({ length: metricsEach }, () => new Float64Array(points));
  const [reads, writes, readBytes, writeBytes, readTime, writeTime, idle, queue] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const top = (0.1 + 0.6 * uniform()) * limitIops;
  for (let i = 0; i < points; i++) {
    const hour = ((epochSeconds[i] as number) / 3_600) % 24;
    const busy = isTroubled(index) && hour >= 14 && hour < 15;
    const rate = busy ? limitIops : top * (0.6 + 0.3 * Math.sin((hour / 12) * Math.PI) + 0.1 * uniform());
    const ops = Math.round(rate * periodSeconds);
    const latency = secondsPerIo * (0.95 + 0.1 * uniform()) * (busy ? 5 : 1);
    reads[i] = Math.round(0.7 * ops);
    writes[i] = ops - (reads[i] as number);
    readBytes[i] = (reads[i] as number) * bytesPerIo;
    writeBytes[i] = (writes[i] as number) * bytesPerIo;
    readTime[i] = (reads[i] as number) * latency;
    writeTime[i] = (writes[i] as number) * latency;
    queue[i] = rate * latency;
    idle[i] = periodSeconds * Math.exp(-rate * latency);
  }
  const names: MetricName[] = [
    'VolumeReadOps',
    'VolumeWriteOps',
    'VolumeReadBytes',
    'VolumeWriteBytes',
    'VolumeTotalReadTime',
    'VolumeTotalWriteTime',
    'VolumeIdleTime',
    'VolumeQueueLength',
  ];
  return new Map(names.map((name, i) => [name, series(columns[i] as Float64Array)]));
}

export interface DiagnosedFleet {
  volumes: Volume[];
  instances: Instance[];
  metrics: FleetMetrics;
}

/** @param keeps how many volumes' points stay in memory: made anew for any other. */
export function diagnosedFleet(count: number, keeps: number): DiagnosedFleet {
  const { volumes, instances: small } = syntheticInventory(count);
  // As volumes of this size are used: an instance that can carry what its four do.
  const instances = small.map((instance) => ({ ...instance, instanceType: 'm6i.4xlarge' }));
  const indexOf = new Map(volumes.map(({ volumeId }, index) => [volumeId, index]));
  const limitOf = (volume: Volume): number => (volume.volumeType === 'st1' ? 20 : 3_000);
  const none: MetricSet = new Map();
  const kept = new Map<string, MetricSet>();
  return {
    volumes,
    instances,
    metrics: {
      of: (id) => {
        const index = indexOf.get(id);
        if (index === undefined) return none;
        const before = kept.get(id);
        if (before !== undefined) return before;
        const made = metricsOf(index, limitOf(volumes[index] as Volume));
        if (kept.size < keeps) kept.set(id, made);
        return made;
      },
      resourceIds: () => volumes.map(({ volumeId }) => volumeId),
      repeatedPoints: () => 0,
      unusableReason: () => null,
      series: count * metricsEach,
    },
  };
}
