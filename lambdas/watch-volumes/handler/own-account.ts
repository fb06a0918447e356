/** A tick of the function's own account. */
import { randomUUID } from 'node:crypto';
import {
  type MonitoringInventory,
  monitoringInventoryKey,
  monitoringInventorySchema,
} from '../../../core/monitoring/watched.ts';
import { logger } from '../../shared/powertools.ts';
import { runStore } from '../../shared/read-run.ts';
import { budgetOfMonth } from '../budget-of-month.ts';
import { Inventories } from '../inventories.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { readFleets } from '../read-fleet.ts';
import { type Tick, watchVolumes } from '../watch-volumes.ts';
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

/** What a function keeps between two ticks, as long as Lambda keeps it. */
const inventoriesInMemory = new Map<string, MonitoringInventory>();

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

/** @returns null where another tick is under way. */
export async function watchOwnAccount(): Promise<Tick | null> {
  const { ACCOUNT, REGIONS } = env();
  const regions = REGIONS.split(',');
  const { watches, spent, counted, budgetFrom, rules, findings } = await partsOfTick(regions);
  const inventories = inventoriesOfTick();
  const unreadRegions: string[] = [];
  const fleets = () =>
    readFleets(regions, {
      ...fleetFrom(ACCOUNT),
      nowEpochSeconds: nowEpochSeconds(),
      kept: (region) => inventories.kept(region),
      hold: (region, inventory) => inventories.hold(region, inventory),
      onUnread: (region, reason) => {
        unreadRegions.push(region);
        logger.warn('a Region cannot be read', { region, reason });
      },
    });
  const tick = await oneAtATime(leaseIn(watches), randomUUID(), nowEpochSeconds(), () =>
    watchVolumes({
      ...{ nowEpochSeconds, rules, findings },
      fleet: {
        regions: fleets,
        settled: ({ region }, isReconciled) => inventories.settled(region, isReconciled),
      },
      watches: {
        due: ({ region }, at) => watches.due(region, at),
        volumeIds: ({ region }) => watches.volumeIds(region),
        write: (some) => watches.write(some),
        forget: (some) => watches.forget(some),
      },
      budget: {
        now: (at) => budgetOfMonth(budgetFrom, at),
        keep: async (budget) => ((await watches.keepBudget(budget)) ? 'kept' : 'overtaken'),
      },
      read: async (call, collector) =>
        counted((await readMetrics(call, collector, { region: call.region })).metricsRequested),
    }),
  );
  if (tick === null) return null;
  publish(tick, await spent(0), unreadRegions.length);
  if (isWorthALine(tick)) logger.info('tick', { ...tick });
  return tick;
}
