/** What another service recommends for each volume, beside what this audit found: totals, and a row for each volume. */
import { useMemo } from 'preact/hooks';
import { opinionLabels, opinionSources } from '../../../core/schemas/second-opinion.ts';
import type { ComparedSource } from '../../../core/second-opinion/totals.ts';
import { type AccountNames, calledIn } from '../../wording/accounts.ts';
import {
  opinionHeadline,
  opinionLabelTexts,
  opinionNotes,
  sourceNames,
  usdColumnNote,
} from '../../wording/second-opinion.ts';
import { downloadCsv } from '../shared/csv.ts';
import { whole } from '../shared/format.ts';
import { SortableTable } from '../shared/sortable-table.tsx';
import { Text } from '../shared/text.tsx';
import { Tile } from './facts.tsx';
import { Choice, FilterBar, Search } from './filter-bar.tsx';
import { distinct, filteredOpinions, searchableOpinion } from './filters.ts';
import { labelTones, opinionColumns, opinionCsv } from './opinion-columns.tsx';
import { noOpinionFilter, type OpinionFilter } from './page-state.ts';
import type { PageControl } from './use-page-state.ts';

/** An address may ask for anything. */
const labelText = (asked: string): string => {
  const label = opinionLabels.find((one) => one === asked);
  return label === undefined ? asked : opinionLabelTexts[label];
};
const sourceText = (asked: string): string => {
  const source = opinionSources.find((one) => one === asked);
  return source === undefined ? asked : sourceNames[source];
};

/** Its totals, and what a reader must know of them. */
function Source({ one }: { one: ComparedSource }) {
  const { source, totals, rows } = one;
  return (
    <>
      <p class="lead">{opinionHeadline(one)}</p>
      {rows.length === 0 ? null : (
        <ul class="tiles" aria-label={`Compared with ${sourceNames[source]}, volumes by label`}>
          {opinionLabels.map((label) => {
            const count = totals.byLabel[label];
            return (
              <Tile
                key={label}
                figure={whole(count)}
                text={opinionLabelTexts[label]}
                tone={count > 0 ? labelTones[label] : ''}
              />
            );
          })}
        </ul>
      )}
      {opinionNotes(one).map((note) => (
        <p key={note}>
          <Text value={note} />
        </p>
      ))}
    </>
  );
}

interface OpinionSectionProps {
  compared: readonly ComparedSource[];
  names: AccountNames;
  control: PageControl;
  fileName: string;
}

export function OpinionSection({ compared, names, control, fileName }: OpinionSectionProps) {
  const { state, change } = control;
  const asked = state.opinions;
  const all = useMemo(() => compared.flatMap(({ rows }) => rows), [compared]);
  const searchable = useMemo(() => all.map(searchableOpinion), [all]);
  const rows = useMemo(() => filteredOpinions(searchable, asked), [searchable, asked]);
  const sources = compared.map(({ source }) => source);
  const isOfSeveral = sources.length > 1;
  const columns = useMemo(() => opinionColumns(names, isOfSeveral), [names, isOfSeveral]);
  const offered = useMemo(
    () => ({
      labels: opinionLabels.filter((label) => all.some((row) => row.label === label)),
      regions: distinct(all.map(({ region }) => region)),
      accounts: distinct(all.flatMap(({ account }) => account ?? [])),
    }),
    [all],
  );
  const ask = (part: Partial<OpinionFilter>): void => change({ opinions: { ...asked, ...part } });
  return (
    <section id="compared" tabIndex={-1} aria-labelledby="compared-heading">
      <h2 id="compared-heading">
        Compared with {sources.map((source) => sourceNames[source]).join(' and ')}
      </h2>
      {compared.map((one) => (
        <Source key={one.source} one={one} />
      ))}
      {all.length === 0 ? null : (
        <>
          <p class="faint">{usdColumnNote}</p>
          <FilterBar
            label="Filter compared volumes"
            shown={rows.length}
            all={all.length}
            what="rows"
            isFiltered={Object.values(asked).some((value) => value !== '')}
            onClear={() => change({ opinions: noOpinionFilter })}
            onDownload={() => downloadCsv(`${fileName}-compared.csv`, ...opinionCsv(rows))}
          >
            <Search
              name="Search"
              hint="id, name or words"
              value={asked.text}
              onChange={(text) => ask({ text })}
            />
            <Choice
              name="Label"
              value={asked.label}
              values={offered.labels}
              words={labelText}
              onChange={(label) => ask({ label })}
            />
            <Choice
              name="Service"
              value={asked.source}
              values={sources}
              words={sourceText}
              onChange={(source) => ask({ source })}
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
          </FilterBar>
          <SortableTable
            caption="Compared volumes"
            columns={columns}
            rows={rows}
            keyOf={({ source, account, region, volumeId }) => `${source} ${account} ${region} ${volumeId}`}
            sorting={state.opinionOrder}
            onSort={(opinionOrder) => change({ opinionOrder })}
            pageRows={25}
            empty="No row is like that: clear the filter."
          />
        </>
      )}
    </section>
  );
}
