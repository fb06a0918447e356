import { randomUUID } from 'node:crypto';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { describeVolumes } from '../../adapters/aws/describe-volumes.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { getMetricData } from '../../adapters/aws/get-metric-data.ts';
import { invokeFunction } from '../../adapters/aws/invoke-function.ts';
import { listPublishedChecks } from '../../adapters/aws/list-published-checks.ts';
import { addSpend } from '../../adapters/aws/month-spend.ts';
import { PointsPace } from '../../adapters/aws/points-pace.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { Watches } from '../../adapters/aws/watches.ts';
import { benchmarkHostsIn, benchmarkHostsOf } from '../../core/benchmark/campaign/benchmark-hosts.ts';
import { lifecycleRulesOf } from '../../core/config/variables.ts';
import { thresholdsOf } from '../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds, type MetricCollector, usdOfMetrics } from '../../core/load/metrics.ts';
import { budgetSchema, pace } from '../../core/monitoring/pace.ts';
import type { MonitoringCall } from '../../core/monitoring/plan-tick.ts';
import {
  type MonitoringInventory,
  monitoringInventoryKey,
  monitoringInventorySchema,
} from '../../core/monitoring/watched.ts';
import type { PriceBook } from '../../core/prices/prices.ts';
import { msPerSecond, secondsPerMinute } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { addMetric, addMetricOfRegion, environmentOf, logger, skippedRecord } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { readingClients } from '../shared/reading-clients.ts';
import { regionCatalogToEvaluate } from '../shared/stored-catalog.ts';
import { budgetOfMonth } from './budget-of-month.ts';
import { envSchema } from './env.ts';
import { hourlyPrices, type PricesRead } from './hourly-prices.ts';
import { Inventories } from './inventories.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { readFleets } from './read-fleet.ts';
import { storeObservations } from './store-observations.ts';
import { type WatchWith, watchVolumes } from './watch-volumes.ts';

const env = environmentOf(envSchema);
const eventSchema = z.looseObject({});

/** What a function keeps between two ticks, as long as Lambda keeps it. */
const inventoriesInMemory = new Map<string, MonitoringInventory>();
const pricesRead: PricesRead = new Map();

const paces = new Map<string, PointsPace>();

const nowEpochSeconds = (): number => Math.floor(Date.now() / msPerSecond);

function inventoriesOfTick(): Inventories {
  const { ACCOUNT, BUCKET } = env();
  const store = runStore(BUCKET);
  return new Inventories(inventoriesInMemory, {
    get: async (region) => {
      const key = monitoringInventoryKey(ACCOUNT, region);
      return (await store.has(key)) ? store.getJson(key, monitoringInventorySchema) : null;
    },
    put: (region, inventory) => store.putJson(monitoringInventoryKey(ACCOUNT, region), inventory),
    onUnkept: (region, reason) => logger.warn('what a Region has cannot be kept', { region, reason }),
  });
}

/** @param unread the Regions that cannot be read are put here. */
function fleets(inventories: Inventories, regions: readonly string[], unread: string[]) {
  const { ACCOUNT: account, EXCLUDE_TAGS: excludeTags, TAG_KEYS: tagKeys } = env();
  return readFleets(regions, {
    nowEpochSeconds: nowEpochSeconds(),
    excludeTags,
    kept: (region) => inventories.kept(region),
    hold: (region, inventory) => inventories.hold(region, inventory),
    describeVolumes: (region) =>
      describeVolumes(readingClients({ region }).ec2, { region, account }, undefined, tagKeys),
    listPublishedChecks: (region) => listPublishedChecks(readingClients({ region }).cloudWatch, region),
    benchmarkHosts: async (region) =>
      benchmarkHostsOf(await runStore(env().BUCKET).list(benchmarkHostsIn(region))),
    onUnread: (region, reason) => {
      unread.push(region);
      logger.warn('a Region cannot be read', { region, reason });
    },
  });
}

async function pricesOf(region: string): Promise<PriceBook['ebs']> {
  const { regionCatalog, notices, incomplete } = await regionCatalogToEvaluate(
    runStore(env().BUCKET),
    region,
  );
  for (const notice of [...notices, ...incomplete]) logger.warn('prices', { region, notice });
  return regionCatalog.prices.ebs;
}

function paceOf(region: string): PointsPace {
  const pace = paces.get(region) ?? new PointsPace(env().POINT_RATES, { isSuccessor: true });
  paces.set(region, pace);
  return pace;
}

async function read(
  { region, queries, startEpochSeconds, endEpochSeconds }: MonitoringCall,
  collector: MetricCollector,
): Promise<number> {
  const { cloudWatch } = readingClients({ region });
  const plan = { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds };
  const from = { client: cloudWatch, region, pace: paceOf(region) };
  const { metricsRequested, incomplete } = await getMetricData(from, queries, plan, collector);
  if (incomplete.length > 0) logger.warn('some metrics did not come', { region, incomplete });
  return metricsRequested;
}

export const handler = createHandler(eventSchema, async () => {
  const { REGIONS, EVERY_MINUTES, API_USD_PER_MONTH, AUDIT_EVERY_HOURS, THRESHOLDS, POINT_RATES } = env();
  const { WATCHES_TABLE, FINDINGS_TABLE, SPEND_TABLE, NOTIFY_FUNCTION_ARN } = env();
  const regions = REGIONS.split(',');
  const dynamo = new DynamoDBClient(ownResources);
  const document = DynamoDBDocumentClient.from(dynamo);
  const watches = new Watches(document, WATCHES_TABLE);
  const records = new FindingRecords(recordsClient(dynamo), FINDINGS_TABLE, skippedRecord);
  const inventories = inventoriesOfTick();
  const unreadRegions: string[] = [];
  const now = new Date();
  const spent = (usd: number) => addSpend(document, SPEND_TABLE, { source: 'monitoring', usd, now });
  const budgetFrom = {
    apiUsdPerMonth: API_USD_PER_MONTH === '' ? null : Number(API_USD_PER_MONTH),
    auditEveryHours: AUDIT_EVERY_HOURS,
    auditUsd: async () => (await spent(0)).audit,
    kept: () => watches.budget(budgetSchema),
  };
  const use: WatchWith = {
    nowEpochSeconds,
    rules: {
      tickSeconds: EVERY_MINUTES * secondsPerMinute,
      mostPoints: pace.secondsOfReading * POINT_RATES.older,
      mostChanges: pace.changesPerTick,
      thresholds: thresholdsOf(THRESHOLDS),
      advising: await hourlyPrices(regions, pricesRead, nowEpochSeconds(), pricesOf),
    },
    fleet: {
      regions: () => fleets(inventories, regions, unreadRegions),
      settled: (region, isReconciled) => inventories.settled(region, isReconciled),
    },
    watches,
    budget: {
      now: (at) => budgetOfMonth(budgetFrom, at),
      keep: (budget) => watches.keepBudget(budget),
    },
    // Counted call by call: a tick that dies has paid for what it read.
    read: async (call, collector) => {
      const metrics = await read(call, collector);
      await spent(usdOfMetrics(metrics));
      return metrics;
    },
    findings: {
      see: (observations) =>
        storeObservations(observations, records, lifecycleRulesOf(env()), nowEpochSeconds()),
      notify: (findingIds) =>
        invokeFunction(new LambdaClient(ownResources), NOTIFY_FUNCTION_ARN, { findingIds }),
    },
  };
  const lease = {
    take: (holder: string, at: number, until: number) => watches.takeLease(holder, at, until),
    end: (holder: string) => watches.endLease(holder),
    onUnended: (reason: string) => logger.warn('the lease of this tick ends by itself', { reason }),
  };
  const tick = await oneAtATime(lease, randomUUID(), nowEpochSeconds(), () => watchVolumes(use));
  if (tick === null) {
    logger.info('another tick is under way');
    return { isSkipped: true };
  }
  const { audit, monitoring } = await spent(0);
  addMetric('monitoringMetrics', tick.metrics);
  addMetric('monitoringUnread', tick.unread.length + unreadRegions.length);
  addMetric('monitoringLateSeconds', tick.lateSeconds, MetricUnit.Seconds);
  for (const [region, delay] of Object.entries(tick.delaySeconds))
    addMetricOfRegion('publicationSeconds', region, delay, MetricUnit.Seconds);
  addMetric('apiUsdOfMonth', audit + monitoring, MetricUnit.NoUnit);
  if (tick.polls + tick.unread.length + tick.unregistered > 0 || tick.isOvertaken)
    logger.info('tick', { ...tick });
  return tick;
});
