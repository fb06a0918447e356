/** One message of what changed: all of it, and the part that fits into what SNS carries. */
import { isReadInPart } from '../audit/accounts.ts';
import { isPartial } from '../audit/audit.ts';
import type { LinkOf } from '../report/report-link.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { MonitoringBounded } from '../schemas/audit-notice.ts';
import type { AuditResult } from '../schemas/audit-result.ts';
import { isResolved, newsRank } from '../schemas/changes.ts';
import { moreUrgent } from '../schemas/finding.ts';
import type { Notification, NotifiedFinding } from '../schemas/notification.ts';
import type { Validation } from '../schemas/validation.ts';
import { isoFromEpochSeconds } from '../units.ts';
import type { FindingRecord } from './finding-record.ts';
import { mostUrgentNotifiedOf } from './notifying.ts';

/** SNS carries 256 KiB, and the message is in it twice: as JSON, and as text of at most 64 KiB. */
export const maxBytesOfJson = 180 * 1_024;

/** A message to a channel shows so many findings, and counts the others. */
export const maxInMessage = 5;

/** As SNS carries it: the JSON is a string in another JSON, so each quote in it is escaped again. */
export const bytesInTopic = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(sanitizeJson(value)), 'utf8');

/** What stands beside what is notified where it is there. */
export interface BesideFindings {
  /** By finding id: what a benchmark showed. */
  validations?: ReadonlyMap<string, { validation: Validation }>;
  /** Null where there is no report that a link leads to. */
  linkOf?: LinkOf | null;
}

const boundOf = ({ notices }: AuditResult): { monitoringBounded?: MonitoringBounded } => {
  const bounded = notices.find((notice) => notice.code === 'monitoring-bounded');
  return bounded === undefined ? {} : { monitoringBounded: bounded };
};

const maxAccountsNamed = 10;

function accountsOf(
  result: AuditResult,
): Pick<NonNullable<Notification['run']>, 'accounts' | 'accountsNotRead' | 'partialBesides'> {
  const { accountCoverage } = result;
  if (accountCoverage === undefined) return {};
  const notRead = accountCoverage.filter((one) => one.state === 'not-read' && isReadInPart(one));
  const first = notRead
    .slice(0, maxAccountsNamed)
    .map(({ account, name, refused }) => ({ account, name, code: refused?.code ?? null }));
  return {
    accounts: accountCoverage.length,
    ...(notRead.length === 0 ? {} : { accountsNotRead: { count: notRead.length, first } }),
    ...(isPartial({ ...result, accountCoverage: undefined }) ? { partialBesides: true } : {}),
  };
}

export const runOfNotification = (
  result: AuditResult,
  location: string,
): NonNullable<Notification['run']> => ({
  runId: result.runId,
  window: result.window,
  partial: isPartial(result),
  volumes: result.coverage.volumes,
  regions: new Set(result.volumes.map(({ region }) => region)).size,
  ...accountsOf(result),
  unknownVolumes: result.coverage.unknown.length,
  openFindings: result.findings.length,
  possibleSavingsMonthlyUsd: result.summary.possibleSavingsMonthlyUsd,
  ...(result.summary.mayCostLess === undefined ? {} : { mayCostLess: result.summary.mayCostLess }),
  cost: result.cost,
  location,
  ...boundOf(result),
});

const newsOf = ({ claim, finding }: FindingRecord): Pick<NotifiedFinding, 'change' | 'severity'> => ({
  change: claim?.change ?? 'opened',
  severity: claim?.level ?? finding.severity,
});

/** Of revisions there are fewer than these; a record that was forgotten and made anew comes after what was said of the first. */
const maxRevisions = 1_000_000;
const orderOf = ({ firstEpochSeconds, revision }: FindingRecord): number =>
  firstEpochSeconds * maxRevisions + revision;

export interface NotificationHead {
  id: string;
  nowEpochSeconds: number;
  run: Notification['run'];
  /** Of the run; between two audits, of the newest run. */
  reportUrl: string | null;
  isContinued?: boolean;
  /** Nothing that is open where the audit looked was notified before. */
  isFirst?: boolean;
}

/** @param news claimed for this message; those that are as urgent as each other stay in their order. */
export function notificationOf(
  { id, nowEpochSeconds, run, reportUrl, isContinued = false, isFirst = false }: NotificationHead,
  news: readonly FindingRecord[],
  { validations, linkOf = null }: BesideFindings = {},
): Notification {
  return {
    ...{ type: 'stripewise.notification', version: 2, id },
    madeAt: isoFromEpochSeconds(nowEpochSeconds),
    ...{ run, reportUrl },
    ...(isContinued ? { isContinued } : {}),
    ...(isFirst && !isContinued && news.length > maxInMessage ? { isFirst } : {}),
    notified: news
      .toSorted((a, b) => newsRank(newsOf(a)) - newsRank(newsOf(b)))
      .map((record) => {
        const said = newsOf(record);
        return {
          ...record.finding,
          ...said,
          order: orderOf(record),
          openedAt: isoFromEpochSeconds(record.openedEpochSeconds),
          mostUrgent:
            moreUrgent<NotifiedFinding['severity'] | null>(mostUrgentNotifiedOf(record), said.severity) ??
            said.severity,
          validation: validations?.get(record.findingId)?.validation ?? null,
          // What is over is in no report.
          url: isResolved(said) ? null : (linkOf?.(record.findingId) ?? null),
        };
      }),
    notShown: 0,
  };
}

/**
 * The message as a topic carries it: the most urgent findings, the count of the others.
 * @returns the very same where all of it fits.
 */
export function withinTopic(notification: Notification): Notification {
  let bytes = bytesInTopic({ ...notification, notified: [] });
  let fitting = 0;
  for (const notified of notification.notified) {
    bytes += bytesInTopic(notified) + 1;
    if (bytes > maxBytesOfJson) break;
    fitting += 1;
  }
  if (fitting === notification.notified.length) return notification;
  const notShown = notification.notShown + notification.notified.length - fitting;
  return { ...notification, notified: notification.notified.slice(0, fitting), notShown };
}

/** These findings alone. What is left of a summary and fits into one message is an ordinary message. */
export function withFindings(notification: Notification, notified: Notification['notified']): Notification {
  if (notified.length + notification.notShown > maxInMessage) return { ...notification, notified };
  const { isFirst: _, ...ordinary } = notification;
  return { ...ordinary, notified };
}
