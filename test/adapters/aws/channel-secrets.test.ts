/** What channels need to be reached: read by name, or refused without telling what is in it. */
import { inspect } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { readChannelSecrets } from '../../../adapters/aws/channel-secrets.ts';
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
    apiUrl: 'http://localhost:4571/api/',
  };
  const read = await readChannelSecrets(put({ slack: { webhookUrl }, dba: bot, teams: null }));
  expect([...read]).toEqual([
    ['slack', { webhookUrl }],
    ['dba', bot],
  ]);
});

test('as the stack made it nothing is set up', async () => {
  expect((await readChannelSecrets(put({ slack: null }))).size).toBe(0);
});

test('is read once, and anew where somebody asks for what it is now', async () => {
  const arn = put({ slack: null });
  await readChannelSecrets(arn);
  put({ slack: { webhookUrl } });
  expect((await readChannelSecrets(arn)).size).toBe(0);
  expect((await readChannelSecrets(arn, true)).size).toBe(1);
  expect(secrets.commandCalls(GetSecretValueCommand)).toHaveLength(2);
});

/** What reading throws, after making sure that nothing of the secret is in it. */
async function failure(value: unknown): Promise<Error> {
  const error = await readChannelSecrets(put(value)).catch((thrown: unknown) => thrown);
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
  ['a key that nobody knows', { slack: { url: webhookUrl } }, ' at slack'],
  ['the address in the place of the name', { [webhookUrl]: 'slack' }, ''],
  ['the address in the place of a key', { slack: { [webhookUrl]: true } }, ' at slack'],
])('%s is Unreadable: it says where, never what', async (_, value, where) => {
  const error = await failure(value);
  expect(error).toBeInstanceOf(Unreadable);
  expect(error.message).toBe(`the secret of channels is not as it should be${where}: ${right}`);
});

test('one that may not be read is AccessDenied', async () => {
  secrets.on(GetSecretValueCommand).rejects(awsError('AccessDeniedException', 'not authorized'));
  const reading = readChannelSecrets('arn:denied');
  await expect(reading).rejects.toThrow(AccessDenied);
  await expect(reading).rejects.toThrow('secretsmanager:GetSecretValue failed');
});
