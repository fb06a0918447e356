/** A tick of the accounts of an organization: one call hands the shards on, and each is the work of another. */
import { randomUUID } from 'node:crypto';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { withTimeout } from 'es-toolkit/promise';
import { invokeFunction } from '../../../adapters/aws/invoke-function.ts';
import { refusalOf } from '../../../adapters/aws/refusals.ts';
import { ownResources } from '../../../adapters/aws/session.ts';
import { latestTargetsKey } from '../../../core/audit/run-keys.ts';
import type { MemberRole } from '../../../core/config/organization.ts';
import { NotEntered, Unavailable, Unreadable } from '../../../core/errors.ts';
import type { MetricCollector } from '../../../core/load/metrics.ts';
import { budgetSchema, pace } from '../../../core/monitoring/pace.ts';
import type { MonitoringCall } from '../../../core/monitoring/plan-tick.ts';
import {
  placeText,
  type ShardOfTick,
  shardOf,
  type WatchedTargets,
} from '../../../core/monitoring/shards.ts';
import {
  type MonitoringInventory,
  monitoringInventoryKey,
  monitoringInventorySchema,
} from '../../../core/monitoring/watched.ts';
import { type Refused, type Target, targetListSchema } from '../../../core/schemas/accounts.ts';
import { msPerSecond, secondsPerHour, secondsPerMinute } from '../../../core/units.ts';
import { addMetric, logger } from '../../shared/powertools.ts';
import { runStore } from '../../shared/read-run.ts';
import { sessionIn } from '../../shared/reading-clients.ts';
import { budgetOfMonth } from '../budget-of-month.ts';
import { budgetsOfAccounts } from '../budgets-of-accounts.ts';
import { dispatchShards, watchedTargets } from '../dispatch-shards.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { type SharedBudgetStore, sharedBudget } from '../shared-budget.ts';
import { inventoryIndexSchema, TargetInventories } from '../target-inventories.ts';
import { watchShard } from '../watch-shard.ts';
import type { Tick } from '../watch-volumes.ts';
import {
  env,
  fleetFrom,
  isWorthALine,
  leaseIn,
  nowEpochSeconds,
  partsOfTick,
  publish,
  readMetrics,
} from './tick-parts.ts';

/** What the function sends to itself. */
interface ShardEvent extends ShardOfTick {
  /** Whether an audit has listed the targets: found out once for all shards of a tick. */
  isListed: boolean;
}

/** Stands in the CloudTrail of the members. */
const runId = 'monitoring';

const areTargetsListed = (): Promise<boolean> => runStore(env().BUCKET).has(latestTargetsKey);

async function targetsOfTick(functionArn: string, isListed: boolean): Promise<WatchedTargets> {
  const { ACCOUNT: account, REGIONS, BUCKET } = env();
  const partition = functionArn.split(':')[1] ?? 'aws';
  const store = runStore(BUCKET);
  const latest = isListed ? await store.getJson(latestTargetsKey, targetListSchema) : null;
  return watchedTargets(
    latest,
    REGIONS.split(',').map((region) => ({ partition, account, region })),
  );
}

/** @returns how many shards there are. */
export async function handShardsOn(functionArn: string): Promise<number> {
  const isListed = await areTargetsListed();
  const all = await targetsOfTick(functionArn, isListed);
  if (all.accounts === null)
    logger.warn('no audit has listed the accounts yet: only the own account is watched', {
      missing: latestTargetsKey,
    });
  const lambda = new LambdaClient(ownResources);
  return dispatchShards(all, {
    nowEpochSeconds: nowEpochSeconds(),
    tickSeconds: env().EVERY_MINUTES * secondsPerMinute,
    invoke: (shard) => invokeFunction(lambda, functionArn, { ...shard, isListed } satisfies ShardEvent),
    onFailed: (shard, reason) => logger.warn('a shard waits for the next tick', { shard, reason }),
  });
}

/** The inventories of the shard that was read last. */
let inMemory: { shard: number; inventories: Map<string, MonitoringInventory> } | null = null;

function memoryOf(shard: number): Map<string, MonitoringInventory> {
  if (inMemory?.shard !== shard) inMemory = { shard, inventories: new Map() };
  return inMemory.inventories;
}

const enterWith = (memberRole: MemberRole) => (target: Target) =>
  sessionIn(target, memberRole, { account: env().ACCOUNT, runId });

/** What an account refuses in a Region it refuses in the next tick, too: this process asks again after an hour. */
const refusedRegions = new Map<string, { refused: Refused; untilMs: number }>();
const refusedForMs = secondsPerHour * msPerSecond;

/** @throws NotEntered where the account, or its organization, lets nobody read the Region. */
async function fleetOf(target: Target, enter: ReturnType<typeof enterWith>) {
  const place = placeText(target);
  const before = refusedRegions.get(place);
  if (before !== undefined && Date.now() < before.untilMs) throw new NotEntered(before.refused);
  const from = fleetFrom(target.account, await enter(target));
  const describeVolumes: typeof from.describeVolumes = async (region) => {
    try {
      return await from.describeVolumes(region);
    } catch (error) {
      const refused = refusalOf(error, 'region');
      if (refused.code === 'other') throw error;
      refusedRegions.set(place, { refused, untilMs: Date.now() + refusedForMs });
      throw new NotEntered(refused, { cause: error });
    }
  };
  return { ...from, describeVolumes };
}

interface ReadOfTick {
  call: MonitoringCall;
  collector: MetricCollector;
  untilMs: number;
  /** By place, who refused in this tick: it is asked for nothing more. */
  refusing: Map<string, Refused>;
}

/** A target that does not answer leaves its volumes due; one that refuses does not. */
async function readWith(
  enter: ReturnType<typeof enterWith>,
  target: Target,
  { call, collector, untilMs, refusing }: ReadOfTick,
): Promise<number> {
  const { account, region, queries } = call;
  const place = placeText(target);
  try {
    const before = refusing.get(place);
    if (before !== undefined) throw new NotEntered(before);
    if (Date.now() >= untilMs) throw new Unavailable('the time of this tick is over');
    const session = await enter(target);
    const { metricsRequested, denied } = await withTimeout(
      () => readMetrics(call, collector, session),
      Math.min(pace.mostTargetSeconds * msPerSecond, untilMs - Date.now()),
    );
    if (denied !== undefined) refusing.set(place, refusalOf(denied, 'region'));
    return metricsRequested;
  } catch (error) {
    if (error instanceof NotEntered) refusing.set(place, error.refused);
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    if (!(error instanceof Unreadable) && !isLate) throw error;
    const reason = isLate ? 'it did not answer in time' : (error as Error).message;
    for (const { resourceId } of queries) collector.unread(resourceId, { code: 'metrics-not-read', reason });
    logger.warn('metrics of an account were not read', { account, region, reason });
    // What did not answer in time may have been asked, and is paid for then.
    return isLate ? queries.length : 0;
  }
}

/** @returns null where another tick works on this shard. */
export async function watchOneShard(
  { shard, of, isListed }: ShardEvent,
  memberRole: MemberRole,
  functionArn: string,
): Promise<Tick | null> {
  const all = await targetsOfTick(functionArn, isListed);
  const ofShard = all.targets.filter(({ account }) => shardOf(account) === shard);
  const regions = [...new Set(ofShard.map(({ region }) => region))];
  const parts = await partsOfTick(regions, all.accounts);
  const { watches, spent, counted, budgetFrom, rules, findings } = parts;
  const storeOf = (key?: string): SharedBudgetStore => ({
    kept: () => watches.budget(budgetSchema, key),
    begin: (budget) => watches.beginBudget(budget, key),
    accrue: (before, after) => watches.accrueBudget(before, after, key),
    take: (metrics) => watches.takeOfBudget(metrics, key),
  });
  const store = runStore(env().BUCKET);
  const enter = enterWith(memberRole);
  const untilMs = Date.now() + pace.readUntilSeconds * msPerSecond;
  const refused = new Map<string, string>();
  const refusing = new Map<string, Refused>();
  const unread: string[] = [];
  const tick = await oneAtATime(leaseIn(watches, shard), randomUUID(), nowEpochSeconds(), async () =>
    watchShard(shard, all, {
      ...{ nowEpochSeconds, findings, watches },
      rules: {
        ...rules,
        mostPoints: pace.roundsOfShard * rules.mostPoints,
        mostPointsOfPlace: rules.mostPoints,
        placesAtOnce: pace.targetsAtOnce,
      },
      inventories: new TargetInventories(
        await watches.inventoryIndex(shard, inventoryIndexSchema),
        memoryOf(shard),
        {
          get: ({ account, region }) =>
            store.getJson(monitoringInventoryKey(account, region), monitoringInventorySchema),
          put: ({ account, region }, inventory) =>
            store.putJson(monitoringInventoryKey(account, region), inventory),
          putIndex: (index) => watches.keepInventoryIndex(shard, index),
          onUnkept: (what, reason) => logger.warn('what a Region has cannot be kept', { what, reason }),
        },
      ),
      enter: (target) => fleetOf(target, enter),
      onRefused: ({ account }, { code, reason }) => {
        refused.set(account, `${code}: ${reason ?? ''}`);
      },
      onUnread: ({ account, region }, reason) => {
        unread.push(`${account}/${region}`);
        logger.warn('a Region cannot be read', { account, region, reason });
      },
      budget: sharedBudget(storeOf(), of, (kept, at) =>
        budgetOfMonth({ ...budgetFrom, kept: async () => kept }, at),
      ),
      budgetsOfAccounts: budgetsOfAccounts(env().ACCOUNT_BUDGETS, shard, all, {
        storeOf,
        budgetNow: ({ key, apiUsdPerMonth }, kept, at) =>
          budgetOfMonth(
            {
              ...{ ...budgetFrom, apiUsdPerMonth, kept: async () => kept },
              auditUsd: () => parts.auditUsdOfAccounts(key),
            },
            at,
          ),
      }),
      read: async (call, collector) => {
        const target = ofShard.find(
          ({ account, region }) => account === call.account && region === call.region,
        );
        if (target === undefined)
          throw new Error(`a call of ${call.account} in ${call.region}, which is no target`);
        const metrics = await readWith(enter, target, { call, collector, untilMs, refusing });
        const { code, reason } = refusing.get(placeText(target)) ?? {};
        if (code !== undefined) refused.set(target.account, `${code}: ${reason ?? ''}`);
        return counted(metrics);
      },
      refuses: (place) => refusing.has(placeText(place)),
    }),
  );
  if (tick === null) return null;
  publish(tick, await spent(0), unread.length);
  addMetric('monitoringAccountsRefused', refused.size);
  if (refused.size > 0)
    logger.warn('accounts let nobody in: what is open in them stays as it is', {
      shard,
      refused: Object.fromEntries(refused),
    });
  if (isWorthALine(tick)) logger.info('tick', { shard, ...tick });
  return tick;
}
