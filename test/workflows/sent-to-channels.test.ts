/**
 * What an audit finds, in every kind of channel: posted to servers that enforce the limits of Slack and Teams, and obeyed where
 * somebody presses a button.
 */

import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { notificationSchema } from '../../core/schemas/notification.ts';
import {
  clientSettings,
  deliveriesDone,
  localBotSecret,
  localSigningSecret,
  overTls,
} from '../../local/deploy.ts';
import { localAccount, localRegion } from '../../local/services.ts';
import { type PressedButton, pressButton, sendPress } from '../../local/slack/press-button.ts';
import { localBot, localWebhookPath } from '../../local/slack/server.ts';
import { type LocalTeams, startTeams } from '../../local/teams/server.ts';
import { buttons } from '../../report/slack/message.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { resultOf } from './compare-runs.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';

const names = ['orders-db', 'broker-us', 'pricing', 'gateway', 'refill-us', 'etl'];
const plan = { instances: fleetPlan.instances.filter(({ name }) => names.includes(name)), loose: [] };

let deployment: LocalDeployment;
let teams: LocalTeams;
let result: AuditResult;
let notified: AuditResult['findings'];

/** What a topic said, read from a queue that listens to it. */
class Listener {
  private readonly sqs: SQSClient;
  private queueUrl = '';

  constructor() {
    this.sqs = overTls(new SQSClient(clientSettings(deployment.services)));
  }

  async listenTo(topicArn: string, name: string): Promise<void> {
    const { QueueUrl = '' } = await this.sqs.send(new CreateQueueCommand({ QueueName: name }));
    this.queueUrl = QueueUrl;
    const sns = new SNSClient(clientSettings(deployment.services));
    await sns.send(
      new SubscribeCommand({
        ...{ TopicArn: topicArn, Protocol: 'sqs', Attributes: { RawMessageDelivery: 'true' } },
        Endpoint: `arn:aws:sqs:${localRegion}:${localAccount}:${name}`,
      }),
    );
  }

  async messages(): Promise<unknown[]> {
    const all: unknown[] = [];
    for (;;) {
      const { Messages = [] } = await this.sqs.send(
        new ReceiveMessageCommand({ QueueUrl: this.queueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return all;
      all.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
    }
  }
}

/** Of a channel that is a topic. */
function topicOf(channel: string): string {
  const [, arn = ''] =
    new RegExp(`${channel}: (arn:[^,]+)`).exec(deployment.outputs.ChannelTopics ?? '') ?? [];
  return arn;
}

const postSchema = z.object({
  ...{ ts: z.string(), threadTs: z.string().nullable(), text: z.string() },
  metadata: z.object({ event_payload: z.object({ change_id: z.string() }) }).nullable(),
  files: z.array(z.object({ title: z.string() })),
});
type Post = z.infer<typeof postSchema>;

async function listed<T>(path: string, schema: z.ZodType<T>): Promise<T[]> {
  const reply = await fetch(`${deployment.services.urls.slack}/_stripewise/${path}`);
  return z.array(schema).parse(await reply.json());
}
const posts = (): Promise<Post[]> => listed('posts', postSchema);
const changeIdOf = ({ metadata }: Post): string => metadata?.event_payload.change_id ?? '';
const findingIdOf = (post: Post): string => changeIdOf(post).split(':')[1] ?? '';

/** How many of the resources a text names. */
const idsIn = (text: string, findings: AuditResult['findings']): number =>
  new Set(findings.map(({ resource }) => resource.id).filter((id) => text.includes(id))).size;

const isOfFinding = (post: Post): boolean => notified.some(({ id }) => id === findingIdOf(post));
/** What the audit said of each. */
const threads = async (): Promise<Post[]> => (await posts()).filter(isOfFinding);

let mail: Listener;
let chat: Listener;

beforeAll(async () => {
  teams = await startTeams();
  deployment = await localDeployment({ stack: 'everything', withoutSchedules: true, plan });
  const { services, outputs } = deployment;
  const { slack } = services.urls;
  const secrets = new SecretsManagerClient(clientSettings(services));
  const SecretString = JSON.stringify({
    slack: { webhookUrl: `${slack}${localWebhookPath}` },
    dba: localBotSecret(slack),
    ops: { webhookUrl: teams.webhookUrl },
  });
  await secrets.send(new PutSecretValueCommand({ SecretId: outputs.ChannelSecrets, SecretString }));
  [mail, chat] = [new Listener(), new Listener()];
  await mail.listenTo(topicOf('mail'), 'mail');
  await chat.listenTo(topicOf('chat'), 'chat');
  result = resultOf(await deployment.run());
  notified = result.findings.filter(({ severity }) => severity !== 'info');
  await deliveriesDone(services, outputs);
}, 400_000);
afterAll(async () => {
  await deployment?.remove();
  await teams?.stop();
});

test('the first audit is one message; each of the most urgent findings is in its thread, once', async () => {
  const all = await posts();
  const ids = (await threads()).map(findingIdOf);
  expect(new Set(ids).size).toBe(ids.length);
  const severityOf = (id: string) => notified.find((finding) => finding.id === id)?.severity;
  expect(ids.map(severityOf)).toEqual(notified.slice(0, ids.length).map(({ severity }) => severity));
  expect(ids.length).toBe(Math.min(10, notified.length));
  // Pictures are posts in a thread.
  expect(all.filter((post) => post.threadTs === null)).toHaveLength(1);
});

test('a picture of the load is in the thread of what can be drawn', async () => {
  const uploads = await listed('uploads', z.object({ base64: z.string().nullable() }));
  expect(uploads.length).toBeGreaterThan(2);
  for (const { base64 } of uploads)
    expect(
      Buffer.from(base64 ?? '', 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
});

test('the webhook gets one message, Teams what is critical, the topics all of it, and nothing was refused', async () => {
  const critical = notified.filter(({ severity }) => severity === 'critical');
  expect((await deployment.slackMessages()).map(({ text }) => text)).toEqual([
    expect.stringContaining(`stripewise: ${critical.length} critical, `),
  ]);
  expect(critical.length).toBeGreaterThan(5);
  const cards = JSON.stringify(await (await fetch(`${teams.url}/_stripewise/messages`)).json());
  expect(cards).toContain(`stripewise: ${critical.length} critical`);
  expect(idsIn(cards, critical)).toBe(5);
  const [notification, ...more] = (await mail.messages()).map((message) => notificationSchema.parse(message));
  expect([notification?.notified.length, more]).toEqual([notified.length, []]);
  const notifications = JSON.stringify(await chat.messages());
  expect(idsIn(notifications, notified)).toBe(5);
  expect(await listed('refused-calls', z.unknown())).toEqual([]);
  expect(await listed('refused', z.unknown())).toEqual([]);
  const sqs = overTls(new SQSClient(clientSettings(deployment.services)));
  const refused = await sqs.send(new ReceiveMessageCommand({ QueueUrl: deployment.outputs.DeadLetterQueue }));
  expect(refused.Messages ?? []).toEqual([]);
});

describe('a button', () => {
  const press = (post: Post, changes: Partial<PressedButton> = {}) =>
    pressButton({
      ...{ url: deployment.outputs.SlackActions ?? '', signingSecret: localSigningSecret },
      ...{ actionId: buttons.mute, value: findingIdOf(post), user: 'U0SOMEBODY', messageTs: post.ts },
      ...{ channel: localBot.channel, slackUrl: deployment.services.urls.slack },
      ...(post.threadTs === null ? {} : { threadTs: post.threadTs }),
      ...changes,
    });
  const said = async () => listed('responses', z.looseObject({}));

  test('that somebody else signed, or of another workspace, or signed long ago, or that comes again is refused and changes nothing', async () => {
    const [post] = await threads();
    if (post === undefined) throw new Error('nothing was posted');
    for (const changes of [
      { forge: 'other-secret' as const },
      { forge: 'unsigned' as const },
      { forge: 'other-body' as const },
      { ageSeconds: 400 },
      { userTeamId: 'T0PARTNER01' },
    ])
      expect((await press(post, changes)).status).toBe(403);
    expect(await said()).toEqual([]);
    const pressed = await press(post);
    expect(pressed.status).toBe(200);
    expect(await said()).toHaveLength(1);
    expect((await sendPress(pressed)).status).toBe(403);
    expect(await said()).toHaveLength(1);
    expect(JSON.stringify(await said())).toContain('<@U0SOMEBODY> muted this');
  });

  test('acknowledges, and says who did', async () => {
    const [, post] = await threads();
    if (post === undefined) throw new Error('too little was posted');
    expect((await press(post, { actionId: buttons.acknowledge })).status).toBe(200);
    expect(JSON.stringify((await said()).at(-1))).toContain('<@U0SOMEBODY> acknowledged this');
  });
});

test('a second audit of the same says nothing in any channel', async () => {
  const before = { posts: (await posts()).length, webhook: (await deployment.slackMessages()).length };
  await mail.messages();
  const again = await deployment.run();
  expect(again.output).toMatchObject({ notified: 0 });
  await deliveriesDone(deployment.services, deployment.outputs);
  expect(await posts()).toHaveLength(before.posts);
  expect(await deployment.slackMessages()).toHaveLength(before.webhook);
  expect(await mail.messages()).toEqual([]);
});
