/** Posting to Slack, on the local one: what it takes, what it refuses, and that no error tells the address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { postMessage } from '../../../adapters/slack/post-message.ts';
import { Throttled, Unavailable, Undeliverable } from '../../../core/errors.ts';
import { type LocalSlack, startSlack } from '../../../local/slack/server.ts';
import type { SlackMessage } from '../../../report/slack/message.ts';
import { notificationMessage } from '../../../report/slack/notification-message.ts';
import { aNotification, findingsOnVolumes } from '../../fixtures/findings.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await startSlack();
});
afterEach(() => slack.stop());

const message: SlackMessage = { text: 'hello', blocks: [] };
const steer = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${slack.url}/_stripewise/${path}`, { method, ...sent })).json();
};

/** What posting throws, after making sure that the address is nowhere in it. */
async function failure(webhookUrl: string, posted: SlackMessage = message): Promise<Error> {
  const error = await postMessage(webhookUrl, posted).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was posted');
  const everything = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  expect(everything).not.toContain(webhookUrl);
  expect(everything).not.toContain('/services/');
  return error;
}

test('a message arrives as it was sent', async () => {
  await postMessage(slack.webhookUrl, message);
  expect(await steer('GET', 'messages')).toMatchObject([{ message: { text: 'hello' } }]);
});

test('a notification of 500 findings is taken by Slack', async () => {
  await postMessage(slack.webhookUrl, notificationMessage(aNotification(findingsOnVolumes(500))));
  expect(await steer('GET', 'messages')).toHaveLength(1);
  expect(await steer('GET', 'refused')).toEqual([]);
});

test.each([
  [429, 'rate_limited', Throttled],
  [500, 'rollup_error', Unavailable],
  [503, 'service_unavailable', Unavailable],
  [400, 'invalid_blocks', Undeliverable],
  [403, 'action_prohibited', Undeliverable],
  [404, 'no_service', Undeliverable],
  [410, 'channel_is_archived', Undeliverable],
])('%i %s is %p, in the words of Slack', async (status, body, kind) => {
  await steer('POST', 'faults', { status, body });
  const error = await failure(slack.webhookUrl);
  expect(error.constructor).toBe(kind);
  expect(error.message).toBe(`Slack answered ${status}: ${body}`);
});

test('an answer without end is cut', async () => {
  await steer('POST', 'faults', { status: 500, body: 'x'.repeat(10_000) });
  expect((await failure(slack.webhookUrl)).message).toBe(`Slack answered 500: ${'x'.repeat(199)}…`);
});

test('a message that Slack refuses is Undeliverable: sending it again does not help', async () => {
  const tooLong: SlackMessage = {
    text: 't',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3_001) } }],
  };
  expect(await failure(slack.webhookUrl, tooLong)).toBeInstanceOf(Undeliverable);
});

test('a Slack that is not there may be back: Unavailable', async () => {
  const error = await failure('http://127.0.0.1:1/services/T000/B000/secret');
  expect(error).toBeInstanceOf(Unavailable);
  expect(error.message).toBe('Slack could not be reached');
});

test('an address that is none is Unavailable, and is not reported either', async () => {
  const error = await failure('http://127.0.0.1:99999/services/T000/B000/secret');
  expect(error).toBeInstanceOf(Unavailable);
});

test('a redirect is not followed: the message would go elsewhere', async () => {
  const server = createServer((_, response) => {
    response.writeHead(302, { location: slack.webhookUrl }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await failure(`http://127.0.0.1:${port}/services/T000/B000/secret`)).toBeInstanceOf(Unavailable);
  expect(await steer('GET', 'messages')).toEqual([]);
  server.close();
});
