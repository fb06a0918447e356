/** The local Web API of Slack, asked by Slack's own client: answers, threads, pages, refusals in Slack's words, rates. */
import { ErrorCode, WebClient } from '@slack/web-api';
import { type LocalSlack, localBot, startSlack } from '../../local/slack/server.ts';

const { channel, token } = localBot;
const closed = 'C0CLOSED001';
const archived = 'C0ARCHIVED1';

let nowMs = 0;
let slack: LocalSlack;
beforeEach(async () => {
  nowMs = 0;
  slack = await startSlack({
    monotonicMs: () => nowMs,
    channels: [{ id: channel }, { id: closed, isMember: false }, { id: archived, isArchived: true }],
  });
});
afterEach(() => slack.stop());

const clientWith = (secret: string): WebClient =>
  new WebClient(secret, {
    slackApiUrl: slack.apiUrl,
    rejectRateLimitedCalls: true,
    retryConfig: { retries: 0 },
    logger: {
      ...{ debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, setName() {} },
      getLevel: () => 'error' as never,
    },
  });
const client = (): WebClient => clientWith(token);

/** A second later there is room for another message. */
const later = (): void => {
  nowMs += 1_000;
};

const say = async (text: string, more: object = {}): Promise<string> => {
  later();
  return (await client().chat.postMessage({ channel, text, ...more })).ts ?? '';
};

/** Slack's word for why not; null where it was done. */
const refusal = async (call: Promise<unknown>): Promise<string | null> => {
  later();
  try {
    await call;
    return null;
  } catch (error) {
    const { code, data } = error as { code: string; data?: { error?: string } };
    return code === ErrorCode.PlatformError ? (data?.error ?? '') : code;
  }
};

const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${slack.url}/_stripewise/${path}`, { method, ...sent })).json();
};

const section = { type: 'section', text: { type: 'mrkdwn', text: 'x' } } as const;
const metadata = (changeId: string) => ({
  event_type: 'stripewise_change',
  event_payload: { change_id: changeId },
});

test('who asks is reported who they are', async () => {
  expect(await client().auth.test()).toMatchObject({ ok: true, team: 'local' });
  expect(await refusal(clientWith('xoxb-other').auth.test())).toBe('invalid_auth');
  expect(await refusal(clientWith('').auth.test())).toBe('not_authed');
});

test('a message is kept with blocks and metadata, and found again by it', async () => {
  const ts = await say('hello', { blocks: [section], metadata: metadata('a:1'), unfurl_links: false });
  expect(await ask('GET', 'posts')).toMatchObject([
    { channel, ts, threadTs: null, text: 'hello', blocks: [section], metadata: metadata('a:1') },
  ]);
  const { messages } = await client().conversations.history({ channel, include_all_metadata: true });
  expect(messages).toMatchObject([{ ts, text: 'hello', metadata: metadata('a:1') }]);
  const without = await client().conversations.history({ channel });
  expect(without.messages?.[0]).not.toHaveProperty('metadata');
});

test('JSON is taken as well as a form', async () => {
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${token}` },
    body: JSON.stringify({ channel, text: 'hello', blocks: [section], unfurl_links: false }),
  });
  expect(await response.json()).toMatchObject({ ok: true, channel, message: { text: 'hello' } });
});

describe('threads', () => {
  test('replies stand in the thread, those that were broadcast in the channel too', async () => {
    const first = await say('opened');
    const quiet = await say('better', { thread_ts: first });
    const loud = await say('worse', { thread_ts: first, reply_broadcast: true });
    const thread = await client().conversations.replies({ channel, ts: first });
    expect(thread.messages?.map(({ ts }) => ts)).toEqual([first, quiet, loud]);
    expect(thread.messages?.[0]).toMatchObject({ reply_count: 2, latest_reply: loud });
    const history = await client().conversations.history({ channel });
    expect(history.messages?.map(({ ts }) => ts)).toEqual([loud, first]); // Newest first.
    expect(history.messages?.[0]).toMatchObject({ subtype: 'thread_broadcast', thread_ts: first });
  });

  test('a thread is asked for by one of its replies too', async () => {
    const first = await say('opened');
    const reply = await say('worse', { thread_ts: first });
    const { messages } = await client().conversations.replies({ channel, ts: reply });
    expect(messages?.map(({ ts }) => ts)).toEqual([first, reply]);
  });

  test('of a message that is not there, or is a reply, there is none', async () => {
    const first = await say('opened');
    const reply = await say('worse', { thread_ts: first });
    const to = (thread_ts: string) => refusal(client().chat.postMessage({ channel, text: 'x', thread_ts }));
    expect(await to('1700000000.000100')).toBe('thread_not_found');
    expect(await to(reply)).toBe('cannot_reply_to_message');
    expect(await refusal(client().conversations.replies({ channel, ts: '1700000000.000100' }))).toBe(
      'thread_not_found',
    );
  });
});

describe('pages', () => {
  test('lead through all of a channel, each message once', async () => {
    const all: string[] = [];
    for (let i = 0; i < 5; i++) all.unshift(await say(`${i}`));
    const seen: (string | undefined)[] = [];
    for await (const page of client().paginate('conversations.history', { channel, limit: 2 })) {
      const { messages = [] } = page as { messages?: { ts?: string }[] };
      expect(messages.length).toBeLessThanOrEqual(2);
      seen.push(...messages.map(({ ts }) => ts));
      later();
    }
    expect(seen).toEqual(all);
  });

  test('begin after the time that is asked for, and with it where that is wanted', async () => {
    const [a, b, c] = [await say('a'), await say('b'), await say('c')];
    const since = async (more: object) =>
      (await client().conversations.history({ channel, oldest: b, ...more })).messages?.map(({ ts }) => ts);
    expect(await since({})).toEqual([c]);
    expect(await since({ inclusive: true })).toEqual([c, b]);
    const until = await client().conversations.history({ channel, latest: b });
    expect(until.messages?.map(({ ts }) => ts)).toEqual([a]);
  });

  test.each<[string, object, string]>([
    ['a cursor of nobody', { cursor: 'abc' }, 'invalid_cursor'],
    ['no limit at all', { limit: 0 }, 'invalid_limit'],
    ['more than 999', { limit: 1_000 }, 'invalid_limit'],
    ['a time that is none', { oldest: 'yesterday' }, 'invalid_ts_oldest'],
  ])('%s is refused', async (_, more, error) => {
    await say('x');
    expect(await refusal(client().conversations.history({ channel, ...more }))).toBe(error);
  });
});

test('a message is changed; its metadata stays unless it is removed', async () => {
  const ts = await say('a', { metadata: metadata('a:1') });
  await client().chat.update({ channel, ts, text: 'b' });
  expect(await ask('GET', 'posts')).toMatchObject([{ ts, text: 'b', metadata: metadata('a:1') }]);
  await client().chat.update({ channel, ts, text: 'c', metadata: {} as never });
  expect(await ask('GET', 'posts')).toMatchObject([{ ts, text: 'c', metadata: null }]);
  expect(await refusal(client().chat.update({ channel, ts: '1700000000.000100', text: 'x' }))).toBe(
    'message_not_found',
  );
});

describe('a message is refused', () => {
  const letters = (count: number): string => 'x'.repeat(count);
  const button = (action_id: string) => ({
    ...{ type: 'button', action_id, value: 'f' },
    text: { type: 'plain_text', text: 'Press' },
  });
  test.each<[string, object, string]>([
    ['with neither text nor blocks', { text: '' }, 'no_text'],
    ['of 40,001 characters', { text: letters(40_001) }, 'msg_too_long'],
    ['of 51 blocks', { blocks: Array.from({ length: 51 }, () => section) }, 'invalid_blocks'],
    [
      'of 13,201 characters in blocks',
      {
        blocks: [3_000, 3_000, 3_000, 3_000, 1_201].map((count) => ({
          ...section,
          text: { type: 'mrkdwn', text: letters(count) },
        })),
      },
      'msg_blocks_too_long',
    ],
    [
      'with two buttons of one action_id',
      { blocks: [{ type: 'actions', elements: [button('a'), button('a')] }] },
      'invalid_blocks',
    ],
    [
      'with a value of 2,001 characters',
      { blocks: [{ type: 'actions', elements: [{ ...button('a'), value: letters(2_001) }] }] },
      'invalid_blocks',
    ],
    [
      'with metadata of another form',
      { metadata: { event_type: 'two words', event_payload: {} } },
      'invalid_metadata_format',
    ],
    ['with metadata without end', { metadata: metadata(letters(16_000)) }, 'invalid_metadata_format'],
    ['in a channel that is not there', { channel: 'C0NOWHERE01' }, 'channel_not_found'],
    ['in a channel that the bot is not in', { channel: closed }, 'not_in_channel'],
    ['in a channel that is archived', { channel: archived }, 'is_archived'],
    ['with an argument that Slack does not have', { broadcast: true }, 'invalid_arguments'],
  ])('%s', async (_, more, error) => {
    expect(await refusal(client().chat.postMessage({ channel, text: 'x', ...more }))).toBe(error);
    expect(await ask('GET', 'posts')).toEqual([]);
    expect(await ask('GET', 'refused-calls')).toMatchObject([
      { method: 'chat.postMessage', status: 200, error, reason: expect.any(String) },
    ]);
  });

  test.each([
    ['no JSON', 'application/json', '{', 'invalid_json'],
    ['a list', 'application/json', '[]', 'json_not_object'],
    ['blocks that are no JSON', 'application/x-www-form-urlencoded', 'blocks=[', 'invalid_blocks_format'],
    ['XML', 'text/xml', '<x/>', 'invalid_post_type'],
  ])('whose body is %s', async (_, contentType, body, error) => {
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': contentType, authorization: `Bearer ${token}` },
      body,
    });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 200,
      body: { ok: false, error },
    });
  });
});

test('a method that is not here is unknown', async () => {
  expect(await refusal(client().apiCall('chat.delete', { channel }))).toBe('unknown_method');
});

describe('files', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff, 0xfe]);

  test("Slack's own client brings a picture into a thread", async () => {
    const thread_ts = await say('opened');
    await client().filesUploadV2({
      ...{ channel_id: channel, thread_ts, file: png, filename: 'load.png', title: 'Load' },
      alt_text: 'IOPS by the hour',
    });
    expect(await ask('GET', 'uploads')).toMatchObject([
      {
        ...{ filename: 'load.png', length: png.length, altText: 'IOPS by the hour', isCompleted: true },
        base64: png.toString('base64'),
      },
    ]);
    const { messages } = await client().conversations.replies({ channel, ts: thread_ts });
    expect(messages?.[1]).toMatchObject({ thread_ts, files: [{ title: 'Load' }] });
  });

  const begin = async (length: number) =>
    client().files.getUploadURLExternal({ filename: 'load.png', length });
  const send = async (url: string, bytes: Buffer): Promise<number> =>
    (await fetch(url, { method: 'POST', body: new Uint8Array(bytes) })).status;

  test('raw bytes are taken too, and completed once', async () => {
    const { upload_url = '', file_id = '' } = await begin(png.length);
    expect(await send(upload_url, png)).toBe(200);
    const complete = () =>
      client().files.completeUploadExternal({ files: [{ id: file_id }], channel_id: channel });
    expect(await refusal(complete())).toBeNull();
    expect(await refusal(complete())).toBe('file_not_found');
  });

  test('fewer bytes than were announced are no upload, and nothing is completed', async () => {
    const { upload_url = '', file_id = '' } = await begin(png.length + 1);
    expect(await send(upload_url, png)).toBe(400);
    expect(await refusal(client().files.completeUploadExternal({ files: [{ id: file_id }] }))).toBe(
      'file_not_found',
    );
    expect(await send(`${upload_url}x`, png)).toBe(404);
  });

  test('into a thread that is not there nothing is completed, and later it can be', async () => {
    const { upload_url = '', file_id = '' } = await begin(png.length);
    await send(upload_url, png);
    const to = (thread_ts: string) =>
      client().files.completeUploadExternal({ files: [{ id: file_id }], channel_id: channel, thread_ts });
    expect(await refusal(to('1700000000.000100'))).toBe('thread_not_found');
    expect(await refusal(to(await say('opened')))).toBeNull();
  });

  test.each<[string, { length: number; alt_text?: string }, string]>([
    ['nothing', { length: 0 }, 'missing_argument'],
    [
      'a picture with too long a description',
      { length: 1, alt_text: 'x'.repeat(1_001) },
      'alt_txt_too_large',
    ],
  ])('%s is not taken', async (_, more, error) => {
    expect(await refusal(client().files.getUploadURLExternal({ filename: 'load.png', ...more }))).toBe(error);
  });
});

describe('rates', () => {
  const post = async (): Promise<Response> =>
    fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ channel, text: 'x' }),
    });

  test('two messages at once are taken in a channel, the third is told to wait a second', async () => {
    expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
    const third = await post();
    expect(third.status).toBe(429);
    expect(third.headers.get('retry-after')).toBe('1');
    expect(await third.json()).toEqual({ ok: false, error: 'ratelimited' });
    later();
    expect((await post()).status).toBe(200);
  });

  test("Slack's own client says so", async () => {
    await post();
    await post();
    const third = client().chat.postMessage({ channel, text: 'x' });
    await expect(third).rejects.toMatchObject({ code: ErrorCode.RateLimitedError, retryAfter: 1 });
  });
});

describe('faults', () => {
  test('are given as often as they were ordered, to the method that they were ordered for', async () => {
    await ask('POST', 'api-faults', { method: 'chat.postMessage', error: 'internal_error' });
    expect(await refusal(client().auth.test())).toBeNull();
    expect(await refusal(client().chat.postMessage({ channel, text: 'x' }))).toBe('internal_error');
    expect(await refusal(client().chat.postMessage({ channel, text: 'x' }))).toBeNull();
  });

  test('an answer can be lost after the message was posted', async () => {
    await ask('POST', 'api-faults', { method: 'chat.postMessage', status: 500, afterwards: true });
    expect(await refusal(client().chat.postMessage({ channel, text: 'x' }))).toBe(ErrorCode.HTTPError);
    expect(await ask('GET', 'posts')).toMatchObject([{ text: 'x' }]);
  });

  test('of a method that is not here none can be ordered', async () => {
    expect(await ask('POST', 'api-faults', { method: 'chat.delete' })).toEqual({
      error: expect.stringContaining('"chat.delete" is not one of chat.postMessage'),
    });
  });
});
