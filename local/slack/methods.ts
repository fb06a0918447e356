/** The methods of the Web API that the service uses, with the arguments that it may give them; any other is refused. */
import { z } from 'zod';
import { checked, count, flag } from './arguments.ts';
import type { Conversations, Posted, Span } from './conversations.ts';
import { parseMessage, type SlackMessage } from './message.ts';
import { SlackRefusal } from './refused.ts';
import type { Uploads } from './uploads.ts';

interface Workspace {
  conversations: Conversations;
  uploads: Uploads;
  /** Of the server, without a slash at its end. */
  url: string;
}

type Answer = Record<string, unknown>;
export type Method = (args: Record<string, unknown>, workspace: Workspace) => Answer;

const botId = 'B0LOCAL0001';
const team = { team: 'local', team_id: 'T0LOCAL0001' };

/** Slack's limit on what a message carries for apps is not documented; more than this is no id and no state of ours. */
const maxMetadataBytes = 16_000;

const metadataSchema = z
  .strictObject({
    event_type: z.string().regex(/^\w+$/).max(255),
    event_payload: z.record(z.string(), z.unknown()),
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxMetadataBytes, 'too large');
const channelSchema = z.string();
const ts = z.string();

const contentSchema = z.object({
  text: z.string().optional(),
  blocks: z.array(z.unknown()).optional(),
});

const metadataErrors = { channel: 'channel_not_found', metadata: 'invalid_metadata_format' };

/** @throws SlackRefusal where Slack would not take it. */
function content(given: z.infer<typeof contentSchema>): SlackMessage {
  const parsed = parseMessage(contentSchema.parse(given));
  if (!parsed.ok) throw new SlackRefusal(parsed.refusal.error, parsed.refusal.reason);
  return parsed.message;
}

/** As the API shows a message. */
function shown(message: Posted, { conversations }: Workspace, withMetadata: boolean): Answer {
  const replies = conversations.repliesTo(message);
  const last = replies.at(-1);
  return {
    type: 'message',
    ...(message.isBroadcast ? { subtype: 'thread_broadcast' } : {}),
    ...{ bot_id: botId, ts: message.ts, text: message.text },
    ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
    ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
    ...(last === undefined
      ? {}
      : { thread_ts: message.ts, reply_count: replies.length, latest_reply: last.ts }),
    ...(message.files.length === 0 ? {} : { files: message.files }),
    ...(withMetadata && message.metadata !== null ? { metadata: message.metadata } : {}),
    ...(message.editedTs === null ? {} : { edited: { ts: message.editedTs } }),
  };
}

const postSchema = z.strictObject({
  ...contentSchema.shape,
  channel: channelSchema,
  thread_ts: ts.optional(),
  reply_broadcast: flag.optional(),
  metadata: metadataSchema.optional(),
  unfurl_links: flag.optional(),
  unfurl_media: flag.optional(),
  mrkdwn: flag.optional(),
});

const postMessage: Method = (args, workspace) => {
  const { channel, thread_ts, reply_broadcast, metadata, ...given } = checked(
    postSchema,
    args,
    metadataErrors,
  );
  workspace.conversations.writable(channel);
  const { text = '', blocks = [] } = content(given);
  const posted = workspace.conversations.post({
    ...{ channel, text, blocks, threadTs: thread_ts ?? null, metadata: metadata ?? null, files: [] },
    isBroadcast: thread_ts !== undefined && reply_broadcast === true,
  });
  return { channel, ts: posted.ts, message: shown(posted, workspace, true) };
};

const updateSchema = z.strictObject({
  ...{ ...contentSchema.shape, channel: channelSchema, ts },
  /** An empty one takes it away. */
  metadata: z.union([metadataSchema, z.strictObject({}).transform(() => null)]).optional(),
});

const update: Method = (args, workspace) => {
  const { channel, ts: at, metadata, ...given } = checked(updateSchema, args, metadataErrors);
  workspace.conversations.readable(channel);
  const { text = '', blocks = [] } = content(given);
  const changed = workspace.conversations.update(channel, at, {
    text,
    blocks,
    ...(metadata === undefined ? {} : { metadata }),
  });
  return { channel, ts: at, text, message: shown(changed, workspace, true) };
};

const spanSchema = z.strictObject({
  channel: channelSchema,
  oldest: z.string().optional(),
  latest: z.string().optional(),
  inclusive: flag.optional(),
  cursor: z.string().optional(),
  limit: count.optional(),
  include_all_metadata: flag.optional(),
});
const spanErrors = { channel: 'channel_not_found', limit: 'invalid_limit' };

/** An empty cursor is the first page: clients send what the last reply held. */
const spanOf = ({ cursor, ...span }: Span): Span => ({ ...span, cursor: cursor === '' ? undefined : cursor });

const history: Method = (args, workspace) => {
  const { channel, include_all_metadata = false, ...span } = checked(spanSchema, args, spanErrors);
  const { messages, nextCursor } = workspace.conversations.history(channel, spanOf(span));
  return {
    messages: messages.map((message) => shown(message, workspace, include_all_metadata)),
    has_more: nextCursor !== null,
    ...(nextCursor === null ? {} : { response_metadata: { next_cursor: nextCursor } }),
  };
};

const repliesSchema = spanSchema.extend({ ts });

const replies: Method = (args, workspace) => {
  const { channel, ts: at, include_all_metadata = false, ...span } = checked(repliesSchema, args, spanErrors);
  const { messages, nextCursor } = workspace.conversations.replies(channel, at, spanOf(span));
  return {
    messages: messages.map((message) => shown(message, workspace, include_all_metadata)),
    has_more: nextCursor !== null,
    ...(nextCursor === null ? {} : { response_metadata: { next_cursor: nextCursor } }),
  };
};

/** The page names `alt_txt`, the types of @slack/web-api name `alt_text`: either is taken. */
const uploadSchema = z.strictObject({
  filename: z.string(),
  length: count,
  alt_txt: z.string().optional(),
  alt_text: z.string().optional(),
});
const uploadErrors = { filename: 'missing_argument', length: 'missing_argument' };

const getUploadUrl: Method = (args, { uploads, url }) => {
  const { filename, length, alt_txt, alt_text } = checked(uploadSchema, args, uploadErrors);
  const upload = uploads.begin(filename, length, alt_txt ?? alt_text ?? null);
  return { upload_url: `${url}/upload/v1/${upload.id}/${upload.secret}`, file_id: upload.id };
};

const completeSchema = z.strictObject({
  files: z.array(z.strictObject({ id: z.string(), title: z.string().optional() })).min(1),
  channel_id: channelSchema.optional(),
  thread_ts: ts.optional(),
  initial_comment: z.string().optional(),
});

const completeUpload: Method = (args, { conversations, uploads }) => {
  const given = checked(completeSchema, args);
  const { channel_id: channel, thread_ts: threadTs = null, initial_comment: text = '' } = given;
  if (channel !== undefined) {
    conversations.writable(channel);
    if (threadTs !== null) conversations.checkThread(channel, threadTs);
  }
  const files = uploads.complete(given.files);
  if (channel !== undefined) {
    conversations.post({ channel, threadTs, text, blocks: [], metadata: null, files, isBroadcast: false });
  }
  return { files };
};

const authTest: Method = (args, { url }) => {
  checked(z.strictObject({}), args);
  return { url: `${url}/`, ...team, user: 'stripewise', user_id: 'U0LOCAL0001', bot_id: botId };
};

/** A tier is so many calls a minute, for each app and method. */
interface Limit {
  perMinute: number;
  size: number;
  /** Whether each channel has its own. */
  isByChannel?: true;
}
const tier3: Limit = { perMinute: 50, size: 20 };
const tier4: Limit = { perMinute: 100, size: 20 };

/**
 * Rates: Slack, "Rate limits", read 2026-11-23; bursts are "tolerated", which is a number here. Who sells an app outside of
 * Slack's Marketplace may read a channel once a minute; an app of one's own, as this is, has tier 3.
 */
export const methods: Record<string, { run: Method; limit: Limit }> = {
  'chat.postMessage': { run: postMessage, limit: { perMinute: 60, size: 2, isByChannel: true } },
  'chat.update': { run: update, limit: tier3 },
  'conversations.history': { run: history, limit: tier3 },
  'conversations.replies': { run: replies, limit: tier3 },
  'files.getUploadURLExternal': { run: getUploadUrl, limit: tier4 },
  'files.completeUploadExternal': { run: completeUpload, limit: tier4 },
  'auth.test': { run: authTest, limit: { perMinute: 200, size: 50 } },
};
