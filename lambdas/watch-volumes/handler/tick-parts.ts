/** What the ticks of one account and of several have in common. */

import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describeVolumes } from '../../../adapters/aws/describe-volumes.ts';
import { FindingRecords, recordsClient } from '../../../adapters/aws/finding-records.ts';
import { getMetricData, type MetricsRead } from '../../../adapters/aws/get-metric-data.ts';
import { invokeFunction } from '../../../adapters/aws/invoke-function.ts';
import { listPublishedChecks } from '../../../adapters/aws/list-published-checks.ts';
import { addSpend } from '../../../adapters/aws/month-spend.ts';
import { PointsPace } from '../../../adapters/aws/points-pace.ts';
import { ownResources, type Session } from '../../../adapters/aws/session.ts';
import { Watches } from '../../../adapters/aws/watches.ts';
import { benchmarkHostsIn, benchmarkHostsOf } from '../../../core/benchmark/campaign/benchmark-hosts.ts';
import { lifecycleRulesOf } from '../../../core/config/variables.ts';
import { thresholdsOf } from '../../../core/diagnosis/thresholds.ts';
import { finestEbsPeriodSeconds, type MetricCollector, usdOfMetrics } from '../../../core/load/metrics.ts';
import { budgetSchema, pace } from '../../../core/monitoring/pace.ts';
import type { MonitoringCall } from '../../../core/monitoring/plan-tick.ts';
import { type Place, placeText, type WatchedTargets } from '../../../core/monitoring/shards.ts';
import type { PriceBook } from '../../../core/prices/prices.ts';
import { msPerSecond, secondsPerMinute } from '../../../core/units.ts';
import {
  addMetric,
  addMetricOfRegion,
  environmentOf,
  logger,
  skippedRecord,
} from '../../shared/powertools.ts';
import { runStore } from '../../shared/read-run.ts';
import { readingClients } from '../../shared/reading-clients.ts';
import { regionCatalogToEvaluate } from '../../shared/stored-catalog.ts';
import type { BudgetFrom } from '../budget-of-month.ts';
import { envSchema } from '../env.ts';
import { hourlyPrices, type PricesRead } from '../hourly-prices.ts';
import type { TickLease } from '../one-at-a-time.ts';
import type { FleetFrom } from '../read-fleet.ts';
import { storeObservations, withAccountNames } from '../store-observations.ts';
import type { Tick, WatchWith } from '../watch-volumes.ts';

export const env = environmentOf(envSchema);

export const nowEpochSeconds = (): number => Math.floor(Date.now() / msPerSecond);

/** What a function keeps between two ticks, as long as Lambda keeps it. */
const pricesRead: PricesRead = new Map();
const paces = new Map<string, PointsPace>();

/** How a Region is read with what a session may. */
export const fleetFrom = (
  account: string,
  session: Omit<Session, 'region'> = {},
): Pick<FleetFrom, 'excludeTags' | 'describeVolumes' | 'listPublishedChecks' | 'benchmarkHosts'> => {
  const { EXCLUDE_TAGS: excludeTags, TAG_KEYS: tagKeys } = env();
  const clientsIn = (region: string) => readingClients({ ...session, region });
  return {
    excludeTags,
    describeVolumes: (region) =>
      describeVolumes(clientsIn(region).ec2, { region, account }, undefined, tagKeys),
    listPublishedChecks: (region) => listPublishedChecks(clientsIn(region).cloudWatch, region),
    benchmarkHosts: async (region) =>
      benchmarkHostsOf(await runStore(env().BUCKET).list(benchmarkHostsIn(region))),
  };
};

async function pricesOf(region: string): Promise<PriceBook['ebs']> {
  const { regionCatalog, notices, incomplete } = await regionCatalogToEvaluate(
    runStore(env().BUCKET),
    region,
  );
  for (const notice of [...notices, ...incomplete]) logger.warn('prices', { region, notice });
  return regionCatalog.prices.ebs;
}

function paceOf(place: Place): PointsPace {
  const key = placeText(place);
  const pace = paces.get(key) ?? new PointsPace(env().POINT_RATES, { isSuccessor: true });
  paces.set(key, pace);
  return pace;
}

export async function readMetrics(
  { account, region, queries, startEpochSeconds, endEpochSeconds }: MonitoringCall,
  collector: MetricCollector,
  session: Session,
): Promise<MetricsRead> {
  const { cloudWatch } = readingClients(session);
  const plan = { startEpochSeconds, endEpochSeconds, periodSeconds: finestEbsPeriodSeconds };
  const from = { client: cloudWatch, region, pace: paceOf({ account, region }) };
  const read = await getMetricData(from, queries, plan, () => collector);
  const { incomplete } = read;
  if (incomplete.length > 0) logger.warn('some metrics did not come', { account, region, incomplete });
  return read;
}

interface TickParts extends Pick<WatchWith, 'rules' | 'findings'> {
  watches: Watches;
  budgetFrom: BudgetFrom;
  /** Of the month, in the accounts of a budget of some. */
  auditUsdOfAccounts(key: string): Promise<number>;
  /** @returns what was spent in the month with it. */
  spent(usd: number): ReturnType<typeof addSpend>;
  /** Counted call by call: a tick that dies has paid for what it read. */
  counted(metrics: number): Promise<number>;
}

/** @param accounts what is said of them beside their numbers. */
export async function partsOfTick(
  regions: readonly string[],
  accounts: WatchedTargets['accounts'] = null,
): Promise<TickParts> {
  const { EVERY_MINUTES, API_USD_PER_MONTH, AUDIT_EVERY_HOURS, THRESHOLDS, POINT_RATES } = env();
  const { WATCHES_TABLE, FINDINGS_TABLE, SPEND_TABLE, NOTIFY_FUNCTION_ARN } = env();
  const dynamo = new DynamoDBClient(ownResources);
  const document = DynamoDBDocumentClient.from(dynamo);
  const watches = new Watches(document, WATCHES_TABLE);
  const records = new FindingRecords(recordsClient(dynamo), FINDINGS_TABLE, skippedRecord);
  const now = new Date();
  const spent = (usd: number) => addSpend(document, SPEND_TABLE, { source: 'monitoring', usd, now });
  return {
    watches,
    spent,
    counted: async (metrics) => {
      await spent(usdOfMetrics(metrics));
      return metrics;
    },
    auditUsdOfAccounts: async (key) =>
      (await addSpend(document, SPEND_TABLE, { source: 'monitoring', usd: 0, now, ofAccounts: key })).audit,
    budgetFrom: {
      apiUsdPerMonth: API_USD_PER_MONTH === '' ? null : Number(API_USD_PER_MONTH),
      auditEveryHours: AUDIT_EVERY_HOURS,
      auditUsd: async () => (await spent(0)).audit,
      kept: () => watches.budget(budgetSchema),
    },
    rules: {
      tickSeconds: EVERY_MINUTES * secondsPerMinute,
      mostPoints: pace.secondsOfReading * POINT_RATES.older,
      mostChanges: pace.changesPerTick,
      thresholds: thresholdsOf(THRESHOLDS),
      advising: await hourlyPrices(regions, pricesRead, nowEpochSeconds(), pricesOf),
    },
    findings: {
      see: (observations) =>
        storeObservations(
          withAccountNames(observations, accounts),
          records,
          lifecycleRulesOf(env()),
          nowEpochSeconds(),
        ),
      notify: (findingIds) =>
        invokeFunction(new LambdaClient(ownResources), NOTIFY_FUNCTION_ARN, { findingIds }),
    },
  };
}

/** @param shard where several accounts are watched: each shard has a lease of its own. */
export const leaseIn = (watches: Watches, shard?: number): TickLease => ({
  take: (holder, at, until) => watches.takeLease(holder, at, until, shard),
  end: (holder) => watches.endLease(holder, shard),
  onUnended: (reason) => logger.warn('the lease of this tick ends by itself', { reason }),
});

/** @param unread Regions that could not be read. */
export function publish(
  tick: Tick,
  { audit, monitoring }: { audit: number; monitoring: number },
  unread: number,
): void {
  addMetric('monitoringMetrics', tick.metrics);
  addMetric('monitoringUnread', tick.unread.length + unread);
  addMetric('monitoringLateSeconds', tick.lateSeconds, MetricUnit.Seconds);
  for (const [region, delay] of Object.entries(tick.delaySeconds))
    addMetricOfRegion('publicationSeconds', region, delay, MetricUnit.Seconds);
  addMetric('apiUsdOfMonth', audit + monitoring, MetricUnit.NoUnit);
}

/** Of a tick in which nothing was done nothing is logged. */
export const isWorthALine = (tick: Tick): boolean =>
  tick.polls + tick.unread.length + tick.unregistered > 0 || tick.isOvertaken;
