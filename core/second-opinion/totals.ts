/** What a comparison with another service comes to: counts, money and minutes of each source, and which row is read first. */
import { groupBy } from '../group-by.ts';
import { roundUsd } from '../prices/prices.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import {
  type OpinionLabel,
  type OpinionRead,
  type OpinionReason,
  type OpinionSource,
  opinionLabels,
  opinionSources,
  type SecondOpinion,
} from '../schemas/second-opinion.ts';

export interface OpinionTotals {
  byLabel: Readonly<Record<OpinionLabel, number>>;
  /** Of those that leave money, as far as it is known. */
  leftMonthlyUsd: number;
  /** Those that leave an amount that is not known. */
  leftUnknown: number;
  /** Simulated minutes of the unsafe, in the window of the audit. */
  unsafeMinutes: number;
}

/** Of one source; the rows with what matters most first. */
export interface ComparedSource {
  source: OpinionSource;
  totals: OpinionTotals;
  rows: SecondOpinion[];
  reads: OpinionRead[];
}

const having = (rows: readonly SecondOpinion[], label: OpinionLabel): SecondOpinion[] =>
  rows.filter((row) => row.label === label);

const sum = (amounts: readonly (number | null)[]): number =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);

/** @param rows of one source: of two the same money would count twice. */
export function opinionTotals(rows: readonly SecondOpinion[]): OpinionTotals {
  const left = having(rows, 'leaves-money').map(({ monthlyUsdDifference }) => monthlyUsdDifference);
  const counts = opinionLabels.map((label) => [label, having(rows, label).length]);
  return {
    byLabel: Object.fromEntries(counts) as OpinionTotals['byLabel'],
    leftMonthlyUsd: roundUsd(sum(left)),
    leftUnknown: left.filter((amount) => amount === null).length,
    unsafeMinutes: sum(
      having(rows, 'unsafe').map(({ throttledMinutesIfFollowed }) => throttledMinutesIfFollowed),
    ),
  };
}

/** Minutes that a volume is throttled now, where the reason counts them. */
const minutesOf = (reason: OpinionReason): number => ('minutes' in reason ? reason.minutes : 0);

/** The most first: minutes of unsafe and unseen ones, USD of those that leave money; what is not known comes after it. */
function weightOf({
  label,
  reason,
  throttledMinutesIfFollowed,
  monthlyUsdDifference,
}: SecondOpinion): number {
  // What is deleted does not come back.
  if (reason.code === 'deletes-what-is-used') return Number.MAX_VALUE;
  if (label === 'unsafe') return throttledMinutesIfFollowed ?? 0;
  return label === 'leaves-money' ? (monthlyUsdDifference ?? 0) : minutesOf(reason);
}

const placeOf = ({ account, region, volumeId }: SecondOpinion): string =>
  [account ?? '', region, volumeId].join(' ');

const byPlace = (a: SecondOpinion, b: SecondOpinion): number => {
  const [one, other] = [placeOf(a), placeOf(b)];
  return one < other ? -1 : Number(one > other);
};

/** Unsafe, money left, unseen, agree, not comparable; within each the most first. */
export const inOpinionOrder = (rows: readonly SecondOpinion[]): SecondOpinion[] =>
  [...rows].sort(
    (a, b) =>
      opinionLabels.indexOf(a.label) - opinionLabels.indexOf(b.label) ||
      weightOf(b) - weightOf(a) ||
      byPlace(a, b),
  );

/** The sources that were asked, each by itself; none where nothing was compared. */
export function comparedSources({
  secondOpinion = [],
  secondOpinionReads = [],
}: Pick<AuditResult, 'secondOpinion' | 'secondOpinionReads'>): ComparedSource[] {
  const rowsOf = groupBy(secondOpinion, ({ source }) => source);
  const readsOf = groupBy(secondOpinionReads, ({ source }) => source);
  return opinionSources
    .filter((source) => rowsOf.has(source) || readsOf.has(source))
    .map((source) => {
      const rows = rowsOf.get(source) ?? [];
      return {
        ...{ source, totals: opinionTotals(rows), rows: inOpinionOrder(rows) },
        reads: readsOf.get(source) ?? [],
      };
    });
}

/** Rows that need somebody's eye. */
export const notAgreed = (rows: readonly SecondOpinion[]): SecondOpinion[] =>
  rows.filter(({ label }) => label !== 'agree');
