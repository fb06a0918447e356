/** Posting to Teams, on the local one: what it takes, what it refuses, and that no error tells the address. */
import { inspect } from 'node:util';
import { postCard } from '../../../adapters/teams/post-card.ts';
import { Throttled, Unavailable, Undeliverable } from '../../../core/errors.ts';
import { listen } from '../../../local/http.ts';
import { type LocalTeams, startTeams } from '../../../local/teams/server.ts';
import { teamsCard } from '../../../report/teams/card.ts';
import { aFinding, aNotification, findingsOnVolumes } from '../../fixtures/findings.ts';

let teams: LocalTeams;
let nowMs = 0;
beforeEach(async () => {
  nowMs = 0;
  teams = await startTeams({ monotonicMs: () => nowMs });
});
afterEach(() => teams.stop());

const steer = async (method: string, path: string, body?: object): Promise<unknown> => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(`${teams.url}/_stripewise/${path}`, { method, ...sent })).json();
};
const card = teamsCard(aNotification([aFinding()]));

/** What posting throws, after making sure that the address is nowhere in it. */
async function failure(webhookUrl: string, posted: object = card): Promise<Error> {
  const error = await postCard(webhookUrl, posted).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was posted');
  const everything = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  for (const part of [webhookUrl, '/workflows/', 'local-signature']) expect(everything).not.toContain(part);
  return error;
}

test('a card arrives as it was sent', async () => {
  await postCard(teams.webhookUrl, card);
  expect(await steer('GET', 'messages')).toMatchObject([{ message: card }]);
});

test('a notification of 500 findings is taken by Teams', async () => {
  await postCard(teams.webhookUrl, teamsCard(aNotification(findingsOnVolumes(500))));
  expect(await steer('GET', 'refused')).toEqual([]);
});

test.each([
  [429, 'TooManyRequests', Throttled],
  [408, 'RequestTimeout', Unavailable],
  [500, 'InternalServerError', Unavailable],
  [502, 'BadGateway', Unavailable],
  [503, 'ServiceUnavailable', Unavailable],
  [400, 'InvalidRequestContent', Undeliverable],
  [401, 'DirectApiAuthorizationRequired', Undeliverable],
  [404, 'WorkflowNotFound', Undeliverable],
  [413, 'RequestEntityTooLarge', Undeliverable],
])('%i %s is %p, in the words of Teams', async (status, code, kind) => {
  await steer('POST', 'faults', { status, code });
  const error = await failure(teams.webhookUrl);
  expect(error.constructor).toBe(kind);
  expect(error.message).toBe(
    `Teams answered ${status}: {"error":{"code":"${code}","message":"injected by a test"}}`,
  );
});

test('more than four in a second is Throttled', async () => {
  for (let i = 0; i < 4; i++) await postCard(teams.webhookUrl, card);
  expect(await failure(teams.webhookUrl)).toBeInstanceOf(Throttled);
});

test('what Teams cannot show is Undeliverable: sending it again does not help', async () => {
  expect(await failure(teams.webhookUrl, { type: 'message', attachments: [] })).toBeInstanceOf(Undeliverable);
});

test('an address that is used no more is Undeliverable', async () => {
  const error = await failure(teams.webhookUrl.replace('local-signature', 'another-signature'));
  expect(error).toBeInstanceOf(Undeliverable);
});

test('an answer that repeats the address is not reported', async () => {
  const server = await listen(0, async ({ url }) => ({ status: 404, body: `Cannot POST ${url}` }));
  try {
    const error = await failure(teams.webhookUrl.replace(teams.url, server.url));
    expect(error.message).toBe('Teams answered 404: (an answer that repeats the address)');
  } finally {
    await server.stop();
  }
});

test.each([
  ['Teams that is not there', 'http://127.0.0.1:1/workflows/secret?sig=local-signature'],
  ['an address that is none', 'http://127.0.0.1:99999/workflows/secret?sig=local-signature'],
])('%s is Unavailable', async (_, url) => {
  const error = await failure(url);
  expect(error).toBeInstanceOf(Unavailable);
  expect(error.message).toBe('Teams could not be reached');
});

test('a redirect is not followed: the card would go elsewhere', async () => {
  const server = await listen(0, async () => ({
    ...{ status: 307, body: '' },
    headers: { location: teams.webhookUrl },
  }));
  try {
    const error = await failure(`${server.url}/workflows/secret?sig=local-signature`);
    expect(error).toBeInstanceOf(Unavailable);
    expect(await steer('GET', 'messages')).toEqual([]);
  } finally {
    await server.stop();
  }
});
