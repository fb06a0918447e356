/** The webhook's address out of its secret: used, absent, or wrong; never in an error. */
import { inspect } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { readWebhookUrl } from '../../../adapters/aws/webhook-secret.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const secrets = mockClient(SecretsManagerClient);
beforeEach(() => {
  secrets.reset();
});

/** Reads a secret with this text; each has its own name, since what was read is kept for minutes. */
let secret = 0;
function read(SecretString: string): Promise<string | null> {
  secrets.on(GetSecretValueCommand).resolves({ SecretString });
  return readWebhookUrl(`arn:secret-${secret++}`);
}

test.each([
  'https://hooks.slack.com/services/T000/B000/XXXX',
  'https://hooks.slack-gov.com/services/T000/B000/XXXX',
  'http://localhost:4571/services/T000/B000/local',
  'http://127.0.0.1:4571/services/T000/B000/local',
])('%s is an address', async (webhookUrl) => {
  expect(await read(JSON.stringify({ webhookUrl }))).toBe(webhookUrl);
});

test.each(['{"webhookUrl":null}', '{"webhookUrl":""}'])('%s is none configured', async (text) => {
  expect(await read(text)).toBeNull();
});

test.each([
  'http://hooks.slack.com/services/T000/B000/XXXX',
  'http://localhost.evil.example:80/x',
  'ftp://hooks.slack.com/x',
  'https://hooks.slack.com',
  'hooks.slack.com/services/T000/B000/XXXX',
])('%s is no address that we post to, and the error does not tell it', async (webhookUrl) => {
  const error = await read(JSON.stringify({ webhookUrl })).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Unreadable);
  expect((error as Error).message).toBe('the webhookUrl in the webhook secret is not an https address');
  expect(inspect(error, { depth: 20 })).not.toContain(webhookUrl);
});

test.each([
  '',
  'https://hooks.slack.com/services/T000/B000/XXXX',
  '{"url":"https://x.example/y"}',
  '[]',
  '{"webhookUrl":7}',
])('a secret of another shape (%s) says what it should be, and nothing of what it is', async (text) => {
  const error = await read(text).catch((thrown: unknown) => thrown);
  expect((error as Error).message).toBe(
    'the webhook secret holds something else: it should be {"webhookUrl": "https://..."}',
  );
  expect(inspect(error, { depth: 20 })).not.toContain('slack.com/services');
});

test('a secret that may not be read is AccessDenied', async () => {
  secrets.on(GetSecretValueCommand).rejects(awsError('AccessDeniedException', 'not authorized'));
  const reading = readWebhookUrl('arn:denied');
  await expect(reading).rejects.toThrow(AccessDenied);
  await expect(reading).rejects.toThrow(
    'secretsmanager:GetSecretValue failed: AccessDeniedException: not authorized',
  );
});
