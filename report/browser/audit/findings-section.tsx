/** All findings: searched, filtered, sorted, a page at a time. */

import { useMemo } from 'preact/hooks';
import type { Finding } from '../../../core/schemas/finding.ts';
import { severities } from '../../../core/schemas/finding-kinds.ts';
import { type AccountNames, calledIn } from '../../wording/accounts.ts';
import { kindTitle } from '../../wording/words.ts';
import { downloadCsv } from '../shared/csv.ts';
import { SortableTable } from '../shared/sortable-table.tsx';
import { Choice, FilterBar, Search } from './filter-bar.tsx';
import { accountOf, distinct, filteredFindings, searchableFinding, tagsOf } from './filters.ts';
import { findingColumns, findingCsv } from './finding-columns.tsx';
import { type FindingFilter, noFindingFilter } from './page-state.ts';
import type { PageControl } from './use-page-state.ts';

interface FindingsSectionProps {
  findings: readonly Finding[];
  names: AccountNames;
  control: PageControl;
  fileName: string;
}

const aboutWords: Record<string, string> = { trouble: 'Trouble only', savings: 'Savings only' };

export function FindingsSection({ findings, names, control, fileName }: FindingsSectionProps) {
  const { state, change } = control;
  const asked = state.findings;
  const searchable = useMemo(() => findings.map(searchableFinding), [findings]);
  const rows = useMemo(() => filteredFindings(searchable, asked), [searchable, asked]);
  const offered = useMemo(
    () => ({
      kinds: distinct(findings.map(({ kind }) => kind)),
      regions: distinct(findings.map(({ resource }) => resource.region)),
      accounts: distinct(findings.map(accountOf)),
      tags: distinct(findings.flatMap(tagsOf)),
    }),
    [findings],
  );
  const ask = (part: Partial<FindingFilter>): void => change({ findings: { ...asked, ...part } });
  return (
    <section id="findings" tabIndex={-1} aria-labelledby="findings-heading">
      <h2 id="findings-heading">Findings</h2>
      <FilterBar
        label="Filter findings"
        shown={rows.length}
        all={findings.length}
        what="findings"
        isFiltered={Object.values(asked).some((value) => value !== '')}
        onClear={() => change({ findings: noFindingFilter })}
        onDownload={() => downloadCsv(`${fileName}-findings.csv`, ...findingCsv(rows, names.size > 0))}
      >
        <Search
          name="Search"
          hint="id, name, tag or words"
          value={asked.text}
          onChange={(text) => ask({ text })}
        />
        <Choice
          name="About"
          value={asked.about}
          values={['trouble', 'savings']}
          words={(about) => aboutWords[about] ?? about}
          onChange={(about) => ask({ about })}
        />
        <Choice
          name="Severity"
          value={asked.severity}
          values={severities}
          onChange={(severity) => ask({ severity })}
        />
        <Choice
          name="Kind"
          value={asked.kind}
          values={offered.kinds}
          words={(kind) => kindTitle(kind as Finding['kind'])}
          onChange={(kind) => ask({ kind })}
        />
        <Choice
          name="Region"
          value={asked.region}
          values={offered.regions}
          onChange={(region) => ask({ region })}
        />
        <Choice
          name="Account"
          value={asked.account}
          values={offered.accounts}
          words={(account) => calledIn(names, account)}
          onChange={(account) => ask({ account })}
        />
        <Choice
          name="Tag"
          value={asked.tag}
          values={offered.tags}
          fewest={1}
          onChange={(tag) => ask({ tag })}
        />
      </FilterBar>
      <SortableTable
        caption="Findings"
        columns={findingColumns}
        rows={rows}
        keyOf={({ id }) => id}
        sorting={state.findingOrder}
        onSort={(findingOrder) => change({ findingOrder })}
        pageRows={25}
        empty={
          findings.length === 0 ? 'There are no findings.' : 'No finding is like that: clear the filter.'
        }
      />
    </section>
  );
}
