/** What an audit found, in a few figures. */
import { type FirstThing, topRecommendations } from '../report/top-recommendations.ts';
import type { AuditResult, VolumeEvaluation } from '../schemas/audit-result.ts';
import { type Finding, severities } from '../schemas/finding.ts';

const cents = (usd: number): number => Number(usd.toFixed(2));

/** Of each resource in trouble what is recommended first against the worst of it, where that costs more than today. */
const increases = (byImpact: readonly FirstThing[]): number =>
  byImpact.reduce((sum, { monthlyUsdDelta }) => sum + Math.max(0, monthlyUsdDelta ?? 0), 0);

export function summaryOf(
  findings: readonly Finding[],
  volumes: readonly VolumeEvaluation[],
): AuditResult['summary'] {
  const count = (severity: Finding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const { byImpact, savingMonthlyUsd } = topRecommendations(findings);
  return {
    findingsBySeverity: Object.fromEntries(
      severities.map((severity) => [severity, count(severity)]),
    ) as AuditResult['summary']['findingsBySeverity'],
    possibleSavingsMonthlyUsd: cents(savingMonthlyUsd),
    increasesMonthlyUsd: cents(increases(byImpact)),
    throttledMinutesPeak24h: volumes.reduce((sum, one) => sum + (one.throttledMinutesPeak24h ?? 0), 0),
    unknownPrices: findings.filter(
      ({ recommendations: [first] }) => first !== undefined && first.priceUnknownReason !== null,
    ).length,
  };
}
