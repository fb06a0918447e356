/** What channels need to be reached, by name: one secret, put in by a person. */
import { z } from 'zod';
import { Unreadable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import { secretText } from './secret-text.ts';

/** https, or a server on this machine for tests. */
const address = z
  .string()
  .regex(
    /^(https:\/\/[a-z0-9.-]+(:\d+)?\/\S*|http:\/\/(localhost|127\.0\.0\.1):\d+\/\S*)$/,
    'an https address',
  );

const channelSecretSchema = z.strictObject({
  /** Of an incoming webhook of Slack, or of a workflow of Teams. */
  webhookUrl: address.optional(),
  /** Of a Slack app: xoxb-... and what its requests are signed with. */
  botToken: z.string().min(10).optional(),
  signingSecret: z.string().min(16).optional(),
  /** Of a server that stands for Slack. */
  apiUrl: address.optional(),
});
export type ChannelSecret = z.infer<typeof channelSecretSchema>;

const secretSchema = z.record(z.string(), channelSecretSchema.nullable());

/** What is told of where it is wrong: a name like that of a channel or a key. Anything else may be the secret itself. */
const toldName = /^[a-z][A-Za-z0-9-]{0,29}$/;

/** A changed secret is used after so many seconds at the latest. */
const maxAgeSeconds = 60;

/**
 * By name of the channel; one that nobody set up is not there. No error carries what is in it.
 * @param forceFetch true: what it is now, and not what it was when it was last read.
 * @throws Unreadable where the secret cannot be read, or holds something else: it says where, never what.
 */
export async function readChannelSecrets(
  secretArn: string,
  forceFetch = false,
): Promise<Map<string, ChannelSecret>> {
  const text = await secretText(secretArn, { maxAgeSeconds, forceFetch });
  const read = secretSchema.safeParse(jsonOrNull(text));
  if (!read.success) {
    const path = read.error.issues[0]?.path.map(String) ?? [];
    const where = path.filter((name) => toldName.test(name)).join('.');
    throw new Unreadable(
      `the secret of channels is not as it should be${where === '' ? '' : ` at ${where}`}: {"slack": {"webhookUrl": "https://..."}}`,
    );
  }
  return new Map(Object.entries(read.data).flatMap(([name, secret]) => (secret ? [[name, secret]] : [])));
}
