/** The key of links out of its secret: used, or refused without being reported. */
import { inspect } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { readLinkKey } from '../../../adapters/aws/link-key.ts';
import { AccessDenied } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const secrets = mockClient(SecretsManagerClient);
beforeEach(() => {
  secrets.reset();
});

test('is read once, and anew where somebody asks for what it is now', async () => {
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'a'.repeat(64) });
  expect(await readLinkKey('arn:key')).toBe('a'.repeat(64));
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'b'.repeat(64) });
  expect(await readLinkKey('arn:key')).toBe('a'.repeat(64));
  expect(await readLinkKey('arn:key', true)).toBe('b'.repeat(64));
  expect(secrets.commandCalls(GetSecretValueCommand)).toHaveLength(2);
});

test.each(['', 'c'.repeat(31)])(
  '%j is too short to sign with, and the error does not tell it',
  async (text) => {
    secrets.on(GetSecretValueCommand).resolves({ SecretString: text });
    const error = await readLinkKey(`arn:key-of-${text.length}`).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe(
      `the key of report links has ${text.length} characters: put in a new one of 32 or more`,
    );
    if (text !== '') expect(inspect(error, { depth: 20 })).not.toContain(text);
  },
);

test('one that may not be read is AccessDenied', async () => {
  secrets.on(GetSecretValueCommand).rejects(awsError('AccessDeniedException', 'not authorized'));
  await expect(readLinkKey('arn:denied')).rejects.toThrow(AccessDenied);
});
