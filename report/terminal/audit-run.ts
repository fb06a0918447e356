/** The run behind the findings of an audit: what was judged and what not, with which prices, what reading took. */
import type { AuditResult, VolumeVerdict } from '../../core/schemas/audit-result.ts';
import { isSaving, severities } from '../../core/schemas/finding.ts';
import { inert, minuteText, plural, usd } from './text.ts';

const mostLinesShown = 20;

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
  const cheaper = new Set(
    findings.filter(isSaving).map(({ resource }) => `${resource.region} ${resource.volumeId}`),
  ).size;
  return [
    ...(recorded
      ? []
      : [window === null ? 'No figures at all.' : `Figures from ${window.start} to ${window.end}.`]),
    `${plural(coverage.volumes, 'volume')} = ${having('healthy')} healthy + ${having('finding')} with findings${instanceText} + ${coverage.unknown.length} unknown.`,
    ...(cheaper === 0 ? [] : [`${plural(cheaper, 'volume')} could cost less without serving less.`]),
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

/** By Region, what prices advice was made with. */
function priceLine({ prices }: AuditResult): string[] {
  if (prices.length === 0) return [];
  const each = prices.map(({ region, refreshedAt, ebsAsOf }) => {
    if (ebsAsOf === null) return `${inert(region)} not known`;
    const from = refreshedAt === null ? 'built in' : `refreshed ${minuteText(refreshedAt)} UTC`;
    return `${inert(region)} of ${ebsAsOf} (${from})`;
  });
  return [`EBS prices used: ${each.join(', ')}.`];
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

/** What the findings rest on, in lines. */
export const runLines = (result: AuditResult, recorded: boolean): string[] => [
  ...countLines(result, recorded),
  ...instanceLines(result),
  ...listLines(
    'Unknown, and why:',
    result.coverage.unknown.map(({ volumeId, because }) => `${volumeId}: ${because}`),
  ),
  ...listLines('CloudWatch did not give everything:', result.coverage.incomplete),
  ...listLines('To know:', result.notices),
  ...priceLine(result),
  ...costLine(result),
];
