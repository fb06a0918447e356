/** An answer to a press of a button: to Slack alone, on the local one, and no error tells the address. */
import { inspect } from 'node:util';
import { postByBot } from '../../../adapters/slack/bot.ts';
import { respond } from '../../../adapters/slack/respond.ts';
import { Throttled, Unavailable, Undeliverable } from '../../../core/errors.ts';
import { listen, type Reply, type RunningServer } from '../../../local/http.ts';
import { responsePath } from '../../../local/slack/response-urls.ts';
import { type LocalSlack, localBot, startSlack } from '../../../local/slack/server.ts';

let slack: LocalSlack;
let other: RunningServer;
let reply: Reply;
let asked: string[];
beforeEach(async () => {
  slack = await startSlack();
  asked = [];
  reply = { status: 200, body: 'ok' };
  other = await listen(0, async ({ url = '' }) => {
    asked.push(url);
    return reply;
  });
});
afterEach(async () => {
  await slack.stop();
  await other.stop();
});

const secret = '/actions/T1/secret-of-it';
const answer = { text: 'muted', threadTs: '1795089600.000100' };

/** What answering throws, after making sure that the address is nowhere in it. */
async function failure(responseUrl: string, origins: string[] = [other.url]): Promise<Error> {
  const error = await respond(responseUrl, answer, origins).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was answered');
  const everything = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  for (const part of ['secret-of-it', '/actions/']) expect(everything).not.toContain(part);
  return error;
}

test('everybody in the channel sees it, in the thread of the finding; the message with the buttons stays', async () => {
  const bot = { token: localBot.token, channel: localBot.channel, apiUrl: slack.apiUrl };
  const ts = await postByBot(bot, { text: 'a finding', blocks: [] }, { threadTs: null, broadcast: false });
  const url = `${slack.url}${responsePath(localBot.channel, ts, 'secret-of-it')}`;
  await respond(url, { text: 'muted', threadTs: ts }, [slack.url]);
  const posts = await (await fetch(`${slack.url}/_stripewise/posts`)).json();
  expect(posts).toMatchObject([
    { text: 'a finding', threadTs: null, editedTs: null },
    { text: 'muted', threadTs: ts },
  ]);
});

test.each([
  ['another server', () => `${other.url}${secret}`],
  ['one that begins like Slack', () => `https://hooks.slack.com.example.com${secret}`],
  ['Slack without TLS', () => `http://hooks.slack.com${secret}`],
  ['Slack as a user of another', () => `https://hooks.slack.com@example.com${secret}`],
  ['what is no address', () => `secret-of-it`],
])('%s is not answered', async (_, url) => {
  const error = await failure(url(), []);
  expect(error).toBeInstanceOf(Undeliverable);
  expect(error.message).toBe('the address to answer to is not of Slack');
  expect(asked).toEqual([]);
});

test.each([
  [429, Throttled],
  [500, Unavailable],
  [404, Undeliverable],
])('%i is %p, without the words of who answers', async (status, kind) => {
  reply = { status, body: `Cannot POST ${secret}` };
  const error = await failure(`${other.url}${secret}`);
  expect(error.constructor).toBe(kind);
  expect(error.message).toBe(`Slack answered ${status} to an answer`);
});

test('a redirect is not followed', async () => {
  reply = { status: 307, body: '', headers: { location: `${other.url}/elsewhere` } };
  expect(await failure(`${other.url}${secret}`)).toBeInstanceOf(Unavailable);
  expect(asked).toEqual([secret]);
});

test('a Slack that is not there may be back: Unavailable', async () => {
  const error = await failure(`http://127.0.0.1:1${secret}`, ['http://127.0.0.1:1']);
  expect(error).toBeInstanceOf(Unavailable);
  expect(error.message).toBe('Slack could not be reached');
});
