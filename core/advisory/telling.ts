/**
 * What people are told of a finding, and when: what they do not know yet, at most once a day unless it is more urgent than all
 * they heard. It is put into a message by a claim, and counts as told once the message is out.
 */

import type { ToldFinding } from '../schemas/advisory.ts';
import { moreUrgent, type Severity, severityRank } from '../schemas/finding.ts';
import { secondsPerDay } from '../units.ts';
import type { FindingRecord, LifeEvent, LifeRules } from './finding-record.ts';

/**
 * About one finding at most one message in so long, but what is more urgent than all that was told in it and than what was
 * known before. What is better or gone again so soon after a message, or after it came, waits until it has stayed so for as
 * long: else people would read that it is over just when it comes again.
 */
const quietSeconds = secondsPerDay;

/** A claim that was not confirmed for so long belongs to somebody who died: no function runs for so long. */
export const claimSeconds = 900;

export interface Telling {
  change: ToldFinding['change'];
  level: Severity | null;
  /** From when on it may be told. */
  fromEpochSeconds: number;
}

/** The same for what is there and what was told: below the least severity nothing is told. */
const toldAs = (level: Severity | null, { leastSeverity }: LifeRules): Severity | null =>
  severityRank(level) <= severityRank(leastSeverity) ? level : null;

function changeOf(
  { level: now, told }: FindingRecord,
  level: Severity | null,
  was: Severity | null,
): Telling['change'] {
  if (severityRank(level) > severityRank(was)) return now === null ? 'resolved' : 'better';
  if (was !== null) return 'worse';
  return told === null ? 'opened' : 'reopened';
}

const isOfPeople = (event: LifeEvent): boolean =>
  event === 'muted' || event === 'unmuted' || event === 'acknowledged';

/** When it may be told for what was told before. */
function afterToldOfDay(
  { toldOfDay, history, levelSinceEpochSeconds }: FindingRecord,
  level: Severity | null,
  isBetter: boolean,
): number {
  const last = toldOfDay.at(-1);
  if (last === undefined || toldOfDay.every((one) => severityRank(level) < severityRank(one.level))) return 0;
  const changedBefore = history.filter(({ event }) => !isOfPeople(event)).at(-2)?.epochSeconds ?? 0;
  const isSoon = levelSinceEpochSeconds < Math.max(last.epochSeconds, changedBefore) + quietSeconds;
  const since = isBetter && isSoon ? levelSinceEpochSeconds : 0;
  return Math.max(since, last.epochSeconds) + quietSeconds;
}

/** What people would be told of it, and from when on; null where they know. */
function nextTelling(record: FindingRecord, rules: LifeRules): Telling | null {
  const { claim, told, muted, acknowledged, openedEpochSeconds } = record;
  // Whoever began to tell it may have died.
  if (claim !== null) {
    const { change, level, claimedEpochSeconds } = claim;
    return { change, level, fromEpochSeconds: claimedEpochSeconds + claimSeconds };
  }
  const level = toldAs(record.level, rules);
  const was = toldAs(told?.level ?? null, rules);
  if (severityRank(level) === severityRank(was)) return null;
  const isBetter = severityRank(level) > severityRank(was);
  // Somebody is at it: in between is no news. One that ended and came again since is notified first: a channel that the message
  // reaches late is told how it is now, and would not hear of it again.
  const isAsNotified = (told?.openedEpochSeconds ?? openedEpochSeconds) === openedEpochSeconds;
  if (isBetter && record.level !== null && acknowledged !== null && isAsNotified) return null;
  const fromEpochSeconds = Math.max(afterToldOfDay(record, level, isBetter), muted?.untilEpochSeconds ?? 0);
  return { change: changeOf(record, level, was), level, fromEpochSeconds };
}

/**
 * What is to be told now; null where nothing is, or where it is in a message already.
 * @param provedEpochSeconds when a benchmark of it was made; null where none was. Who made it waits for it: it is told at
 * once, also of what is acknowledged.
 */
export function tellingNow(
  record: FindingRecord,
  nowEpochSeconds: number,
  rules: LifeRules,
  provedEpochSeconds: number | null = null,
): Telling | null {
  const { claim, told } = record;
  if (claim !== null) return null;
  const telling = nextTelling(record, rules);
  if (telling !== null) return telling.fromEpochSeconds <= nowEpochSeconds ? telling : null;
  const isMuted = record.muted !== null && record.muted.untilEpochSeconds > nowEpochSeconds;
  if (provedEpochSeconds === null || told === null || told.level === null || isMuted) return null;
  const isNew = provedEpochSeconds > Math.max(told.epochSeconds, record.provedEpochSeconds ?? 0);
  return isNew ? { change: 'proved', level: told.level, fromEpochSeconds: nowEpochSeconds } : null;
}

/** Put into a message that is about to be sent. */
export const claimed = (
  record: FindingRecord,
  { change, level }: Telling,
  { by, messageId, nowEpochSeconds }: { by: string; messageId: string; nowEpochSeconds: number },
  rules: LifeRules,
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
export const mayTakeOver = (
  { claim }: FindingRecord,
  { by, nowEpochSeconds }: { by: string; nowEpochSeconds: number },
): boolean =>
  claim !== null && (claim.by === by || nowEpochSeconds - claim.claimedEpochSeconds >= claimSeconds);

/** The message goes without it. */
export const freed = (record: FindingRecord, rules: LifeRules): FindingRecord =>
  written({ ...record, claim: null }, rules);

/** @returns the most urgent that people know of it since it was opened; null where they know of nothing that is open. */
export const mostToldOf = ({ mostTold, told }: FindingRecord): Severity | null =>
  // One that was written before this was remembered has the last level alone.
  moreUrgent(mostTold, told?.level ?? null);

/** The message is out. @returns the very same where it is in another message, or in none. */
export function confirmed(
  record: FindingRecord,
  { messageId, nowEpochSeconds }: { messageId: string; nowEpochSeconds: number },
  rules: LifeRules,
): FindingRecord {
  if (record.claim?.messageId !== messageId) return record;
  const { level, change, openedEpochSeconds } = record.claim;
  const all = [...record.toldOfDay, { epochSeconds: nowEpochSeconds, level }];
  const ofDay = all.findIndex(({ epochSeconds }) => nowEpochSeconds - epochSeconds < quietSeconds);
  return written(
    {
      ...record,
      claim: null,
      told: { epochSeconds: nowEpochSeconds, level, messageId, openedEpochSeconds },
      mostTold: level === null ? null : moreUrgent(mostToldOf(record), level),
      toldOfDay: all.slice(Math.max(0, ofDay - 1)),
      provedEpochSeconds: change === 'proved' ? nowEpochSeconds : record.provedEpochSeconds,
    },
    rules,
  );
}

/** Counted, with when it is to be told; what every change of a record ends with. */
export const written = (record: FindingRecord, rules: LifeRules): FindingRecord => ({
  ...record,
  revision: record.revision + 1,
  tellFromEpochSeconds: nextTelling(record, rules)?.fromEpochSeconds ?? null,
});
