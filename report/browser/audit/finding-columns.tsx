/** What the table of findings shows of each, and what a spreadsheet gets. */

import { bestSavingOf, peakMinutesOf } from '../../../core/report/top-recommendations.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { severityRank } from '../../../core/schemas/finding-kinds.ts';
import { problemInShort } from '../../wording/finding-lines.ts';
import { findingHead, findingRow, firstDeltaOf } from '../../wording/finding-row.ts';
import { kindTitle, kubernetesText } from '../../wording/words.ts';
import type { CsvCell } from '../shared/csv.ts';
import { minutes, usdDelta } from '../shared/format.ts';
import type { Column } from '../shared/sortable-table.tsx';
import { Text } from '../shared/text.tsx';
import { findingAnchor } from './page-state.ts';
import { SeverityBadge } from './severity-badge.tsx';

const hasNoPrice = ({ recommendations }: Finding): boolean =>
  recommendations.length > 0 && recommendations.every(({ monthlyUsdDelta }) => monthlyUsdDelta === null);

function NotCounted({ text }: { text: string }) {
  return <span class="unknown">{text}</span>;
}

/** A day and a time, each in one piece. */
function When({ iso }: { iso: string }) {
  return (
    <>
      <span class="together">{iso.slice(0, 10)}</span> <span class="together">{iso.slice(11, 16)}</span>
    </>
  );
}

export const findingColumns: readonly Column<Finding>[] = [
  {
    id: 'severity',
    head: 'Severity',
    by: ({ severity }) => -severityRank(severity),
    firstDescending: true,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    id: 'resource',
    head: 'Resource',
    isHead: true,
    className: 'wide',
    by: ({ resource }) => resource.id,
    cell: ({ id, kind, resource }) => (
      <>
        <a class="resource" href={`#${findingAnchor(id)}`}>
          <Text value={resource.id} most={60} />
          <span class="unseen">: {kindTitle(kind)}, in detail</span>
        </a>
        {resource.name ? (
          <div class="faint">
            <Text value={resource.name} most={48} />
          </div>
        ) : null}
        {resource.kubernetes ? (
          <div class="faint">
            <Text value={kubernetesText(resource.kubernetes)} />
          </div>
        ) : null}
      </>
    ),
  },
  {
    id: 'what',
    head: 'What',
    by: ({ kind }) => kind,
    cell: (finding) => (
      <div class="what">
        <strong>{kindTitle(finding.kind)}</strong>
        <div class="faint">
          <Text value={problemInShort(finding)} most={220} />
        </div>
      </div>
    ),
  },
  {
    id: 'minutes',
    head: 'Throttled, peak 24 h',
    isNumber: true,
    firstDescending: true,
    by: peakMinutesOf,
    cell: (finding) => {
      const held = peakMinutesOf(finding);
      return held === null ? <NotCounted text="not counted" /> : minutes(held);
    },
  },
  {
    id: 'usd',
    head: 'Recommended, a month',
    isNumber: true,
    by: firstDeltaOf,
    cell: (finding) => {
      const delta = firstDeltaOf(finding);
      if (delta !== null) return usdDelta(delta);
      return <NotCounted text={finding.recommendations.length === 0 ? 'no recommendation' : 'no price'} />;
    },
  },
  {
    id: 'saving',
    head: 'Best saving, a month',
    isNumber: true,
    by: bestSavingOf,
    cell: (finding) => {
      const saving = bestSavingOf(finding);
      if (saving !== null) return usdDelta(saving);
      return <NotCounted text={hasNoPrice(finding) ? 'no price' : 'none'} />;
    },
  },
  {
    id: 'region',
    head: 'Region',
    by: ({ resource }) => resource.region,
    cell: ({ resource }) => (
      <>
        <span class="together">
          <Text value={resource.region} most={30} />
        </span>
        {resource.accountName === undefined ? null : (
          <div class="faint">
            <Text value={resource.accountName} most={30} />
          </div>
        )}
      </>
    ),
  },
  {
    id: 'since',
    head: 'Since (UTC)',
    firstDescending: true,
    by: ({ firstSeen }) => firstSeen,
    cell: ({ firstSeen }) => (firstSeen === null ? <NotCounted text="unknown" /> : <When iso={firstSeen} />),
  },
];

export const findingCsv = (
  findings: readonly Finding[],
  isOfSeveral: boolean,
): [readonly string[], CsvCell[][]] => [
  findingHead(isOfSeveral),
  findings.map((finding) => findingRow(finding, isOfSeveral)),
];
