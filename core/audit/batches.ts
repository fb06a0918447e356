/** The fleet in parts that one evaluation takes: an instance always together with all its volumes. */
import type { Instance, Volume } from '../inventory.ts';
import {
  type MetricQuery,
  type PublishedCheck,
  pointsOf,
  pointsPerCall,
  queriesOfInstance,
  queriesOfVolume,
} from '../load/metric-queries.ts';

/** By volume id; a volume that is not there has no published check. Null: nobody could list them. */
export type PublishedChecks = Readonly<Record<string, readonly PublishedCheck[]>> | null;

export interface AuditBatch {
  volumes: Volume[];
  instances: Instance[];
  published: PublishedChecks;
}

/** What one evaluation reads: 50 full calls, which is about 40 MB of points in memory. */
const mostPointsPerBatch = 50 * pointsPerCall;

/** All queries of a batch; instances without a volume are not asked about. */
export function queriesOfBatch(
  { volumes, instances, published }: AuditBatch,
  periodSeconds: number,
): MetricQuery[] {
  const attachedTo = new Set(
    volumes.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId)),
  );
  return [
    ...volumes.flatMap((volume) =>
      queriesOfVolume(
        volume,
        periodSeconds,
        published === null ? undefined : (published[volume.volumeId] ?? []),
      ),
    ),
    ...instances
      .filter(({ instanceId }) => attachedTo.has(instanceId))
      .flatMap((instance) => queriesOfInstance(instance, periodSeconds)),
  ];
}

export interface Group {
  volumes: Volume[];
  instances: Instance[];
}

/** Volumes and instances that hang together: a Multi-Attach volume joins the instances it is attached to. */
export function connectedGroups(volumes: readonly Volume[], instances: readonly Instance[]): Group[] {
  const groupOfInstance = new Map<string, Group>();
  const groups = new Set<Group>();
  const open = (group: Group): Group => {
    groups.add(group);
    return group;
  };
  const join = (into: Group, other: Group): void => {
    if (into === other) return;
    into.volumes.push(...other.volumes);
    into.instances.push(...other.instances);
    for (const [id, group] of groupOfInstance) if (group === other) groupOfInstance.set(id, into);
    groups.delete(other);
  };
  for (const instance of instances) {
    groupOfInstance.set(instance.instanceId, open({ volumes: [], instances: [instance] }));
  }
  for (const volume of volumes) {
    const ids = volume.attachments.map(({ instanceId }) => instanceId);
    // Two of its instances may be in one group already: each group once.
    const known = new Set(ids.flatMap((id) => groupOfInstance.get(id) ?? []));
    const [home = open({ volumes: [], instances: [] }), ...others] = known;
    for (const other of others) join(home, other);
    home.volumes.push(volume);
    for (const id of ids) groupOfInstance.set(id, home);
  }
  return [...groups];
}

/**
 * @param published what was discovered of the checks; null where it could not be.
 * @param queriesOf what is read of a batch; everything without it.
 * @returns batches whose queries stay under 50 full calls each, where no single group is larger than that.
 */
export function batchesOf(
  volumes: readonly Volume[],
  instances: readonly Instance[],
  published: PublishedChecks,
  reading: { periodSeconds: number; windowSeconds: number },
  queriesOf = (batch: AuditBatch): MetricQuery[] => queriesOfBatch(batch, reading.periodSeconds),
): AuditBatch[] {
  const batches: AuditBatch[] = [];
  let points = 0;
  for (const group of connectedGroups(volumes, instances)) {
    const checks =
      published &&
      Object.fromEntries(
        group.volumes.flatMap(({ volumeId }) =>
          published[volumeId] === undefined ? [] : [[volumeId, published[volumeId]]],
        ),
      );
    const queries = queriesOf({ ...group, published: checks });
    const more = queries.reduce((total, query) => total + pointsOf(query, reading.windowSeconds), 0);
    const last = batches.at(-1);
    if (last === undefined || points + more > mostPointsPerBatch) {
      batches.push({ ...group, published: checks });
      points = more;
      continue;
    }
    last.volumes.push(...group.volumes);
    last.instances.push(...group.instances);
    if (last.published !== null) Object.assign(last.published, checks);
    points += more;
  }
  return batches;
}
