/** The audit for people: findings by resource, counts that add up, what could not be judged, what to try next. */
import Table from 'cli-table3';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { runLines } from './audit-run.ts';
import { byResource, findingsInBrief, findingsInFull, type TableStyle } from './findings.ts';
import { inert, number, plural, type TerminalStyle, whole, widthOf } from './text.ts';

export interface AuditTextOptions extends TerminalStyle {
  /** What to write before a command that a person can copy. */
  invokedAs: string;
}

const mostInFull = 10;
const mostInBrief = 50;

/** The most urgent resources in full, the others in a line each. */
function findingsLines({ findings, volumes }: AuditResult, style: TableStyle): string[] {
  const verdicts = new Map(volumes.map((verdict) => [verdict.volumeId, verdict]));
  const groups = byResource(findings);
  const brief = groups.slice(mostInFull, mostInFull + mostInBrief);
  const left = groups.length - mostInFull - brief.length;
  return [
    findingsInFull(groups.slice(0, mostInFull), verdicts, style),
    ...(brief.length === 0
      ? []
      : [
          '',
          `The others (--resource ID tells one in full), ${plural(brief.length + left, 'resource')}:`,
          findingsInBrief(brief, verdicts, style),
        ]),
    ...(left > 0 ? [`... and ${left} more resources (--json has them all)`] : []),
  ];
}

/** What each series shows, healthy or not: a recording is looked at, not only alarmed on. */
function recordedTable({ volumes }: AuditResult): string {
  const orDash = (value: number | null): string => (value === null ? '-' : number(Math.round(value)));
  const rows = volumes.map((volume) => [
    inert(volume.volumeId),
    `${inert(volume.volumeType)} ${whole(volume.sizeGiB)} GiB`,
    volume.verdict,
    `${number(volume.knownMinutes)} / ${number(volume.unknownMinutes)}`,
    `${orDash(volume.topAverageIops)} / ${orDash(volume.busyIopsInTopPeriod)}`,
    volume.periodsBusyOverTwiceAverage === null
      ? '-'
      : `${whole(volume.periodsBusyOverTwiceAverage)} of ${whole(volume.activePeriods)}`,
    volume.lowestBalancePercent === null
      ? '-'
      : `${number(volume.lowestBalancePercent)} %${volume.balanceModelled ? ' (modelled)' : ''}`,
  ]);
  const head = [
    'series',
    'judged on',
    'verdict',
    'minutes\nknown / unknown',
    'IOPS of top period\naverage / busy',
    'periods with\nbusy > 2 x avg',
    'lowest credits',
  ];
  const drawn = new Table({ head, style: { head: [], border: [] } });
  drawn.push(...rows);
  return drawn.toString();
}

/** What more than advice can be asked about. */
const isHeldBack = (kind: Finding['kind']): boolean =>
  kind.startsWith('throttled-') || kind.endsWith('credits-exhausted') || kind === 'micro-burst';

function nextLines({ findings }: AuditResult, invokedAs: string): string[] {
  const credits = findings.some(({ kind }) => kind.startsWith('credits-'));
  const heldBack = findings.some(({ kind }) => isHeldBack(kind));
  return [
    'Next:',
    '  add --html FILE          the same as a page to open in a browser and to send on, with charts of each load',
    '  add --json               every finding with its evidence and the steps of its advice',
    '  add --fail-on critical   exit 1 where a critical finding exists, for a scheduled job',
    ...(heldBack
      ? [
          '  add --resource ID        one volume, instance or stripe: when it was throttled, by what, its demand',
          '  add --minutes FILE       a CSV of who held back whom, minute by minute, and what was wanted',
          `  ${invokedAs} replay --help  a load that you recorded against other volumes, or another instance`,
          `  ${invokedAs} plan --help    the cheapest volumes that are good enough for a need`,
        ]
      : []),
    ...(credits ? [`  ${invokedAs} burst --help    how long a volume bursts and refills`] : []),
    `  ${invokedAs} limits --help   what another type or size could do, and its price`,
  ];
}

function headline({ coverage, findings }: AuditResult): string | null {
  if (findings.length > 0) return null;
  if (coverage.judged === 0) return 'Nothing could be judged.';
  return coverage.unknown.length === 0
    ? 'No findings: nothing was held back, nothing stands unused.'
    : `No findings on the ${plural(coverage.judged, 'volume')} that could be judged.`;
}

/** All lines of an audit. */
export function auditText(result: AuditResult, options: AuditTextOptions): string[] {
  const { columns, color, invokedAs, recorded } = options;
  const none = headline(result);
  return [
    ...(recorded ? [recordedTable(result), ''] : []),
    ...(none === null ? findingsLines(result, { columns: widthOf(columns), color }) : [none]),
    '',
    ...runLines(result, recorded),
    '',
    ...nextLines(result, invokedAs),
  ];
}
