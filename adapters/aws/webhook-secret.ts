import { z } from 'zod';
import { Unreadable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { secretText } from './secret-text.ts';

/** Slack's address, or a server on this machine for tests. */
const webhookUrlSchema = z
  .string()
  .regex(/^(https:\/\/[a-z0-9.-]+\/\S+|http:\/\/(localhost|127\.0\.0\.1):\d+\/\S+)$/);

const secretSchema = z.object({ webhookUrl: z.string().nullable() });

/** A changed secret is used after so many seconds at the latest. */
const maxAgeSeconds = 60;

/**
 * The address of the Slack webhook; null where none is configured. It is a secret: no error carries it.
 * @param forceFetch true: what it is now, and not what it was when it was last read.
 * @throws Unreadable where the secret cannot be read, or holds something else.
 */
export async function readWebhookUrl(secretArn: string, forceFetch = false): Promise<string | null> {
  const text = await secretText(secretArn, { maxAgeSeconds, forceFetch });
  const secret = secretSchema.safeParse(jsonOrNull(text));
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
