/** All volumes, with or without findings. */
import { useMemo } from 'preact/hooks';
import type { VolumeEvaluation } from '../../../core/schemas/audit-result.ts';
import { statusWords } from '../../charts/words.ts';
import { type AccountNames, calledIn } from '../../wording/accounts.ts';
import { downloadCsv } from '../shared/csv.ts';
import { SortableTable } from '../shared/sortable-table.tsx';
import { Choice, FilterBar, Search } from './filter-bar.tsx';
import { distinct, filteredVolumes, searchableVolume } from './filters.ts';
import { noVolumeFilter, type VolumeFilter } from './page-state.ts';
import type { PageControl } from './use-page-state.ts';
import { volumeColumns, volumeCsv } from './volume-columns.tsx';

interface VolumesSectionProps {
  volumes: readonly VolumeEvaluation[];
  names: AccountNames;
  control: PageControl;
  fileName: string;
}

export function VolumesSection({ volumes, names, control, fileName }: VolumesSectionProps) {
  const { state, change } = control;
  const asked = state.volumes;
  const searchable = useMemo(() => volumes.map(searchableVolume), [volumes]);
  const rows = useMemo(() => filteredVolumes(searchable, asked), [searchable, asked]);
  const offered = useMemo(
    () => ({
      types: distinct(volumes.map(({ volumeType }) => volumeType)),
      regions: distinct(volumes.map(({ region }) => region)),
      accounts: distinct(volumes.flatMap(({ account }) => account ?? [])),
    }),
    [volumes],
  );
  const columns = useMemo(() => volumeColumns(names), [names]);
  const ask = (part: Partial<VolumeFilter>): void => change({ volumes: { ...asked, ...part } });
  return (
    <section id="volumes" tabIndex={-1} aria-labelledby="volumes-heading">
      <h2 id="volumes-heading">Volumes</h2>
      <FilterBar
        label="Filter volumes"
        shown={rows.length}
        all={volumes.length}
        what="volumes"
        isFiltered={Object.values(asked).some((value) => value !== '')}
        onClear={() => change({ volumes: noVolumeFilter })}
        onDownload={() => downloadCsv(`${fileName}-volumes.csv`, ...volumeCsv(rows, names))}
      >
        <Search name="Search" hint="id or name" value={asked.text} onChange={(text) => ask({ text })} />
        <Choice
          name="Status"
          value={asked.status}
          values={Object.keys(statusWords)}
          words={(status) => statusWords[status as VolumeEvaluation['status']] ?? status}
          onChange={(status) => ask({ status })}
        />
        <Choice name="Type" value={asked.type} values={offered.types} onChange={(type) => ask({ type })} />
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
        caption="Volumes"
        columns={columns}
        rows={rows}
        keyOf={({ region, volumeId }) => `${region} ${volumeId}`}
        sorting={state.volumeOrder}
        onSort={(volumeOrder) => change({ volumeOrder })}
        pageRows={100}
        printedRows={100}
        empty={volumes.length === 0 ? 'There are no volumes.' : 'No volume is like that: clear the filter.'}
      />
    </section>
  );
}
