/** What functions read of a run or a campaign. */
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { ArchiveBucket } from '../../adapters/archive/bucket.ts';
import { retryGarbled } from '../../adapters/aws/garbled.ts';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import {
  type Campaign,
  type CampaignHost,
  campaignKeys,
  campaignSchema,
  hostSchema,
} from '../../core/benchmark/campaign/campaign.ts';
import type { PackedSeries } from '../../core/report/audit-report.ts';
import {
  type AuditResult,
  auditResultSchema,
  volumeEvaluationSchema,
} from '../../core/schemas/audit-result.ts';
import { findingSchema } from '../../core/schemas/finding.ts';

/** The store of runs in this Region. A list that was cut short on its way is asked for again. */
export function runStore(bucket: string): RunStore {
  const client = new S3Client(ownResources);
  client.middlewareStack.use(retryGarbled());
  return new RunStore(client, bucket);
}

/** The archive in the same bucket. */
export function archiveBucket(bucket: string): ArchiveBucket {
  const client = new S3Client(ownResources);
  client.middlewareStack.use(retryGarbled());
  return new ArchiveBucket(client, bucket);
}

export const readCampaign = (store: RunStore, campaignId: string): Promise<Campaign> =>
  store.getJson(campaignKeys(campaignId).campaign, campaignSchema);

export const readHost = (store: RunStore, campaignId: string, cellId: string): Promise<CampaignHost> =>
  store.getJson(campaignKeys(campaignId).host(cellId), hostSchema);

// What the report draws, from the batches that found it to the page.

const packedSeriesSchema = z.object({
  resourceId: z.string(),
  packed: z.base64(),
}) satisfies z.ZodType<PackedSeries>;

/** Under the name of the batch; nothing where there is nothing to draw. */
export async function putSeries(
  store: RunStore,
  runId: string,
  batchKey: string,
  series: readonly PackedSeries[],
): Promise<void> {
  if (series.length === 0) return;
  const name = nameInFolder(batchKey).replace(/\.json$/, '.jsonl');
  await store.putLines(`${runKeys(runId).series}${name}`, series);
}

/** Of all batches, one file after the other: together they are larger than what a page takes of them. */
export async function readSeries(store: RunStore, runId: string): Promise<PackedSeries[]> {
  const all: PackedSeries[] = [];
  for (const key of await store.list(runKeys(runId).series)) {
    for (const one of await store.getLines(key, packedSeriesSchema)) all.push(one);
  }
  return all;
}

const summarySchema = auditResultSchema.omit({ findings: true, volumes: true });

/** A collected run as one result again. */
export async function readRun(store: RunStore, runId: string): Promise<AuditResult> {
  const keys = runKeys(runId);
  const [summary, findings, volumes] = await Promise.all([
    store.getJson(keys.summary, summarySchema),
    store.getLines(keys.findings, findingSchema),
    store.getLines(keys.volumes, volumeEvaluationSchema),
  ]);
  return { ...summary, findings, volumes };
}
