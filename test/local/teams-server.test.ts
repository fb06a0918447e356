/** The local webhook of a Teams workflow: takes cards that Teams shows, and refuses the rest. */
import { type LocalTeams, startTeams } from '../../local/teams/server.ts';

let nowMs = 0;
let teams: LocalTeams;
beforeEach(async () => {
  nowMs = 0;
  teams = await startTeams({ monotonicMs: () => nowMs });
});
afterEach(() => teams.stop());

const text = (more: object = {}) => ({ type: 'TextBlock', text: 'hello', wrap: true, ...more });
const link = { type: 'Action.OpenUrl', title: 'Open', url: 'https://example.com/r' };
const card = (content: object = {}) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: { type: 'AdaptiveCard', version: '1.4', body: [text()], ...content },
    },
  ],
});

async function post(
  message: unknown,
  { url = teams.webhookUrl, contentType = 'application/json' } = {},
): Promise<{ status: number; code: string | null; retryAfter: string | null }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const body = await response.text();
  return {
    status: response.status,
    code: body === '' ? null : (JSON.parse(body) as { error: { code: string } }).error.code,
    retryAfter: response.headers.get('retry-after'),
  };
}

const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${teams.url}/_stripewise/${path}`, { method, ...sent })).json();
};

test('a card of every kind of element is taken and kept as it came', async () => {
  const message = card({
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    msteams: { width: 'Full' },
    body: [
      text({ size: 'large', weight: 'bolder', color: 'attention' }),
      {
        ...{ type: 'Container', separator: true },
        items: [
          { type: 'FactSet', facts: [{ title: 'Severity', value: 'critical' }] },
          { type: 'ActionSet', actions: [link] },
        ],
      },
    ],
    actions: [link],
  });
  expect(await post(message)).toEqual({ status: 202, code: null, retryAfter: null });
  expect(await ask('GET', 'messages')).toEqual([{ at: expect.any(String), message }]);
  await ask('DELETE', 'messages');
  expect(await ask('GET', 'messages')).toEqual([]);
});

/** A card of so many bytes. */
const cardOf = (bytes: number): string => {
  const most = (letters: number) => JSON.stringify(card({ body: [text({ text: 'x'.repeat(letters) })] }));
  return most(bytes - Buffer.byteLength(most(0)));
};

test('28 KB are taken, one byte more is too large; a character counts by its bytes', async () => {
  expect(await post(cardOf(28 * 1_024))).toMatchObject({ status: 202 });
  expect(await post(cardOf(28 * 1_024 + 1))).toMatchObject({ status: 413, code: 'RequestEntityTooLarge' });
  const fourBytesEach = card({ body: [text({ text: '👩'.repeat(7_168) })] }); // 7,168 x 4 = 28,672
  expect(await post(fourBytesEach)).toMatchObject({ status: 413 });
});

describe('refused as no card', () => {
  test.each<[string, unknown]>([
    ['what is not JSON', '{'],
    ['text alone, as connectors took it', { text: 'hello' }],
    ['a message without attachments', { type: 'message', attachments: [] }],
    ['another kind of card', { type: 'message', attachments: [{ contentType: 'text/html', content: '' }] }],
    ['a card of 1.5, which workflows do not bring to a channel', card({ version: '1.5' })],
    ['a card without body', card({ body: [] })],
    ['an element that there is not', card({ body: [{ type: 'Paragraph', text: 'x' }] })],
    ['an empty text', card({ body: [text({ text: '' })] })],
    ['an address that is none', card({ actions: [{ ...link, url: 'javascript:alert(1)' }] })],
    ['seven buttons', card({ actions: Array.from({ length: 7 }, () => link) })],
    ['a mention of somebody', card({ msteams: { entities: [{ type: 'mention', text: '<at>x</at>' }] } })],
  ])('%s', async (_, message) => {
    expect(await post(message)).toMatchObject({ status: 400, code: 'TriggerInputSchemaMismatch' });
    expect(await ask('GET', 'refused')).toMatchObject([{ status: 400, reason: expect.any(String) }]);
  });
});

test('another content type is refused', async () => {
  expect(await post(card(), { contentType: 'text/plain' })).toMatchObject({
    status: 400,
    code: 'InvalidRequestContent',
  });
});

test('who has not the signature of the address may not post', async () => {
  const url = teams.webhookUrl.replace(/sig=.*/, 'sig=guessed');
  expect(await post(card(), { url })).toMatchObject({ status: 401, code: 'DirectApiAuthorizationRequired' });
});

test('four requests at once are taken, the fifth is told to wait', async () => {
  const answers: number[] = [];
  for (let i = 0; i < 4; i++) answers.push((await post(card())).status);
  expect(answers).toEqual([202, 202, 202, 202]);
  expect(await post(card())).toEqual({ status: 429, code: 'TooManyRequests', retryAfter: '1' });
  nowMs += 1_000;
  expect((await post(card())).status).toBe(202);
});

describe('faults', () => {
  test('are given as often as they were ordered', async () => {
    await ask('POST', 'faults', { status: 502, code: 'BadGateway' });
    expect(await post(card())).toMatchObject({ status: 502, code: 'BadGateway' });
    expect(await ask('GET', 'messages')).toEqual([]);
    expect(await post(card())).toMatchObject({ status: 202 });
  });

  test('an answer can be lost after the card was posted', async () => {
    await ask('POST', 'faults', { status: 504, afterwards: true });
    expect(await post(card())).toMatchObject({ status: 504 });
    expect(await ask('GET', 'messages')).toHaveLength(1);
  });
});
