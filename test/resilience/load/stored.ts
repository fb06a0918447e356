/** What a run left in the bucket. */
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { nameInFolder, runKeys, targetOfBatch } from '../../../core/audit/run-keys.ts';
import { pointsPerCall, queriesPerCall } from '../../../core/load/metrics.ts';
import { auditResultSchema, type PassCost } from '../../../core/schemas/audit-result.ts';
import { clientSettings } from '../../../local/deploy.ts';
import type { Services } from '../../../local/services.ts';

/** GetMetricData calls of a run. */
export interface Calls {
  made: number;
  /** The sum over targets and passes of the larger of metrics / 500 and points / 100,800, each rounded up. */
  least: number;
  points: number;
}

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

/** What reading took, by what each batch of the run says of its passes. */
export async function callsOf(services: Services, Bucket: string, runId: string): Promise<Calls> {
  const client = new S3Client({ ...clientSettings(services), forcePathStyle: true });
  const read = new Map<string, Pick<PassCost, 'metricsRequested' | 'points'>>();
  let made = 0;
  const Prefix = runKeys(runId).results;
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    for (const { Key = '' } of Contents) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      const { cost } = auditResultSchema.parse(JSON.parse((await Body?.transformToString()) ?? ''));
      for (const { pass, metricsRequested, points = Number.NaN, apiCalls } of cost.passes ?? []) {
        const name = `${targetOfBatch(nameInFolder(Key))} ${pass}`;
        const before = read.get(name);
        read.set(name, {
          metricsRequested: (before?.metricsRequested ?? 0) + metricsRequested,
          points: (before?.points ?? 0) + points,
        });
        made += apiCalls;
      }
    }
  }
  client.destroy();
  const passes = [...read.values()].map(({ metricsRequested, points = Number.NaN }) => ({
    points,
    least: Math.max(Math.ceil(metricsRequested / queriesPerCall), Math.ceil(points / pointsPerCall)),
  }));
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    made,
    least: sum(passes.map(({ least }) => least)),
    points: sum(passes.map(({ points }) => points)),
  };
}
