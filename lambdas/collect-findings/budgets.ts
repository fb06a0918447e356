/** What a run says of budgets that bound monitoring, and what it cost of those of some accounts. */
import type { TargetOutcome } from '../../core/audit/accounts.ts';
import {
  type AccountBudget,
  accountsOfBudget,
  keyOfAccountBudget,
  unlistedOfBudget,
} from '../../core/config/account-budgets.ts';
import { boundedByBudget } from '../../core/monitoring/expected-cost.ts';
import type { ListedAccount } from '../../core/schemas/accounts.ts';
import type { AuditNotice } from '../../core/schemas/audit-notice.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';

/** How monitoring is bounded. */
export interface MonitoringBudgets {
  everyMinutes: number;
  /** Null: no bound. */
  budgetUsd: number | null;
  auditsAMonth: number;
  /** Inside of it; none where only some accounts were read. */
  ofAccounts: readonly AccountBudget[];
}

/** Whom it asked, and what each target has. */
interface AccountsAsked {
  listed: readonly ListedAccount[];
  outcomes: readonly TargetOutcome[];
}

/** What the run took, by account. */
export type UsdByAccount = ReadonlyMap<string, number>;

const sumOf = (usd: UsdByAccount, accounts: ReadonlySet<string>): number =>
  [...accounts].reduce((sum, account) => sum + (usd.get(account) ?? 0), 0);

/** Nothing is polled of what is attached to nothing. */
const unattachedIn = ({ findings }: AuditResult, isOf: (account: string) => boolean): number =>
  findings.filter(({ kind, resource }) => kind === 'unattached' && isOf(resource.account ?? '')).length;

const maxNamed = 10;

function boundsOfAccounts(
  { everyMinutes, auditsAMonth, ofAccounts }: MonitoringBudgets,
  result: AuditResult,
  { listed, outcomes }: AccountsAsked,
  usd: UsdByAccount,
): AuditNotice[] {
  return ofAccounts.flatMap((budget, entry): AuditNotice[] => {
    const accounts = accountsOfBudget(budget, listed);
    const isOf = (account: string): boolean => accounts.has(account);
    const volumes = outcomes.reduce((sum, one) => sum + (isOf(one.account) ? one.volumes : 0), 0);
    const bounded = boundedByBudget({
      ...{ everyMinutes, budgetUsd: budget.apiUsdPerMonth },
      volumes: volumes - unattachedIn(result, isOf),
      auditsUsd: sumOf(usd, accounts) * auditsAMonth,
    });
    const first = [...accounts].slice(0, maxNamed);
    const unlisted = unlistedOfBudget(budget, listed);
    const names = unlisted.slice(0, maxNamed);
    return [
      ...(bounded === null ? [] : [{ ...bounded, accounts: { entry, first, count: accounts.size } }]),
      ...(unlisted.length === 0
        ? []
        : [{ code: 'budget-of-nothing-read' as const, entry, names, count: unlisted.length }]),
    ];
  });
}

/** Whether budgets make monitoring poll less often, by what this run took. */
export function boundsOf(
  monitoring: MonitoringBudgets | null,
  result: AuditResult,
  accounts: AccountsAsked | undefined,
  usd: UsdByAccount,
): AuditNotice[] {
  if (monitoring === null) return [];
  const { everyMinutes, budgetUsd, auditsAMonth } = monitoring;
  const volumes = result.coverage.volumes - unattachedIn(result, () => true);
  const auditsUsd = result.cost.usd * auditsAMonth;
  const whole = budgetUsd === null ? null : boundedByBudget({ everyMinutes, budgetUsd, volumes, auditsUsd });
  const ofAccounts = accounts === undefined ? [] : boundsOfAccounts(monitoring, result, accounts, usd);
  return [...(whole === null ? [] : [whole]), ...ofAccounts];
}

/** By the key of each budget: what this run cost of it. */
export const spentOfAccounts = (
  budgets: readonly AccountBudget[],
  listed: readonly ListedAccount[],
  usd: UsdByAccount,
): { ofAccounts: string; usd: number }[] =>
  budgets.map((budget) => ({
    ofAccounts: keyOfAccountBudget(budget),
    usd: sumOf(usd, accountsOfBudget(budget, listed)),
  }));
