/** A tick of several accounts: each shard of them is the work of a call of its own, which this one makes. */
import { Unreadable } from '../../core/errors.ts';
import { type ShardOfTick, shardsOfTick, type WatchedTargets } from '../../core/monitoring/shards.ts';
import type { Target, TargetList } from '../../core/schemas/accounts.ts';

/**
 * @param latest what the newest audit of several accounts listed; null: there was none yet.
 * @param own the Regions of the function's own account.
 */
export const watchedTargets = (latest: TargetList | null, own: readonly Target[]): WatchedTargets =>
  latest === null
    ? { targets: own, accounts: null }
    : {
        targets: latest.targets,
        accounts: new Map(latest.accounts.map((listed) => [listed.account, listed])),
      };

export interface DispatchWith {
  nowEpochSeconds: number;
  tickSeconds: number;
  /** Hands a shard on; it is worked on later. */
  invoke(shard: ShardOfTick): Promise<void>;
  /** Called with what could not be handed on: the next tick does it. */
  onFailed(shard: number, reason: string): void;
}

/** @returns how many shards were handed on. */
export async function dispatchShards(
  { targets }: WatchedTargets,
  { nowEpochSeconds, tickSeconds, invoke, onFailed }: DispatchWith,
): Promise<number> {
  let dispatched = 0;
  // One after the other: whose turn it is comes first.
  for (const shard of shardsOfTick(targets, Math.floor(nowEpochSeconds / tickSeconds))) {
    try {
      await invoke(shard);
      dispatched++;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      onFailed(shard.shard, error.message);
    }
  }
  return dispatched;
}
