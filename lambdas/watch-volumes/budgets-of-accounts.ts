/** Budgets of some accounts, for a shard that reads any of them: shards whose accounts are of one budget share it. */
import {
  type AccountBudget,
  accountsOfBudget,
  keyOfAccountBudget,
} from '../../core/config/account-budgets.ts';
import type { Budget } from '../../core/monitoring/pace.ts';
import { shardOf, type WatchedTargets } from '../../core/monitoring/shards.ts';
import { type SharedBudgetStore, sharedBudget } from './shared-budget.ts';
import type { AccountsBudgetStore } from './watch-volumes.ts';

interface BudgetsFrom {
  /** @param key of the budget. */
  storeOf(key: string): SharedBudgetStore;
  /** What was kept, with what came in since. */
  budgetNow(
    budget: AccountBudget & { key: string },
    kept: Budget | null,
    nowEpochSeconds: number,
  ): Promise<Budget | null>;
}

export function budgetsOfAccounts(
  budgets: readonly AccountBudget[],
  shard: number,
  { targets, accounts: listed }: WatchedTargets,
  { storeOf, budgetNow }: BudgetsFrom,
): AccountsBudgetStore[] {
  const known =
    listed === null ? targets.map(({ account }) => ({ account, units: [] })) : [...listed.values()];
  return budgets.flatMap((budget) => {
    const accounts = accountsOfBudget(budget, known);
    const shards = new Set(
      targets.flatMap(({ account }) => (accounts.has(account) ? [shardOf(account)] : [])),
    );
    if (!shards.has(shard)) return [];
    const key = keyOfAccountBudget(budget);
    const shared = sharedBudget(storeOf(key), shards.size, (kept, at) =>
      budgetNow({ ...budget, key }, kept, at),
    );
    return [{ ...shared, accounts }];
  });
}
