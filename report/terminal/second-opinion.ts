/** A comparison with another service for a terminal: its totals, the volumes on which the two do not agree, what was not read. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { SecondOpinion } from '../../core/schemas/second-opinion.ts';
import { type ComparedSource, comparedSources, notAgreed } from '../../core/second-opinion/totals.ts';
import {
  disagreeingText,
  noneShownText,
  opinionHeadline,
  opinionLabelTexts,
  opinionNotes,
  opinionReasonText,
  recommendedText,
  sourceNames,
  usdColumnNote,
} from '../wording/second-opinion.ts';
import { counted, shortText } from '../wording/words.ts';
import { columnsOf, folded, type ListColumn, listRows, usd } from './text.ts';

type Compared = Pick<AuditResult, 'secondOpinion' | 'secondOpinionReads'>;

/** A line for each source that was compared with; none where nothing was. */
export const opinionHeadlines = (result: Compared, columns: number): string[] =>
  comparedSources(result).flatMap((one) => folded(opinionHeadline(one), columns));

const nameWidth = 30;
/** In it most reasons are two lines. */
const leastForReason = 56;

export const opinionUsdCell = ({ monthlyUsdDifference }: SecondOpinion): string =>
  monthlyUsdDifference === null
    ? '-'
    : `${monthlyUsdDifference > 0 ? '+' : ''}${usd(monthlyUsdDifference)}`.replace(/ USD$/, '');

/** "gp3, 3,000 IOPS, 125 MiB/s: it would throttle 84 min (simulated; now 0)." */
function reasonCell(row: SecondOpinion): string {
  const reason = opinionReasonText(row);
  return row.recommended === null ? reason : `${recommendedText(row)}. ${reason}`;
}

interface OpinionColumn extends ListColumn {
  of: (row: SecondOpinion) => string;
}

const allColumns: readonly OpinionColumn[] = [
  { head: 'label', of: ({ label }) => opinionLabelTexts[label] },
  { head: 'volume', of: ({ volumeId }) => shortText(volumeId, 60) },
  { head: 'name', of: ({ name }) => shortText(name ?? '', nameWidth) },
  { head: 'USD a month', of: opinionUsdCell, isRight: true },
];

/** On a narrow terminal without the name. */
function columnsThatFit(rows: readonly SecondOpinion[], columns: number): readonly OpinionColumn[] {
  const taken = allColumns.reduce(
    (sum, { head, of }) => sum + 2 + Math.max(columnsOf(head), ...rows.map((row) => columnsOf(of(row)))),
    0,
  );
  return columns - taken >= leastForReason ? allColumns : allColumns.filter(({ head }) => head !== 'name');
}

function tableOf({ source, rows }: ComparedSource, top: number, columns: number): string[] {
  const all = notAgreed(rows);
  const shown = all.slice(0, top);
  if (all.length === 0) return [];
  if (shown.length === 0) return folded(noneShownText(all.length), columns);
  const fitting = columnsThatFit(shown, columns);
  const left = all.length - shown.length;
  const cells = shown.map((row) => [...fitting.map(({ of }) => of(row)), reasonCell(row)]);
  return [
    ...folded(`Compared with ${sourceNames[source]}, ${disagreeingText(shown.length, all.length)}:`, columns),
    ...listRows([...fitting, { head: 'what it recommends, and why the label' }], cells, columns).flat(),
    ...(left === 0 ? [] : folded(`... and ${counted(left, 'more volume')} (--json has all)`, columns)),
    ...folded(usdColumnNote, columns),
  ];
}

/** @param top so many rows of each source; null: all. */
export function opinionTables(result: Compared, top: number | null, columns: number): string[] {
  return comparedSources(result).flatMap((one) => {
    const lines = [
      ...tableOf(one, top ?? one.rows.length, columns),
      ...opinionNotes(one).flatMap((note) => folded(note, columns)),
    ];
    return lines.length === 0 ? [] : [...lines, ''];
  });
}

/** Of what `--resource` asks for: its own rows alone, under their headline. */
export function opinionsOfSelected(
  { volumes, secondOpinion, secondOpinionReads }: Compared & Pick<AuditResult, 'volumes'>,
  columns: number,
): string[] {
  if (secondOpinion === undefined) return [];
  const ids = new Set(volumes.map(({ volumeId }) => volumeId));
  const own = {
    secondOpinion: secondOpinion.filter(({ volumeId }) => ids.has(volumeId)),
    ...(secondOpinionReads === undefined ? {} : { secondOpinionReads }),
  };
  return [...opinionHeadlines(own, columns), ...opinionTables(own, null, columns)];
}
