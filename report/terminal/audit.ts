/** The audit for people: findings by resource, counts that add up, what could not be judged, what to try next. */
import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { AuditResult, VolumeVerdict } from '../../core/schemas/audit-result.ts';
import { type Finding, type Severity, severities } from '../../core/schemas/finding.ts';
import { inert, number, plural, usd, whole } from './text.ts';

export interface AuditTextOptions {
  /** Width of the terminal; null where the output is a file or a pipe. */
  columns: number | null;
  /** Recorded series: each volume's figures are shown, also of healthy ones. */
  recorded: boolean;
}

const widthWithoutTerminal = 140;
const mostUnknownShown = 20;

const colors = { critical: 'red', warning: 'yellow', info: 'cyan' } as const;
const paint = (severity: Severity): string =>
  styleText(colors[severity], severity, { stream: process.stdout });

function resourceLines({ resource }: Finding, verdicts: ReadonlyMap<string, VolumeVerdict>): string {
  const id = resource.volumeId ?? resource.instanceId ?? resource.stripeId ?? '';
  const verdict = verdicts.get(id);
  const lines = [inert(id), ...(resource.name ? [`"${inert(resource.name, 20)}"`] : [])];
  lines.push(
    verdict === undefined ? resource.region : `${inert(verdict.volumeType)} ${whole(verdict.sizeGiB)} GiB`,
  );
  if (verdict !== undefined) lines.push(resource.region);
  return lines.join('\n');
}

function adviceLines({ advice }: Finding): string[] {
  return advice.map(({ action, monthlyUsdDelta }) =>
    monthlyUsdDelta === null
      ? `-> ${action}`
      : `-> ${action} (${monthlyUsdDelta > 0 ? '+' : ''}${usd(monthlyUsdDelta)} a month)`,
  );
}

const findingLines = (finding: Finding): string[] => [
  `${finding.kind}: ${inert(finding.reason, 400)}`,
  ...(finding.since === null ? [] : [`   since ${finding.since}`]),
  ...adviceLines(finding),
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
function findingsTable({ findings, volumes }: AuditResult, columns: number): string {
  const verdicts = new Map(volumes.map((verdict) => [verdict.volumeId, verdict]));
  const byResource = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { volumeId, instanceId, stripeId, region } = finding.resource;
    const key = `${region} ${volumeId ?? instanceId ?? stripeId}`;
    byResource.set(key, [...(byResource.get(key) ?? []), finding]);
  }
  const rows = [...byResource.values()].flatMap((group) => {
    const [worst] = group;
    if (worst === undefined) return [];
    return [[paint(worst.severity), resourceLines(worst, verdicts), group.flatMap(findingLines).join('\n')]];
  });
  const widths = [10, 25, Math.max(40, columns - 10 - 25 - 4)];
  return table(['severity', 'resource', 'what, since when, what to do'], widths, rows);
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
      : `${volume.periodsBusyOverTwiceAverage} of ${volume.activePeriods}`,
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

function countLines({ coverage, findings, volumes, window }: AuditResult): string[] {
  const troubled = volumes.filter(({ verdict }) => verdict === 'finding').length;
  const healthy = coverage.judged - troubled;
  const unknown = coverage.unknown.length;
  const bySeverity = severities
    .map((severity) => `${findings.filter((finding) => finding.severity === severity).length} ${severity}`)
    .join(', ');
  const instances = findings.filter(({ resource }) => resource.instanceId !== undefined).length;
  return [
    window === null ? 'No figures at all.' : `Figures from ${window.start} to ${window.end}.`,
    `${plural(coverage.volumes, 'volume')} = ${healthy} healthy + ${troubled} with findings + ${unknown} unknown.`,
    `${plural(findings.length, 'finding')} (${bySeverity}); ${instances} of them on instances.`,
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

function unknownLines({ coverage }: AuditResult): string[] {
  if (coverage.unknown.length === 0) return [];
  const shown = coverage.unknown.slice(0, mostUnknownShown);
  const rest = coverage.unknown.length - shown.length;
  return [
    'Unknown, and why:',
    ...shown.map(({ volumeId, because }) => `  ${inert(volumeId)}: ${inert(because, 300)}`),
    ...(rest > 0 ? [`  ... and ${rest} more (--json has them all)`] : []),
  ];
}

function nextLines({ findings }: AuditResult): string[] {
  const credits = findings.find(({ kind }) => kind.startsWith('credits-'));
  return [
    'Next:',
    '  --json               every finding with its evidence and the steps of its advice',
    '  --fail-on critical   exit 1 where a critical finding exists, for a scheduled job',
    ...(credits === undefined ? [] : ['  stripewise burst ... how long a volume bursts and refills']),
    '  stripewise limits .. what another type or size could do, and its price',
  ];
}

/** All lines of an audit. */
export function auditText(result: AuditResult, { columns, recorded }: AuditTextOptions): string[] {
  const width = Math.min(200, Math.max(80, columns ?? widthWithoutTerminal));
  return [
    ...(recorded ? [recordedTable(result), ''] : []),
    ...(result.findings.length === 0
      ? ['No findings: nothing was held back, nothing stands unused.']
      : [findingsTable(result, width)]),
    '',
    ...countLines(result),
    ...instanceLines(result),
    ...unknownLines(result),
    ...(result.notices.length === 0
      ? []
      : ['Notes on the input:', ...result.notices.map((notice) => `  ${inert(notice, 300)}`)]),
    '',
    ...nextLines(result),
  ];
}
