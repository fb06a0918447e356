/** A shard of a tick of several accounts: its targets are polled together, and one that refuses holds no other up. */
import { groupBy } from '../../core/group-by.ts';
import { pace } from '../../core/monitoring/pace.ts';
import {
  type Place,
  placeText,
  shardOf,
  untargeted,
  type WatchedTargets,
} from '../../core/monitoring/shards.ts';
import { afterRefusal, type Watch } from '../../core/monitoring/watch.ts';
import type { Target } from '../../core/schemas/accounts.ts';
import { readTargets, type TargetsFrom } from './read-targets.ts';
import { type Tick, type WatchStore, type WatchWith, watchVolumes } from './watch-volumes.ts';

/** What is remembered of each volume of a shard. */
interface ShardWatchStore extends Pick<WatchStore, 'write' | 'forget'> {
  dueOfShard(shard: number, nowEpochSeconds: number): Promise<Watch[]>;
  /** All of an account and Region. */
  ofTarget(target: Target): Promise<Watch[]>;
  volumeIdsOfTarget(target: Target): Promise<string[]>;
}

export interface WatchShardWith
  extends Omit<WatchWith, 'fleet' | 'watches'>,
    Pick<TargetsFrom, 'inventories' | 'enter' | 'onRefused' | 'onUnread'> {
  watches: ShardWatchStore;
}

/** Of what is due; the others of a target are asked for only where volumes of it went. */
function storeOf(
  watches: ShardWatchStore,
  due: ReadonlyMap<string, Watch[]>,
  targetOf: TargetOf,
): WatchStore {
  return {
    due: async (place, at) =>
      at === Number.MAX_SAFE_INTEGER ? watches.ofTarget(targetOf(place)) : (due.get(placeText(place)) ?? []),
    volumeIds: (place) => watches.volumeIdsOfTarget(targetOf(place)),
    write: (some) => watches.write(some),
    forget: (some) => watches.forget(some),
  };
}

type TargetOf = (place: Place) => Target;

/** Called by who has the lease of the shard, and by nobody else. */
export async function watchShard(shard: number, all: WatchedTargets, use: WatchShardWith): Promise<Tick> {
  const nowEpochSeconds = use.nowEpochSeconds();
  const { inventories, watches } = use;
  const targets = all.targets.filter(({ account }) => shardOf(account) === shard);
  const byPlace = new Map(targets.map((target) => [placeText(target), target]));
  const dueNow = await watches.dueOfShard(shard, nowEpochSeconds);
  const due = groupBy(dueNow, placeText);
  const targetOf = (place: Place): Target => byPlace.get(placeText(place)) as Target;
  const { enter, onUnread } = use;
  const refused = new Set<string>();
  const onRefused: typeof use.onRefused = (target, why) => {
    refused.add(placeText(target));
    use.onRefused(target, why);
  };
  const { tickSeconds } = use.rules;
  const from = { nowEpochSeconds, tickSeconds, inventories, enter, onRefused, onUnread };
  const isDue = (target: Target): boolean => due.has(placeText(target));
  const tick = await watchVolumes({
    ...use,
    fleet: {
      regions: () => readTargets(targets, { ...from, isDue }),
      settled: (place, isReconciled) => inventories.settled(targetOf(place), isReconciled),
    },
    watches: storeOf(watches, due, targetOf),
  });
  await inventories.end(targets);
  const { forgotten, postponed } = untargeted(dueNow, { ...all, targets });
  // Nothing is said of what is open: whether it goes on nobody knows.
  await watches.forget(forgotten.slice(0, pace.changesPerTick));
  const nextPollEpochSeconds = nowEpochSeconds + pace.untargetedSeconds;
  const later = [
    ...postponed.map((watch) => ({ ...watch, nextPollEpochSeconds })),
    // Else each tick would read them, as long as the account refuses.
    ...dueNow
      .filter((watch) => refused.has(placeText(watch)))
      .map((watch) => afterRefusal(watch, nowEpochSeconds)),
  ];
  await watches.write(later.slice(0, pace.changesPerTick));
  return tick;
}
