/** What is notified by the day or the week: what is open, what came and went. */
import { ledgerTotals } from '../changes/ledger.ts';
import { groupBy } from '../group-by.ts';
import type { Digest } from '../schemas/digest.ts';
import { severities, severityRank } from '../schemas/finding.ts';
import type { FleetSpan } from '../schemas/fleet-days.ts';
import type { VolumeChange } from '../schemas/volume-change.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerMinute } from '../units.ts';
import type { FindingRecord, LifecycleEvent } from './finding-record.ts';
import { bytesInTopic, maxBytesOfJson } from './notification.ts';

export interface DigestSpan {
  startEpochSeconds: number;
  endEpochSeconds: number;
}

export type DigestEvery = 'daily' | 'weekly';

const days = { daily: 1, weekly: 7 } as const;
/** 1970-01-05 was a Monday. */
const mondayOffsetDays = 4;
/** A clock may be behind that of the schedule. */
const earlySeconds = 5 * secondsPerMinute;

/**
 * The day or the week until the last time at which a digest was due: the same for whoever is late, or comes again.
 * @param atSecondsOfDay UTC; that of a week is on a Monday.
 */
export function spanOfDigest(
  every: DigestEvery,
  atSecondsOfDay: number,
  nowEpochSeconds: number,
): DigestSpan {
  const length = days[every] * secondsPerDay;
  const offset = (every === 'weekly' ? mondayOffsetDays * secondsPerDay : 0) + atSecondsOfDay;
  const periods = Math.floor((nowEpochSeconds + earlySeconds - offset) / length);
  const endEpochSeconds = offset + periods * length;
  return { startEpochSeconds: endEpochSeconds - length, endEpochSeconds };
}

/** It stays the same however often the digest is notified. */
export const idOfDigest = ({ startEpochSeconds, endEpochSeconds }: DigestSpan): string =>
  `digest#${isoFromEpochSeconds(startEpochSeconds)}#${isoFromEpochSeconds(endEpochSeconds)}`;

const monthOf = (epochSeconds: number): string => isoFromEpochSeconds(epochSeconds).slice(0, 7);

/** Exactly one a month: the month of UTC begins within its span. */
export const isFirstOfMonth = ({ startEpochSeconds, endEpochSeconds }: DigestSpan): boolean =>
  monthOf(startEpochSeconds) !== monthOf(endEpochSeconds);

const daysOfChanges = 30;

/** What the changes came to that ended before the end of a span; null: none did. @param all of the ledger */
export function changesOfDigest(
  all: readonly VolumeChange[],
  { endEpochSeconds }: DigestSpan,
): NonNullable<Digest['changes']> | null {
  const since = endEpochSeconds - daysOfChanges * secondsPerDay;
  const ended = all.filter(
    ({ endedSeconds }) => endedSeconds !== null && endedSeconds > since && endedSeconds <= endEpochSeconds,
  );
  if (ended.length === 0) return null;
  const { kept, undone, notMade, undoNotMade, ...totals } = ledgerTotals(ended);
  const { realisedMonthlyUsd, throttledMinutesADayBefore, throttledMinutesADayAfter } = totals;
  return {
    ...{ days: daysOfChanges, kept, undone, notMade, undoNotMade, realisedMonthlyUsd },
    ...{ throttledMinutesADayBefore, throttledMinutesADayAfter },
  };
}

/** Of these each channel shows the first ones that its routes let through. */
const mostFirst = 100;

/** What the top recommendation saves a month; nothing where it costs, or where that is not known. */
const savedUsd = ({ finding }: FindingRecord): number =>
  Math.max(0, -(finding.recommendations[0]?.monthlyUsdDelta ?? 0));

const byUrgency = (a: FindingRecord, b: FindingRecord): number =>
  severityRank(a.level) - severityRank(b.level) ||
  savedUsd(b) - savedUsd(a) ||
  a.openedEpochSeconds - b.openedEpochSeconds ||
  (a.findingId < b.findingId ? -1 : 1);

/** Totals of accounts take this share of a message at most: of these each channel shows the first ones that its routes are about. */
const mostShareOfAccounts = 0.5;

/** The first ones that such a share has room for: 550 accounts of three units each. */
function withinMessage<T>(all: readonly T[]): T[] {
  let bytes = 0;
  const end = all.findIndex((one) => {
    bytes += bytesInTopic(one) + 1;
    return bytes > mostShareOfAccounts * maxBytesOfJson;
  });
  return all.slice(0, end === -1 ? undefined : end);
}

/** Undefined where all that is open is in one account. */
function byAccountOf(open: readonly FindingRecord[]): Digest['byAccount'] {
  const ofKnown = open.filter(({ finding }) => finding.resource.account !== null);
  const groups = [...groupBy(ofKnown, ({ finding }) => finding.resource.account).entries()];
  if (groups.length < 2) return undefined;
  const totals = groups
    .map(([account, records]) => {
      const named = records.find(({ finding }) => finding.resource.accountName !== undefined) ?? records[0];
      const { accountName, accountUnits } = named?.finding.resource ?? {};
      return {
        account,
        ...(accountName === undefined ? {} : { accountName }),
        ...(accountUnits === undefined ? {} : { accountUnits }),
        open: records.length,
        monthlyUsdToSave: records.reduce((sum, one) => sum + savedUsd(one), 0),
      };
    })
    .sort((a, b) => b.monthlyUsdToSave - a.monthlyUsdToSave || b.open - a.open);
  return withinMessage(totals);
}

/**
 * Null where nothing is open and nothing came or went, and no change ended.
 * @param weeks of the fleet; null: not known.
 * @param changes of volumes that ended lately; null: none, or it is not their digest.
 */
export function digestOf(
  records: readonly FindingRecord[],
  span: DigestSpan,
  weeks: readonly FleetSpan[] | null = null,
  changes: Digest['changes'] | null = null,
): Digest | null {
  const { startEpochSeconds, endEpochSeconds } = span;
  // DynamoDB forgets within days of the time.
  const remembered = records.filter((record) => record.expiresEpochSeconds > endEpochSeconds);
  const open = remembered.filter(({ level }) => level !== null);
  const isMuted = ({ muted }: FindingRecord): boolean => (muted?.untilEpochSeconds ?? 0) > endEpochSeconds;
  const had = (...events: readonly LifecycleEvent[]): number =>
    remembered.filter(({ history }) =>
      history.some(
        ({ event, writtenEpochSeconds: at }) =>
          events.includes(event) && at > startEpochSeconds && at <= endEpochSeconds,
      ),
    ).length;
  const count = (level: FindingRecord['level']): number => open.filter((one) => one.level === level).length;
  const [start, end] = [isoFromEpochSeconds(startEpochSeconds), isoFromEpochSeconds(endEpochSeconds)];
  const notified = open.filter((one) => !isMuted(one)).sort(byUrgency);
  const byAccount = byAccountOf(open);
  const digest: Digest = {
    ...{ type: 'stripewise.digest', version: 2, id: idOfDigest(span), span: { start, end } },
    open: Object.fromEntries(severities.map((severity) => [severity, count(severity)])) as Digest['open'],
    opened: had('opened', 'reopened'),
    resolved: had('resolved'),
    muted: open.length - notified.length,
    acknowledged: open.filter(({ acknowledged }) => acknowledged !== null).length,
    monthlyUsdToSave: open.reduce((sum, one) => sum + savedUsd(one), 0),
    ...(byAccount === undefined ? {} : { byAccount }),
    ...(weeks === null ? {} : { weeks: [...weeks] }),
    ...(changes == null ? {} : { changes }),
    ...{ first: [], notShown: notified.length, reportUrl: null },
  };
  if (open.length + digest.opened + digest.resolved === 0 && digest.changes === undefined) return null;
  let bytes = bytesInTopic(digest);
  for (const { finding } of notified.slice(0, mostFirst)) {
    const one = { ...finding, url: null };
    bytes += bytesInTopic(one) + 1;
    if (bytes > maxBytesOfJson) break;
    digest.first.push(one);
    digest.notShown -= 1;
  }
  return digest;
}
