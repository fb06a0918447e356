/** One message of what changed: all of it, and the part that fits into what SNS carries. */
import { isPartial } from '../audit/audit.ts';
import { inertJson } from '../inert.ts';
import type { LinkOf } from '../report/report-link.ts';
import type { Advisory, ToldFinding } from '../schemas/advisory.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { isOver, newsRank } from '../schemas/changes.ts';
import { moreUrgent } from '../schemas/finding.ts';
import type { Validation } from '../schemas/validation.ts';
import { isoFromEpochSeconds } from '../units.ts';
import type { FindingRecord } from './finding-record.ts';
import { mostToldOf } from './telling.ts';

/** SNS carries 256 KiB, and the message is in it twice: as JSON, and as text of at most 64 KiB. */
export const mostBytesOfJson = 180 * 1_024;

/** A message to a channel shows so many findings, and counts the others. */
export const mostInMessage = 5;

/** As SNS carries it: the JSON is a string in another JSON, so each quote in it is escaped again. */
export const bytesInTopic = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(inertJson(value)), 'utf8');

/** What stands beside what is told where it is there. */
export interface BesideFindings {
  /** By finding id: what a benchmark showed. */
  proofs?: ReadonlyMap<string, { validation: Validation }>;
  /** Null where there is no report that a link leads to. */
  linkOf?: LinkOf | null;
}

export const runOfAdvisory = (result: AuditResult, location: string): NonNullable<Advisory['run']> => ({
  runId: result.runId,
  window: result.window,
  partial: isPartial(result),
  volumes: result.coverage.volumes,
  regions: new Set(result.volumes.map(({ region }) => region)).size,
  unknownVolumes: result.coverage.unknown.length,
  openFindings: result.findings.length,
  possibleSavingsMonthlyUsd: result.summary.possibleSavingsMonthlyUsd,
  cost: result.cost,
  location,
});

const newsOf = ({ claim, finding }: FindingRecord): Pick<ToldFinding, 'change' | 'severity'> => ({
  change: claim?.change ?? 'opened',
  severity: claim?.level ?? finding.severity,
});

/** Of revisions there are fewer than these; a record that was forgotten and made anew comes after what was said of the first. */
const mostRevisions = 1_000_000;
const orderOf = ({ firstEpochSeconds, revision }: FindingRecord): number =>
  firstEpochSeconds * mostRevisions + revision;

export interface AdvisoryHead {
  id: string;
  nowEpochSeconds: number;
  run: Advisory['run'];
  /** Of the run; between two audits, of the newest run. */
  reportUrl: string | null;
  isContinued?: boolean;
  /** Nothing that is open where the audit looked was notified before. */
  isFirst?: boolean;
}

/** @param news claimed for this message; those that are as urgent as each other stay in their order. */
export function advisoryOf(
  { id, nowEpochSeconds, run, reportUrl, isContinued = false, isFirst = false }: AdvisoryHead,
  news: readonly FindingRecord[],
  { proofs, linkOf = null }: BesideFindings = {},
): Advisory {
  return {
    ...{ type: 'stripewise.advisory', version: 2, id },
    madeAt: isoFromEpochSeconds(nowEpochSeconds),
    ...{ run, reportUrl },
    ...(isContinued ? { isContinued } : {}),
    ...(isFirst && !isContinued && news.length > mostInMessage ? { isFirst } : {}),
    told: news
      .toSorted((a, b) => newsRank(newsOf(a)) - newsRank(newsOf(b)))
      .map((record) => {
        const said = newsOf(record);
        return {
          ...record.finding,
          ...said,
          order: orderOf(record),
          openedAt: isoFromEpochSeconds(record.openedEpochSeconds),
          mostUrgent:
            moreUrgent<ToldFinding['severity'] | null>(mostToldOf(record), said.severity) ?? said.severity,
          proof: proofs?.get(record.findingId)?.validation ?? null,
          // What is over is in no report.
          url: isOver(said) ? null : (linkOf?.(record.findingId) ?? null),
        };
      }),
    notShown: 0,
  };
}

/**
 * The message as a topic carries it: the most urgent findings, the count of the others.
 * @returns the very same where all of it fits.
 */
export function withinTopic(advisory: Advisory): Advisory {
  let bytes = bytesInTopic({ ...advisory, told: [] });
  let fitting = 0;
  for (const told of advisory.told) {
    bytes += bytesInTopic(told) + 1;
    if (bytes > mostBytesOfJson) break;
    fitting += 1;
  }
  if (fitting === advisory.told.length) return advisory;
  const notShown = advisory.notShown + advisory.told.length - fitting;
  return { ...advisory, told: advisory.told.slice(0, fitting), notShown };
}

/** These findings alone. What is left of a summary and fits into one message is an ordinary message. */
export function withTold(advisory: Advisory, told: Advisory['told']): Advisory {
  if (told.length + advisory.notShown > mostInMessage) return { ...advisory, told };
  const { isFirst: _, ...ordinary } = advisory;
  return { ...ordinary, told };
}
