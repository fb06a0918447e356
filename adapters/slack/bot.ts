/** Slack by the token of a bot: messages in threads, pictures beside them, and what was posted before. */

import type { KnownBlock, MessageMetadata } from '@slack/types';
import { ErrorCode, type WebAPICallError, WebClient } from '@slack/web-api';
import { Throttled, Unavailable, Undeliverable } from '../../core/errors.ts';
import { sanitize } from '../../core/sanitize.ts';

/** Who posts, and where. The token is a secret: it is in no error. */
export interface SlackBot {
  token: string;
  /** The id of a channel. */
  channel: string;
  /** Of a server that stands for Slack in tests; Slack's own without it. */
  apiUrl?: string;
}

export interface BotMessage {
  text: string;
  blocks: KnownBlock[];
  metadata?: MessageMetadata;
}

const timeoutMs = 10_000;
const maxCharacters = 200;

/** Slack's words for a trouble of its own. Source: its page of chat.postMessage, errors, read 2026-11-23. */
const passing = [
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
];
const throttled = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];

function failure(error: WebAPICallError | Unavailable): Error {
  if (error instanceof Unavailable) return error;
  if (error.code === ErrorCode.RateLimitedError) return new Throttled('Slack asks to slow down');
  if (error.code !== ErrorCode.PlatformError)
    return new Unavailable('Slack could not be reached', { cause: error.code });
  const word = sanitize((error as { data?: { error?: string } }).data?.error ?? 'no reason', maxCharacters);
  const text = `Slack answered: ${word}`;
  if (throttled.includes(word)) return new Throttled(text);
  return passing.includes(word) ? new Unavailable(text) : new Undeliverable(text);
}

/** @throws Throttled, Unavailable (again later), Undeliverable (Slack refuses this message, channel or token). */
async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw failure(error as WebAPICallError);
  }
}

const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => 'error',
};

/** Tries are the queue's; its log could name what is secret. */
const clientOf = ({ token, apiUrl }: SlackBot): WebClient =>
  new WebClient(token, {
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
    ...{ timeout: timeoutMs, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
    logger: silent as never,
  });

/** @returns the time stamp that names the message. */
export const postByBot = (
  bot: SlackBot,
  message: BotMessage,
  { threadTs, broadcast }: { threadTs: string | null; broadcast: boolean },
): Promise<string> =>
  asking(async () => {
    const reply = threadTs === null ? {} : { thread_ts: threadTs, reply_broadcast: broadcast };
    const { ts } = await clientOf(bot).chat.postMessage({
      ...{ channel: bot.channel, ...message, unfurl_links: false, unfurl_media: false },
      ...(reply as { thread_ts: string; reply_broadcast: true }),
    });
    if (ts === undefined) throw new Unavailable('Slack took a message and did not say how it is called');
    return ts;
  });

/** Beside a message, for who reads the thread. */
export const uploadPicture = (
  bot: SlackBot,
  threadTs: string,
  picture: { png: Buffer; fileName: string; title: string; altText: string },
): Promise<void> =>
  asking(async () => {
    await clientOf(bot).filesUploadV2({
      ...{ channel_id: bot.channel, thread_ts: threadTs, file: picture.png },
      ...{ filename: picture.fileName, title: picture.title, alt_text: picture.altText },
    });
  });

const maxMessages = 200;

/**
 * The message that carries this change, where a try before this one posted it and died; null where there is none, or
 * where the bot may not read the channel (it needs channels:history, or groups:history).
 */
export async function postedByBot(
  bot: SlackBot,
  changeId: string,
  { threadTs, sinceEpochSeconds }: { threadTs: string | null; sinceEpochSeconds: number },
): Promise<string | null> {
  const client = clientOf(bot);
  const asked = {
    ...{ channel: bot.channel, include_all_metadata: true, limit: maxMessages },
    oldest: `${sinceEpochSeconds}`,
  };
  try {
    const { messages = [] } =
      threadTs === null
        ? await client.conversations.history(asked)
        : await client.conversations.replies({ ...asked, ts: threadTs });
    const found = messages.find(
      (message) =>
        (message as { metadata?: { event_payload?: Record<string, unknown> } }).metadata?.event_payload?.[
          'change_id'
        ] === changeId,
    );
    return found?.ts ?? null;
  } catch (error) {
    const failed = failure(error as WebAPICallError);
    if (failed instanceof Undeliverable) return null;
    throw failed;
  }
}
