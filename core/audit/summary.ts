/** What an audit found, in a few figures. */
import { type FirstThing, firstThings } from '../report/first-things.ts';
import type { AuditResult, VolumeVerdict } from '../schemas/audit-result.ts';
import { type Finding, severities } from '../schemas/finding.ts';

const cents = (usd: number): number => Number(usd.toFixed(2));

/** Of each resource in trouble what is recommended first against the worst of it, where that costs more than today. */
const increases = (byHarm: readonly FirstThing[]): number =>
  byHarm.reduce((sum, { monthlyUsdDelta }) => sum + Math.max(0, monthlyUsdDelta ?? 0), 0);

export function summaryOf(
  findings: readonly Finding[],
  volumes: readonly VolumeVerdict[],
): AuditResult['summary'] {
  const count = (severity: Finding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length;
  const { byHarm, savingMonthlyUsd } = firstThings(findings);
  return {
    findingsBySeverity: Object.fromEntries(
      severities.map((severity) => [severity, count(severity)]),
    ) as AuditResult['summary']['findingsBySeverity'],
    possibleSavingsMonthlyUsd: cents(savingMonthlyUsd),
    increasesMonthlyUsd: cents(increases(byHarm)),
    throttledMinutesPeak24h: volumes.reduce((sum, one) => sum + (one.throttledMinutesPeak24h ?? 0), 0),
    unknownPrices: findings.filter(
      ({ recommendations: [first] }) => first !== undefined && first.priceUnknownReason !== null,
    ).length,
  };
}
