/** Findings as tables: in full, what, when and what to do; or a line each. */
import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { VolumeVerdict } from '../../core/schemas/audit-result.ts';
import {
  type AnyEvidence,
  type Finding,
  instanceIdOf,
  type Severity,
  volumeIdsOf,
} from '../../core/schemas/finding.ts';
import { findingLines, labelledLine, labelWidth } from '../wording/finding-lines.ts';
import { hanging, inert, noBorders, usd, whole, withoutTrailingSpaces } from './text.ts';

/** How wide a table may be and whether it is colored. */
export interface TableStyle {
  columns: number;
  color: boolean;
}

export type Verdicts = ReadonlyMap<string, VolumeVerdict>;

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;
const paint = (severity: Severity, color: boolean): string =>
  color ? styleText(colors[severity], severity, { validateStream: false }) : severity;

const idOf = ({ resource }: Finding): string => resource.id;

/** A stripe is called after its instance: the two stand below each other, since a row is narrow. */
function idLines({ resource }: Finding): string[] {
  const start = `${instanceIdOf(resource)}/`;
  return resource.type === 'stripe' && resource.id.startsWith(start)
    ? [inert(start), inert(resource.id.slice(start.length))]
    : [inert(resource.id)];
}

/** The type and size of a volume, the number of volumes of a stripe, the type of an instance where it is known. */
function whatItIs(finding: Finding, verdicts: Verdicts): string {
  const verdict = verdicts.get(idOf(finding));
  if (verdict !== undefined) return `${inert(verdict.volumeType)} ${whole(verdict.sizeGiB)} GiB`;
  if (finding.resource.type === 'stripe') return `stripe of ${volumeIdsOf(finding).length} volumes`;
  const { instanceType }: AnyEvidence = finding.evidence;
  return inert(instanceType ?? '');
}

function resourceLines(finding: Finding, verdicts: Verdicts): string {
  const { name, region, type, id } = finding.resource;
  const isSaid = type === 'stripe' && id.endsWith(`/${name}`);
  const lines = [
    ...idLines(finding),
    name && !isSaid ? `"${inert(name, 20)}"` : '',
    whatItIs(finding, verdicts),
    inert(region),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const mostVolumesNamed = 4;

/** Of an instance those that it held back, of a stripe its members. */
function affected(finding: Finding): string[] {
  const isStripe = finding.resource.type === 'stripe';
  const { volumes: onIt = [] }: AnyEvidence = finding.evidence;
  const volumes = isStripe ? volumeIdsOf(finding) : onIt;
  if (volumes.length === 0) return [];
  const named = volumes.slice(0, mostVolumesNamed).map((id) => inert(id));
  const rest = volumes.length - named.length;
  return [
    labelledLine({ label: 'Volumes', text: `${named.join(' ')}${rest > 0 ? ` and ${rest} more` : ''}` }),
  ];
}

/** Its kind, as docs/findings.md has it, and the lines that every channel has. */
const blockOf = (finding: Finding, columns: number): string[] => [
  finding.kind,
  ...[...findingLines(finding).map(labelledLine), ...affected(finding)].flatMap((line) =>
    hanging(line, columns, labelWidth),
  ),
];

/** What is found on one resource: its findings, the most urgent first. */
export type FindingGroup = readonly [Finding, ...Finding[]];

/** One group a resource, the most urgent first. */
export function byResource(findings: readonly Finding[]): FindingGroup[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = `${finding.resource.region} ${idOf(finding)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

const severityWidth = 10;
const resourceWidth = 25;
const borders = 4;
/** On both sides of a cell. */
const padding = 2;

/** One row a resource: what, when, how sure, what to do. */
export function findingsInFull(
  groups: readonly FindingGroup[],
  verdicts: Verdicts,
  { columns, color }: TableStyle,
): string {
  const width = Math.max(40, columns - severityWidth - resourceWidth - borders);
  const drawn = new Table({
    head: ['severity', 'resource', 'what, when, what to do'],
    colWidths: [severityWidth, resourceWidth, width],
    wordWrap: true,
    style: { head: [], border: [], compact: false },
  });
  for (const group of groups)
    drawn.push([
      paint(group[0].severity, color),
      resourceLines(group[0], verdicts),
      group.flatMap((finding) => blockOf(finding, width - padding)).join('\n'),
    ]);
  return drawn.toString();
}

/** What the first advice of the most urgent finding costs or saves. */
function briefPrice([{ recommendations }]: FindingGroup): string {
  const delta = recommendations[0]?.monthlyUsdDelta ?? null;
  return delta === null ? '-' : `${delta > 0 ? '+' : ''}${usd(delta)}`;
}

const nameWidth = 20;
/** Cut again: what had to be escaped became longer. */
const cutName = (name: string): string => inert(inert(name, nameWidth), nameWidth);

/** What the columns beside the findings take, as wide as they get. */
const besideFindings = { always: 58, name: 22, what: 18 };
const leastForFindings = 28;

/** One line a resource; on a narrow terminal without its type and size, on a very narrow one without its name too. */
export function findingsInBrief(
  groups: readonly FindingGroup[],
  verdicts: Verdicts,
  { columns, color }: TableStyle,
): string {
  const { always, name, what } = besideFindings;
  const hasWhat = columns >= always + name + what + leastForFindings;
  const hasName = columns >= always + name + leastForFindings;
  const forFindings = columns - always - (hasName ? name : 0) - (hasWhat ? what : 0);
  const drawn = new Table({
    head: [
      ...['severity', 'resource'],
      ...(hasName ? ['name'] : []),
      ...(hasWhat ? ['what it is'] : []),
      ...['first advice, a month', 'findings'],
    ],
    chars: noBorders,
    style: { head: [], border: [], 'padding-left': 0 },
  });
  for (const group of groups) {
    const [worst] = group;
    drawn.push([
      paint(worst.severity, color),
      inert(idOf(worst)),
      ...(hasName ? [cutName(worst.resource.name ?? '')] : []),
      ...(hasWhat ? [whatItIs(worst, verdicts)] : []),
      briefPrice(group),
      inert(group.map(({ kind }) => kind).join(', '), forFindings),
    ]);
  }
  return withoutTrailingSpaces(drawn.toString());
}
