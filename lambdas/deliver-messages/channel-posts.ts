/** What each kind of channel makes of a message: the posts, each with a key of its own. */

import { type ChannelConfig, type SecretField, secretFieldOf } from '../../core/config/config.ts';
import { Undeliverable } from '../../core/errors.ts';
import { withinTopic } from '../../core/lifecycle/notification.ts';
import {
  amazonQAlarm,
  amazonQChange,
  amazonQDigest,
  amazonQNotifications,
} from '../../report/amazon-q/notification.ts';
import { eventChange, eventDigest, eventEntries } from '../../report/event/notification-event.ts';
import { alarmMail, changeMail, digestMail, type Mail, notificationMail } from '../../report/mail/mail.ts';
import { slackChange } from '../../report/slack/change-message.ts';
import type { SlackMessage } from '../../report/slack/message.ts';
import { alarmMessage, notificationMessage, slackDigest } from '../../report/slack/notification-message.ts';
import { teamsAlarm, teamsCard, teamsChange, teamsDigest } from '../../report/teams/card.ts';
import { type BotUse, botPosts } from './bot-posts.ts';
import type { Channel, Post } from './deliver.ts';
import type { TopicMessage } from './topic-message.ts';

/** What a person put in for a channel. */
interface ChannelSecret {
  webhookUrl?: string | undefined;
  botToken?: string | undefined;
  apiUrl?: string | undefined;
}

export interface ChannelUse {
  bot: BotUse;
  /** Whether changes of volumes are turned on: then one can be requested by a button. Absent: they are not. */
  hasChanges?: boolean | undefined;
  /**
   * Null where nobody set the channel up.
   * @param isFresh true: as it is now, and not as it was when it was last read.
   */
  secretOf(channel: string, isFresh?: boolean): Promise<ChannelSecret | null>;
  /** Whether somebody set up any channel, as it is now. */
  isAnySetUp(): Promise<boolean>;
  topicOf(channel: string): string | undefined;
  postToSlackWebhook(url: string, message: SlackMessage): Promise<void>;
  postCard(url: string, card: object): Promise<void>;
  publish(topicArn: string, body: unknown, mail: { subject: string; text: string } | null): Promise<void>;
  putEvents(bus: string, events: ReturnType<typeof eventEntries>[number]): Promise<void>;
}

/**
 * Null where nobody set up any channel yet: that is how a stack begins.
 * @throws Undeliverable where others are set up and this one is not, such as after it was named anew: it must not be lost.
 */
async function neededOf(
  name: string,
  field: SecretField,
  { secretOf, isAnySetUp }: ChannelUse,
): Promise<{ needed: string; secret: ChannelSecret } | null> {
  for (const isFresh of [false, true]) {
    // Nobody is said to be missing without a fresh look: it may have been put in since the last one.
    const secret = await secretOf(name, isFresh);
    const needed = secret?.[field];
    if (secret && needed !== undefined) return { needed, secret };
  }
  if (!(await isAnySetUp())) return null;
  throw new Undeliverable(`the secret of channels has no ${field} of ${name}`);
}

const numbered = <T>(id: string, items: readonly T[], send: (item: T) => Promise<void>): Post[] =>
  items.map((item, index) => ({ key: `${id}:${index}`, send: () => send(item) }));

function webhookMessage(message: TopicMessage): SlackMessage {
  switch (message.kind) {
    case 'notification':
      return notificationMessage(message.notification);
    case 'digest':
      return slackDigest(message.digest);
    case 'change':
      return slackChange(message.message, false);
    case 'alarm':
      return alarmMessage(message.alarm);
  }
}

function cardOf(message: TopicMessage): object {
  switch (message.kind) {
    case 'notification':
      return teamsCard(message.notification);
    case 'digest':
      return teamsDigest(message.digest);
    case 'change':
      return teamsChange(message.message);
    case 'alarm':
      return teamsAlarm(message.alarm);
  }
}

function notificationsOf(message: TopicMessage): object[] {
  switch (message.kind) {
    case 'notification':
      return amazonQNotifications(message.notification);
    case 'digest':
      return [amazonQDigest(message.digest)];
    case 'change':
      return [amazonQChange(message.message)];
    case 'alarm':
      return [amazonQAlarm(message.alarm, message.id)];
  }
}

/** CloudWatch has an event of its own for each alarm on the default bus. */
function eventsOf(message: TopicMessage): ReturnType<typeof eventEntries> {
  switch (message.kind) {
    case 'notification':
      return eventEntries(message.notification);
    case 'digest':
      return eventDigest(message.digest);
    case 'change':
      return eventChange(message.message);
    case 'alarm':
      return [];
  }
}

function bodyAndMail(message: TopicMessage): { body: unknown; mail: Mail } {
  switch (message.kind) {
    case 'notification':
      return { body: withinTopic(message.notification), mail: notificationMail(message.notification) };
    case 'digest':
      return { body: message.digest, mail: digestMail(message.digest) };
    case 'change':
      return { body: message.message, mail: changeMail(message.message) };
    case 'alarm':
      return { body: message.alarm, mail: alarmMail(message.alarm) };
  }
}

type PostsOfKind = {
  [Kind in ChannelConfig['kind']]: (
    name: string,
    config: Extract<ChannelConfig, { kind: Kind }>,
    message: TopicMessage,
    use: ChannelUse,
  ) => Promise<Post[] | null>;
};

const byKind: PostsOfKind = {
  async 'slack-webhook'(name, { kind }, message, use) {
    const found = await neededOf(name, secretFieldOf[kind], use);
    if (found === null) return null;
    const { needed: url } = found;
    return numbered(message.id, [webhookMessage(message)], (one) => use.postToSlackWebhook(url, one));
  },
  async 'slack-bot'(name, { kind, channel, charts, buttons }, message, use) {
    const found = await neededOf(name, secretFieldOf[kind], use);
    if (found === null) return null;
    const { needed: token, secret } = found;
    const { apiUrl } = secret;
    const slack = { token, channel, ...(apiUrl === undefined ? {} : { apiUrl }) };
    return botPosts({ name, slack, charts, buttons, hasChanges: use.hasChanges }, message, use.bot);
  },
  async teams(name, { kind }, message, use) {
    const found = await neededOf(name, secretFieldOf[kind], use);
    if (found === null) return null;
    return numbered(message.id, [cardOf(message)], (card) => use.postCard(found.needed, card));
  },
  async 'amazon-q'(name, _, message, { topicOf, publish }) {
    const topicArn = topicOf(name);
    if (topicArn === undefined) return null;
    return numbered(message.id, notificationsOf(message), (one) => publish(topicArn, one, null));
  },
  async sns(name, _, message, { topicOf, publish }) {
    const topicArn = topicOf(name);
    if (topicArn === undefined) return null;
    const { body, mail } = bodyAndMail(message);
    return numbered(message.id, [body], (one) => publish(topicArn, one, mail));
  },
  async eventbridge(_, { bus }, message, { putEvents }) {
    const posts = numbered(message.id, eventsOf(message), (events) => putEvents(bus, events));
    // However many batches it takes, it is one message of the hour.
    return posts.map((post, index) => (index === 0 ? post : { ...post, isExtra: true }));
  },
};

export const postsOf = (
  { name, config }: Channel,
  message: TopicMessage,
  use: ChannelUse,
): Promise<Post[] | null> =>
  // Each kind has the config of its kind: the compiler does not follow that through the table.
  (byKind[config.kind] as PostsOfKind[typeof config.kind])(name, config as never, message, use);
