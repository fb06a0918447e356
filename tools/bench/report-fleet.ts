/**
 * Fourteen days of the simulated fleet, minute by minute: its day fourteen times with other noise, one after the other. And
 * as many volumes as are demanded: its instances again and again under other ids, all of them while findings are demanded, later
 * those alone on which nothing was found.
 */
import {
  describedInstanceSchema,
  describedVolumeSchema,
  instanceOf,
  volumeOf,
} from '../../adapters/ec2-resources.ts';
import { connectedGroups, type Group } from '../../core/audit/batches.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import { type FleetMetrics, MetricCollector, parseLabel } from '../../core/load/metrics.ts';
import { epochSecondsOf, secondsPerDay } from '../../core/units.ts';
import type { MetricResult } from '../../test/fixtures/replies.ts';
import { simulateFleet } from '../../test/simulator/fleet.ts';

export const days = 14;
const account = '111122223333';
const endEpochSeconds = 1_795_132_800;
export const window = { startEpochSeconds: endEpochSeconds - days * secondsPerDay, endEpochSeconds };

export interface LongFleet {
  groups: Group[];
  metrics: FleetMetrics;
}

interface Columns {
  epochSeconds: number[];
  values: number[];
}

function inventoryOf(fleet: ReturnType<typeof simulateFleet>): Group {
  const volumes: Volume[] = [];
  const instances: Instance[] = [];
  for (const { region, describeVolumes, describeInstances } of fleet.regions) {
    for (const volume of (describeVolumes as { Volumes: object[] }).Volumes)
      volumes.push(volumeOf(describedVolumeSchema.parse(volume), { region, account }));
    const { Reservations } = describeInstances as { Reservations: { Instances: object[] }[] };
    for (const instance of Reservations.flatMap(({ Instances }) => Instances))
      instances.push(instanceOf(describedInstanceSchema.parse(instance), { region, account }));
  }
  return { volumes, instances };
}

/** Its inventory is that of the first day: ids differ from day to day, the order does not. */
export function longFleet(): LongFleet {
  const columns = new Map<string, Columns>();
  let labels: string[] | null = null;
  let inventory: Group | null = null;
  for (let day = 0; day < days; day++) {
    const fleet = simulateFleet({
      ...{ seed: day + 1, hours: 24 },
      endEpochSeconds: window.startEpochSeconds + (day + 1) * secondsPerDay,
    });
    const results = fleet.regions.flatMap(
      ({ getMetricData }) => (getMetricData as { MetricDataResults: MetricResult[] }).MetricDataResults,
    );
    inventory ??= inventoryOf(fleet);
    labels ??= results.map(({ Label }) => Label);
    results.forEach(({ Timestamps, Values }, i) => {
      const label = labels?.[i] ?? '';
      const before = columns.get(label) ?? { epochSeconds: [], values: [] };
      columns.set(label, before);
      for (const stamp of Timestamps) before.epochSeconds.push(epochSecondsOf(stamp));
      for (const value of Values) before.values.push(value);
    });
  }
  const collector = new MetricCollector();
  for (const [label, { epochSeconds, values }] of columns) {
    const parsed = parseLabel(label);
    if (parsed !== null) collector.add(parsed.resourceId, parsed.metric, epochSeconds, values);
    columns.delete(label);
  }
  const { volumes, instances } = inventory ?? { volumes: [], instances: [] };
  return { groups: connectedGroups(volumes, instances), metrics: collector.finish() };
}

/** The last digits of an id become the number of the copy. */
const renamed = (id: string, copy: number): string =>
  `${id.slice(0, -4)}${copy.toString(16).padStart(4, '0')}`;

/** Groups under the ids of a copy, with the metrics of the first. */
export function copyOf({ groups, metrics }: LongFleet, copy: number): Group & { metrics: FleetMetrics } {
  const original = new Map<string, string>();
  const rename = (id: string): string => {
    const other = renamed(id, copy);
    original.set(other, id);
    return other;
  };
  const name = (text: string | null): string | null => text && `${text}-${copy}`;
  const volumes = groups.flatMap((group) =>
    group.volumes.map((volume) => ({
      ...volume,
      ...{ volumeId: rename(volume.volumeId), name: name(volume.name) },
      attachments: volume.attachments.map((one) => ({ ...one, instanceId: renamed(one.instanceId, copy) })),
    })),
  );
  const instances = groups.flatMap((group) =>
    group.instances.map((instance) => ({
      ...instance,
      ...{ instanceId: rename(instance.instanceId), name: name(instance.name) },
    })),
  );
  const of = (id: string): string => original.get(id) ?? id;
  return {
    ...{ volumes, instances },
    metrics: {
      of: (id) => metrics.of(of(id)),
      resourceIds: () => [...original].flatMap(([copied, id]) => (metrics.of(id).size > 0 ? copied : [])),
      repeatedPoints: (id) => metrics.repeatedPoints(of(id)),
      unusableReason: (id) => metrics.unusableReason(of(id)),
      series: metrics.series,
    },
  };
}
