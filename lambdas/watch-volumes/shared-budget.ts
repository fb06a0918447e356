/** One budget that several shards take of at one time: what comes in comes in once, and no more is taken than is there. */
import type { Budget } from '../../core/monitoring/pace.ts';
import { shareOf } from '../../core/monitoring/shards.ts';
import type { WatchWith } from './watch-volumes.ts';

export interface SharedBudgetStore {
  /** Null where none was kept yet. */
  kept(): Promise<Budget | null>;
  /** Each false where another was faster: nothing is changed. */
  begin(budget: Budget): Promise<boolean>;
  accrue(before: Budget, after: Budget): Promise<boolean>;
  take(metrics: number): Promise<boolean>;
}

/**
 * @param of so many shards share it.
 * @param budgetNow what was kept, with what came in since; null: no bound.
 */
export const sharedBudget = (
  store: SharedBudgetStore,
  of: number,
  budgetNow: (kept: Budget | null, nowEpochSeconds: number) => Promise<Budget | null>,
): WatchWith['budget'] => ({
  now: async (nowEpochSeconds) => {
    const kept = await store.kept();
    const budget = await budgetNow(kept, nowEpochSeconds);
    if (budget === null) return null;
    if (kept === null) await store.begin(budget);
    else if (budget.atEpochSeconds > kept.atEpochSeconds) await store.accrue(kept, budget);
    // As it is by now: others take of it too.
    return shareOf((await store.kept()) ?? budget, of);
  },
  keep: async (_, metrics) => ((await store.take(metrics)) ? 'kept' : 'spent-by-others'),
});
