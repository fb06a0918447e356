/** Totals of a run of several accounts: of each account, and of the accounts that are in one organizational unit. */
import { groupBy } from '../group-by.ts';
import { roundUsd } from '../prices/prices.ts';
import type { AccountCoverage } from '../schemas/accounts.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { topRecommendations } from './top-recommendations.ts';

export interface Totals {
  volumes: number;
  findings: number;
  /** At most: the largest saving of each resource. */
  savingMonthlyUsd: number;
  /** In the peak 24 hours of each volume that is known, summed. */
  throttledMinutesPeak24h: number;
}

export interface AccountTotals {
  account: AccountCoverage;
  /** Null: it was not read. */
  totals: Totals | null;
}

export interface UnitTotals {
  /** Names from the root to the unit, the id where one has none; empty: nobody told. */
  path: string[];
  /** Directly in it. */
  accounts: number;
  notRead: number;
  /** Of those that were read; null: none was. */
  totals: Totals | null;
}

type Run = Pick<AuditResult, 'accountCoverage' | 'volumes' | 'findings'>;

const bySaving = (
  { totals: a }: { totals: Totals | null },
  { totals: b }: { totals: Totals | null },
): number =>
  Number(a === null) - Number(b === null) ||
  (b?.savingMonthlyUsd ?? 0) - (a?.savingMonthlyUsd ?? 0) ||
  (b?.findings ?? 0) - (a?.findings ?? 0);

/** The largest savings first, what was not read last; none of a run of one account. */
export function accountTotals({ accountCoverage = [], volumes, findings }: Run): AccountTotals[] {
  const volumesOf = groupBy(volumes, ({ account }) => account);
  const findingsOf = groupBy(findings, ({ resource }) => resource.account);
  return accountCoverage
    .map((account) => {
      if (account.state === 'not-read') return { account, totals: null };
      const found = findingsOf.get(account.account) ?? [];
      const minutes = (volumesOf.get(account.account) ?? []).map((one) => one.throttledMinutesPeak24h ?? 0);
      const totals = {
        volumes: account.volumes,
        findings: found.length,
        savingMonthlyUsd: roundUsd(topRecommendations(found).savingMonthlyUsd),
        throttledMinutesPeak24h: minutes.reduce((sum, one) => sum + one, 0),
      };
      return { account, totals };
    })
    .sort(bySaving);
}

function sumOf(all: readonly Totals[]): Totals | null {
  if (all.length === 0) return null;
  const sum = (of: (totals: Totals) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    volumes: sum(({ volumes }) => volumes),
    findings: sum(({ findings }) => findings),
    savingMonthlyUsd: roundUsd(sum(({ savingMonthlyUsd }) => savingMonthlyUsd)),
    throttledMinutesPeak24h: sum(({ throttledMinutesPeak24h }) => throttledMinutesPeak24h),
  };
}

/** Each account counts once, in the unit that it is directly in; none where nobody told the units. */
export function unitTotals(accounts: readonly AccountTotals[]): UnitTotals[] {
  if (accounts.every(({ account }) => account.units.length === 0)) return [];
  const byUnit = groupBy(accounts, ({ account }) => account.units.at(-1)?.id);
  return [...byUnit.values()]
    .map((within) => ({
      path: (within[0]?.account.units ?? []).map(({ id, name }) => name ?? id),
      accounts: within.length,
      notRead: within.filter(({ totals }) => totals === null).length,
      totals: sumOf(within.flatMap(({ totals }) => totals ?? [])),
    }))
    .sort(bySaving);
}
