/** Volumes that the configuration leaves alone: neither asked about nor evaluated, and not forgotten where they matter to others. */
import { hasAnyTag, type TagFilter } from '../config/tags.ts';
import type { Instance, Volume } from '../inventory.ts';

export interface WithoutExcluded {
  volumes: Volume[];
  /** Those whose volumes are all excluded are left out; each other knows how many of its own are. */
  instances: Instance[];
  excludedIds: string[];
}

/** @param tags of which one is enough to exclude a volume. */
export function withoutExcluded(
  volumes: readonly Volume[],
  instances: readonly Instance[],
  tags: TagFilter,
): WithoutExcluded {
  const [kept, excluded]: [Volume[], Volume[]] = [[], []];
  for (const volume of volumes) (hasAnyTag(volume.tags, tags) ? excluded : kept).push(volume);
  const idsOfInstances = (of: readonly Volume[]): string[] =>
    of.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId));
  const withVolumes = new Set(idsOfInstances(kept));
  const counts = new Map<string, number>();
  for (const id of idsOfInstances(excluded)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return {
    volumes: kept,
    instances: instances.flatMap((instance) => {
      const excludedVolumes = counts.get(instance.instanceId);
      if (excludedVolumes === undefined) return [instance];
      return withVolumes.has(instance.instanceId) ? [{ ...instance, excludedVolumes }] : [];
    }),
    excludedIds: excluded.map(({ volumeId }) => volumeId),
  };
}
