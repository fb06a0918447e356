/** The run behind the findings of an audit: what was evaluated and what not, with which prices, what reading took. */

import type { AuditResult, PassCost } from '../../core/schemas/audit-result.ts';
import { isSaving, volumeIdsOf } from '../../core/schemas/finding.ts';
import { accountNames } from '../wording/accounts.ts';
import { noticeTextIn } from '../wording/audit-notices.ts';
import { listHeadings } from '../wording/partial.ts';
import { instanceReasonText, volumeReasonText } from '../wording/reasons.ts';
import { benchmarkVolumesText, metricPriceNote, thresholdTexts } from '../wording/words.ts';
import { costText, minuteText, plural, sanitize, whole } from './text.ts';

const maxLinesShown = 20;
const longestLine = 300;
const maxMembersNamed = 16;

const windowLine = ({ window }: AuditResult): string =>
  window === null ? 'No figures at all.' : `Figures from ${window.start} to ${window.end}.`;

/** What a reader should know of how the volumes were evaluated. */
function coverageLines({ coverage, findings, volumes }: AuditResult): string[] {
  const partly = volumes.filter(
    ({ status, knownMinutes, unknownMinutes }) => status === 'healthy' && knownMinutes < unknownMinutes,
  ).length;
  const coarse = volumes.filter(({ evaluatedBy }) => evaluatedBy === 'coarse').length;
  const cheaper = new Set(findings.filter(isSaving).flatMap(volumeIdsOf)).size;
  return [
    ...(coverage.excluded === undefined
      ? []
      : [
          `${plural(coverage.excluded, 'more volume is', 'more volumes are')} excluded by the configuration, neither read nor evaluated.`,
        ]),
    ...(coverage.benchmarkVolumes === undefined ? [] : [benchmarkVolumesText(coverage.benchmarkVolumes)]),
    ...(coarse === 0
      ? []
      : [
          `The first pass alone evaluated ${plural(coarse, 'volume')}: its few metrics showed no trouble, the others were not read.`,
        ]),
    ...(cheaper === 0 ? [] : [`${plural(cheaper, 'volume')} can cost less with the same performance.`]),
    ...(partly === 0
      ? []
      : [`${partly} of the healthy are known for less than half of that time (new, or with gaps).`]),
  ];
}

function instanceLines({ coverage }: AuditResult): string[] {
  const { total, notEvaluated } = coverage.instances;
  if (total === 0) return [];
  const [first] = notEvaluated;
  const missing =
    first === undefined
      ? ''
      : `; ${notEvaluated.length} not evaluated${notEvaluated.length === 1 ? ':' : ', such as'} ${sanitize(first.instanceId)}: ${sanitize(instanceReasonText(first.reason), 200)}`;
  return [
    `${plural(total, 'instance')}: ${total - notEvaluated.length} evaluated on their own EBS limits${missing}.`,
  ];
}

const toBeSure = (count: number): string =>
  ` (tag ${count === 1 ? 'its' : 'their'} volumes stripewise:stripe, one value a stripe, to be sure)`;

type Stripe = AuditResult['stripes'][number];

const evidenceTexts: Record<Stripe['evidence'], string> = {
  host: 'by the host',
  tag: 'by tag',
  inferred: 'inferred',
};

/** A person may copy it for --resource. */
const longestStripeId = 200;

/** So many ids and a few mount points. */
const longestStripeLine = 1_000;

/** One stripe: its id, which names its instance, who says so, and which volumes it has. */
function memberLine({ stripeId, evidence, volumeIds, mountPoints }: Stripe): string {
  const named = volumeIds.slice(0, maxMembersNamed).map((id) => sanitize(id));
  const rest = volumeIds.length - named.length;
  const members = `${named.join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const at =
    mountPoints.length === 0 ? '' : `; mounted at ${mountPoints.map((at) => sanitize(at)).join(', ')}`;
  return `${sanitize(stripeId, longestStripeId)} (${evidenceTexts[evidence]}): ${plural(volumeIds.length, 'volume')}, ${members}${at}`;
}

/** How many volumes were evaluated as one, who says that they are, and which. */
export function stripeLines({ stripes }: Pick<AuditResult, 'stripes'>): string[] {
  if (stripes.length === 0) return [];
  const by = (evidence: AuditResult['stripes'][number]['evidence'], text: string): string[] => {
    const count = stripes.filter((stripe) => stripe.evidence === evidence).length;
    if (count === 0) return [];
    return [`${whole(count)} ${text}${evidence === 'inferred' ? toBeSure(count) : ''}`];
  };
  const parts = [
    ...by('host', evidenceTexts.host),
    ...by('tag', evidenceTexts.tag),
    ...by('inferred', evidenceTexts.inferred),
  ];
  return listLines(
    `${plural(stripes.length, 'stripe')}: ${parts.join(', ')}.`,
    stripes.map(memberLine),
    longestStripeLine,
  );
}

/** By Region, what prices recommendation was made with. */
function priceLine({ prices }: AuditResult): string[] {
  if (prices.length === 0) return [];
  const each = prices.map(({ region, refreshedAt, sources, ebsAsOf, unpricedTypes = [] }) => {
    if (ebsAsOf === null) return `${sanitize(region)} not known`;
    const file = sources.find(({ part }) => part === 'ebs')?.fromFile;
    const kept = refreshedAt === null ? 'built in' : `refreshed ${minuteText(refreshedAt)} UTC`;
    const from = file === undefined ? kept : `given in ${sanitize(file)}`;
    const none = unpricedTypes.length === 0 ? '' : `, none of ${unpricedTypes.join(' or ')}`;
    return `${sanitize(region)} of ${ebsAsOf} (${from}${none})`;
  });
  return [`EBS prices used: ${each.join(', ')}.`];
}

const passTexts: Record<PassCost['pass'], string> = {
  coarse: 'first pass, few metrics',
  'second-look': 'second look, what clears more of them',
  fine: 'second pass, all metrics of volumes that may be in trouble',
};

function passLine({ pass, volumes, instances, metricsRequested, apiCalls, usd: cost }: PassCost): string {
  const asked = [
    ...(volumes === 0 ? [] : [plural(volumes, 'volume')]),
    ...(instances === 0 ? [] : [plural(instances, 'instance')]),
  ];
  if (asked.length === 0) return `  ${passTexts[pass]}: nothing to ask`;
  return `  ${passTexts[pass]}: ${plural(metricsRequested, 'metric')} of ${asked.join(' and ')} in ${plural(apiCalls, 'call')}, ${costText(cost)}`;
}

/** What reading took, where anything was read from AWS, and what each pass took of it. */
function costLines({ cost, volumes }: AuditResult): string[] {
  if (cost.apiCalls === 0) return [];
  return [
    `Reading took ${plural(cost.apiCalls, 'API call')} for ${plural(cost.metricsRequested, 'metric')}: ${costText(cost.usd)} of CloudWatch${metricPriceNote(volumes.map(({ region }) => region))}.`,
    ...(cost.passes ?? []).map(passLine),
  ];
}

/** A heading with a line each; beyond twenty the rest is counted. */
function listLines(heading: string, lines: readonly string[], longest = longestLine): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, maxLinesShown).map((line) => `  ${sanitize(line, longest)}`);
  const rest = lines.length - shown.length;
  return [heading, ...shown, ...(rest > 0 ? [`  ... and ${rest} more (--json has them all)`] : [])];
}

/** What was missing, what a reader should know, which prices, what reading took. */
function basisLines(result: AuditResult): string[] {
  const textOf = noticeTextIn(accountNames(result.accountCoverage));
  return [
    ...listLines(`${listHeadings.incomplete}:`, result.coverage.incomplete.map(textOf)),
    ...listLines('Thresholds that differ from the defaults:', thresholdTexts(result)),
    ...listLines('Notes:', result.notices.map(textOf)),
    ...priceLine(result),
    ...costLines(result),
  ];
}

/** What the findings on a fleet rest on, in lines. */
export const runLines = (result: AuditResult, recorded: boolean): string[] => [
  ...(recorded ? [] : [windowLine(result)]),
  ...coverageLines(result),
  ...instanceLines(result),
  ...stripeLines(result),
  ...listLines(
    `${listHeadings.unknown}:`,
    result.coverage.unknown.map(({ volumeId, reason }) => `${volumeId}: ${volumeReasonText(reason)}`),
  ),
  ...basisLines(result),
];

/** What those on single volumes rest on. */
export const selectedRunLines = (result: AuditResult, recorded: boolean): string[] => [
  ...(recorded ? [] : [windowLine(result)]),
  ...basisLines(result),
];
