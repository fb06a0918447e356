/** One message of what changed, within the size that SNS carries. */
import { isPartial } from '../audit/audit.ts';
import { inertJson } from '../inert.ts';
import type { LinkOf } from '../report/report-link.ts';
import type { Advisory, ToldFinding } from '../schemas/advisory.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { isOver, newsRank } from '../schemas/changes.ts';
import { moreUrgent } from '../schemas/finding.ts';
import { isoFromEpochSeconds } from '../units.ts';
import type { FindingRecord } from './finding-record.ts';
import { mostToldOf } from './telling.ts';

/** SNS carries 256 KiB, and the message is in it twice: as JSON, and as text of at most 64 KiB. */
export const mostBytesOfJson = 180 * 1_024;

/** As SNS carries it: the JSON is a string in another JSON, so each quote in it is escaped again. */
export const bytesInTopic = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(inertJson(value)), 'utf8');

/** What stands beside what is told where it is there. */
export interface BesideFindings {
  /** By finding id: what a benchmark showed. */
  proofs?: ReadonlyMap<string, { line: string }>;
  /** Null where there is no report that a link leads to. */
  linkOf?: LinkOf | null;
}

export const runOfAdvisory = (
  result: AuditResult,
  location: string,
  linkOf: LinkOf | null = null,
): NonNullable<Advisory['run']> => ({
  runId: result.runId,
  window: result.window,
  partial: isPartial(result),
  volumes: result.coverage.volumes,
  unknownVolumes: result.coverage.unknown.length,
  openFindings: result.findings.length,
  cost: result.cost,
  location,
  reportUrl: linkOf?.(null) ?? null,
});

const newsOf = ({ claim, finding }: FindingRecord): Pick<ToldFinding, 'change' | 'severity'> => ({
  change: claim?.change ?? 'opened',
  severity: claim?.level ?? finding.severity,
});

/** @param news claimed for this message; those that are as urgent as each other stay in their order. What does not fit is counted. */
export function advisoryOf(
  { id, nowEpochSeconds, run }: { id: string; nowEpochSeconds: number; run: Advisory['run'] },
  news: readonly FindingRecord[],
  { proofs, linkOf = null }: BesideFindings = {},
): Advisory {
  const advisory: Advisory = {
    ...{ type: 'stripewise.advisory', version: 1, id },
    madeAt: isoFromEpochSeconds(nowEpochSeconds),
    ...{ run, told: [], notShown: 0 },
  };
  let bytes = bytesInTopic(advisory);
  for (const record of news.toSorted((a, b) => newsRank(newsOf(a)) - newsRank(newsOf(b)))) {
    const { findingId, finding } = record;
    const said = newsOf(record);
    const told: ToldFinding = {
      ...finding,
      ...said,
      mostUrgent:
        moreUrgent<ToldFinding['severity'] | null>(mostToldOf(record), said.severity) ?? said.severity,
      proof: proofs?.get(findingId)?.line ?? null,
      // What is over is in no report.
      url: isOver(said) ? null : (linkOf?.(findingId) ?? null),
    };
    bytes += bytesInTopic(told) + 1;
    if (bytes > mostBytesOfJson) advisory.notShown++;
    else advisory.told.push(told);
  }
  return advisory;
}
