/** The audit for people: totals, the findings that matter most, what they rest on, what to try next. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { auditHeadline, type TotalsLine, totalsLines } from '../wording/audit-totals.ts';
import { notReadLines, totalsByAccount } from './accounts.ts';
import { runLines } from './audit-run.ts';
import { type FindingsChoice, findingsText } from './findings.ts';
import { opinionHeadlines, opinionTables } from './second-opinion.ts';
import { tableInColumns } from './table.ts';
import { folded, hanging, number, sanitize, type TerminalStyle, whole, widthOf } from './text.ts';

export interface AuditTextOptions extends TerminalStyle, Partial<FindingsChoice> {
  /** What to write before a command that a person can copy. */
  invokedAs: string;
}

/** So many findings are blocks of lines, where nobody says how many. */
export const usualTop = 10;

/** What each series shows, healthy or not: a recording is looked at, not only alarmed on. */
function recordedTable({ volumes }: AuditResult, columns: number): string[] {
  const orDash = (value: number | null): string => (value === null ? '-' : number(Math.round(value)));
  const rows = volumes.map((volume) => [
    sanitize(volume.volumeId),
    `${sanitize(volume.volumeType)} ${whole(volume.sizeGiB)} GiB`,
    volume.status,
    `${number(volume.knownMinutes)} / ${number(volume.unknownMinutes)}`,
    `${orDash(volume.topAverageIops)} / ${orDash(volume.activeTimeIopsInTopPeriod)}`,
    volume.periodsBusyOverTwiceAverage === null
      ? '-'
      : `${whole(volume.periodsBusyOverTwiceAverage)} of ${whole(volume.activePeriods)}`,
    volume.lowestBalancePercent === null
      ? '-'
      : `${number(volume.lowestBalancePercent)} %${volume.balanceModelled ? ' (modelled)' : ''}`,
  ]);
  const head = [
    'series',
    'evaluated on',
    'status',
    'minutes\nknown / unknown',
    'IOPS of top period\naverage / busy',
    'periods with\nbusy > 2 x avg',
    'lowest credits',
  ];
  return tableInColumns(head, rows, { columns, hasBorders: true });
}

const totalsWidth = 'Throttled'.length + 1;

const totalsText = ({ label, text }: TotalsLine, columns: number): string[] =>
  hanging(`${label.padEnd(totalsWidth)}${text}`, columns, totalsWidth);

/** What more than recommendation can be asked about. */
const isThrottled = (kind: Finding['kind']): boolean =>
  kind.startsWith('throttled-') || kind.endsWith('credits-exhausted') || kind === 'micro-burst';

const hintWidth = 27;

function nextLines({ findings }: AuditResult, invokedAs: string, columns: number): string[] {
  const credits = findings.some(({ kind }) => kind.startsWith('credits-'));
  const throttled = findings.some(({ kind }) => isThrottled(kind));
  const hints = [
    ['add --html FILE', 'the same as a page to open in a browser and to send on, with charts of each load'],
    ['add --json', 'every finding with its evidence and the steps of its recommendations'],
    ['add --format csv', 'a row for each finding; --format markdown: a table for an issue'],
    ['add --fail-on critical', 'exit 1 where a critical finding exists, for a scheduled job'],
    ...(throttled
      ? [
          ['add --resource ID', 'one volume, instance or stripe: when it was throttled, by what, its demand'],
          ['add --minutes FILE', 'a CSV of what was throttled by what, minute by minute, and its demand'],
          [
            `${invokedAs} replay --help`,
            'a load that you recorded against other volumes, or another instance',
          ],
          [`${invokedAs} plan --help`, 'the cheapest volumes that are good enough for a need'],
        ]
      : []),
    ...(credits ? [[`${invokedAs} burst --help`, 'how long a volume bursts and refills']] : []),
    [`${invokedAs} limits --help`, 'what another type or size could do, and its price'],
  ];
  return [
    'Next:',
    ...hints.flatMap(([what = '', why = '']) =>
      hanging(`${`  ${what}`.padEnd(hintWidth - 2)}  ${why}`, columns, hintWidth),
    ),
  ];
}

/** All lines of an audit: each fits into the terminal. */
export function auditText(result: AuditResult, options: AuditTextOptions): string[] {
  const { color, invokedAs, recorded, top = usualTop, order = 'impact' } = options;
  const columns = widthOf(options.columns);
  return [
    ...folded(auditHeadline(result), columns),
    ...opinionHeadlines(result, columns),
    ...totalsLines(result).flatMap((line) => totalsText(line, columns)),
    ...notReadLines(result, columns),
    '',
    ...(recorded ? [...recordedTable(result, columns), ''] : []),
    ...(result.findings.length === 0
      ? []
      : [...findingsText(result, { top, order }, { columns, color }), '']),
    ...opinionTables(result, top, columns),
    ...totalsByAccount(result, columns),
    ...runLines(result, recorded).flatMap((line) => folded(line, columns)),
    '',
    ...nextLines(result, invokedAs, columns),
  ];
}
