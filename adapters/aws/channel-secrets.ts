/** What channels need to be reached, by name: one secret, put in by a person. */
import { z } from 'zod';
import { slackTeamIdSchema } from '../../core/delivery/slack-team.ts';
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
  /** Workspaces (T...) and Enterprise organizations (E...) whose members may press the app's buttons. */
  teamIds: z.array(slackTeamIdSchema).min(1).optional(),
  /** Of a server that stands for Slack. */
  apiUrl: address.optional(),
});
export type ChannelSecret = z.infer<typeof channelSecretSchema>;

/** What is notified of where it is wrong: a name like that of a channel or a key. Anything else may be the secret itself. */
const channelName = /^[a-z][A-Za-z0-9-]{0,29}$/;

/** A changed secret is used after so many seconds at the latest. */
const maxAgeSeconds = 60;

class NotAsItShouldBe extends Unreadable {
  override readonly name = 'NotAsItShouldBe';
}

function notAsItShouldBe(path: readonly PropertyKey[]): NotAsItShouldBe {
  const where = path
    .map(String)
    .filter((name) => channelName.test(name))
    .join('.');
  return new NotAsItShouldBe(
    `the secret of channels is not as it should be${where === '' ? '' : ` at ${where}`}: {"slack": {"webhookUrl": "https://..."}}`,
  );
}

/** One that is wrong is the trouble of its channel alone. */
export class ChannelSecrets {
  private readonly byName: ReadonlyMap<string, ChannelSecret | NotAsItShouldBe>;

  /** @throws Unreadable where it is no secret of channels at all. */
  constructor(text: string) {
    const read = z.record(z.string(), z.unknown()).safeParse(jsonOrNull(text));
    if (!read.success) throw notAsItShouldBe([]);
    const byName = new Map<string, ChannelSecret | NotAsItShouldBe>();
    for (const [name, value] of Object.entries(read.data)) {
      if (value === null) continue;
      const { data, error } = channelSecretSchema.safeParse(value);
      byName.set(name, data ?? notAsItShouldBe([name, ...(error?.issues[0]?.path ?? [])]));
    }
    this.byName = byName;
  }

  /** Of channels that somebody put something in for. */
  get names(): string[] {
    return [...this.byName.keys()];
  }

  /** Null where nobody set the channel up. @throws Unreadable where it is not as it should be: it says where, never what. */
  of(name: string): ChannelSecret | null {
    const secret = this.byName.get(name) ?? null;
    if (secret instanceof NotAsItShouldBe) throw secret;
    return secret;
  }

  /** Those that are as they should be. */
  usable(): ChannelSecret[] {
    return [...this.byName.values()].flatMap((secret) => (secret instanceof NotAsItShouldBe ? [] : [secret]));
  }
}

/**
 * What a person put in; no error carries any of it.
 * @param forceFetch true: what it is now, and not what it was when it was last read.
 * @throws Unreadable where the secret cannot be read, or is none of channels.
 */
export const readChannelSecrets = async (secretArn: string, forceFetch = false): Promise<ChannelSecrets> =>
  new ChannelSecrets(await secretText(secretArn, { maxAgeSeconds, forceFetch }));

/**
 * Whether any channel can be known something. Where the secret, or what is in it of a channel, is not as it should be, it is
 * thought so: messages wait in their queue until it is.
 * @param needs the field of the secret that each channel needs, by its name; null where it needs none.
 * @throws AccessDenied or Unavailable where it cannot be read.
 */
export async function isAnyChannelSetUp(
  needs: Readonly<Record<string, keyof ChannelSecret | null>>,
  read: () => Promise<ChannelSecrets>,
): Promise<boolean> {
  const channels = Object.entries(needs);
  if (channels.some(([, field]) => field === null)) return true;
  try {
    const secrets = await read();
    return channels.some(([name, field]) => field !== null && secrets.of(name)?.[field] !== undefined);
  } catch (error) {
    if (error instanceof NotAsItShouldBe) return true;
    throw error;
  }
}
