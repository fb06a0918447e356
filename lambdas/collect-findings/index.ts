import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { addSpend } from '../../adapters/aws/month-spend.ts';
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { isPartial } from '../../core/audit/audit.ts';
import { latestRunKey, nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { batchSchema, readingPlanSchema } from '../../core/schemas/batch.ts';
import { hoursPerMonth } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, environmentOf, logger } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { type RegionCatalogToEvaluate, regionCatalogToEvaluate } from '../shared/stored-catalog.ts';
import { type CollectFrom, type CollectRequest, collectFindings } from './collect-findings.ts';
import { envSchema } from './env.ts';
import { failedChildrenSchema, failuresByBatch, manifestSchema } from './map-failures.ts';
import { targetOf, targetSchema } from './targets.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  runId: z.string().min(1),
  plan: readingPlanSchema,
  targets: z.array(targetSchema),
  /** Where the map over the batches wrote its manifest; null where there was nothing to evaluate. */
  manifestKey: z.string().nullable(),
  /** A usual run: the latest one from now on. */
  notify: z.boolean(),
});

async function failures(store: RunStore, manifestKey: string | null): Promise<Map<string, string>> {
  if (manifestKey === null) return new Map();
  const { ResultFiles } = await store.getJson(manifestKey, manifestSchema);
  const files = await Promise.all(
    ResultFiles.FAILED.map(({ Key }) => store.getJson(Key, failedChildrenSchema)),
  );
  return failuresByBatch(files.flat());
}

const regionSchema = z.object({ batches: z.array(z.string()) });

function collectFrom(
  store: RunStore,
  { runId, manifestKey, targets }: z.infer<typeof eventSchema>,
): CollectFrom {
  const keys = runKeys(runId);
  const regionCatalogs = new Map<string, Promise<RegionCatalogToEvaluate>>();
  const discovered = targets.flatMap((target) => ('failure' in target ? [] : [target]));
  return {
    listBatches: async () => {
      const regions = discovered.map(({ account, region }) =>
        store.getJson(keys.region(account, region), regionSchema),
      );
      return (await Promise.all(regions)).flatMap(({ batches }) => batches);
    },
    listResults: async () => (await store.list(keys.results)).map(nameInFolder),
    readBatch: (name) => store.getJson(`${keys.batches}${name}`, batchSchema),
    readResult: (name) => store.getJson(`${keys.results}${name}`, auditResultSchema),
    readFailures: () => failures(store, manifestKey),
    readRegionCatalog: (region) => {
      const regionCatalog = regionCatalogs.get(region) ?? regionCatalogToEvaluate(store, region);
      regionCatalogs.set(region, regionCatalog);
      return regionCatalog;
    },
  };
}

/** Null where it is off, or nothing bounds it. */
function monitoringOf(): CollectRequest['monitoring'] {
  const { EVERY_MINUTES, API_USD_PER_MONTH, AUDIT_EVERY_HOURS } = env();
  if (EVERY_MINUTES === '' || API_USD_PER_MONTH === '') return null;
  const auditsAMonth = hoursPerMonth / AUDIT_EVERY_HOURS;
  return { everyMinutes: Number(EVERY_MINUTES), budgetUsd: Number(API_USD_PER_MONTH), auditsAMonth };
}

/** What it cost is for a dashboard and monitoring's budget: nothing that was found waits for it. */
async function countSpend(usd: number): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(ownResources));
  try {
    const { audit, monitoring } = await addSpend(client, env().SPEND_TABLE, {
      ...{ source: 'audit' as const, usd, now: new Date() },
    });
    addMetric('apiUsdOfMonth', audit + monitoring, MetricUnit.NoUnit);
  } catch (error) {
    logger.warn('what the run cost was not counted', { reason: (error as Error).message });
  }
}

export const handler = createHandler(eventSchema, async (event) => {
  const { runId, plan, targets } = event;
  const { BUCKET, THRESHOLDS } = env();
  const store = runStore(BUCKET);
  const monitoring = event.notify ? monitoringOf() : null;
  const result = await collectFindings(
    { runId, plan, targets: targets.map(targetOf), thresholds: thresholdsOf(THRESHOLDS), monitoring },
    collectFrom(store, event),
  );
  const { findings, volumes, ...summary } = result;
  const keys = runKeys(runId);
  const partial = isPartial(result);
  await store.putLines(keys.findings, findings);
  await store.putLines(keys.volumes, volumes);
  await store.putJson(keys.summary, { ...summary, partial, findings: findings.length });
  if (event.notify) await store.putJson(latestRunKey, { runId });
  const { coverage, cost } = summary;
  addMetric('volumesEvaluated', coverage.evaluated);
  addMetric('volumesUnknown', coverage.unknown.length);
  addMetric('findings', findings.length);
  addMetric('partialRuns', partial ? 1 : 0);
  addMetric('metricsRequested', cost.metricsRequested);
  await countSpend(cost.usd);
  return {
    runId,
    partial,
    volumes: coverage.volumes,
    unknown: coverage.unknown.length,
    findings: findings.length,
    incomplete: coverage.incomplete.length,
    cost,
  };
});
