/** What each kind of channel makes of each message: the posts, where they go, and under which keys. */

import { changeMessageOf } from '../../../core/changes/message.ts';
import {
  type ChannelConfig,
  type ChannelKind,
  channelKinds,
  configSchema,
} from '../../../core/config/config.ts';
import { Undeliverable } from '../../../core/errors.ts';
import { type ChannelUse, postsOf } from '../../../lambdas/deliver-messages/channel-posts.ts';
import type { TopicMessage } from '../../../lambdas/deliver-messages/topic-message.ts';
import {
  amazonQAlarm,
  amazonQChange,
  amazonQDigest,
  amazonQNotifications,
} from '../../../report/amazon-q/notification.ts';
import { eventChange, eventDigest, eventEntries } from '../../../report/event/notification-event.ts';
import { alarmMail, changeMail, digestMail, notificationMail } from '../../../report/mail/mail.ts';
import { slackChange } from '../../../report/slack/change-message.ts';
import {
  alarmMessage,
  notificationMessage,
  slackDigest,
} from '../../../report/slack/notification-message.ts';
import { teamsAlarm, teamsCard, teamsChange, teamsDigest } from '../../../report/teams/card.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, findingsOnVolumes } from '../../fixtures/findings.ts';
import { aChange } from '../../fixtures/volume-change.ts';
import { anAlarm } from './alarms.ts';

const webhookUrl = 'https://hooks.example.com/services/x';
const topicArn = 'arn:aws:sns:us-east-1:111122223333:of-channel';

/** One channel of each kind, with what the configuration gives it. */
const channels = configSchema.parse({
  channels: Object.fromEntries(
    channelKinds.map((kind) => [
      kind,
      {
        kind,
        ...(kind === 'slack-bot' ? { channel: 'C0123456789' } : {}),
        ...(kind === 'eventbridge' ? { bus: 'storage' } : {}),
      },
    ]),
  ),
}).channels;

/** Everything that is sent anywhere, in order. */
class Sent {
  calls: unknown[][] = [];
  secrets: Record<string, { webhookUrl?: string; botToken?: string; apiUrl?: string }> = {
    'slack-webhook': { webhookUrl },
    teams: { webhookUrl },
    'slack-bot': { botToken: 'xoxb-1', apiUrl: 'http://localhost:1/api/' },
  };
  /** What a function that read them a while ago still has; null: what they are now. */
  readBefore: Sent['secrets'] | null = null;
  topics: Record<string, string> = { sns: topicArn, 'amazon-q': topicArn };

  use(): ChannelUse {
    const keep =
      (name: string) =>
      async (...args: unknown[]): Promise<void> => {
        this.calls.push([name, ...args]);
      };
    return {
      secretOf: async (name, isFresh) => {
        if (isFresh) this.readBefore = null;
        return (this.readBefore ?? this.secrets)[name] ?? null;
      },
      isAnySetUp: async () => Object.keys(this.readBefore ?? this.secrets).length > 0,
      topicOf: (name) => this.topics[name],
      postToSlackWebhook: keep('webhook'),
      postCard: keep('card'),
      publish: keep('publish'),
      putEvents: keep('events'),
      bot: {
        post: async (slack, { text }) => {
          this.calls.push(['bot', slack, text]);
          return '1.0';
        },
        upload: keep('upload'),
        posted: async () => null,
        thread: async () => null,
        keepThread: async () => {},
        pictureOf: async () => null,
        onNoPicture: () => {},
      },
    };
  }

  posts(kind: ChannelKind, message: TopicMessage) {
    return postsOf({ name: kind, config: channels[kind] as ChannelConfig }, message, this.use());
  }

  async of(kind: ChannelKind, message: TopicMessage): Promise<unknown[][]> {
    for (const post of (await this.posts(kind, message)) ?? []) await post.send(false);
    return this.calls;
  }
}

const notification = aNotification([aFinding()]);
const long = aNotification(findingsOnVolumes(200));
const [digest, alarm] = [aDigest(), anAlarm()];
const notified: TopicMessage = { kind: 'notification', id: notification.id, notification };
const notifiedAtLength: TopicMessage = {
  kind: 'notification',
  id: 'message-2',
  notification: { ...long, id: 'message-2' },
};
const digested: TopicMessage = { kind: 'digest', id: digest.id, digest };
const alarmed: TopicMessage = { kind: 'alarm', id: 'sqs-1', alarm };
const step = changeMessageOf(aChange(), 'proposed', 1);
const changed: TopicMessage = { kind: 'change', id: step.id, message: step };
const all = [notified, notifiedAtLength, digested, changed, alarmed];

let sent: Sent;
beforeEach(() => {
  sent = new Sent();
});

test.each([
  ['a notification', notified, notificationMessage(notification)],
  ['a digest', digested, slackDigest(digest)],
  ['a change, whose buttons nobody would hear', changed, slackChange(step, false)],
  ['an alarm', alarmed, alarmMessage(alarm)],
])('slack-webhook: %s is one message to the address', async (_, message, body) => {
  expect(await sent.of('slack-webhook', message)).toEqual([['webhook', webhookUrl, body]]);
});

test.each([
  ['a notification', notified, teamsCard(notification)],
  ['a long notification', notifiedAtLength, teamsCard({ ...long, id: 'message-2' })],
  ['a digest', digested, teamsDigest(digest)],
  ['a change', changed, teamsChange(step)],
  ['an alarm', alarmed, teamsAlarm(alarm)],
])('teams: %s is one card, posted to the address', async (_, message, card) => {
  expect(await sent.of('teams', message)).toEqual([['card', webhookUrl, card]]);
});

test.each([
  ['a notification', notified, amazonQNotifications(notification)],
  ['a long notification', notifiedAtLength, amazonQNotifications({ ...long, id: 'message-2' })],
  ['a digest', digested, [amazonQDigest(digest)]],
  ['a change', changed, [amazonQChange(step)]],
  ['an alarm', alarmed, [amazonQAlarm(alarm, 'sqs-1')]],
])(
  'amazon-q: %s is its notifications, published to the topic of the channel as they are',
  async (_, message, said) => {
    expect(await sent.of('amazon-q', message)).toEqual(said.map((one) => ['publish', topicArn, one, null]));
  },
);

test.each([
  ['a notification', notified, notification, notificationMail(notification)],
  ['a digest', digested, digest, digestMail(digest)],
  ['a change', changed, step, changeMail(step)],
  ['an alarm', alarmed, alarm, alarmMail(alarm)],
])('sns: %s is JSON for machines and text for people, in one message', async (_, message, body, mail) => {
  expect(await sent.of('sns', message)).toEqual([['publish', topicArn, body, mail]]);
});

test.each([
  ['a notification', notified, eventEntries(notification)],
  ['a long notification', notifiedAtLength, eventEntries({ ...long, id: 'message-2' })],
  ['a digest', digested, eventDigest(digest)],
  ['a change', changed, eventChange(step)],
  ['an alarm, of which CloudWatch puts an event of its own', alarmed, []],
])('eventbridge: %s is its events, in as few calls as may be', async (_, message, calls) => {
  expect(await sent.of('eventbridge', message)).toEqual(
    calls.map((entries) => ['events', 'storage', entries]),
  );
});

test.each([
  ['a notification', notified, /^New: /],
  ['a digest', digested, /^stripewise: /],
  ['a change', changed, /^Change to approve: /],
  ['an alarm', alarmed, /^stripewise itself: /],
])(
  'slack-bot: %s goes to the channel of the configuration, with the token of the secret',
  async (_, message, text) => {
    expect(await sent.of('slack-bot', message)).toEqual([
      [
        'bot',
        { token: 'xoxb-1', channel: 'C0123456789', apiUrl: 'http://localhost:1/api/' },
        expect.stringMatching(text),
      ],
    ]);
  },
);

test('a finding of a bot has a picture, which is a post of its own, unless the channel has none', async () => {
  const count = async (charts: boolean) => {
    const config = { ...channels['slack-bot'], charts } as ChannelConfig;
    return (await postsOf({ name: 'slack-bot', config }, notified, sent.use()))?.length;
  };
  expect([await count(true), await count(false)]).toEqual([2, 1]);
});

test.each(['slack-webhook', 'slack-bot', 'teams', 'amazon-q', 'sns'] as const)(
  '%s that nobody set up is null: neither sent nor a failure',
  async (kind) => {
    sent.secrets = {};
    sent.topics = {};
    for (const message of all) expect(await sent.posts(kind, message)).toBeNull();
  },
);

test.each([
  ['slack-webhook', { botToken: 'xoxb-1' }],
  ['teams', { botToken: 'xoxb-1' }],
  ['slack-bot', { webhookUrl }],
] as const)('%s with a secret of another kind is refused: nothing of it is lost', async (kind, secret) => {
  sent.secrets = { [kind]: secret };
  await expect(sent.posts(kind, notified)).rejects.toThrow(Undeliverable);
});

test.each(['slack-webhook', 'slack-bot', 'teams'] as const)(
  '%s that was set up since the secret was read is set up, whatever else was there',
  async (kind) => {
    for (const readBefore of [{}, { [kind]: {} }, { other: { webhookUrl } }]) {
      for (const message of all) {
        sent.readBefore = readBefore;
        expect(await sent.posts(kind, message)).not.toHaveLength(0);
      }
    }
  },
);

test('so is a channel that was named anew, where the secret has its old name', async () => {
  sent.secrets = { 'slack-of-before': { webhookUrl } };
  await expect(sent.posts('slack-webhook', notified)).rejects.toThrow(
    'the secret of channels has no webhookUrl of slack-webhook',
  );
});

test.each(['slack-bot', 'amazon-q'] as const)(
  '%s: what goes on from a message before is a list, without threads',
  async (kind) => {
    const notification = { ...aNotification(findingsOnVolumes(12)), isContinued: true as const };
    expect(await sent.posts(kind, { kind: 'notification', id: notification.id, notification })).toHaveLength(
      1,
    );
  },
);

describe.each(channelKinds)('the keys of %s', (kind) => {
  const keysOf = async (message: TopicMessage) =>
    (await sent.posts(kind, message))?.map(({ key }) => key) ?? [];

  test('are the same for the same message: what was posted is not posted again', async () => {
    for (const message of all) expect(await keysOf(message)).toEqual(await keysOf(structuredClone(message)));
  });

  test('differ between the parts of a message, and between messages', async () => {
    const keys = (await Promise.all(all.map(keysOf))).flat();
    expect(keys.length).toBeGreaterThanOrEqual(kind === 'eventbridge' ? 4 : 5);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

test('what is long comes in several parts where the channel takes no more at once', async () => {
  const parts = async (kind: ChannelKind) => (await sent.posts(kind, notifiedAtLength))?.length ?? 0;
  for (const kind of ['eventbridge', 'slack-bot'] as const) expect(await parts(kind)).toBeGreaterThan(1);
  for (const kind of ['teams', 'slack-webhook'] as const) expect(await parts(kind)).toBe(1);
});
