/** The audit for people: findings by resource, counts that add up, what could not be judged, what to try next. */
import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { AuditResult, VolumeVerdict } from '../../core/schemas/audit-result.ts';
import { type Finding, type Severity, severities } from '../../core/schemas/finding.ts';
import { inert, number, plural, usd, whole } from './text.ts';

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
const mostLinesShown = 20;
const mostResourcesShown = 60;

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;
const paint = (severity: Severity, color: boolean): string =>
  color ? styleText(colors[severity], severity, { validateStream: false }) : severity;

const idOf = ({ resource }: Finding): string =>
  resource.volumeId ?? resource.instanceId ?? resource.stripeId ?? '';

function resourceLines(finding: Finding, verdicts: ReadonlyMap<string, VolumeVerdict>): string {
  const { name, region } = finding.resource;
  const id = idOf(finding);
  const verdict = verdicts.get(id);
  const { instanceType } = finding.evidence;
  const what =
    verdict === undefined ? instanceType : `${inert(verdict.volumeType)} ${whole(verdict.sizeGiB)} GiB`;
  const lines = [
    inert(id),
    name ? `"${inert(name, 20)}"` : '',
    typeof what === 'string' ? inert(what) : '',
    inert(region),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const priceText = (delta: number | null, unknownBecause: unknown): string => {
  if (delta !== null) return ` (${delta > 0 ? '+' : ''}${usd(delta)} a month)`;
  return typeof unknownBecause === 'string' ? ' (price unknown here)' : '';
};

/** What the reader should doubt: a finding that AWS's own word does not carry says so. */
function doubt({ evidence }: Finding): string[] {
  if (evidence['confidence'] === 'high') return [];
  const modelled = typeof evidence['balance'] === 'string' && evidence['balance'].startsWith('modelled');
  const basis = modelled ? 'credits modelled from a full bucket' : 'from the rate, no check of AWS behind it';
  return [`confidence ${evidence['confidence']}: ${basis}`];
}

const minuteText = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

function spanText({ since, evidence }: Finding): string[] {
  if (since === null) return [];
  const { until } = evidence;
  if (typeof until !== 'string') return [`since ${minuteText(since)} UTC`];
  const sameDay = since.slice(0, 10) === until.slice(0, 10);
  return [`first ${minuteText(since)}, last ${sameDay ? until.slice(11, 16) : minuteText(until)} UTC`];
}

const mostVolumesNamed = 4;

function affected({ evidence }: Finding): string[] {
  const { volumes } = evidence;
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
  ...finding.advice.map(
    ({ action, monthlyUsdDelta }) =>
      `-> ${action}${priceText(monthlyUsdDelta, finding.evidence['priceUnknownBecause'])}`,
  ),
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

function countLines({ coverage, findings, volumes, window }: AuditResult, recorded: boolean): string[] {
  const having = (verdict: VolumeVerdict['verdict']): number =>
    volumes.filter((volume) => volume.verdict === verdict).length;
  const byInstance = having('held-back-by-instance');
  const instanceText = byInstance === 0 ? '' : ` + ${byInstance} held back by their instance only`;
  const bySeverity = severities
    .map((severity) => `${findings.filter((finding) => finding.severity === severity).length} ${severity}`)
    .join(', ');
  const onInstances = findings.filter(({ resource }) => resource.instanceId !== undefined).length;
  const partly = volumes.filter(
    ({ verdict, knownMinutes, unknownMinutes }) => verdict === 'healthy' && knownMinutes < unknownMinutes,
  ).length;
  return [
    ...(recorded
      ? []
      : [window === null ? 'No figures at all.' : `Figures from ${window.start} to ${window.end}.`]),
    `${plural(coverage.volumes, 'volume')} = ${having('healthy')} healthy + ${having('finding')} with findings${instanceText} + ${coverage.unknown.length} unknown.`,
    ...(partly === 0
      ? []
      : [`${partly} of the healthy are known for less than half of that time (new, or with gaps).`]),
    `${plural(findings.length, 'finding')} (${bySeverity}); ${onInstances} of them on instances.`,
  ];
}

function instanceLines({ coverage }: AuditResult): string[] {
  const { total, notJudged } = coverage.instances;
  if (total === 0) return [];
  const [first] = notJudged;
  const missing =
    first === undefined
      ? ''
      : `; ${notJudged.length} not judged, such as ${inert(first.instanceId)}: ${inert(first.because, 200)}`;
  return [
    `${plural(total, 'instance')}: ${total - notJudged.length} judged on their own EBS limits${missing}.`,
  ];
}

/** What reading took, where anything was read from AWS. */
function costLine({ cost }: AuditResult): string[] {
  if (cost.apiCalls === 0) return [];
  return [
    `Reading took ${plural(cost.apiCalls, 'API call')} for ${plural(cost.metricsRequested, 'metric')}: about ${usd(cost.usd)} of CloudWatch.`,
  ];
}

/** A heading with a line each; beyond twenty the rest is counted. */
function listLines(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, mostLinesShown).map((line) => `  ${inert(line, 300)}`);
  const rest = lines.length - shown.length;
  return [heading, ...shown, ...(rest > 0 ? [`  ... and ${rest} more (--json has them all)`] : [])];
}

function nextLines({ findings }: AuditResult, invokedAs: string): string[] {
  const credits = findings.some(({ kind }) => kind.startsWith('credits-'));
  return [
    'Next:',
    '  add --json               every finding with its evidence and the steps of its advice',
    '  add --fail-on critical   exit 1 where a critical finding exists, for a scheduled job',
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
  const { coverage, notices } = result;
  const width = Math.min(200, Math.max(80, columns ?? widthWithoutTerminal));
  return [
    ...(recorded ? [recordedTable(result), ''] : []),
    headline(result) ?? findingsTable(result, width, color),
    '',
    ...countLines(result, recorded),
    ...instanceLines(result),
    ...listLines(
      'Unknown, and why:',
      coverage.unknown.map(({ volumeId, because }) => `${volumeId}: ${because}`),
    ),
    ...listLines('CloudWatch did not give everything:', coverage.incomplete),
    ...listLines('Notes on the input:', notices),
    ...costLine(result),
    '',
    ...nextLines(result, invokedAs),
  ];
}
