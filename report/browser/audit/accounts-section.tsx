/** Accounts of a run of several: what was found in each, which were not read and why, and totals by organizational unit. */
import { useMemo, useState } from 'preact/hooks';
import { accountsNotWhole } from '../../../core/audit/accounts.ts';
import {
  type AccountTotals,
  accountTotals,
  type Totals,
  unitTotals,
} from '../../../core/report/account-totals.ts';
import type { AccountCoverage } from '../../../core/schemas/accounts.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { accountsText, notReadLine, stateTexts, unitText } from '../../wording/accounts.ts';
import { minutes, usd, whole } from '../shared/format.ts';
import { type Column, SortableTable } from '../shared/sortable-table.tsx';
import type { Sorting } from '../shared/sorting.ts';
import { Text } from '../shared/text.tsx';
import { Part, Texts } from './coverage-section.tsx';
import { noFindingFilter } from './page-state.ts';
import type { PageControl } from './use-page-state.ts';

const tones: Readonly<Record<AccountCoverage['state'], string>> = {
  ...{ read: 'good', 'read-in-part': 'warning', empty: '', 'not-read': 'critical' },
};

function Unknown({ text = 'not read' }: { text?: string }) {
  return <span class="unknown">{text}</span>;
}

type WithTotals = { totals: Totals | null };

const totalsColumn = <Row extends WithTotals>(
  id: keyof Totals,
  head: string,
  text: (value: number) => string,
): Column<Row> => ({
  ...{ id, head, isNumber: true, firstDescending: true },
  by: ({ totals }) => totals?.[id] ?? null,
  cell: ({ totals }) => (totals === null ? <Unknown /> : text(totals[id])),
});

const throttledColumn = <Row extends WithTotals>(): Column<Row> =>
  totalsColumn('throttledMinutesPeak24h', 'Throttled, peak 24 h', (value) => minutes(value));
const savingColumn = <Row extends WithTotals>(): Column<Row> =>
  totalsColumn('savingMonthlyUsd', 'Possible savings, a month', (value) => usd(value));

function Unit({ path }: { path: readonly string[] }) {
  const text = unitText(path);
  return text === null ? <Unknown text="not known" /> : <Text value={text} most={160} />;
}

const pathOf = ({ account: { units } }: AccountTotals): string[] => units.map(({ id, name }) => name ?? id);

const columnsOf = (onFindings: (account: string) => void): Column<AccountTotals>[] => [
  {
    id: 'account',
    head: 'Account',
    isHead: true,
    by: ({ account: { account, name } }) => name ?? account,
    cell: ({ account: { account, name, isNew } }) => (
      <>
        {name === null ? null : (
          <div>
            <Text value={name} most={60} />
          </div>
        )}
        <div class={name === null ? '' : 'faint'}>
          <Text value={account} most={30} />
          {isNew === true ? ', new' : ''}
        </div>
      </>
    ),
  },
  {
    id: 'unit',
    head: 'Organizational unit',
    by: (row) => unitText(pathOf(row)),
    cell: (row) => <Unit path={pathOf(row)} />,
  },
  {
    id: 'state',
    head: 'State',
    by: ({ account }) => account.state,
    cell: ({ account: { state } }) => <span class={`badge ${tones[state]}`}>{stateTexts[state]}</span>,
  },
  totalsColumn('volumes', 'Volumes', whole),
  {
    ...totalsColumn<AccountTotals>('findings', 'Findings', whole),
    cell: ({ account: { account }, totals }) => {
      if (totals === null) return <Unknown />;
      if (totals.findings === 0) return '0';
      return (
        <button type="button" class="button small" onClick={() => onFindings(account)}>
          {whole(totals.findings)}
          <span class="unseen"> of account {account}: show them</span>
        </button>
      );
    },
  },
  throttledColumn(),
  savingColumn(),
];

type Unit = ReturnType<typeof unitTotals>[number];

const unitColumns: readonly Column<Unit>[] = [
  {
    id: 'unit',
    head: 'Organizational unit',
    isHead: true,
    by: ({ path }) => unitText(path),
    cell: ({ path }) => <Unit path={path} />,
  },
  {
    ...{ id: 'accounts', head: 'Accounts', isNumber: true, firstDescending: true },
    by: ({ accounts }) => accounts,
    cell: ({ accounts, notRead }) =>
      `${whole(accounts)}${notRead === 0 ? '' : `, ${whole(notRead)} not read`}`,
  },
  totalsColumn('volumes', 'Volumes', whole),
  totalsColumn('findings', 'Findings', whole),
  throttledColumn(),
  savingColumn(),
];

const bySaving: Sorting = { columnId: 'savingMonthlyUsd', descending: true };

export function AccountsSection({
  result,
  coverage,
  control: { change },
}: {
  result: AuditResult;
  coverage: readonly AccountCoverage[];
  control: PageControl;
}) {
  const accounts = useMemo(() => accountTotals(result), [result]);
  const units = useMemo(() => unitTotals(accounts), [accounts]);
  const columns = useMemo(
    () =>
      columnsOf((account) => {
        change({ findings: { ...noFindingFilter, account } });
        location.hash = 'findings';
      }),
    [change],
  );
  const notRead = accountsNotWhole(result).flatMap((account) => notReadLine(account) ?? []);
  const [sorting, setSorting] = useState(bySaving);
  const [unitSorting, setUnitSorting] = useState(bySaving);
  return (
    <section id="accounts" tabIndex={-1} aria-labelledby="accounts-heading">
      <h2 id="accounts-heading">Accounts</h2>
      <p class="lead">{accountsText(coverage)}</p>
      {notRead.length === 0 ? null : <Texts texts={notRead} empty="" />}
      <SortableTable
        caption="Accounts"
        columns={columns}
        rows={accounts}
        keyOf={({ account: { account } }) => account}
        sorting={sorting}
        onSort={setSorting}
        pageRows={25}
        empty="No account was asked for."
      />
      {units.length === 0 ? null : (
        <Part heading="By organizational unit">
          <SortableTable
            caption="Organizational units"
            columns={unitColumns}
            rows={units}
            keyOf={({ path }) => path.join('/')}
            sorting={unitSorting}
            onSort={setUnitSorting}
            pageRows={25}
            empty=""
          />
        </Part>
      )}
    </section>
  );
}
