/**
 * A message as it is kept before it is sent: what is in it is fixed by the one write that makes it, so whoever sends it again
 * sends the same, and a channel that knows its id leaves it out. A finding that says it is in a message, and is not, was
 * claimed by somebody who died before the message was made: it is free.
 */
import type { Notification } from '../schemas/notification.ts';
import { secondsPerDay } from '../units.ts';
import { claimSeconds } from './notifying.ts';

export interface StoredMessage {
  messageId: string;
  /** Counts the writes: who writes must have read the one before. */
  revision: number;
  /** void: nothing is sent under this id; who wanted to was taken for dead. */
  state: 'sending' | 'sent' | 'void';
  /** As it is sent: of a large one the part that a topic carries. */
  notification: Notification | null;
  /** All that it tells. */
  findingIds: readonly string[];
  /** Whoever sends it has until then; 0: nobody does. */
  leaseUntilEpochSeconds: number;
  expiresEpochSeconds: number;
}

/** Longer than anybody takes to go on with it. */
const keepDays = 30;

/** An item of DynamoDB holds 400 KB: these ids, and what a topic carries. */
export const maxFindingsInMessage = 5_000;

/** Where in S3 all of a message is that a topic cannot carry whole. */
export const wholeMessagesFolder = 'messages/';
export const wholeMessageKey = (messageId: string): string => `${wholeMessagesFolder}${messageId}.json`;

const kept = (messageId: string, nowEpochSeconds: number) => ({
  messageId,
  revision: 1,
  expiresEpochSeconds: nowEpochSeconds + keepDays * secondsPerDay,
});

export const messageToSend = (
  notification: Notification,
  findingIds: readonly string[],
  nowEpochSeconds: number,
): StoredMessage => ({
  ...kept(notification.id, nowEpochSeconds),
  ...{ state: 'sending', notification, findingIds },
  leaseUntilEpochSeconds: nowEpochSeconds + claimSeconds,
});

export const voidMessage = (messageId: string, nowEpochSeconds: number): StoredMessage => ({
  ...kept(messageId, nowEpochSeconds),
  ...{ state: 'void', notification: null, findingIds: [], leaseUntilEpochSeconds: 0 },
});

/** Another one sends it, or says that nobody does (0). */
export const leasedUntil = (message: StoredMessage, leaseUntilEpochSeconds: number): StoredMessage => ({
  ...message,
  revision: message.revision + 1,
  leaseUntilEpochSeconds,
});

export const sentMessage = (message: StoredMessage): StoredMessage => ({
  ...leasedUntil(message, 0),
  state: 'sent',
});
