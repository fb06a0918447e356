/**
 * Channels of the local Slack with their messages and threads. Sources: Slack's pages of chat.postMessage, chat.update,
 * conversations.history and conversations.replies, read 2026-11-23.
 */
import { Buffer } from 'node:buffer';
import { msPerSecond } from '../../core/units.ts';
import type { SlackBlock } from './message.ts';
import { SlackRefusal } from './refused.ts';

export interface SlackChannel {
  id: string;
  /** Whether the bot is in it; true by default. */
  isMember?: boolean;
  isArchived?: boolean;
}

interface Metadata {
  event_type: string;
  event_payload: Record<string, unknown>;
}

/** A message as it is kept. */
export interface Posted {
  channel: string;
  ts: string;
  threadTs: string | null;
  /** A reply that is shown in the channel too. */
  isBroadcast: boolean;
  text: string;
  blocks: SlackBlock[];
  metadata: Metadata | null;
  files: { id: string; title: string }[];
  editedTs: string | null;
}

export interface Span {
  oldest?: string | undefined;
  latest?: string | undefined;
  inclusive?: boolean | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
}

export interface Page {
  messages: Posted[];
  nextCursor: string | null;
}

const tsPattern = /^\d+(?:\.\d{1,6})?$/;
const microsPerSecond = 1_000_000;

/** In microseconds: two numbers that differ in the last digit of `ts` are the same as doubles of seconds. */
function microsOf(ts: string, error: string): bigint {
  if (!tsPattern.test(ts)) throw new SlackRefusal(error, `"${ts}" is no time stamp like 1700000000.000100`);
  const [seconds = '0', fraction = ''] = ts.split('.');
  return BigInt(seconds) * BigInt(microsPerSecond) + BigInt(fraction.padEnd(6, '0'));
}

const micros = (ts: string): bigint => microsOf(ts, 'invalid_ts');

const cursorOf = (ts: string): string => Buffer.from(`next_ts:${ts}`).toString('base64');

function tsOfCursor(cursor: string): string {
  const ts = /^next_ts:([\d.]+)$/.exec(Buffer.from(cursor, 'base64').toString('utf8'))?.[1];
  if (ts === undefined) throw new SlackRefusal('invalid_cursor', 'the cursor is not one of a reply before');
  return ts;
}

function within({ oldest, latest, inclusive = false }: Span): (message: Posted) => boolean {
  const from = oldest === undefined ? null : microsOf(oldest, 'invalid_ts_oldest');
  const to = latest === undefined ? null : microsOf(latest, 'invalid_ts_latest');
  return ({ ts }) => {
    const at = micros(ts);
    if (inclusive && (at === from || at === to)) return true;
    return (from === null || at > from) && (to === null || at < to);
  };
}

/** @param messages in the order of the pages. */
function pageOf(messages: readonly Posted[], { cursor, limit }: Span, most: number, usual: number): Page {
  const count = limit ?? usual;
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw new SlackRefusal('invalid_limit', `limit is ${count}, 1 to ${most} is right`);
  }
  const first = cursor === undefined ? 0 : messages.findIndex(({ ts }) => ts === tsOfCursor(cursor));
  if (first < 0) throw new SlackRefusal('invalid_cursor', 'the cursor leads to no message');
  const next = messages[first + count];
  return {
    messages: messages.slice(first, first + count),
    nextCursor: next === undefined ? null : cursorOf(next.ts),
  };
}

export class Conversations {
  posted: Posted[] = [];
  private readonly channels: readonly SlackChannel[];
  private lastTsMicros = 0;

  constructor(channels: readonly SlackChannel[]) {
    this.channels = channels;
  }

  /** The time as Slack names messages by, never twice. */
  private nextTs(): string {
    this.lastTsMicros = Math.max(Date.now() * msPerSecond, this.lastTsMicros + 1);
    const seconds = Math.floor(this.lastTsMicros / microsPerSecond);
    return `${seconds}.${String(this.lastTsMicros % microsPerSecond).padStart(6, '0')}`;
  }

  /** @throws SlackRefusal where the bot may not read it. */
  readable(id: string): void {
    const channel = this.channels.find((one) => one.id === id);
    if (channel === undefined) throw new SlackRefusal('channel_not_found', `no channel "${id}"`);
    if (channel.isMember === false) throw new SlackRefusal('not_in_channel', `the bot is not in ${id}`);
  }

  /** @throws SlackRefusal where the bot may not write to it. */
  writable(id: string): void {
    this.readable(id);
    if (this.channels.find((one) => one.id === id)?.isArchived === true) {
      throw new SlackRefusal('is_archived', `${id} is archived`);
    }
  }

  private find(channel: string, ts: string): Posted | undefined {
    return this.posted.find((message) => message.channel === channel && message.ts === ts);
  }

  /** Slack advises against the time of a reply, and what it does with one is not documented: refused here. */
  checkThread(channel: string, threadTs: string): void {
    const parent = this.find(channel, threadTs);
    if (parent === undefined) throw new SlackRefusal('thread_not_found', `no message ${threadTs}`);
    if (parent.threadTs !== null) {
      throw new SlackRefusal('cannot_reply_to_message', `${threadTs} is a reply: its parent is right`);
    }
  }

  post(message: Omit<Posted, 'ts' | 'editedTs'>): Posted {
    this.writable(message.channel);
    if (message.threadTs !== null) this.checkThread(message.channel, message.threadTs);
    const posted = { ...message, ts: this.nextTs(), editedTs: null };
    this.posted.push(posted);
    return posted;
  }

  /** What is not given stays; metadata too, and an empty one takes it away. */
  update(channel: string, ts: string, change: Partial<Pick<Posted, 'text' | 'blocks' | 'metadata'>>): Posted {
    this.writable(channel);
    const message = this.find(channel, ts);
    if (message === undefined) throw new SlackRefusal('message_not_found', `no message ${ts}`);
    Object.assign(message, change, { editedTs: this.nextTs() });
    return message;
  }

  /** Without replies that were not broadcast, newest first. */
  history(channel: string, span: Span): Page {
    this.readable(channel);
    const messages = this.posted
      .filter((message) => message.channel === channel && (message.threadTs === null || message.isBroadcast))
      .filter(within(span))
      .reverse();
    return pageOf(messages, span, 999, 100);
  }

  /** The parent and its replies, oldest first; the parent is always there. */
  replies(channel: string, ts: string, span: Span): Page {
    this.readable(channel);
    const asked = this.find(channel, ts);
    if (asked === undefined) throw new SlackRefusal('thread_not_found', `no message ${ts}`);
    const parent = this.find(channel, asked.threadTs ?? ts) ?? asked;
    const replies = this.posted.filter(
      (message) => message.channel === channel && message.threadTs === parent.ts,
    );
    return pageOf([parent, ...replies.filter(within(span))], span, 1_000, 1_000);
  }

  repliesTo({ channel, ts }: Posted): Posted[] {
    return this.posted.filter((message) => message.channel === channel && message.threadTs === ts);
  }
}
