/** Findings for a terminal: the first ones as blocks of lines, then a line each, the rest counted. */
import { styleText } from 'node:util';
import { bestSavingOf } from '../../core/report/top-recommendations.ts';
import type { AuditResult, VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import { type AnyEvidence, type Finding, type Severity, volumeIdsOf } from '../../core/schemas/finding.ts';
import { withAccountNames } from '../wording/accounts.ts';
import { blocksHeading, type FindingOrder, leftText, listHeading } from '../wording/audit-totals.ts';
import { findingLines, labelledLine, labelWidth, problemInShort } from '../wording/finding-lines.ts';
import { firstDeltaOf } from '../wording/finding-row.ts';
import { claimName, resourceText, shortText } from '../wording/words.ts';
import { inOrder } from './finding-order.ts';
import { columnsOf, hanging, type ListColumn, listRows, sanitize, usd, whole } from './text.ts';

/** How wide a line may be, and whether severities are colored. */
export interface FindingsStyle {
  columns: number;
  color: boolean;
}

export interface FindingsChoice {
  /** How many are blocks of lines; null: all. */
  top: number | null;
  order: FindingOrder;
}

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;

/** The first word of it that says how severe it is, in color. */
const painted = (line: string, severity: Severity, color: boolean): string =>
  color
    ? line.replace(severity, () => styleText(colors[severity], severity, { validateStream: false }))
    : line;

/** The type and size of a volume, the number of volumes of a stripe, the type of an instance where it is known. */
export type WhatItIs = (finding: Finding) => string | null;

export function whatItIsOf({ volumes }: Pick<AuditResult, 'volumes'>): WhatItIs {
  const evaluations = new Map<string, VolumeEvaluation>(
    volumes.map((evaluation) => [evaluation.volumeId, evaluation]),
  );
  return (finding) => {
    const evaluation = evaluations.get(finding.resource.id);
    if (evaluation !== undefined)
      return `${sanitize(evaluation.volumeType)} ${whole(evaluation.sizeGiB)} GiB`;
    if (finding.resource.type === 'stripe') return `stripe of ${volumeIdsOf(finding).length} volumes`;
    const { instanceType }: AnyEvidence = finding.evidence;
    return instanceType == null ? null : sanitize(instanceType);
  };
}

const maxVolumesNamed = 4;

/** Of an instance those that it throttled, of a stripe its members. */
function affected(finding: Finding): string[] {
  const isStripe = finding.resource.type === 'stripe';
  const { volumes: onIt = [] }: AnyEvidence = finding.evidence;
  const volumes = isStripe ? volumeIdsOf(finding) : onIt;
  if (volumes.length === 0) return [];
  const named = volumes.slice(0, maxVolumesNamed).map((id) => sanitize(id));
  const rest = volumes.length - named.length;
  return [
    labelledLine({ label: 'Volumes', text: `${named.join(' ')}${rest > 0 ? ` and ${rest} more` : ''}` }),
  ];
}

const blockIndent = 4;

/** How severe, on what and its kind, as docs/reference/findings.md has it; below it the lines that every channel has. */
function blockOf(
  finding: Finding,
  place: number,
  whatItIs: WhatItIs,
  { columns, color }: FindingsStyle,
): string[] {
  const { severity, resource, kind } = finding;
  const start = `${place}. `.padEnd(blockIndent);
  const title = `${start}${severity} ${resourceText(resource, whatItIs(finding))} (${kind})`;
  const [first = '', ...more] = hanging(title, columns, blockIndent);
  const lines = [...findingLines(finding).map(labelledLine), ...affected(finding)].flatMap((line) =>
    hanging(line, columns - blockIndent, labelWidth),
  );
  return [
    painted(first, severity, color),
    ...more,
    ...lines.map((line) => `${' '.repeat(blockIndent)}${line}`),
  ];
}

const nameWidth = 30;
/** The claim says more than the Name tag that the driver makes. */
const nameCell = ({ resource: { kubernetes, name } }: Finding): string =>
  shortText((kubernetes && claimName(kubernetes)) ?? name ?? '', nameWidth);
const accountCell = ({ resource }: Finding): string =>
  shortText(resource.accountName ?? resource.account ?? '', nameWidth);
/** In it most problems are one line. */
const leastForProblem = 56;
const dash = '-';

const usdCell = (delta: number | null): string =>
  delta === null ? dash : `${delta > 0 ? '+' : ''}${usd(delta)}`.replace(/ USD$/, '');

/** Of a recommendation that nobody knows the price of it is said; without one there is nothing to pay. */
function firstUsdCell(finding: Finding): string {
  const [first] = finding.recommendations;
  return first?.priceUnknownReason == null ? usdCell(firstDeltaOf(finding)) : 'no price';
}

interface OptionalColumn extends ListColumn {
  of: (finding: Finding) => string;
}

/** Those that have room, what is also in the block of a finding left out first. */
function columnsThatFit(
  findings: readonly Finding[],
  { all, optional }: { all: readonly OptionalColumn[]; optional: readonly string[] },
  columns: number,
): OptionalColumn[] {
  const widthOfColumn = ({ head, of }: OptionalColumn): number =>
    2 + Math.max(columnsOf(head), ...findings.map((finding) => columnsOf(of(finding))));
  let left = [...all];
  for (const head of optional) {
    const taken = left.reduce((sum, column) => sum + widthOfColumn(column), 0);
    if (columns - taken >= leastForProblem) break;
    left = left.filter((column) => column.head !== head);
  }
  return left;
}

/** A line each, longer problems folded; on a narrow terminal without type and size, on a very narrow one without name. */
function listOf(
  findings: readonly Finding[],
  { order, whatItIs }: { order: FindingOrder; whatItIs: WhatItIs },
  { columns, color }: FindingsStyle,
): string[] {
  const money =
    order === 'savings'
      ? { head: 'best saving', of: (finding: Finding) => usdCell(bestSavingOf(finding)) }
      : { head: 'USD a month', of: firstUsdCell };
  const isOfSeveral = findings.some(({ resource }) => resource.accountName !== undefined);
  const all: OptionalColumn[] = [
    { head: 'severity', of: ({ severity }) => severity },
    { head: 'resource', of: ({ resource }) => shortText(resource.id, 60) },
    { head: 'name', of: nameCell },
    ...(isOfSeveral ? [{ head: 'account', of: accountCell }] : []),
    { head: 'what it is', of: (finding) => whatItIs(finding) ?? '' },
    { ...money, isRight: true },
  ];
  const shown = columnsThatFit(findings, { all, optional: ['what it is', 'name', 'account'] }, columns);
  const rows = findings.map((finding) => [...shown.map(({ of }) => of(finding)), problemInShort(finding)]);
  const [head = [], ...lines] = listRows([...shown, { head: 'problem' }], rows, columns);
  return [
    ...head,
    ...lines.flatMap(([first = '', ...more], i) => {
      const severity = findings[i]?.severity;
      return [severity === undefined ? first : painted(first, severity, color), ...more];
    }),
  ];
}

const maxInList = 50;

/** All lines of them, with their headings. */
export function findingsText(
  result: Pick<AuditResult, 'findings' | 'volumes' | 'accountCoverage'>,
  { top, order }: FindingsChoice,
  style: FindingsStyle,
): string[] {
  const findings = inOrder(withAccountNames(result), order);
  const whatItIs = whatItIsOf(result);
  const blocks = findings.slice(0, top ?? findings.length);
  const listed = findings.slice(blocks.length, blocks.length + maxInList);
  const left = findings.length - blocks.length - listed.length;
  const heading = (text: string): string[] => hanging(text, style.columns, 2);
  return [
    ...(blocks.length === 0 ? [] : heading(blocksHeading(blocks.length, findings.length, order))),
    ...blocks.flatMap((finding, i) => ['', ...blockOf(finding, i + 1, whatItIs, style)]),
    ...(blocks.length === 0 || listed.length === 0 ? [] : ['']),
    ...(listed.length === 0
      ? []
      : [
          ...heading(listHeading(blocks.length + 1, blocks.length + listed.length)),
          ...listOf(listed, { order, whatItIs }, style),
        ]),
    ...(left > 0 ? heading(`${leftText(left)} (--format csv has all)`) : []),
  ];
}
