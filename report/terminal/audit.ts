/** The audit for people: findings by resource, counts that add up, what could not be judged, what to try next. */
import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { AuditResult, VolumeVerdict } from '../../core/schemas/audit-result.ts';
import {
  type Finding,
  isSaving,
  resourceIdOf,
  type Severity,
  volumeIdsOf,
} from '../../core/schemas/finding.ts';
import { runLines } from './audit-run.ts';
import { inert, minuteText, number, plural, usd, whole } from './text.ts';

export interface AuditTextOptions {
  /** Width of the terminal; null where the output is a file or a pipe. */
  columns: number | null;
  color: boolean;
  /** What to write before a command that a person can copy. */
  invokedAs: string;
  /** Recorded series: each volume's figures are shown, also of healthy ones. */
  recorded: boolean;
}

const widthWithoutTerminal = 140;
const mostResourcesShown = 60;

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;
const paint = (severity: Severity, color: boolean): string =>
  color ? styleText(colors[severity], severity, { validateStream: false }) : severity;

const idOf = ({ resource }: Finding): string => resourceIdOf(resource);

/** A stripe is called after its instance: the two stand below each other, since a row is narrow. */
function idLines({ resource }: Finding): string[] {
  const { stripeId, instanceId } = resource;
  const start = `${instanceId}/`;
  return stripeId?.startsWith(start)
    ? [inert(start), inert(stripeId.slice(start.length))]
    : [inert(resourceIdOf(resource))];
}

function resourceLines(finding: Finding, verdicts: ReadonlyMap<string, VolumeVerdict>): string {
  const { name, region, stripeId } = finding.resource;
  const verdict = verdicts.get(idOf(finding));
  const { instanceType } = finding.evidence;
  const other = stripeId === undefined ? instanceType : `stripe of ${volumeIdsOf(finding).length} volumes`;
  const what = verdict === undefined ? other : `${inert(verdict.volumeType)} ${whole(verdict.sizeGiB)} GiB`;
  const isSaid = stripeId?.endsWith(`/${name}`) === true;
  const lines = [
    ...idLines(finding),
    name && !isSaid ? `"${inert(name, 20)}"` : '',
    typeof what === 'string' ? inert(what) : '',
    inert(region),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function adviceLine({ action, monthlyUsdDelta: delta }: Finding['advice'][number], unknownBecause: unknown) {
  if (delta === null)
    return `-> ${action}${typeof unknownBecause === 'string' ? ' (price unknown here)' : ''}`;
  const price = `${delta > 0 ? '+' : ''}${usd(delta)} a month`;
  // Where a type is named, its price stands right after it.
  return `-> ${action}${action.includes(price) ? '' : ` (${price})`}`;
}

function basisOf(finding: Finding): string {
  const { balance, confidence, stripeConfidence } = finding.evidence;
  if (finding.kind === 'stripe-straggler')
    return stripeConfidence === 'high'
      ? 'latency in part from the queue length'
      : 'as sure as it is that they are one stripe';
  if (isSaving(finding))
    return confidence === 'low'
      ? 'averages over more than a minute hide bursts'
      : 'less than a week was seen';
  const modelled = typeof balance === 'string' && balance.startsWith('modelled');
  return modelled ? 'credits modelled from a full bucket' : 'from the rate, no check of AWS behind it';
}

/** What the reader should doubt: a finding that AWS's own word does not carry says so. */
function doubt(finding: Finding): string[] {
  const { confidence, stripeConfidence } = finding.evidence;
  const isGuess = finding.resource.stripeId !== undefined && stripeConfidence === 'low';
  return [
    ...(confidence === 'high' ? [] : [`confidence ${confidence}: ${basisOf(finding)}`]),
    ...(isGuess
      ? [
          'confidence low that they are one stripe: volumes that something else keeps in balance look like one',
        ]
      : []),
  ];
}

function spanText({ since, evidence }: Finding): string[] {
  if (since === null) return [];
  const { until } = evidence;
  if (typeof until !== 'string') return [`since ${minuteText(since)} UTC`];
  const sameDay = since.slice(0, 10) === until.slice(0, 10);
  return [`first ${minuteText(since)}, last ${sameDay ? until.slice(11, 16) : minuteText(until)} UTC`];
}

const mostVolumesNamed = 4;

/** Of an instance those that it held back, of a stripe its members. */
function affected(finding: Finding): string[] {
  const isStripe = finding.resource.stripeId !== undefined;
  const volumes = isStripe ? volumeIdsOf(finding) : finding.evidence['volumes'];
  if (!Array.isArray(volumes) || volumes.length === 0) return [];
  const named = volumes.slice(0, mostVolumesNamed).map((id) => inert(id));
  const rest = volumes.length - named.length;
  return [`its volumes: ${named.join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`];
}

const findingLines = (finding: Finding): string[] => [
  `${finding.kind}: ${inert(finding.reason, 500)}`,
  ...spanText(finding),
  ...affected(finding),
  ...doubt(finding),
  ...finding.advice.map((advice) => adviceLine(advice, finding.evidence['priceUnknownBecause'])),
];

function table(head: string[], widths: number[], rows: string[][]): string {
  const drawn = new Table({
    head,
    colWidths: widths,
    wordWrap: true,
    style: { head: [], border: [], compact: false },
  });
  drawn.push(...rows);
  return drawn.toString();
}

/** One row a resource, the most urgent first; a volume with several findings is one row. */
function findingsTable({ findings, volumes }: AuditResult, columns: number, color: boolean): string {
  const verdicts = new Map(volumes.map((verdict) => [verdict.volumeId, verdict]));
  const byResource = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.resource.region} ${idOf(finding)}`;
    byResource.set(key, [...(byResource.get(key) ?? []), finding]);
  }
  const rows = [...byResource.values()].flatMap((group) => {
    const [worst] = group;
    if (worst === undefined) return [];
    return [
      [paint(worst.severity, color), resourceLines(worst, verdicts), group.flatMap(findingLines).join('\n')],
    ];
  });
  const widths = [10, 25, Math.max(40, columns - 10 - 25 - 4)];
  const shown = table(
    ['severity', 'resource', 'what, when, what to do'],
    widths,
    rows.slice(0, mostResourcesShown),
  );
  const rest = rows.length - mostResourcesShown;
  return rest > 0 ? `${shown}\n... and ${rest} more resources, less urgent (--json has them all)` : shown;
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
    '  add --json               every finding with its evidence and the steps of its advice',
    '  add --fail-on critical   exit 1 where a critical finding exists, for a scheduled job',
    ...(heldBack
      ? [
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
  const width = Math.min(200, Math.max(80, columns ?? widthWithoutTerminal));
  return [
    ...(recorded ? [recordedTable(result), ''] : []),
    headline(result) ?? findingsTable(result, width, color),
    '',
    ...runLines(result, recorded),
    '',
    ...nextLines(result, invokedAs),
  ];
}
