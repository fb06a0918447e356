/** The local Slack webhook: takes what Slack takes, and refuses the rest in Slack's words. */
import { IncomingWebhook } from '@slack/webhook';
import { type LocalSlack, startSlack } from '../../local/slack/server.ts';

let nowMs = 0;
let slack: LocalSlack;
beforeEach(async () => {
  nowMs = 0;
  slack = await startSlack({ monotonicMs: () => nowMs });
});
afterEach(() => slack.stop());

interface Answer {
  status: number;
  body: string;
  retryAfter: string | null;
}

async function post(
  message: unknown,
  options: { path?: string; contentType?: string } = {},
): Promise<Answer> {
  const { path = '/services/T000/B000/local', contentType = 'application/json' } = options;
  const response = await fetch(slack.url + path, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  return {
    status: response.status,
    body: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  };
}

const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${slack.url}/_stripewise/${path}`, { method, ...sent })).json();
};

const letters = (count: number): string => 'x'.repeat(count);
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const header = (count: number) => ({ type: 'header', text: plain(letters(count)) });
const section = (count: number) => ({ type: 'section', text: mrkdwn(letters(count)) });
const fields = (count: number, each: number) => ({
  type: 'section',
  fields: Array.from({ length: count }, () => mrkdwn(letters(each))),
});
const context = (count: number) => ({
  type: 'context',
  elements: Array.from({ length: count }, () => mrkdwn('x')),
});
const button = (textLength = 1, urlLength = 30) => ({
  type: 'button',
  text: plain(letters(textLength)),
  url: `https://example.com/${letters(urlLength - 20)}`,
});
const actions = (count: number, ...size: number[]) => ({
  type: 'actions',
  elements: Array.from({ length: count }, () => button(...size)),
});
const divider = (block_id?: string) => ({ type: 'divider', ...(block_id === undefined ? {} : { block_id }) });
const dividers = (count: number) => Array.from({ length: count }, () => divider());

test('a message of every kind of block is taken and kept as it came', async () => {
  const message = {
    text: 'Two volumes are throttled',
    blocks: [
      header(10),
      section(10),
      fields(2, 10),
      divider(),
      context(1),
      actions(1),
      { type: 'image', image_url: 'https://example.com/chart.png', alt_text: 'chart' },
    ],
  };
  expect(await post(message)).toEqual({ status: 200, body: 'ok', retryAfter: null });
  expect(await ask('GET', 'messages')).toEqual([
    { at: expect.any(String), webhook: '/services/T000/B000/local', message },
  ]);
  await ask('DELETE', 'messages');
  expect(await ask('GET', 'messages')).toEqual([]);
});

test("Slack's own client is answered", async () => {
  const { text } = await new IncomingWebhook(slack.webhookUrl).send({ text: 'hello' });
  expect(text).toBe('ok');
});

describe('at its limit a block is taken, one above it is refused as invalid_blocks', () => {
  test.each<[string, object[], object[]]>([
    ['blocks: 50', dividers(50), dividers(51)],
    ['header: 150 characters', [header(150)], [header(151)]],
    ['section: 3,000 characters', [section(3_000)], [section(3_001)]],
    ['section: 1 character', [section(1)], [section(0)]],
    ['section: 10 fields', [fields(10, 1)], [fields(11, 1)]],
    ['field: 2,000 characters', [fields(1, 2_000)], [fields(1, 2_001)]],
    ['context: 10 elements', [context(10)], [context(11)]],
    ['actions: 25 buttons', [actions(25)], [actions(26)]],
    ['button: 75 characters', [actions(1, 75)], [actions(1, 76)]],
    ['button: a url of 3,000 characters', [actions(1, 1, 3_000)], [actions(1, 1, 3_001)]],
    ['block_id: 255 characters', [divider(letters(255))], [divider(letters(256))]],
    ['block_id: once each', [divider('a'), divider('b')], [divider('a'), divider('a')]],
  ])('%s', async (_, good, bad) => {
    expect(await post({ blocks: good })).toMatchObject({ status: 200 });
    expect(await post({ blocks: bad })).toMatchObject({ status: 400, body: 'invalid_blocks' });
  });

  test.each<[string, object]>([
    ['a header in mrkdwn', { type: 'header', text: mrkdwn('x') }],
    ['a section without text or fields', { type: 'section' }],
    ['a block that Slack does not have', { type: 'paragraph', text: mrkdwn('x') }],
    ['a member that a block does not have', { type: 'divider', text: plain('x') }],
    ['a button whose url is none', { type: 'actions', elements: [{ ...button(), url: 'not a url' }] }],
  ])('%s', async (_, block) => {
    expect(await post({ blocks: [block] })).toMatchObject({ status: 400, body: 'invalid_blocks' });
  });
});

test('13,200 characters over all blocks are taken, one more is msg_blocks_too_long', async () => {
  const four = [3_000, 3_000, 3_000, 3_000].map(section);
  expect(await post({ blocks: [...four, section(1_200)] })).toMatchObject({ status: 200 }); // 12,000 + 1,200
  expect(await post({ blocks: [...four, section(1_201)] })).toMatchObject({
    status: 400,
    body: 'msg_blocks_too_long',
  });
});

describe('a message is refused', () => {
  test.each<[string, unknown, string]>([
    ['that is not JSON', '{', 'invalid_payload'],
    ['that is a list', [], 'invalid_payload'],
    ['whose text is a number', { text: 1 }, 'invalid_payload'],
    ['with neither text nor blocks', {}, 'no_text'],
    ['with empty ones', { text: '', blocks: [] }, 'no_text'],
    ['with a text of 40,001 characters', { text: letters(40_001) }, 'msg_too_long'],
  ])('%s', async (_, message, body) => {
    expect(await post(message)).toMatchObject({ status: 400, body });
  });

  test('of another content type, with the reason kept', async () => {
    expect(await post('payload=x', { contentType: 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 400,
      body: 'invalid_payload',
    });
    expect(await ask('GET', 'refused')).toMatchObject([
      { status: 400, error: 'invalid_payload', reason: expect.stringContaining('x-www-form-urlencoded') },
    ]);
  });

  test.each(['/services/T000/B999/local', '/services/T000/B000/', '/'])(
    'at the unknown path %s',
    async (path) => {
      expect(await post({ text: 'x' }, { path })).toMatchObject({ status: 404, body: 'no_service' });
    },
  );
});

test('two messages at once are taken, the third is told to wait a second, for each webhook alone', async () => {
  const send = (path?: string) => post({ text: 'x' }, path === undefined ? {} : { path });
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
  expect(await send()).toEqual({ status: 429, body: 'rate_limited', retryAfter: '1' });
  expect((await send('/services/T000/B000/another')).status).toBe(200);
  nowMs += 1_000;
  expect([(await send()).status, (await send()).status]).toEqual([200, 429]);
});

test('a fault is given as often as it was ordered', async () => {
  await ask('POST', 'faults', { status: 500, body: 'rollup_error', times: 1 });
  expect(await post({ text: 'x' })).toMatchObject({ status: 500, body: 'rollup_error' });
  expect(await post({ text: 'x' })).toMatchObject({ status: 200 });
});
