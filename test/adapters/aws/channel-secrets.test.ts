/** What channels need to be reached: read by name, or refused without telling what is in it. */
import { inspect } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { isAnyChannelSetUp, readChannelSecrets } from '../../../adapters/aws/channel-secrets.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const secrets = mockClient(SecretsManagerClient);
beforeEach(() => {
  secrets.reset();
});

let count = 0;
/** A secret of its own for each: what was read is kept. */
function put(value: unknown): string {
  const SecretString = typeof value === 'string' ? value : JSON.stringify(value);
  secrets.on(GetSecretValueCommand).resolves({ SecretString });
  count += 1;
  return `arn:channels-${count}`;
}

const webhookUrl = 'https://hooks.slack.com/services/T000/B000/secret-of-it';

test('what was put in is there by name; a channel that nobody set up is not', async () => {
  const bot = {
    botToken: 'xoxb-secret-of-it',
    signingSecret: '0123456789abcdef',
    teamIds: ['T0123ABCD', 'E0123ABCD'],
    apiUrl: 'http://localhost:4571/api/',
  };
  const read = await readChannelSecrets(put({ slack: { webhookUrl }, dba: bot, teams: null }));
  expect(read.names).toEqual(['slack', 'dba']);
  expect([read.of('slack'), read.of('dba'), read.of('teams')]).toEqual([{ webhookUrl }, bot, null]);
  expect(read.usable()).toEqual([{ webhookUrl }, bot]);
});

test('as the stack made it nothing is set up', async () => {
  expect((await readChannelSecrets(put({ slack: null }))).names).toEqual([]);
});

test('is read once, and anew where somebody asks for what it is now', async () => {
  const arn = put({ slack: null });
  await readChannelSecrets(arn);
  put({ slack: { webhookUrl } });
  expect((await readChannelSecrets(arn)).names).toEqual([]);
  expect((await readChannelSecrets(arn, true)).names).toEqual(['slack']);
  expect(secrets.commandCalls(GetSecretValueCommand)).toHaveLength(2);
});

/** What reading throws, all of it or its first channel, after making sure that nothing of the secret is in it. */
async function failure(value: unknown): Promise<Error> {
  const read = readChannelSecrets(put(value)).then((all) => all.of(all.names[0] ?? ''));
  const error = await read.catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it was read');
  const everything = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  for (const part of ['secret-of-it', 'hooks.slack.com/services']) expect(everything).not.toContain(part);
  return error;
}

const right = '{"slack": {"webhookUrl": "https://..."}}';

test.each([
  ['no JSON', 'https://hooks.slack.com/services/secret-of-it', ''],
  ['an address alone', '"https://hooks.slack.com/services/secret-of-it"', ''],
  ['the form of a single webhook', { webhookUrl }, ' at webhookUrl'],
  ['plain HTTP', { slack: { webhookUrl: 'http://secret-of-it.example.com/x' } }, ' at slack.webhookUrl'],
  ['an address that is none', { teams: { webhookUrl: 'secret-of-it' } }, ' at teams.webhookUrl'],
  ['a short token', { slack: { botToken: 'xoxb' } }, ' at slack.botToken'],
  ['the name of a workspace', { slack: { teamIds: ['secret-of-it'] } }, ' at slack.teamIds'],
  ['no workspace', { slack: { teamIds: [] } }, ' at slack.teamIds'],
  ['a key that nobody knows', { slack: { url: webhookUrl } }, ' at slack'],
  ['the address in the place of the name', { [webhookUrl]: 'slack' }, ''],
  ['the address in the place of a key', { slack: { [webhookUrl]: true } }, ' at slack'],
])('%s is Unreadable: it says where, never what', async (_, value, where) => {
  const error = await failure(value);
  expect(error).toBeInstanceOf(Unreadable);
  expect(error.message).toBe(`the secret of channels is not as it should be${where}: ${right}`);
});

test('one that is wrong is the trouble of its channel alone', async () => {
  const read = await readChannelSecrets(put({ teams: { webhookUrl: 'typo' }, slack: { webhookUrl } }));
  expect(read.of('slack')).toEqual({ webhookUrl });
  expect(() => read.of('teams')).toThrow(Unreadable);
  expect(read.usable()).toEqual([{ webhookUrl }]);
});

describe('whether any channel is set up', () => {
  const needs = { slack: 'webhookUrl', dba: 'botToken' } as const;
  const asked = (value: unknown, of: Parameters<typeof isAnyChannelSetUp>[0] = needs) =>
    isAnyChannelSetUp(of, () => readChannelSecrets(put(value)));

  test.each<[string, unknown, boolean]>([
    ['one has what it needs', { slack: { webhookUrl } }, true],
    ['nothing was put in', {}, false],
    ['an entry without anything', { slack: {} }, false],
    ['what another kind needs', { dba: { webhookUrl } }, false],
    ['a name of before', { ops: { webhookUrl } }, false],
    ['one that is wrong: it will be put right', { slack: { webhookUrl: 'typo' } }, true],
    ['no JSON: it will be put right', webhookUrl, true],
  ])('%s', async (_, value, expected) => {
    expect(await asked(value)).toBe(expected);
  });

  test('one that needs nothing always is, and nothing is read', async () => {
    expect(await isAnyChannelSetUp({ bus: null, slack: 'webhookUrl' }, () => Promise.reject())).toBe(true);
  });

  test('one that may not be read is no answer', async () => {
    secrets.on(GetSecretValueCommand).rejects(awsError('AccessDeniedException', 'not authorized'));
    await expect(isAnyChannelSetUp(needs, () => readChannelSecrets('arn:denied-too'))).rejects.toThrow(
      AccessDenied,
    );
  });
});

test('one that may not be read is AccessDenied', async () => {
  secrets.on(GetSecretValueCommand).rejects(awsError('AccessDeniedException', 'not authorized'));
  const reading = readChannelSecrets('arn:denied');
  await expect(reading).rejects.toThrow(AccessDenied);
  await expect(reading).rejects.toThrow('secretsmanager:GetSecretValue failed');
});
