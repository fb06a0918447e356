import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { describeVolumes } from '../../adapters/aws/describe-volumes.ts';
import { reading } from '../../adapters/aws/failure.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { getMetricData } from '../../adapters/aws/get-metric-data.ts';
import { listPublishedChecks } from '../../adapters/aws/list-published-checks.ts';
import { addSpend } from '../../adapters/aws/month-spend.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { Watches } from '../../adapters/aws/watches.ts';
import { changeRecords } from '../../core/advisory/change-records.ts';
import { afterLook } from '../../core/advisory/life.ts';
import { lifeRules } from '../../core/advisory/life-rules.ts';
import { setThresholds } from '../../core/diagnosis/thresholds.ts';
import { Unreadable } from '../../core/errors.ts';
import type { Known } from '../../core/known.ts';
import { usdOfMetrics } from '../../core/load/metric-queries.ts';
import { finestEbsPeriodSeconds } from '../../core/load/metrics.ts';
import type { EbsPrices } from '../../core/prices/price-book.ts';
import { allowance } from '../../core/pulse/allowance.ts';
import { budgetNow, budgetSchema, newBudget } from '../../core/pulse/budget.ts';
import { type PulseInventory, pulseInventoryKey, pulseInventorySchema } from '../../core/pulse/inventory.ts';
import type { PulseSighting } from '../../core/pulse/say.ts';
import { serviceMetrics } from '../../core/service-metrics.ts';
import { msPerSecond, secondsPerMinute } from '../../core/units.ts';
import { edge } from '../shared/edge.ts';
import { environmentOf } from '../shared/environment.ts';
import { logger, metrics } from '../shared/powertools.ts';
import { readingClients } from '../shared/reading-clients.ts';
import { runStore } from '../shared/run-store.ts';
import { marketToJudge } from '../shared/stored-market.ts';
import { envSchema } from './env.ts';
import { readFleets } from './read-fleet.ts';
import { type WatchWith, watchVolumes } from './watch-volumes.ts';

const env = environmentOf(envSchema);
const eventSchema = z.looseObject({});

/** What a function keeps between two ticks, as long as Lambda keeps it. */
const inventories = new Map<string, PulseInventory>();
const prices = new Map<string, { atEpochSeconds: number; prices: Known<EbsPrices> }>();
const pricesSeconds = 3_600;

/** Findings that are named to who tells, who finds the others by itself a little later: an event has 256 KB. */
const mostNamed = 5_000;

const nowEpochSeconds = (): number => Math.floor(Date.now() / msPerSecond);

async function keptInventory(key: string): Promise<PulseInventory | null> {
  const kept = inventories.get(key);
  if (kept !== undefined) return kept;
  const store = runStore(env().BUCKET);
  if (!(await store.has(key))) return null;
  const stored = await store.getJson(key, pulseInventorySchema);
  inventories.set(key, stored);
  return stored;
}

/** @param read what was read of each Region now is put here. */
function fleets(regions: readonly string[], unread: string[], read: Map<string, PulseInventory>) {
  const { ACCOUNT: account, EXCLUDE_TAGS: excludeTags, TAG_KEYS: tagKeys } = env();
  return readFleets(regions, {
    nowEpochSeconds: nowEpochSeconds(),
    excludeTags,
    kept: (region) => keptInventory(pulseInventoryKey(account, region)),
    keep: async (region, inventory) => void read.set(region, inventory),
    describeVolumes: (region) =>
      describeVolumes(readingClients(region).ec2, { region, account }, undefined, tagKeys),
    listPublishedChecks: (region) => listPublishedChecks(readingClients(region).cloudWatch, region),
    onUnread: (region, because) => {
      unread.push(region);
      logger.warn('a Region cannot be read', { region, because });
    },
  });
}

/** Who cannot keep it reads it again at the next tick. */
async function keepInventory(region: string, inventory: PulseInventory): Promise<void> {
  const key = pulseInventoryKey(env().ACCOUNT, region);
  try {
    await runStore(env().BUCKET).putJson(key, inventory);
    inventories.set(key, inventory);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    logger.warn('what a Region has cannot be kept', { region, because: error.message });
  }
}

/** For what is advised: a price of an hour ago is right. */
async function pricesOf(regions: readonly string[]): Promise<Map<string, Known<EbsPrices>>> {
  const now = nowEpochSeconds();
  const store = runStore(env().BUCKET);
  const read = regions.map(async (region) => {
    const before = prices.get(region);
    if (before !== undefined && now - before.atEpochSeconds < pricesSeconds)
      return [region, before.prices] as const;
    const { market, notices, incomplete } = await marketToJudge(store, region);
    for (const because of [...notices, ...incomplete]) logger.warn('prices', { region, because });
    prices.set(region, { atEpochSeconds: now, prices: market.prices.ebs });
    return [region, market.prices.ebs] as const;
  });
  return new Map(await Promise.all(read));
}

/** Puts what was seen into the records. @returns ids of findings that people are to be told of now. */
async function see(sightings: readonly PulseSighting[], records: FindingRecords): Promise<string[]> {
  const { LEAST_SEVERITY, REMEMBER_DAYS, AUDIT_EVERY_HOURS } = env();
  const rules = lifeRules({
    ...{ leastSeverity: LEAST_SEVERITY, rememberDays: REMEMBER_DAYS, auditEveryHours: AUDIT_EVERY_HOURS },
  });
  const byId = new Map(sightings.map((sighting) => [sighting.findingId, sighting]));
  const after = await changeRecords(
    [...byId.keys()],
    (id, before) => afterLook(id, before, byId.get(id) as PulseSighting, rules),
    records,
  );
  const now = nowEpochSeconds();
  return [...after.values()]
    .filter(({ tellFromEpochSeconds }) => tellFromEpochSeconds !== null && tellFromEpochSeconds <= now)
    .map(({ findingId }) => findingId);
}

export const handler = edge(eventSchema, async () => {
  const { REGIONS, EVERY_MINUTES, API_USD_PER_MONTH, AUDIT_EVERY_HOURS, THRESHOLDS } = env();
  const { WATCHES_TABLE, FINDINGS_TABLE, SPEND_TABLE, TELL_FUNCTION_ARN } = env();
  setThresholds(THRESHOLDS);
  const regions = REGIONS.split(',');
  const dynamo = new DynamoDBClient(ownResources);
  const document = DynamoDBDocumentClient.from(dynamo);
  const watches = new Watches(document, WATCHES_TABLE);
  const records = new FindingRecords(recordsClient(dynamo), FINDINGS_TABLE);
  const unreadRegions: string[] = [];
  const inventoriesRead = new Map<string, PulseInventory>();
  const now = new Date();
  const priceOf = await pricesOf(regions);
  const use: WatchWith = {
    nowEpochSeconds,
    tickSeconds: EVERY_MINUTES * secondsPerMinute,
    fleets: () => fleets(regions, unreadRegions, inventoriesRead),
    settled: async (region) => {
      const inventory = inventoriesRead.get(region);
      if (inventory !== undefined) await keepInventory(region, inventory);
    },
    due: (region, at) => watches.due(region, at),
    watchedIds: (region) => watches.volumeIds(region),
    write: (some) => watches.write(some),
    forget: async (some) => {
      for (const region of new Set(some.map((watch) => watch.region))) {
        const ids = some.flatMap((watch) => (watch.region === region ? [watch.volumeId] : []));
        await watches.forget(region, ids);
      }
    },
    budget: async (at) => {
      if (API_USD_PER_MONTH === '') return null;
      const spend = await addSpend(document, SPEND_TABLE, { source: 'pulse', usd: 0, now });
      const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) / msPerSecond;
      const metricsPerMonth = allowance(Number(API_USD_PER_MONTH), {
        ...{ auditUsd: spend.audit, elapsedSeconds: at - monthStart, auditEveryHours: AUDIT_EVERY_HOURS },
      });
      const kept = await watches.budget(budgetSchema);
      return kept === null ? newBudget(metricsPerMonth, at) : budgetNow(kept, metricsPerMonth, at);
    },
    keepBudget: (budget) => watches.keepBudget(budget),
    read: async ({ region, queries, startEpochSeconds, endEpochSeconds }, collector) => {
      const { cloudWatch } = readingClients(region);
      const plan = { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds };
      const { metricsRequested, incomplete } = await getMetricData(
        cloudWatch,
        region,
        queries,
        plan,
        collector,
      );
      if (incomplete.length > 0) logger.warn('some metrics did not come', { region, incomplete });
      return metricsRequested;
    },
    see: (sightings) => see(sightings, records),
    tell: (findingIds) =>
      reading('lambda:InvokeFunction', async () => {
        const Payload = JSON.stringify({ findingIds: findingIds.slice(0, mostNamed) });
        await new LambdaClient(ownResources).send(
          new InvokeCommand({ FunctionName: TELL_FUNCTION_ARN, InvocationType: 'Event', Payload }),
        );
      }),
    advising: (region) =>
      priceOf.get(region) ?? { known: false, because: 'it is not a Region that is watched' },
  };
  const tick = await watchVolumes(use);
  const spend = await addSpend(document, SPEND_TABLE, {
    ...{ source: 'pulse' as const, usd: usdOfMetrics(tick.metrics), now },
  });
  const add = (
    name: keyof typeof serviceMetrics,
    unit: (typeof MetricUnit)[keyof typeof MetricUnit],
    value: number,
  ) => metrics.addMetric(serviceMetrics[name], unit, value);
  add('pulseMetrics', MetricUnit.Count, tick.metrics);
  add('pulseUnread', MetricUnit.Count, tick.unread.length + unreadRegions.length);
  add('pulseLateSeconds', MetricUnit.Seconds, tick.lateSeconds);
  add('apiUsdOfMonth', MetricUnit.NoUnit, spend.audit + spend.pulse);
  if (tick.looks + tick.unread.length > 0) logger.info('tick', { ...tick });
  return tick;
});
