/** Monitoring of several accounts: each account is of one shard, and each shard is the work of a function's call of its own. */
import { sha256Hex } from '../hash.ts';
import type { ListedAccount, Target } from '../schemas/accounts.ts';
import type { Budget } from './pace.ts';

/** Another number is another table: watches lie by their shard. */
export const shards = 32;

/** Always the same for an account. */
export function shardOf(account: string): number {
  const byte = Number.parseInt(sha256Hex(account).slice(0, 2), 16);
  return byte % shards;
}

/** What is watched. */
export interface WatchedTargets {
  targets: readonly Target[];
  /** By account; null: no audit has listed them yet. */
  accounts: ReadonlyMap<string, ListedAccount> | null;
}

/** What a call of the function works on; `of`: the shards of this tick, which share the budget. */
export interface ShardOfTick {
  shard: number;
  of: number;
}

/**
 * The shards that have targets, each tick with another one first: where the budget is small, who asks first is served first.
 * @param tick counts them.
 */
export function shardsOfTick(targets: readonly Pick<Target, 'account'>[], tick: number): ShardOfTick[] {
  const used = [...new Set(targets.map(({ account }) => shardOf(account)))].sort((a, b) => a - b);
  return rotated(used, tick).map((shard) => ({ shard, of: used.length }));
}

/** Others come first each time, so that no one waits for ever behind those that fail. */
export function rotated<T>(all: readonly T[], by: number): T[] {
  const first = all.length === 0 ? 0 : by % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

/** Below this a shard need not share: a part of it could be less than one poll takes. */
const leastShareMetrics = 100;

/** What one of several shards may take of the budget: what the others leave is there in the next tick. */
export const shareOf = (budget: Budget, of: number): Budget => ({
  ...budget,
  left: Math.min(budget.left, Math.max(budget.left / of, leastShareMetrics)),
});

/** A Region of an account; without organization the account is the function's own, and not said. */
export interface Place {
  account?: string | undefined;
  region: string;
}

export const placeText = ({ account, region }: Place): string =>
  account === undefined ? region : `${account}/${region}`;

/** What becomes of a watch of which no target is left. */
export interface Untargeted<T extends Place> {
  /** Its account is not read any more. */
  forgotten: T[];
  /** Its account still is, or nobody knows: a list may lack a Region for a day. */
  postponed: T[];
}

export function untargeted<T extends Place>(
  watches: readonly T[],
  { targets, accounts }: WatchedTargets,
): Untargeted<T> {
  const places = new Set(targets.map(placeText));
  const left = watches.filter((watch) => !places.has(placeText(watch)));
  const isRead = ({ account }: T): boolean => accounts === null || accounts.has(`${account}`);
  return { forgotten: left.filter((watch) => !isRead(watch)), postponed: left.filter(isRead) };
}
