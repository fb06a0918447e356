/** Buttons as Slack presses them: signed, or forged, old and replayed, and what is said to the address that comes along. */
import { isFromSlack } from '../../core/delivery/slack-signature.ts';
import { jsonReply, listen, type RunningServer, readText } from '../../local/http.ts';
import { type PressedButton, pressButton, sendPress } from '../../local/slack/press-button.ts';
import { type LocalSlack, localBot, startSlack } from '../../local/slack/server.ts';

const { channel, token } = localBot;
const nowEpochSeconds = 1_795_046_400;

interface Came {
  contentType: string | undefined;
  body: string;
  isFromSlack: boolean;
}

let came: Came[] = [];
let app: RunningServer;
let slack: LocalSlack;
beforeEach(async () => {
  came = [];
  slack = await startSlack();
  app = await listen(0, async (request) => {
    const header = (name: string) => request.headers[name] as string | undefined;
    const body = await readText(request);
    const signed = {
      ...{ body, timestamp: header('x-slack-request-timestamp'), signature: header('x-slack-signature') },
    };
    came.push({
      ...{ contentType: header('content-type'), body },
      isFromSlack: isFromSlack(signed, ['secret'], nowEpochSeconds),
    });
    return jsonReply({});
  });
});
afterEach(() => Promise.all([app.stop(), slack.stop()]));

const press = (more: Partial<PressedButton> = {}) =>
  pressButton({
    ...{ url: app.url, slackUrl: slack.url, signingSecret: 'secret', nowEpochSeconds },
    ...{ actionId: 'stripewise-mute', value: '0123456789abcdef', user: 'U0123ABCD' },
    ...{ messageTs: '1795046000.000100', channel },
    ...more,
  });

test('a press is a form with the payload in it, signed over all of it', async () => {
  const { status, responseUrl } = await press({ threadTs: '1795040000.000100' });
  expect(status).toBe(200);
  expect(came).toMatchObject([{ contentType: 'application/x-www-form-urlencoded', isFromSlack: true }]);
  const payload: unknown = JSON.parse(new URLSearchParams(came[0]?.body).get('payload') ?? '');
  expect(payload).toMatchObject({
    type: 'block_actions',
    user: { id: 'U0123ABCD', team_id: localBot.teamId },
    team: { id: localBot.teamId },
    channel: { id: channel },
    container: { message_ts: '1795046000.000100', thread_ts: '1795040000.000100' },
    message: { ts: '1795046000.000100', thread_ts: '1795040000.000100' },
    response_url: responseUrl,
    actions: [{ type: 'button', action_id: 'stripewise-mute', value: '0123456789abcdef' }],
  });
});

test.each<[string, Partial<PressedButton>, boolean]>([
  ['signed 5 minutes ago', { ageSeconds: 300 }, true],
  ['signed a second more ago', { ageSeconds: 301 }, false],
  ['signed with another secret', { forge: 'other-secret' }, false],
  ['signed over another body', { forge: 'other-body' }, false],
  ['not signed', { forge: 'unsigned' }, false],
])('%s', async (_, more, isTaken) => {
  await press(more);
  expect(came.map((one) => one.isFromSlack)).toEqual([isTaken]);
});

test.each<[string, Partial<PressedButton>, object]>([
  [
    'by a guest of a shared channel',
    { userTeamId: 'T0PARTNER01' },
    { user: { team_id: 'T0PARTNER01' }, team: { id: localBot.teamId }, enterprise: null },
  ],
  [
    'of an app that a whole organization has',
    { userTeamId: 'E0LOCAL0001', enterpriseId: 'E0LOCAL0001' },
    {
      user: { team_id: 'E0LOCAL0001' },
      team: null,
      enterprise: { id: 'E0LOCAL0001' },
      is_enterprise_install: true,
    },
  ],
])('pressed %s', async (_, how, expected) => {
  await press(how);
  expect(JSON.parse(new URLSearchParams(came[0]?.body).get('payload') ?? '')).toMatchObject(expected);
});

test('sent again, it is the same to the last byte', async () => {
  await sendPress(await press());
  expect(came[1]).toEqual(came[0]);
});

describe('what is said to the address that came along', () => {
  const say = async (url: string, message: object): Promise<{ status: number; body: string }> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(message) });
    return { status: response.status, body: await response.text() };
  };
  const post = async (body: object): Promise<string> => {
    const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ channel, ...body }),
    });
    return ((await response.json()) as { ts: string }).ts;
  };
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`${slack.url}/_stripewise/${path}`)).json();

  test('to everybody stands in the thread, and is kept', async () => {
    const messageTs = await post({ text: 'a finding' });
    const { responseUrl } = await press({ messageTs });
    const response = { response_type: 'in_channel', replace_original: false, text: 'muted' };
    expect(await say(responseUrl, { ...response, thread_ts: messageTs })).toEqual({
      status: 200,
      body: 'ok',
    });
    expect(await ask('posts')).toMatchObject([{ ts: messageTs }, { threadTs: messageTs, text: 'muted' }]);
    expect(await ask('responses')).toMatchObject([{ channel, messageTs, response: { text: 'muted' } }]);
  });

  test('to one person is in no channel', async () => {
    const messageTs = await post({ text: 'a finding' });
    const { responseUrl } = await press({ messageTs });
    await say(responseUrl, { text: 'muted' });
    expect(await ask('posts')).toMatchObject([{ text: 'a finding' }]);
    expect(await ask('responses')).toMatchObject([{ response: { response_type: 'ephemeral' } }]);
  });

  test('in place of the message changes it', async () => {
    const messageTs = await post({ text: 'a finding' });
    const { responseUrl } = await press({ messageTs });
    await say(responseUrl, { text: 'muted', replace_original: true });
    expect(await ask('posts')).toMatchObject([{ ts: messageTs, text: 'muted' }]);
  });

  test('is taken five times', async () => {
    const { responseUrl } = await press();
    const answers: number[] = [];
    for (let i = 0; i < 6; i++) answers.push((await say(responseUrl, { text: `${i}` })).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 404]);
  });

  test('is refused where it is no message, or the address is of nobody', async () => {
    const { responseUrl } = await press();
    expect(await say(responseUrl, {})).toMatchObject({
      status: 400,
      body: expect.stringContaining('no_text'),
    });
    expect(await say(responseUrl, { text: 'x', what: 1 })).toMatchObject({ status: 400 });
    expect(await say(`${slack.url}/actions/T0/x`, { text: 'x' })).toMatchObject({ status: 404 });
  });
});
