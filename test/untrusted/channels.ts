/** What each kind of channel gets of what a topic said: nothing foreign in it calls, links, formats or hides. */
import type { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import { type ChannelKind, channelKinds, configSchema } from '../../core/config/config.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Notification } from '../../core/schemas/notification.ts';
import { type ChannelUse, postsOf } from '../../lambdas/deliver-messages/channel-posts.ts';
import { type TopicMessage, topicMessageOf } from '../../lambdas/deliver-messages/topic-message.ts';
import type { AmazonQNotification } from '../../report/amazon-q/notification.ts';
import type { EventEntry } from '../../report/event/notification-event.ts';
import { maxThreads } from '../../report/slack/finding-message.ts';
import type { SlackMessage } from '../../report/slack/message.ts';
import type { TeamsMessage } from '../../report/teams/card.ts';
import { ourAddress } from '../fixtures/untrusted-notification.ts';
import { notificationComplaints } from '../report/amazon-q/notification-complaints.ts';
import { eventComplaints } from '../report/event/event-complaints.ts';
import { messageComplaints } from '../report/slack/message-complaints.ts';
import { cardComplaints } from '../report/teams/card-complaints.ts';
import { complaintsIf } from './complaints.ts';
import { mailComplaints, type PublishedMail } from './mail.ts';

/** All that was sent, by kind of channel. */
interface Sent {
  'slack-webhook': SlackMessage[];
  'slack-bot': SlackMessage[];
  teams: TeamsMessage[];
  'amazon-q': AmazonQNotification[];
  sns: PublishedMail[];
  eventbridge: EventEntry[][];
}

/** What the topics said of a run, as it went out. */
export interface Notified {
  notification: Sent;
  digest: Sent;
  findings: number;
}

function sendingInto(sent: Sent): ChannelUse {
  const topics = {
    send: async ({ input: { Subject = '', Message = '' } }: PublishCommand) =>
      void sent.sns.push({ Subject, Message }),
  };
  return {
    isAnySetUp: async () => true,
    secretOf: async () => ({ webhookUrl: 'https://hooks.example/', botToken: 'xoxb-token' }),
    topicOf: (name) => name,
    postToSlackWebhook: async (_, message) => void sent['slack-webhook'].push(message),
    postCard: async (_, card) => void sent.teams.push(card as TeamsMessage),
    publish: async (topic, body, mail) => {
      if (topic === 'amazon-q') sent['amazon-q'].push(body as AmazonQNotification);
      else await publishJson(topics as unknown as SNSClient, topic, body, mail);
    },
    putEvents: async (_, entries) => void sent.eventbridge.push(entries),
    bot: {
      post: async (_, message) => {
        sent['slack-bot'].push(message as SlackMessage);
        return '1.000001';
      },
      upload: async () => {},
      posted: async () => null,
      thread: async () => null,
      keepThread: async () => {},
      pictureOf: async () => null,
      onNoPicture: () => {},
    },
  };
}

/** A channel of each kind, by its kind. */
const { channels } = configSchema.parse({
  channels: Object.fromEntries(
    channelKinds.map((kind) => [kind, kind === 'slack-bot' ? { kind, channel: 'C0LOCAL0001' } : { kind }]),
  ),
});

/** Of a message that a topic cannot carry, by its key. */
export type Wholes = ReadonlyMap<string, Notification>;

/** The whole of it, as who delivers reads it. */
function wholeOf(message: TopicMessage | null, wholes: Wholes): TopicMessage {
  if (message === null) throw new Error('the message is none of ours');
  if (message.kind !== 'notification' || message.notification.wholeKey === undefined) return message;
  const notification = wholes.get(message.notification.wholeKey);
  if (notification === undefined) throw new Error(`nothing is kept under ${message.notification.wholeKey}`);
  return { ...message, notification };
}

/** @param text as the topic carried it. */
async function sentOf(text: string, wholes: Wholes): Promise<Sent> {
  const sent: Sent = {
    ...{ 'slack-webhook': [], 'slack-bot': [], teams: [], 'amazon-q': [], sns: [], eventbridge: [] },
  };
  const message = wholeOf(topicMessageOf('message-1', text), wholes);
  for (const [name, config] of Object.entries(channels)) {
    const posts = await postsOf({ name, config }, message, sendingInto(sent));
    for (const { send } of posts ?? []) await send(false);
  }
  return sent;
}

/** As a queue that listens to the topic gets it. */
const listened = ({ Message }: PublishedMail): string => (JSON.parse(Message) as { default: string }).default;

/** @param published a notification, and a digest of the same. */
export async function notifiedOf(
  published: readonly PublishedMail[],
  { findings }: AuditResult,
  wholes: Wholes,
): Promise<Notified> {
  const [notification, digest, ...more] = published;
  if (notification === undefined || digest === undefined || more.length > 0)
    throw new Error(`${published.length} messages were published, not a notification and a digest`);
  return {
    notification: await sentOf(listened(notification), wholes),
    digest: await sentOf(listened(digest), wholes),
    findings: findings.length,
  };
}

/** A link into the page of the run. Of others each channel's own complaints tell. */
const signedLink = /^\d{10}\/[\w-]{43}(?:#finding-[0-9a-f]{16})?(?![\w/#-])/;

function linksComplaints(sent: unknown): string[] {
  const [, ...links] = JSON.stringify(sent).split(`${ourAddress}run-1/`);
  return complaintsIf(
    [!links.every((link) => signedLink.test(link)), 'a link that is not signed'],
    [links.length === 0, 'no link to the report'],
  );
}

const countIn = (value: unknown, part: RegExp): number => JSON.stringify(value).match(part)?.length ?? 0;

/** What is wrong with what a kind of channel got, and that it got less than there was to say. */
export const channelComplaints: { [Kind in ChannelKind]: (notified: Notified) => string[] } = {
  'slack-webhook': ({ notification, digest, findings }) => [
    ...[notification, digest].flatMap((sent) => sent['slack-webhook'].flatMap(messageComplaints)),
    ...linksComplaints(notification['slack-webhook']),
    ...complaintsIf(
      [
        notification['slack-webhook'].length !== 1 || digest['slack-webhook'].length !== 1,
        'not a message each',
      ],
      [countIn(notification['slack-webhook'], /"section"/g) < Math.min(findings, 3), 'findings are missing'],
      [!JSON.stringify(notification['slack-webhook']).includes('|Open report>'), 'no link to the report'],
    ),
  ],
  'slack-bot': ({ notification, digest, findings }) => [
    ...[notification, digest].flatMap((sent) => sent['slack-bot'].flatMap(messageComplaints)),
    ...linksComplaints(notification['slack-bot']),
    ...complaintsIf(
      [digest['slack-bot'].length !== 1, 'not one digest'],
      [
        notification['slack-bot'].length !== Math.min(findings, maxThreads) + (findings > maxThreads ? 1 : 0),
        'findings are missing',
      ],
    ),
  ],
  teams: ({ notification, digest, findings }) => [
    ...[notification, digest].flatMap((sent) => sent.teams.flatMap(cardComplaints)),
    ...linksComplaints(notification.teams),
    ...complaintsIf(
      [digest.teams.length !== 1, 'not one digest'],
      [countIn(notification.teams, /"Container"/g) < Math.min(findings, 3), 'findings are missing'],
    ),
  ],
  'amazon-q': ({ notification, digest, findings }) => [
    ...[notification, digest].flatMap((sent) => sent['amazon-q'].flatMap(notificationComplaints)),
    ...linksComplaints(notification['amazon-q']),
    ...complaintsIf(
      [digest['amazon-q'].length !== 1, 'not one digest'],
      [notification['amazon-q'].length < Math.min(findings, 11), 'findings are missing'],
    ),
  ],
  sns: ({ notification, digest }) => [
    ...[notification, digest].flatMap((sent) => sent.sns.flatMap(mailComplaints)),
    ...complaintsIf([notification.sns.length !== 1 || digest.sns.length !== 1, 'not a message each']),
  ],
  eventbridge: ({ notification, digest, findings }) => [
    ...[notification, digest].flatMap((sent) => eventComplaints(sent.eventbridge)),
    ...linksComplaints(notification.eventbridge),
    ...complaintsIf(
      [digest.eventbridge.flat().length !== 1, 'not one digest'],
      [notification.eventbridge.flat().length !== findings, 'findings are missing'],
    ),
  ],
};
