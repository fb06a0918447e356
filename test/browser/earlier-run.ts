/** A run of the same fleet a day before another, in which some findings were not as they are there. */
import { summaryOf } from '../../core/audit/audit.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { epochSecondsOf, isoFromEpochSeconds, secondsPerDay } from '../../core/units.ts';

const dayBefore = (iso: string): string => isoFromEpochSeconds(epochSecondsOf(iso) - secondsPerDay);

/** Its first finding is new, its second is worse and its last is better; the last volume that it evaluated has one less. */
export function earlierRun(result: AuditResult): AuditResult {
  const { window, findings, volumes } = result;
  const [first, second, ...others] = findings;
  const last = others.pop();
  const evaluated = volumes.filter(({ status }) => status !== 'unknown').at(-1);
  if (!window || !first || !second || !last || !evaluated) throw new Error('there is too little in the run');
  const { volumeId: id, name, region } = evaluated;
  const resolved: Finding = {
    ...first,
    id: 'resolved-since',
    resource: { type: 'volume', id, arn: null, name, region, account: first.resource.account },
  };
  const earlier: Finding[] = [
    ...[{ ...last, severity: 'critical' as const }, resolved],
    ...[...others, { ...second, severity: 'info' as const }],
  ];
  return {
    ...result,
    runId: `before-${result.runId}`,
    window: { start: dayBefore(window.start), end: dayBefore(window.end) },
    ...{ findings: earlier, summary: summaryOf(earlier, volumes) },
  };
}
