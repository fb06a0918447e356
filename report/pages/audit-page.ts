/** The report of an audit as one file. */
import { figure, usdText } from '../../core/figures.ts';
import type { AuditReport, ReportWithSeries } from '../../core/report/audit-report.ts';
import { type FirstThing, topRecommendations } from '../../core/report/top-recommendations.ts';
import { sanitize } from '../../core/sanitize.ts';
import { comparedSources } from '../../core/second-opinion/totals.ts';
import { accountsText } from '../wording/accounts.ts';
import { problemInShort } from '../wording/finding-lines.ts';
import { fixInShort } from '../wording/recommendation.ts';
import { comparisonHeadline } from '../wording/run-comparison.ts';
import { opinionHeadline } from '../wording/second-opinion.ts';
import { resourceText } from '../wording/words.ts';
import { pageDocument } from './document.ts';

const maxLines = 10;

const plural = (count: number, one: string): string => `${figure(count, 0)} ${one}${count === 1 ? '' : 's'}`;

/** One line, in which nothing of the account acts. */
function thingText({ finding, severity, recommendation }: FirstThing): string {
  const fix = recommendation === null ? '' : ` Fix: ${fixInShort(recommendation)}`;
  return `${severity}: ${resourceText(finding.resource, null)}: ${problemInShort(finding)}.${fix}`;
}

/** What is reported where no script runs: how much was found, and the most urgent of it. */
export function plainLines({ label, result, comparison }: AuditReport): string[] {
  const { coverage, findings } = result;
  const { byImpact, byMoney, savingMonthlyUsd } = topRecommendations(findings);
  const seen = `${plural(findings.length, 'finding')} on ${plural(coverage.volumes, 'volume')}, of which ${figure(coverage.evaluated, 0)} could be evaluated.`;
  const saving =
    savingMonthlyUsd > 0 ? [`What was found could save up to ${usdText(savingMonthlyUsd)} a month.`] : [];
  const changes = comparison?.known ? [`Since the earlier run: ${comparisonHeadline(comparison.value)}`] : [];
  const { accountCoverage, accountsLeft } = result;
  const accounts =
    accountCoverage === undefined ? [] : [`Accounts: ${accountsText(accountCoverage, accountsLeft)}`];
  const first = [...byImpact, ...byMoney].slice(0, maxLines).map(thingText);
  return [
    ...(label === null ? [] : [sanitize(label, 300)]),
    seen,
    ...accounts,
    ...saving,
    ...comparedSources(result).map(opinionHeadline),
    ...changes,
    ...first,
  ];
}

function titleOf({ result: { window } }: AuditReport): string {
  const until = window === null ? '' : ` to ${window.end.slice(0, 10)}`;
  return `Audit of EBS volumes${until} - stripewise`;
}

/** @param of the report, and the packed series of its resources. */
export async function auditPage({ report, series }: ReportWithSeries): Promise<string> {
  // Read when a page is made: a command that makes none need not load it.
  const client = await import('./generated/audit-client.js');
  return pageDocument({ title: titleOf(report), client, data: report, series, lines: plainLines(report) });
}
