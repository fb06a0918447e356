/**
 * What of a message is still to be said in a channel. A message may have waited: for quiet hours, for an outage, for its hour. What
 * was overtaken meanwhile is left out; what is muted or over by now waits.
 */

import type { ChannelConfig } from '../config/config.ts';
import type { FindingRecord } from '../lifecycle/finding-record.ts';
import { isResolved } from '../schemas/changes.ts';
import type { NotifiedFinding } from '../schemas/notification.ts';
import { isoFromEpochSeconds } from '../units.ts';

/** A finding as it is now. */
export type FindingNow = Pick<
  FindingRecord,
  'level' | 'muted' | 'openedEpochSeconds' | 'notified' | 'claim' | 'notifyFromEpochSeconds' | 'finding'
>;

/** A change of a finding, for the memory of a channel. */
export interface Saying {
  findingId: string;
  /** Of two changes the later one has the larger. */
  order: number;
  isResolved: boolean;
}

export interface DeliveryLog {
  /**
   * Notes that it is about to be said.
   * @returns false where it was said already, something later was said or begun, or it is the end of what was never said to be open.
   */
  beginSaying(channel: string, saying: Saying): Promise<boolean>;
  noteSaid(channel: string, saying: Saying): Promise<void>;
  /**
   * It is over before the channel heard of it: its end is no news there, unless it heard something else.
   * @returns false where it need not wait: something later was said or begun.
   */
  noteWaiting(channel: string, saying: Saying): Promise<boolean>;
}

export interface PendingDelivery {
  /** What is to be said now. */
  notified: NotifiedFinding[];
  /** When the first of those that are muted may be said; null: none is muted. */
  mutedUntilEpochSeconds: number | null;
  /** Whether some are not as the message says, and wait for what comes. */
  isAnyWaiting: boolean;
}

const sayingsAtOnce = 10;

/** A bus gets every event, once: who reads it has the order of each. */
const isBus = ({ kind }: ChannelConfig): boolean => kind === 'eventbridge';

function sayingOf(notified: NotifiedFinding, config: ChannelConfig): Saying | null {
  const { id, order } = notified;
  if (order === undefined) return null;
  return { findingId: isBus(config) ? `${id}#${order}` : id, order, isResolved: isResolved(notified) };
}

type Answer =
  | { is: 'news'; notified: NotifiedFinding }
  | { is: 'known' | 'waiting' }
  | { is: 'muted'; untilEpochSeconds: number };

/**
 * What is said of a finding that is open in a message. One that ended and came again since then is said as it is now.
 * @returns null where something later is to come: that it is over, or how it is now.
 */
function asItIs(
  notified: NotifiedFinding,
  now: FindingNow | undefined,
  messageId: string,
): NotifiedFinding | null {
  if (now === undefined) return notified;
  if (now.level === null) return null;
  const openedAt = isoFromEpochSeconds(now.openedEpochSeconds);
  if (notified.openedAt === undefined || notified.openedAt === openedAt) return notified;
  const isLast =
    now.claim === null && now.notifyFromEpochSeconds === null && now.notified?.messageId === messageId;
  return isLast ? { ...notified, ...now.finding, openedAt, severity: now.level } : null;
}

interface Present {
  messageId: string;
  /** As they are now, by id; one that nobody remembers any more is said as the message has it. */
  findings: ReadonlyMap<string, FindingNow>;
  nowEpochSeconds: number;
}

async function answerFor(
  { name, config }: { name: string; config: ChannelConfig },
  notified: NotifiedFinding,
  { messageId, findings, nowEpochSeconds }: Present,
  { beginSaying, noteWaiting }: DeliveryLog,
): Promise<Answer> {
  const now = findings.get(notified.id);
  const untilEpochSeconds = now?.muted?.untilEpochSeconds ?? 0;
  if (untilEpochSeconds > nowEpochSeconds) return { is: 'muted', untilEpochSeconds };
  const saying = sayingOf(notified, config);
  if (saying === null) return { is: 'news', notified };
  const said = saying.isResolved || isBus(config) ? notified : asItIs(notified, now, messageId);
  if (said === null) return { is: (await noteWaiting(name, saying)) ? 'waiting' : 'known' };
  return (await beginSaying(name, saying)) ? { is: 'news', notified: said } : { is: 'known' };
}

export async function pendingDelivery(
  channel: { name: string; config: ChannelConfig },
  notified: readonly NotifiedFinding[],
  present: Present,
  before: DeliveryLog,
): Promise<PendingDelivery> {
  const result: PendingDelivery = { notified: [], mutedUntilEpochSeconds: null, isAnyWaiting: false };
  for (let from = 0; from < notified.length; from += sayingsAtOnce) {
    const some = notified.slice(from, from + sayingsAtOnce);
    const answers = await Promise.all(some.map((one) => answerFor(channel, one, present, before)));
    for (const answer of answers) {
      if (answer.is === 'news') result.notified.push(answer.notified);
      if (answer.is === 'waiting') result.isAnyWaiting = true;
      if (answer.is === 'muted')
        result.mutedUntilEpochSeconds = Math.min(
          result.mutedUntilEpochSeconds ?? Number.POSITIVE_INFINITY,
          answer.untilEpochSeconds,
        );
    }
  }
  return result;
}

/** After all was posted: of what is posted in part, the posts that are missing come with the next try. */
export async function noteAllSaid(
  { name, config }: { name: string; config: ChannelConfig },
  notified: readonly NotifiedFinding[],
  { noteSaid }: DeliveryLog,
): Promise<void> {
  const sayings = notified.flatMap((one) => sayingOf(one, config) ?? []);
  for (let from = 0; from < sayings.length; from += sayingsAtOnce)
    await Promise.all(sayings.slice(from, from + sayingsAtOnce).map((saying) => noteSaid(name, saying)));
}
