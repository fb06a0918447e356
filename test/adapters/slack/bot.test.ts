/** Slack by the token of a bot, on the local one: messages, threads, pictures, what was posted before, and what goes wrong. */
import { inspect } from 'node:util';
import {
  type BotMessage,
  postByBot,
  postedByBot,
  type SlackBot,
  uploadPicture,
} from '../../../adapters/slack/bot.ts';
import { Throttled, Unavailable, Undeliverable } from '../../../core/errors.ts';
import { jsonReply, listen, type Reply } from '../../../local/http.ts';
import { type LocalSlack, localBot, startSlack } from '../../../local/slack/server.ts';

const archived = 'C0ARCHIVED1';
const foreign = 'C0FOREIGN01';
const token = 'xoxb-secret-of-it';
let nowMs = 0;
let slack: LocalSlack;
let bot: SlackBot;
beforeEach(async () => {
  nowMs = 0;
  slack = await startSlack({
    ...{ token, monotonicMs: () => nowMs },
    channels: [
      { id: localBot.channel },
      { id: archived, isArchived: true },
      { id: foreign, isMember: false },
    ],
  });
  bot = { token, channel: localBot.channel, apiUrl: slack.apiUrl };
});
afterEach(() => slack.stop());

const steer = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${slack.url}/_stripewise/${path}`, { method, ...sent })).json();
};
const posts = () => steer('GET', 'posts') as Promise<{ ts: string; threadTs: string | null }[]>;

const alone = { threadTs: null, broadcast: false };
const aMessage = (text: string, changeId?: string): BotMessage => ({
  ...{ text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] },
  ...(changeId === undefined
    ? {}
    : { metadata: { event_type: 'stripewise_change', event_payload: { change_id: changeId } } }),
});
/** As Slack lets a bot post: one a second. */
const post = (message: BotMessage, where = alone as { threadTs: string | null; broadcast: boolean }) => {
  nowMs += 1_000;
  return postByBot(bot, message, where);
};

/** What a call throws, after making sure that the token is nowhere in it, nor in what was printed. */
async function failure(call: Promise<unknown>): Promise<Error> {
  const printed: unknown[] = [];
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    jest.spyOn(console, name).mockImplementation((...args) => void printed.push(args)),
  );
  const error = await call.catch((thrown: unknown) => thrown);
  for (const spy of spies) spy.mockRestore();
  if (!(error instanceof Error)) throw new Error('it was done');
  expect(printed).toEqual([]);
  const everything = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  expect(everything).not.toContain(token);
  return error;
}

describe('posting', () => {
  test('a message arrives as it was sent, and its name comes back', async () => {
    const ts = await post(aMessage('hello', 'change-1'));
    expect(await posts()).toMatchObject([
      {
        ...{
          channel: localBot.channel,
          ts,
          threadTs: null,
          isBroadcast: false,
          ...aMessage('hello', 'change-1'),
        },
      },
    ]);
  });

  test('a reply goes into its thread, and into the channel too where that is asked for', async () => {
    const threadTs = await post(aMessage('opened'));
    await post(aMessage('better'), { threadTs, broadcast: false });
    await post(aMessage('worse'), { threadTs, broadcast: true });
    expect(await posts()).toMatchObject([
      { text: 'opened', threadTs: null, isBroadcast: false },
      { text: 'better', threadTs, isBroadcast: false },
      { text: 'worse', threadTs, isBroadcast: true },
    ]);
  });

  test.each([
    ['ratelimited', Throttled],
    ['message_limit_exceeded', Throttled],
    ['internal_error', Unavailable],
    ['fatal_error', Unavailable],
    ['service_unavailable', Unavailable],
    ['request_timeout', Unavailable],
    ['team_added_to_org', Unavailable],
    ['invalid_auth', Undeliverable],
    ['token_revoked', Undeliverable],
    ['missing_scope', Undeliverable],
    ['account_inactive', Undeliverable],
  ])('%s is %p, in the words of Slack', async (word, kind) => {
    await steer('POST', 'api-faults', { method: 'chat.postMessage', error: word });
    const error = await failure(post(aMessage('hello')));
    expect(error.constructor).toBe(kind);
    expect(error.message).toBe(`Slack answered: ${word}`);
  });

  test('a word without end is cut, and sanitized', async () => {
    await steer('POST', 'api-faults', { method: 'chat.postMessage', error: `\u202e${'x'.repeat(1_000)}` });
    const error = await failure(post(aMessage('hello')));
    expect(error.message).toBe(`Slack answered: \\u{202e}${'x'.repeat(198)}…`);
  });

  test('more than one a second is Throttled; it is not waited for', async () => {
    await post(aMessage('1'));
    const burst = [2, 3].map((i) => postByBot(bot, aMessage(`${i}`), alone));
    const results = await Promise.allSettled(burst);
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as Error] : [],
    );
    expect(refused).toHaveLength(1);
    expect(refused[0]).toBeInstanceOf(Throttled);
    expect(refused[0]?.message).toBe('Slack asks to slow down');
  });

  test('429 without a time to wait, and 5xx, may pass: Unavailable', async () => {
    for (const status of [429, 500, 503]) {
      await steer('POST', 'api-faults', { method: 'chat.postMessage', status });
      expect(await failure(post(aMessage('hello')))).toBeInstanceOf(Unavailable);
    }
  });

  test('each call asks once: trying again is for the queue, which knows what was posted', async () => {
    await steer('POST', 'api-faults', { method: 'chat.postMessage', status: 503, times: -1 });
    await failure(post(aMessage('hello')));
    expect(await steer('GET', 'refused-calls')).toHaveLength(1);
  });

  test('another token, a channel that is archived or not ours: Undeliverable', async () => {
    const asked: [Partial<SlackBot>, string][] = [
      [{ token: 'xoxb-another' }, 'invalid_auth'],
      [{ channel: archived }, 'is_archived'],
      [{ channel: foreign }, 'not_in_channel'],
      [{ channel: 'C0NOWHERE01' }, 'channel_not_found'],
    ];
    for (const [change, word] of asked) {
      const error = await failure(postByBot({ ...bot, ...change }, aMessage('hello'), alone));
      expect(error).toBeInstanceOf(Undeliverable);
      expect(error.message).toBe(`Slack answered: ${word}`);
    }
  });

  test('a Slack that is not there may be back: Unavailable', async () => {
    const nowhere = { ...bot, apiUrl: 'http://127.0.0.1:1/api/' };
    const error = await failure(postByBot(nowhere, aMessage('hello'), alone));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toBe('Slack could not be reached');
  });
});

/** A server that is not Slack, and what it was asked. */
async function withServer(reply: Reply, use: (apiUrl: string) => Promise<void>): Promise<string[]> {
  const asked: string[] = [];
  const server = await listen(0, async ({ url = '' }) => {
    asked.push(url);
    return reply;
  });
  try {
    await use(`${server.url}/api/`);
  } finally {
    await server.stop();
  }
  return asked;
}

test('a redirect is not followed: the token would go elsewhere', async () => {
  const moved = { status: 307, body: '', headers: { location: '/elsewhere' } };
  const asked = await withServer(moved, async (apiUrl) => {
    const error = await failure(postByBot({ ...bot, apiUrl }, aMessage('hello'), alone));
    expect(error).toBeInstanceOf(Unavailable);
  });
  expect(asked).toEqual(['/api/chat.postMessage']);
});

test('an answer that does not say how the message is called is none: a thread needs its name', async () => {
  await withServer(jsonReply({ ok: true }), async (apiUrl) => {
    const error = await failure(postByBot({ ...bot, apiUrl }, aMessage('hello'), alone));
    expect(error).toBeInstanceOf(Unavailable);
    expect(error.message).toBe('Slack took a message and did not say how it is called');
  });
});

describe('pictures', () => {
  const picture = {
    png: Buffer.from('a picture'),
    fileName: 'f.png',
    title: 'Load',
    altText: 'IOPS by minute',
  };

  test('a picture lies in the thread, with its title and with words for who does not see it', async () => {
    const threadTs = await post(aMessage('opened'));
    await uploadPicture(bot, threadTs, picture);
    expect(await steer('GET', 'uploads')).toMatchObject([
      {
        ...{ filename: 'f.png', altText: 'IOPS by minute', isCompleted: true },
        base64: Buffer.from('a picture').toString('base64'),
      },
    ]);
    const [, shown] = await posts();
    expect(shown).toMatchObject({ threadTs, files: [{ title: 'Load' }] });
  });

  test.each([
    ['files.getUploadURLExternal', 'internal_error', Unavailable],
    ['files.getUploadURLExternal', 'missing_scope', Undeliverable],
    ['files.completeUploadExternal', 'ratelimited', Throttled],
  ])('%s that fails with %s is %p', async (method, error, kind) => {
    const threadTs = await post(aMessage('opened'));
    await steer('POST', 'api-faults', { method, error });
    expect((await failure(uploadPicture(bot, threadTs, picture))).constructor).toBe(kind);
  });
});

describe('what was posted before', () => {
  const lately = Math.floor(Date.now() / 1_000) - 3_600;

  test('a message of the channel is found by its change, and no other', async () => {
    await post(aMessage('one', 'change-1'));
    const ts = await post(aMessage('two', 'change-2'));
    await post(aMessage('three'));
    const posted = (changeId: string) =>
      postedByBot(bot, changeId, { threadTs: null, sinceEpochSeconds: lately });
    expect(await posted('change-2')).toBe(ts);
    expect(await posted('change-4')).toBeNull();
  });

  test('a reply is found in its thread', async () => {
    const threadTs = await post(aMessage('opened', 'change-1'));
    const ts = await post(aMessage('worse', 'change-2'), { threadTs, broadcast: false });
    const posted = (changeId: string, thread: string | null) =>
      postedByBot(bot, changeId, { threadTs: thread, sinceEpochSeconds: lately });
    expect(await posted('change-2', threadTs)).toBe(ts);
    expect(await posted('change-2', null)).toBeNull();
    expect(await posted('change-1', threadTs)).toBe(threadTs); // what it began with
  });

  test('a message whose answer was lost is found', async () => {
    await steer('POST', 'api-faults', { method: 'chat.postMessage', status: 503, afterwards: true });
    await failure(post(aMessage('one', 'change-1')));
    const [lost] = await posts();
    const found = await postedByBot(bot, 'change-1', { threadTs: null, sinceEpochSeconds: lately });
    expect(found).toBe(lost?.ts);
  });

  test('what is older is not looked at', async () => {
    await post(aMessage('one', 'change-1'));
    const inAnHour = lately + 7_200;
    expect(await postedByBot(bot, 'change-1', { threadTs: null, sinceEpochSeconds: inAnHour })).toBeNull();
  });

  test('where the bot may not read, nobody can tell: null', async () => {
    await steer('POST', 'api-faults', { method: 'conversations.history', error: 'missing_scope' });
    expect(await postedByBot(bot, 'c', { threadTs: null, sinceEpochSeconds: lately })).toBeNull();
  });

  test.each([
    ['internal_error', Unavailable],
    ['ratelimited', Throttled],
  ])('%s is %p: it is asked again, and nothing is posted twice', async (error, kind) => {
    await steer('POST', 'api-faults', { method: 'conversations.history', error });
    const asking = postedByBot(bot, 'c', { threadTs: null, sinceEpochSeconds: lately });
    expect((await failure(asking)).constructor).toBe(kind);
  });
});
