/** An archive in a directory, written as an audit writes it. */
import { commit, stage } from '../../adapters/archive/commit.ts';
import { ArchiveDirectory } from '../../adapters/archive/directory.ts';
import type { ArchiveStore } from '../../adapters/archive/store.ts';
import type { ArchiveTarget } from '../../core/archive/keys.ts';
import type { ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import type { MetricName } from '../../core/load/metrics.ts';

export interface ArchivedVolume {
  id: string;
  epochSeconds: number[];
  metrics: Partial<Record<MetricName, (minute: number) => number>>;
  status?: (minute: number) => string | null;
}

/** @param minute counted from the first one. */
const minutesOf = ({ id, epochSeconds, metrics, status }: ArchivedVolume): ResourceMinutes => {
  const times = epochSeconds.map((time) => (time - (epochSeconds[0] as number)) / 60);
  return {
    resourceType: id.startsWith('i-') ? 'instance' : 'volume',
    resourceId: id,
    arn: null,
    epochSeconds: Float64Array.from(epochSeconds),
    metrics: new Map(
      Object.entries(metrics).map(([metric, at]) => [metric as MetricName, Float64Array.from(times, at)]),
    ),
    evaluation:
      status === undefined
        ? null
        : { status: times.map(status), cause: times.map(() => null), limit_scope: times.map(() => null) },
  };
};

export async function writeArchive(
  place: string | ArchiveStore,
  target: ArchiveTarget,
  volumes: readonly ArchivedVolume[],
  window: { fromSeconds: number; endSeconds: number },
): Promise<void> {
  const store = typeof place === 'string' ? new ArchiveDirectory(place) : place;
  const minutes = volumes.map(minutesOf);
  const metrics = [...new Set(minutes.flatMap((one) => [...one.metrics.keys()]))];
  const reads = [{ ...window, metrics, resourceIds: volumes.map(({ id }) => id) }];
  await stage(store, target, 'run', { name: 'batch', readAtSeconds: 1, reads, minutes });
  expect((await commit(store, target)).broken).toEqual([]);
}
