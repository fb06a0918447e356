/** The instances of an audit, each with its volumes. */
import type { Instance, Volume } from '../inventory.ts';

export interface InstanceToEvaluate {
  instance: Instance;
  volumes: Volume[];
}

/** Instances that are described or have a volume attached: their metrics say enough. */
export function instancesToEvaluate(
  instances: readonly Instance[],
  volumes: readonly Volume[],
): InstanceToEvaluate[] {
  const all = new Map<string, InstanceToEvaluate>();
  for (const instance of instances) all.set(instance.instanceId, { instance, volumes: [] });
  for (const volume of volumes) {
    const { region, account } = volume;
    for (const { instanceId } of volume.attachments) {
      const undescribed = { instanceId, instanceType: null, state: 'unknown', region, account, name: null };
      const entry = all.get(instanceId) ?? {
        instance: { ...undescribed, bandwidthWeighting: null },
        volumes: [],
      };
      entry.volumes.push(volume);
      all.set(instanceId, entry);
    }
  }
  return [...all.values()];
}
