/** Accounts of a run of several: those that were not read, and what was found in each and in each organizational unit. */
import { accountsNotWhole } from '../../core/audit/accounts.ts';
import {
  type AccountTotals,
  accountTotals,
  type Totals,
  type UnitTotals,
  unitTotals,
} from '../../core/report/account-totals.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { notReadLine, stateTexts, unitText } from '../wording/accounts.ts';
import { listHeadings } from '../wording/partial.ts';
import { accountText, shortText } from '../wording/words.ts';
import { cutTo, folded, type ListColumn, listRows, usd, whole } from './text.ts';

const maxLines = 10;
const maxRows = 20;

/** A line each, with what would let it be read. */
export function notReadLines(result: Pick<AuditResult, 'accountCoverage'>, columns: number): string[] {
  const lines = accountsNotWhole(result).flatMap((account) => notReadLine(account) ?? []);
  if (lines.length === 0) return [];
  const rest = lines.length - maxLines;
  return [
    `${listHeadings.accounts}:`,
    ...lines.slice(0, maxLines).flatMap((line) => folded(`  ${line}`, columns)),
    ...(rest > 0 ? [`  and ${whole(rest)} more: see --json`] : []),
  ];
}

const figureHeads: readonly ListColumn[] = [
  { head: 'volumes', isRight: true },
  { head: 'findings', isRight: true },
  { head: 'throttled', isRight: true },
  { head: 'savings', isRight: true },
];

const figuresText =
  'the largest savings first (minutes throttled in the peak 24 h, possible savings in USD a month)';

/** Of what was not read no figure is known. */
const figureCells = (totals: Totals | null): string[] =>
  totals === null
    ? figureHeads.map(() => '-')
    : [
        whole(totals.volumes),
        whole(totals.findings),
        whole(totals.throttledMinutesPeak24h),
        usd(totals.savingMonthlyUsd).replace(/ USD$/, ''),
      ];

interface TotalsTable<Row extends { totals: Totals | null }> {
  /** Of what, in the singular. */
  title: string;
  /** The name comes last: it may be long. */
  heads: readonly ListColumn[];
  cells: (row: Row) => string[];
}

function tableOf<Row extends { totals: Totals | null }>(
  rows: readonly Row[],
  { title, heads, cells }: TotalsTable<Row>,
  columns: number,
): string[] {
  const shown = rows.slice(0, maxRows);
  const some = shown.length < rows.length ? ` (${whole(shown.length)} of ${whole(rows.length)})` : '';
  const lines = listRows(
    [...figureHeads, ...heads],
    shown.map((row) => [...figureCells(row.totals), ...cells(row)]),
    columns,
  );
  return [...folded(`${title}${some}, ${figuresText}:`, columns), ...lines.flat(), ''];
}

const leastForUnits = 120;
/** Columns of a name: beside figures where the terminal is narrow, as long as it is where there is none. */
const maxName = { narrow: 24, wide: 28, unit: 34, any: 60 } as const;

function widthOfNames(columns: number): number {
  if (columns === Number.POSITIVE_INFINITY) return maxName.any;
  return columns < leastForUnits ? maxName.narrow : maxName.wide;
}

/** Lines fold at single blanks. */
const nameCell = (name: string, columns: number): string =>
  cutTo(shortText(name, maxName.any).replaceAll(/ +/g, ' ').trim(), widthOfNames(columns));

const pathCell = (path: readonly string[], columns: number): string | null =>
  unitText(path.map((name) => nameCell(name, columns)));

function unitCell({ account: { units } }: AccountTotals, columns: number): string {
  const text = unitText(units.map(({ id, name }) => name ?? id)) ?? '-';
  return columns === Number.POSITIVE_INFINITY ? text : cutTo(text, maxName.unit);
}

function accountCell({ account: { account, name } }: AccountTotals, columns: number): string {
  const called = name === null ? null : nameCell(name, columns);
  return accountText({ account, name: called });
}

/** With their units where there is room: these have a table of their own. */
function accountsTable(accounts: readonly AccountTotals[], hasUnits: boolean, columns: number): string[] {
  const withUnits = hasUnits && columns >= leastForUnits;
  return tableOf(
    accounts,
    {
      title: 'By account',
      heads: [{ head: 'state' }, ...(withUnits ? [{ head: 'unit' }] : []), { head: 'account' }],
      cells: (row) => [
        stateTexts[row.account.state],
        ...(withUnits ? [unitCell(row, columns)] : []),
        accountCell(row, columns),
      ],
    },
    columns,
  );
}

const unitsTable = (units: readonly UnitTotals[], columns: number): string[] =>
  tableOf(
    units,
    {
      title: 'By organizational unit',
      heads: [{ head: 'accounts', isRight: true }, { head: 'not read', isRight: true }, { head: 'unit' }],
      cells: ({ path, accounts, notRead }) => [
        whole(accounts),
        whole(notRead),
        pathCell(path, columns) ?? 'not known',
      ],
    },
    columns,
  );

/** Nothing of a run of one account. */
export function totalsByAccount(result: AuditResult, columns: number): string[] {
  const accounts = accountTotals(result);
  if (accounts.length === 0) return [];
  const units = unitTotals(accounts);
  return [
    ...accountsTable(accounts, units.length > 0, columns),
    ...(units.length === 0 ? [] : unitsTable(units, columns)),
  ];
}
