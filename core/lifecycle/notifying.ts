/**
 * What people are notified of a finding, and when: what they do not know yet, at most once a day unless it is more urgent than all
 * they heard. It is put into a message by a claim, and counts as told once the message is out.
 */

import { moreUrgent, type Severity, severityRank } from '../schemas/finding.ts';
import type { NotifiedFinding } from '../schemas/notification.ts';
import { secondsPerDay } from '../units.ts';
import type { FindingRecord, LifecycleEvent, LifecycleRules } from './finding-record.ts';

/**
 * About one finding at most one message in so long, but what is more urgent than all that was notified in it and than what was
 * known before. What is better or gone again so soon after a message, or after it came, waits until it has stayed so for as
 * long: else people would read that it is over just when it comes again.
 */
const quietSeconds = secondsPerDay;

/** A claim that was not confirmed for so long belongs to somebody who died: no function runs for so long. */
export const claimSeconds = 900;

export interface Notifying {
  change: NotifiedFinding['change'];
  level: Severity | null;
  /** From when on it may be notified. */
  fromEpochSeconds: number;
}

/** The same for what is there and what was notified: below the least severity nothing is notified. */
const notifiedAs = (level: Severity | null, { minSeverity }: LifecycleRules): Severity | null =>
  severityRank(level) <= severityRank(minSeverity) ? level : null;

function changeOf(
  { level: now, notified }: FindingRecord,
  level: Severity | null,
  was: Severity | null,
): Notifying['change'] {
  if (severityRank(level) > severityRank(was)) return now === null ? 'resolved' : 'better';
  if (was !== null) return 'worse';
  return notified === null ? 'opened' : 'reopened';
}

const isOfPeople = (event: LifecycleEvent): boolean =>
  event === 'muted' || event === 'unmuted' || event === 'acknowledged';

/** When it may be notified for what was notified before. */
function afterNotifiedOfDay(
  { notifiedOfDay, history, levelSinceEpochSeconds }: FindingRecord,
  level: Severity | null,
  isBetter: boolean,
): number {
  const last = notifiedOfDay.at(-1);
  if (last === undefined || notifiedOfDay.every((one) => severityRank(level) < severityRank(one.level)))
    return 0;
  const changedBefore = history.filter(({ event }) => !isOfPeople(event)).at(-2)?.epochSeconds ?? 0;
  const isSoon = levelSinceEpochSeconds < Math.max(last.epochSeconds, changedBefore) + quietSeconds;
  const since = isBetter && isSoon ? levelSinceEpochSeconds : 0;
  return Math.max(since, last.epochSeconds) + quietSeconds;
}

/** What people would be notified of it, and from when on; null where they know. */
function nextNotification(record: FindingRecord, rules: LifecycleRules): Notifying | null {
  const { claim, notified, muted, acknowledged, openedEpochSeconds } = record;
  // Whoever began to tell it may have died.
  if (claim !== null) {
    const { change, level, claimedEpochSeconds } = claim;
    return { change, level, fromEpochSeconds: claimedEpochSeconds + claimSeconds };
  }
  const level = notifiedAs(record.level, rules);
  const was = notifiedAs(notified?.level ?? null, rules);
  if (severityRank(level) === severityRank(was)) return null;
  const isBetter = severityRank(level) > severityRank(was);
  // Somebody is at it: in between is no news. One that ended and came again since is notified first: a channel that the message
  // reaches late is notified how it is now, and would not hear of it again.
  const isAsNotified = (notified?.openedEpochSeconds ?? openedEpochSeconds) === openedEpochSeconds;
  if (isBetter && record.level !== null && acknowledged !== null && isAsNotified) return null;
  const fromEpochSeconds = Math.max(
    afterNotifiedOfDay(record, level, isBetter),
    muted?.untilEpochSeconds ?? 0,
  );
  return { change: changeOf(record, level, was), level, fromEpochSeconds };
}

/**
 * What is to be notified now; null where nothing is, or where it is in a message already.
 * @param validatedEpochSeconds when a benchmark of it was made; null where none was. Who made it waits for it: it is notified at
 * once, also of what is acknowledged.
 */
export function notifyingNow(
  record: FindingRecord,
  nowEpochSeconds: number,
  rules: LifecycleRules,
  validatedEpochSeconds: number | null = null,
): Notifying | null {
  const { claim, notified } = record;
  if (claim !== null) return null;
  const notifying = nextNotification(record, rules);
  if (notifying !== null) return notifying.fromEpochSeconds <= nowEpochSeconds ? notifying : null;
  const isMuted = record.muted !== null && record.muted.untilEpochSeconds > nowEpochSeconds;
  if (validatedEpochSeconds === null || notified === null || notified.level === null || isMuted) return null;
  const isNew = validatedEpochSeconds > Math.max(notified.epochSeconds, record.validatedEpochSeconds ?? 0);
  return isNew ? { change: 'validated', level: notified.level, fromEpochSeconds: nowEpochSeconds } : null;
}

/** Put into a message that is about to be sent. */
export const claimed = (
  record: FindingRecord,
  { change, level }: Notifying,
  { by, messageId, nowEpochSeconds }: { by: string; messageId: string; nowEpochSeconds: number },
  rules: LifecycleRules,
): FindingRecord =>
  written(
    {
      ...record,
      claim: {
        ...{ by, messageId, change, level, claimedEpochSeconds: nowEpochSeconds },
        openedEpochSeconds: record.openedEpochSeconds,
      },
    },
    rules,
  );

/** Whether somebody may go on with the message that it is in: who began it, or anybody once they are dead. */
export const canReclaim = (
  { claim }: FindingRecord,
  { by, nowEpochSeconds }: { by: string; nowEpochSeconds: number },
): boolean =>
  claim !== null && (claim.by === by || nowEpochSeconds - claim.claimedEpochSeconds >= claimSeconds);

/** The message goes without it. */
export const freed = (record: FindingRecord, rules: LifecycleRules): FindingRecord =>
  written({ ...record, claim: null }, rules);

/** @returns the most urgent that people know of it since it was opened; null where they know of nothing that is open. */
export const mostUrgentNotifiedOf = ({ mostUrgentNotified, notified }: FindingRecord): Severity | null =>
  // One that was written before this was remembered has the last level alone.
  moreUrgent(mostUrgentNotified, notified?.level ?? null);

/** The message is out. @returns the very same where it is in another message, or in none. */
export function confirmed(
  record: FindingRecord,
  { messageId, nowEpochSeconds }: { messageId: string; nowEpochSeconds: number },
  rules: LifecycleRules,
): FindingRecord {
  if (record.claim?.messageId !== messageId) return record;
  const { level, change, openedEpochSeconds } = record.claim;
  const all = [...record.notifiedOfDay, { epochSeconds: nowEpochSeconds, level }];
  const ofDay = all.findIndex(({ epochSeconds }) => nowEpochSeconds - epochSeconds < quietSeconds);
  return written(
    {
      ...record,
      claim: null,
      notified: { epochSeconds: nowEpochSeconds, level, messageId, openedEpochSeconds },
      mostUrgentNotified: level === null ? null : moreUrgent(mostUrgentNotifiedOf(record), level),
      notifiedOfDay: all.slice(Math.max(0, ofDay - 1)),
      validatedEpochSeconds: change === 'validated' ? nowEpochSeconds : record.validatedEpochSeconds,
    },
    rules,
  );
}

/** Counted, with when it is to be notified; what every change of a record ends with. */
export const written = (record: FindingRecord, rules: LifecycleRules): FindingRecord => ({
  ...record,
  revision: record.revision + 1,
  notifyFromEpochSeconds: nextNotification(record, rules)?.fromEpochSeconds ?? null,
});
