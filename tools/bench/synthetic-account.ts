/** An account of any size that stores nothing: every metric of every volume has a figure at every time. */
import type { Instance, Volume } from '../../core/inventory.ts';
import { type MetricName, metricDefinitions } from '../../core/load/metrics.ts';
import { secondsPerDay } from '../../core/units.ts';
import type { SeriesStore } from '../../local/cloudwatch/series-store.ts';

const region = 'us-east-1';
const account = '111122223333';
export const days = 14;
export const periodSeconds = 300;
export const endEpochSeconds = 1_795_132_800;
export const points = (days * secondsPerDay) / periodSeconds;
const volumesPerInstance = 4;
/** As fleets are today: mostly gp3, some gp2, a few others. */
const types = ['gp3', 'gp3', 'gp3', 'gp3', 'gp3', 'gp2', 'gp2', 'io2', 'st1', 'gp3'] as const;

const hex = (kind: string, index: number): string => `${kind}-0${index.toString(16).padStart(16, '0')}`;

export function syntheticInventory(count: number): { volumes: Volume[]; instances: Instance[] } {
  const volumes = Array.from({ length: count }, (_, index): Volume => {
    const volumeType = types[index % types.length] ?? 'gp3';
    return {
      volumeId: hex('vol', index),
      volumeType,
      sizeGiB: 500,
      iops: volumeType === 'st1' ? null : 3_000,
      throughputMiBps: volumeType === 'gp3' ? 125 : null,
      state: 'in-use',
      region,
      account,
      deployment: 'region',
      multiAttach: false,
      attachments: [{ instanceId: hex('i', Math.floor(index / volumesPerInstance)), ebsCardIndex: null }],
      name: `volume ${index}`,
      stripeTag: null,
      tags: {},
    };
  });
  const instances = Array.from(
    { length: Math.ceil(count / volumesPerInstance) },
    (_, index): Instance => ({
      instanceId: hex('i', index),
      instanceType: 'm6i.large',
      state: 'running',
      region,
      account,
      name: null,
      bandwidthWeighting: null,
    }),
  );
  return { volumes, instances };
}

const epochSeconds = Float64Array.from(
  { length: points },
  (_, i) => endEpochSeconds - (points - i) * periodSeconds,
);

/** A day's rhythm, the same for all: the numbers are as long as real ones, what they say is of no matter here. */
const figures = (name: MetricName): Float64Array => {
  if (name.endsWith('Check')) return new Float64Array(points);
  if (name.includes('Balance')) return new Float64Array(points).fill(100);
  return Float64Array.from(epochSeconds, (time) => Math.round(60_000 * (1.5 + Math.sin(time / 13_751))));
};
const valuesByMetric = new Map(
  (Object.keys(metricDefinitions) as MetricName[]).map((name) => [name, figures(name)]),
);

export const syntheticStore: SeriesStore = {
  find: (_region, namespace, metric, dimensions) => {
    const values = valuesByMetric.get(metric as MetricName);
    return values && { namespace, metric, dimensions, epochSeconds, values };
  },
  list: () => [],
};
