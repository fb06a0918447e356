/**
 * Volumes that are left alone: by the configuration, and those of the benchmark's own hosts. They are neither asked about nor
 * evaluated, and not forgotten where they matter to others.
 */
import { type BenchmarkHosts, noHosts } from '../benchmark/campaign/benchmark-hosts.ts';
import { hasAnyTag, type TagFilter } from '../config/tags.ts';
import type { Instance, Volume } from '../inventory.ts';

export interface WithoutExcluded {
  volumes: Volume[];
  /** Those whose volumes are all excluded are left out; each other knows how many of its own are. */
  instances: Instance[];
  /** By the configuration. */
  excludedIds: string[];
  /** Of hosts of the benchmark, whatever their tags. */
  benchmarkIds: string[];
}

/**
 * By ids alone. Whatever is attached to a host is of the benchmark, its root volume too, before anybody has recorded it; what
 * is attached to something else is in use by others, wherever it came from.
 */
const isOfBenchmark = (
  { volumeId, attachments }: Volume,
  { instanceIds, volumeIds }: BenchmarkHosts,
): boolean =>
  attachments.length === 0
    ? volumeIds.has(volumeId)
    : attachments.every(({ instanceId }) => instanceIds.has(instanceId));

/**
 * @param tags of which one is enough to exclude a volume.
 * @param hosts of the benchmark, as it recorded them; none where volumes are of files, which no benchmark's records come with.
 */
export function withoutExcluded(
  volumes: readonly Volume[],
  instances: readonly Instance[],
  tags: TagFilter,
  hosts: BenchmarkHosts = noHosts,
): WithoutExcluded {
  const [kept, excluded, ofBenchmark]: [Volume[], Volume[], Volume[]] = [[], [], []];
  for (const volume of volumes)
    if (isOfBenchmark(volume, hosts)) ofBenchmark.push(volume);
    else (hasAnyTag(volume.tags, tags) ? excluded : kept).push(volume);
  const idsOfInstances = (of: readonly Volume[]): string[] =>
    of.flatMap(({ attachments }) => attachments.map(({ instanceId }) => instanceId));
  const withVolumes = new Set(idsOfInstances(kept));
  const counts = new Map<string, number>();
  for (const id of idsOfInstances([...excluded, ...ofBenchmark])) counts.set(id, (counts.get(id) ?? 0) + 1);
  return {
    volumes: kept,
    instances: instances.flatMap((instance) => {
      const { instanceId } = instance;
      const excludedVolumes = counts.get(instanceId);
      if (withVolumes.has(instanceId))
        return [excludedVolumes === undefined ? instance : { ...instance, excludedVolumes }];
      return excludedVolumes === undefined && !hosts.instanceIds.has(instanceId) ? [instance] : [];
    }),
    excludedIds: excluded.map(({ volumeId }) => volumeId),
    benchmarkIds: ofBenchmark.map(({ volumeId }) => volumeId),
  };
}
