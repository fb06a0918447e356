/** What a run left in the bucket. */
import { paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { clientSettings } from '../../../local/deploy.ts';
import type { Services } from '../../../local/services.ts';

export interface Stored {
  objects: number;
  bytes: number;
  largest: { key: string; bytes: number };
}

export async function storedOf(services: Services, Bucket: string, runId: string): Promise<Stored> {
  const client = new S3Client({ ...clientSettings(services), forcePathStyle: true });
  const stored: Stored = { objects: 0, bytes: 0, largest: { key: '', bytes: 0 } };
  for (const Prefix of [`work/${runId}/`, `runs/${runId}/`]) {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
      for (const { Key = '', Size = 0 } of Contents) {
        stored.objects++;
        stored.bytes += Size;
        if (Size > stored.largest.bytes) stored.largest = { key: Key.replace(runId, '…'), bytes: Size };
      }
    }
  }
  client.destroy();
  return stored;
}
