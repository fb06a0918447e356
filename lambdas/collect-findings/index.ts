import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { addSpend } from '../../adapters/aws/month-spend.ts';
import type { RunStore } from '../../adapters/aws/run-store.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { dayOf, fleetDaysKey } from '../../core/archive/keys.ts';
import { listedForWatching } from '../../core/audit/accounts.ts';
import { isPartial } from '../../core/audit/audit.ts';
import { latestRunKey, latestTargetsKey, nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { targetListSchema } from '../../core/schemas/accounts.ts';
import { auditNoticeSchema } from '../../core/schemas/audit-notice.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { batchSchema, type placeSchema, readingPlanSchema } from '../../core/schemas/batch.ts';
import { fleetDaysSchema } from '../../core/schemas/fleet-days.ts';
import { hoursPerMonth } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, environmentOf, logger } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { type RegionCatalogToEvaluate, regionCatalogToEvaluate } from '../shared/stored-catalog.ts';
import { spentOfAccounts } from './budgets.ts';
import { type CollectFrom, type CollectRequest, collectFindings } from './collect-findings.ts';
import { envSchema } from './env.ts';
import { type KeepWith, keepFleetDays } from './keep-fleet-days.ts';
import { type Child, childrenSchema, failuresByBatch, manifestSchema } from './map-failures.ts';
import { readAccounts, severalAccountsSchema } from './several-accounts.ts';
import { targetOf, targetSchema } from './targets.ts';

const env = environmentOf(envSchema);

const runSchema = z.object({
  runId: z.string().min(1),
  plan: readingPlanSchema,
  /** A usual run: the latest one from now on. */
  notify: z.boolean(),
});
const ofOneSchema = z.object({
  targets: z.array(targetSchema),
  /** Where the map over the batches wrote its manifest; null where there was nothing to evaluate. */
  manifestKey: z.string().nullable(),
});
type OfOne = z.infer<typeof ofOneSchema>;
const ofSeveralSchema = z.object({ severalAccounts: severalAccountsSchema });
const eventSchema = z.intersection(runSchema, z.union([ofOneSchema, ofSeveralSchema]));

async function readChildren(store: RunStore, manifestKey: string, which: 'all' | 'failed'): Promise<Child[]> {
  const { FAILED, SUCCEEDED } = (await store.getJson(manifestKey, manifestSchema)).ResultFiles;
  const files = which === 'all' ? [...FAILED, ...SUCCEEDED] : FAILED;
  return (await Promise.all(files.map(({ Key }) => store.getJson(Key, childrenSchema)))).flat();
}

const regionSchema = z.object({ batches: z.array(z.string()) });

const archivedSchema = z.object({ incomplete: z.array(auditNoticeSchema) });

type Place = z.infer<typeof placeSchema>;
const readBatches = async (store: RunStore, runId: string, { account, region }: Place): Promise<string[]> =>
  (await store.getJson(runKeys(runId).region(account, region), regionSchema)).batches;

/** What is read of a run: of which targets, which batches, and why some of them have no result. */
type Read = Pick<CollectRequest, 'targets' | 'accounts'> & Pick<CollectFrom, 'listBatches' | 'readFailures'>;

function ofOne(store: RunStore, runId: string, { targets, manifestKey }: OfOne): Read {
  const discovered = targets.flatMap((target) => ('failure' in target ? [] : [target]));
  return {
    targets: targets.map(targetOf),
    listBatches: async () =>
      (await Promise.all(discovered.map((place) => readBatches(store, runId, place)))).flat(),
    readFailures: async () =>
      failuresByBatch(manifestKey === null ? [] : await readChildren(store, manifestKey, 'failed')),
  };
}

const ofSeveral = (
  store: RunStore,
  runId: string,
  event: z.infer<typeof severalAccountsSchema>,
): Promise<Read> =>
  readAccounts(event, {
    readTargets: () => store.getJson(runKeys(runId).targets, targetListSchema),
    readChildren: (manifestKey, which) => readChildren(store, manifestKey, which),
    readBatches: (place) => readBatches(store, runId, place),
    readBefore: async () =>
      (await store.has(latestTargetsKey)) ? store.getJson(latestTargetsKey, targetListSchema) : null,
  });

function collectFrom(
  store: RunStore,
  runId: string,
  { listBatches, readFailures }: Pick<CollectFrom, 'listBatches' | 'readFailures'>,
): CollectFrom {
  const keys = runKeys(runId);
  const regionCatalogs = new Map<string, Promise<RegionCatalogToEvaluate>>();
  return {
    ...{ listBatches, readFailures },
    listResults: async () => (await store.list(keys.results)).map(nameInFolder),
    readBatch: (name) => store.getJson(`${keys.batches}${name}`, batchSchema),
    readResult: (name) => store.getJson(`${keys.results}${name}`, auditResultSchema),
    readRegionCatalog: (region) => {
      const regionCatalog = regionCatalogs.get(region) ?? regionCatalogToEvaluate(store, region);
      regionCatalogs.set(region, regionCatalog);
      return regionCatalog;
    },
  };
}

/** Null where it is off. */
function monitoringOf(isOfAll: boolean): CollectRequest['monitoring'] {
  const { EVERY_MINUTES, API_USD_PER_MONTH, AUDIT_EVERY_HOURS, ACCOUNT_BUDGETS } = env();
  if (EVERY_MINUTES === '') return null;
  return {
    everyMinutes: Number(EVERY_MINUTES),
    budgetUsd: API_USD_PER_MONTH === '' ? null : Number(API_USD_PER_MONTH),
    auditsAMonth: hoursPerMonth / AUDIT_EVERY_HOURS,
    ofAccounts: isOfAll ? ACCOUNT_BUDGETS : [],
  };
}

/** What it cost is for a dashboard and monitoring's budget: nothing that was found waits for it. */
async function countSpend(usd: number, ofAccounts: ReturnType<typeof spentOfAccounts>): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(ownResources));
  const by = { source: 'audit' as const, now: new Date() };
  try {
    const { audit, monitoring } = await addSpend(client, env().SPEND_TABLE, { ...by, usd });
    addMetric('apiUsdOfMonth', audit + monitoring, MetricUnit.NoUnit);
    for (const one of ofAccounts) await addSpend(client, env().SPEND_TABLE, { ...by, ...one });
  } catch (error) {
    logger.warn('what the run cost was not counted', { reason: (error as Error).message });
  }
}

const keepDaysIn = (store: RunStore): KeepWith => ({
  changeDays: (change) => store.changeJson(fleetDaysKey, fleetDaysSchema, change),
  onTrouble: ({ message }) => logger.warn('the fleet by day was not kept', { reason: message }),
});

export const handler = createHandler(eventSchema, async (event) => {
  const { runId, plan } = event;
  const { BUCKET, THRESHOLDS } = env();
  const store = runStore(BUCKET);
  const isOfAll = 'severalAccounts' in event && event.severalAccounts.isOfAll;
  const monitoring = event.notify ? monitoringOf(isOfAll) : null;
  const usdByAccount = new Map<string, number>();
  const { targets, accounts, ...batches } =
    'severalAccounts' in event
      ? await ofSeveral(store, runId, event.severalAccounts)
      : ofOne(store, runId, event);
  const result = await collectFindings(
    { runId, plan, targets, accounts, thresholds: thresholdsOf(THRESHOLDS), monitoring },
    {
      ...collectFrom(store, runId, batches),
      onCost: (account, usd) => usdByAccount.set(account, usd),
      ...(plan.isArchived
        ? {
            readArchived: async ({ account, region }) => {
              const key = runKeys(runId).archived(account, region);
              return (await store.has(key)) ? (await store.getJson(key, archivedSchema)).incomplete : null;
            },
          }
        : {}),
    },
  );
  const { findings, volumes, minutesByDay: minutes = [], ...rest } = result;
  // Of all that is audited, in the usual window: a run of a part says nothing of the rest.
  const isUsual = plan.isArchived === true && plan.isOfOwnWindow !== true && event.notify;
  const isOfFleet = isUsual && (isOfAll || !('severalAccounts' in event));
  const fleetWeeks = isOfFleet
    ? await keepFleetDays({ day: dayOf(plan.endEpochSeconds), minutes, result }, keepDaysIn(store))
    : null;
  const summary = { ...rest, ...(fleetWeeks === null ? {} : { fleetWeeks }) };
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
  await countSpend(cost.usd, spentOfAccounts(env().ACCOUNT_BUDGETS, accounts?.listed ?? [], usdByAccount));
  // At the very end: a call after one that died compares with the run before it, and not with itself.
  if (event.notify && isOfAll) {
    const listed = await store.getJson(keys.targets, targetListSchema);
    await store.putJson(latestTargetsKey, listedForWatching(listed, accounts?.before ?? null));
  }
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
