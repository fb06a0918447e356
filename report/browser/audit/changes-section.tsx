/** What changed since an earlier run: how many findings, the figures of both, and each finding that is not as it was. */
import { useState } from 'preact/hooks';
import type { Known } from '../../../core/known.ts';
import { type FindingChange, findingChanges } from '../../../core/schemas/finding-changes.ts';
import { severityRank } from '../../../core/schemas/finding-kinds.ts';
import type { ComparedFinding, RunComparison } from '../../../core/schemas/run-comparison.ts';
import {
  changeCounts,
  changeTexts,
  comparedFigures,
  comparedProblem,
  comparedRunText,
  figureText,
  noteLines,
  savingText,
  severityText,
  throttledText,
} from '../../wording/run-comparison.ts';
import { kindTitle } from '../../wording/words.ts';
import { whole } from '../shared/format.ts';
import { type Column, SortableTable } from '../shared/sortable-table.tsx';
import { Text } from '../shared/text.tsx';
import { Fact, Tile } from './facts.tsx';
import { findingAnchor } from './page-state.ts';

/** The later of its sides; what is resolved as it was. */
const sideOf = ({ before, after }: ComparedFinding) => after ?? before;

function Resource({ one: { finding, after } }: { one: ComparedFinding }) {
  const { id, kind, resource } = finding;
  const text = <Text value={resource.id} most={60} />;
  if (after === null) return <span class="resource">{text}</span>;
  return (
    <a class="resource" href={`#${findingAnchor(id)}`}>
      {text}
      <span class="unseen">: {kindTitle(kind)}, in detail</span>
    </a>
  );
}

const columns: readonly Column<ComparedFinding>[] = [
  {
    id: 'change',
    head: 'Change',
    by: ({ change }) => findingChanges.indexOf(change),
    cell: ({ change }) => changeTexts[change],
  },
  {
    id: 'resource',
    head: 'Resource',
    isHead: true,
    className: 'wide',
    by: ({ finding }) => finding.resource.id,
    cell: (one) => {
      const { name } = one.finding.resource;
      return (
        <>
          <Resource one={one} />
          {name ? (
            <div class="faint">
              <Text value={name} most={48} />
            </div>
          ) : null}
        </>
      );
    },
  },
  {
    id: 'what',
    head: 'What',
    by: ({ finding }) => finding.kind,
    cell: (one) => (
      <div class="what">
        <strong>{kindTitle(one.finding.kind)}</strong>
        <div class="faint">
          <Text value={comparedProblem(one)} most={220} />
        </div>
      </div>
    ),
  },
  {
    id: 'severity',
    head: 'Severity',
    by: (finding) => -severityRank(sideOf(finding)?.severity ?? 'info'),
    firstDescending: true,
    cell: severityText,
  },
  {
    id: 'minutes',
    head: 'Throttled min, peak 24 h',
    isNumber: true,
    firstDescending: true,
    by: (finding) => sideOf(finding)?.throttledMinutesPeak24h ?? null,
    cell: (finding) => throttledText(finding, 'not counted'),
  },
  {
    id: 'saving',
    head: 'Best saving, a month',
    isNumber: true,
    by: (finding) => sideOf(finding)?.savingMonthlyUsd ?? null,
    cell: (finding) => savingText(finding, 'none known'),
  },
  {
    id: 'region',
    head: 'Region',
    by: ({ finding }) => finding.resource.region,
    cell: ({ finding }) => (
      <span class="together">
        <Text value={finding.resource.region} most={30} />
      </span>
    ),
  },
];

/** What became worse is in the color of a warning. */
const tones: Partial<Record<FindingChange, string>> = { new: 'warning', worse: 'warning' };

function Changes({ comparison }: { comparison: RunComparison }) {
  const [sorting, setSorting] = useState({ columnId: 'change', descending: false });
  const { before, findings } = comparison;
  return (
    <>
      <p class="lead">
        Compared with run <Text value={comparedRunText(before)} most={200} />.
      </p>
      <ul class="tiles" aria-label="Findings by change">
        {changeCounts(comparison).map(({ change, count }) => (
          <Tile
            key={change}
            figure={whole(count)}
            text={changeTexts[change]}
            tone={(count > 0 ? tones[change] : undefined) ?? ''}
          />
        ))}
      </ul>
      <dl class="run-facts">
        {comparedFigures(comparison).map((one) => (
          <Fact key={one.what} name={one.what}>
            {figureText(one)}
          </Fact>
        ))}
      </dl>
      {noteLines(comparison).map((note) => (
        <p key={note}>
          <Text value={note} />
        </p>
      ))}
      <SortableTable
        caption="Changes"
        columns={columns}
        rows={findings}
        keyOf={({ finding }) => finding.id}
        sorting={sorting}
        onSort={setSorting}
        pageRows={25}
        empty="No finding is new, worse, better or resolved."
      />
    </>
  );
}

export function ChangesSection({ comparison }: { comparison: Known<RunComparison> }) {
  return (
    <section id="changes" tabIndex={-1} aria-labelledby="changes-heading">
      <h2 id="changes-heading">Changes since the earlier run</h2>
      {comparison.known ? (
        <Changes comparison={comparison.value} />
      ) : (
        <p class="unknown">
          Not known: the earlier run could not be read. <Text value={comparison.reason} most={1_000} />
        </p>
      )}
    </section>
  );
}
