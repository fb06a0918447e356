/** What an audit says before its findings: the headline and the totals; and what heads a list of findings. */
import { figure, usdText } from '../../core/figures.ts';
import type { AuditResult, VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import { accountsText } from './accounts.ts';
import { mayCostLessText } from './may-cost-less.ts';
import { totalsText } from './message.ts';
import { counted } from './words.ts';

const regionsOf = ({ volumes }: AuditResult): number => new Set(volumes.map(({ region }) => region)).size;

function noneText({ findings, coverage }: AuditResult): string {
  if (findings.length > 0) return '';
  if (coverage.evaluated === 0) return 'Nothing could be evaluated. ';
  return coverage.unknown.length === 0
    ? 'No findings: nothing was throttled, nothing stands unused. '
    : `No findings on what could be evaluated: ${counted(coverage.evaluated, 'volume')}. `;
}

/** "stripewise: 24 critical, 49 warnings. Up to 7,287 USD a month to save. 126 volumes, 2 Regions." */
export function auditHeadline(result: AuditResult): string {
  const { findingsBySeverity, possibleSavingsMonthlyUsd: savingUsd } = result.summary;
  const { coverage, accountCoverage } = result;
  const accounts = accountCoverage === undefined ? {} : { accounts: accountCoverage.length };
  const fleet = { volumes: coverage.volumes, regions: regionsOf(result), ...accounts };
  return `stripewise: ${noneText(result)}${totalsText({ findingsBySeverity, savingUsd, fleet })}`;
}

export interface TotalsLine {
  label: 'Throttled' | 'Savings' | 'Increases' | 'Accounts' | 'Volumes' | 'Findings';
  text: string;
}

const perMonth = (usd: number): string => `${usdText(usd)} a month`;

function volumesText({ coverage, volumes }: AuditResult): string {
  const having = (status: VolumeEvaluation['status']): string =>
    figure(volumes.filter((volume) => volume.status === status).length, 0);
  const byInstance = having('throttled-by-instance');
  const parts = [
    `${having('healthy')} healthy`,
    `${having('finding')} with findings`,
    ...(byInstance === '0' ? [] : [`${byInstance} throttled by their instance only`]),
    `${figure(coverage.unknown.length, 0)} unknown`,
  ];
  return `${figure(coverage.volumes, 0)} = ${parts.join(' + ')}.`;
}

/** Unknown volumes have no minutes: a sum says whose it is. */
function throttledText({ summary, coverage }: AuditResult): string {
  const minutes = `${figure(summary.throttledMinutesPeak24h, 0)} volume-minutes`;
  const whose = coverage.unknown.length === 0 ? 'of each volume' : 'of each volume that is known';
  return `${minutes}: the peak 24 hours ${whose}, summed.`;
}

function savingsText(summary: AuditResult['summary']): string {
  const { possibleSavingsMonthlyUsd, unknownPrices, mayCostLess = [] } = summary;
  const unknown =
    unknownPrices === 0
      ? ''
      : ` ${counted(unknownPrices, 'finding')} without a known price ${unknownPrices === 1 ? 'is' : 'are'} not counted.`;
  const saved =
    possibleSavingsMonthlyUsd > 0
      ? `${perMonth(possibleSavingsMonthlyUsd)}, the largest of each resource.`
      : mayCostLess.length > 0
        ? 'None with a known price.'
        : 'None found.';
  const more = mayCostLess.length === 0 ? '' : ` ${mayCostLessText(mayCostLess)}`;
  return `${saved}${unknown}${more}`;
}

/** Below the headline. */
export function totalsLines(result: AuditResult): TotalsLine[] {
  const { summary, findings, accountCoverage, accountsLeft } = result;
  const onInstances = findings.filter(({ resource }) => resource.type === 'instance').length;
  const { increasesMonthlyUsd } = summary;
  const increases = increasesMonthlyUsd > 0;
  return [
    { label: 'Throttled', text: throttledText(result) },
    { label: 'Savings', text: savingsText(summary) },
    ...(increases
      ? [
          {
            label: 'Increases' as const,
            text: `${perMonth(increasesMonthlyUsd)}, for what is recommended first against throttling.`,
          },
        ]
      : []),
    ...(accountCoverage === undefined
      ? []
      : [{ label: 'Accounts' as const, text: accountsText(accountCoverage, accountsLeft) }]),
    { label: 'Volumes', text: volumesText(result) },
    ...(findings.length === 0
      ? []
      : [
          {
            label: 'Findings' as const,
            text: `${figure(findings.length, 0)}; ${figure(onInstances, 0)} of them on instances.`,
          },
        ]),
  ];
}

/** What findings are ordered by. */
export const findingOrders = ['impact', 'savings', 'name'] as const;
export type FindingOrder = (typeof findingOrders)[number];

const orderTexts: Readonly<Record<FindingOrder, string>> = {
  impact: 'by impact (severity, then ongoing first, then throttled minutes)',
  savings: 'by savings (the largest first)',
  name: 'by name',
};

/** "Findings 1 to 10 of 73, by impact (severity, then ongoing first, then throttled minutes):" */
export function blocksHeading(shown: number, all: number, order: FindingOrder): string {
  const [last, of] = [figure(shown, 0), figure(all, 0)];
  const some = shown === 1 ? `Finding 1 of ${of}` : `Findings 1 to ${last} of ${of}`;
  const which = shown === all ? counted(all, 'finding') : some;
  return `${which}, ${orderTexts[order]}:`;
}

/** Above those that have a line each. */
export const listHeading = (from: number, to: number): string =>
  `Findings ${figure(from, 0)} to ${figure(to, 0)}, a line each with what the fix costs or saves (--top N shows more in full):`;

export const leftText = (left: number): string => `... and ${counted(left, 'more finding')}`;
