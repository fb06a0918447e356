/**
 * Sends what is claimed: the claims are written, then the message is kept with all that is in it, then it is sent, then its
 * findings are notified. Whoever dies on the way leaves either claims without a message, which was surely not sent and never
 * will be, or a message, which somebody else sends as it is. So a channel that knows the ids of messages hears each change
 * once, and a plain one hears it again only where somebody died between sending it and writing so.
 */
import { groupBy } from 'es-toolkit/array';
import { changeRecords, type RecordsAt } from '../../core/lifecycle/change-records.ts';
import type { FindingRecord, LifecycleRules } from '../../core/lifecycle/finding-record.ts';
import { withinTopic } from '../../core/lifecycle/notification.ts';
import { claimSeconds, confirmed } from '../../core/lifecycle/notifying.ts';
import {
  leasedUntil,
  messageToSend,
  type StoredMessage,
  sentMessage,
  voidMessage,
} from '../../core/lifecycle/stored-message.ts';
import type { Notification } from '../../core/schemas/notification.ts';

interface MessagesAt {
  read(messageId: string): Promise<StoredMessage | null>;
  /** False where the message is not the one of this revision any more; 0: where there is one. */
  write(message: StoredMessage, beforeRevision: number): Promise<boolean>;
}

export interface SendWith {
  records: RecordsAt;
  messages: MessagesAt;
  publish(notification: Notification): Promise<void>;
  /** Keeps all of a message of which a topic carries a part only. @returns where it is. */
  keepWhole(notification: Notification): Promise<string>;
  /** Called with what went wrong beside what is thrown. */
  onTrouble(reason: string): void;
}

export interface SendRules {
  nowEpochSeconds: number;
  rules: LifecycleRules;
}

async function confirmAll(
  message: StoredMessage,
  { nowEpochSeconds, rules }: SendRules,
  { records }: SendWith,
) {
  const { messageId, findingIds } = message;
  await changeRecords(
    findingIds,
    (_, record) => record && confirmed(record, { messageId, nowEpochSeconds }, rules),
    records,
  );
}

/** @param message leased by whoever calls this. */
async function send(message: StoredMessage, by: SendRules, use: SendWith): Promise<number> {
  if (message.notification === null) return 0;
  try {
    await use.publish(message.notification);
  } catch (error) {
    // Others need not wait until the lease is over.
    await use.messages
      .write(leasedUntil(message, 0), message.revision)
      .catch((trouble: Error) => use.onTrouble(trouble.message));
    throw error;
  }
  // Where somebody took it over meanwhile, they send the same, and say so.
  await use.messages.write(sentMessage(message), message.revision);
  await confirmAll(message, by, use);
  return message.findingIds.length;
}

/**
 * All of it is kept before the message is made: whoever sends the message again finds it there.
 * @returns how many findings it told: none where it was taken for dead before it had made the message.
 */
export async function sendNew(notification: Notification, by: SendRules, use: SendWith): Promise<number> {
  const part = withinTopic(notification);
  const sent = part === notification ? part : { ...part, wholeKey: await use.keepWhole(notification) };
  const findingIds = notification.notified.map(({ id }) => id);
  const message = messageToSend(sent, findingIds, by.nowEpochSeconds);
  return (await use.messages.write(message, 0)) ? send(message, by, use) : 0;
}

/** The message that somebody began; one that was not made is never sent any more. Null where others are at it. */
async function begun(messageId: string, { nowEpochSeconds }: SendRules, { messages }: SendWith) {
  const there = await messages.read(messageId);
  if (there !== null) return there;
  const nothing = voidMessage(messageId, nowEpochSeconds);
  return (await messages.write(nothing, 0)) ? nothing : null;
}

async function goOn(message: StoredMessage, by: SendRules, use: SendWith): Promise<number> {
  if (message.state === 'sent') {
    await confirmAll(message, by, use);
    return 0;
  }
  if (by.nowEpochSeconds < message.leaseUntilEpochSeconds) return 0;
  const mine = leasedUntil(message, by.nowEpochSeconds + claimSeconds);
  return (await use.messages.write(mine, message.revision)) ? send(mine, by, use) : 0;
}

export interface ResumeResult {
  notified: number;
  /** Said to be in a message that they are not in. */
  free: FindingRecord[];
  /** Why messages could not be sent. */
  failures: Error[];
}

/**
 * Goes on with messages that others began. One that cannot be read or sent stops none of the others.
 * @param records whose claims may be taken over.
 */
export async function goOnWith(
  records: readonly FindingRecord[],
  by: SendRules,
  use: SendWith,
): Promise<ResumeResult> {
  const result: ResumeResult = { notified: 0, free: [], failures: [] };
  const byMessage = groupBy(records, ({ claim }) => claim?.messageId ?? '');
  for (const [messageId, some] of Object.entries(byMessage)) {
    try {
      const message = await begun(messageId, by, use);
      if (message === null) continue;
      const inIt = new Set(message.findingIds);
      const free = some.filter(({ findingId }) => !inIt.has(findingId));
      result.free.push(...free);
      if (free.length === some.length) continue;
      result.notified += await goOn(message, by, use);
    } catch (error) {
      result.failures.push(error as Error);
    }
  }
  return result;
}
