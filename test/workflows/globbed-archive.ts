/** What lies in the archive of a deployment, as who reads it without its manifests sees it. */
import { S3Client } from '@aws-sdk/client-s3';
import { ArchiveBucket } from '../../adapters/archive/bucket.ts';
import { everything, openMetrics } from '../../adapters/archive/open-metrics.ts';
import { metricsPrefix } from '../../core/archive/keys.ts';
import type { ResourceMinutes } from '../../core/archive/resource-minutes.ts';
import { clientSettings, overTls } from '../../local/deploy.ts';
import type { LocalDeployment } from './local-deployment.ts';

export const archiveOf = ({
  services,
  outputs,
}: Pick<LocalDeployment, 'services' | 'outputs'>): ArchiveBucket =>
  new ArchiveBucket(overTls(new S3Client(clientSettings(services))), outputs.RunsBucket);

/** All minutes that a glob sees, and where they lie; a minute of a resource that is there twice fails. */
export async function globbed(store: ArchiveBucket): Promise<{ key: string; minutes: ResourceMinutes }[]> {
  const found: { key: string; minutes: ResourceMinutes }[] = [];
  const rows = new Map<string, Set<number>>();
  const twice: string[] = [];
  for (const key of await store.list(metricsPrefix)) {
    const object = await store.open(key);
    if (object === null) continue;
    const file = await openMetrics(object);
    for await (const minutes of file.resources({ ...everything, evaluation: true })) {
      const { resourceId, epochSeconds } = minutes;
      const seen = rows.get(resourceId) ?? new Set();
      rows.set(resourceId, seen);
      for (const time of epochSeconds) {
        if (seen.has(time)) twice.push(`${resourceId} ${time}`);
        seen.add(time);
      }
      found.push({ key, minutes });
    }
  }
  // One question for all of them: of each of 400,000 it took 15 s.
  expect(twice).toEqual([]);
  return found;
}
