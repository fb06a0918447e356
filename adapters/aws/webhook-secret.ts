import { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { z } from 'zod';
import { Unreadable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { unreadable } from './failure.ts';
import { ownResources } from './session.ts';

/** Slack's address, or a server on this machine for tests. */
const webhookUrlSchema = z
  .string()
  .regex(/^(https:\/\/[a-z0-9.-]+\/\S+|http:\/\/(localhost|127\.0\.0\.1):\d+\/\S+)$/);

const secretSchema = z.object({ webhookUrl: z.string().nullable() });

/** Made when it is first needed: it asks for the Region of the environment. */
let provider: SecretsProvider | undefined;

/** A changed secret is used after so many seconds at the latest. */
const maxAge = 60;

/**
 * The address of the Slack webhook; null where none is configured. It is a secret: no error carries it.
 * @param forceFetch true: what it is now, and not what it was when it was last read.
 * @throws Unreadable where the secret cannot be read, or holds something else.
 */
export async function readWebhookUrl(secretArn: string, forceFetch = false): Promise<string | null> {
  let text: string | Uint8Array | undefined;
  try {
    provider ??= new SecretsProvider({ clientConfig: ownResources });
    text = await provider.get(secretArn, { maxAge, forceFetch });
  } catch (error) {
    throw unreadable('secretsmanager:GetSecretValue', (error as Error).cause ?? error);
  }
  const secret = secretSchema.safeParse(jsonOrNull(String(text ?? '')));
  if (!secret.success) {
    throw new Unreadable(
      'the webhook secret holds something else: it should be {"webhookUrl": "https://..."}',
    );
  }
  const { webhookUrl } = secret.data;
  if (webhookUrl === null || webhookUrl === '') return null;
  if (webhookUrlSchema.safeParse(webhookUrl).success) return webhookUrl;
  throw new Unreadable('the webhookUrl in the webhook secret is not an https address');
}
