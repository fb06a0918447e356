/** How news gets from the topics to every kind of channel: the queue, who delivers, and what each channel is reached by. */
import { gunzipSync } from 'node:zlib';
import { configSchema, routesOf } from '../../core/config/config.ts';
import { everyChannel } from '../../tools/every-channel.ts';
import { configurations } from './configurations.ts';
import { idOf, patience, type Synthesized, shortly, synthesized } from './synthesized.ts';

let stack: Synthesized;
let bare: Synthesized;
let other: Synthesized;
let often: Synthesized;
let buttonless: Synthesized;
beforeAll(async () => {
  stack = await synthesized('everyChannel');
  bare = await synthesized('usual');
  other = await synthesized('otherValues');
  often = await synthesized('often');
  buttonless = await synthesized('botWithoutButtons');
}, patience);

const functionType = 'AWS::Lambda::Function';
const variablesOf = (of: Synthesized, name: string): Record<string, unknown> =>
  (of.one(functionType, name).Properties['Environment'] as { Variables: Record<string, unknown> }).Variables;
const ofDelivery = (of: Synthesized) => variablesOf(of, 'NotificationsDeliveryDeliverMessages');
const outputsOf = ({ json }: Synthesized) => json['Outputs'] as Record<string, { Value: unknown }>;
const subscriptions = (of: Synthesized) =>
  of.all('AWS::SNS::Subscription').map(([, { Properties }]) => Properties);

test('the queue hears both topics, each message as it was published', () => {
  const queue = stack.one('AWS::SQS::Queue', 'NotificationsDeliveryQueue').id;
  const heard = subscriptions(stack).filter(({ Protocol }) => Protocol === 'sqs');
  expect(heard.map(({ TopicArn }) => shortly(TopicArn)).sort()).toEqual([
    'NotificationsAlarms',
    'NotificationsFindings',
  ]);
  for (const { Endpoint, RawMessageDelivery } of heard) {
    expect(idOf(Endpoint)).toBe(queue);
    expect(RawMessageDelivery).toBe(true);
  }
});

test('nobody but those topics may put something into it', () => {
  const allowed = stack
    .resourcePolicy('AWS::SQS::QueuePolicy', 'NotificationsDeliveryQueue')
    .filter(({ Effect }) => Effect === 'Allow');
  expect(allowed).toHaveLength(2);
  for (const { Action, Principal, Condition } of allowed) {
    expect(Action).toEqual(['sqs:SendMessage']);
    expect(Principal).toEqual({ Service: 'sns.amazonaws.com' });
    const { ArnEquals } = Condition as { ArnEquals: Record<string, unknown> };
    expect(shortly(ArnEquals['aws:SourceArn'])).toMatch(/^Notifications(Alarms|Findings)$/);
  }
});

test('a message is tried for days, then kept for a person', () => {
  const { Properties } = stack.one('AWS::SQS::Queue', 'NotificationsDeliveryQueue');
  const { deadLetterTargetArn, maxReceiveCount } = Properties['RedrivePolicy'] as Record<string, unknown>;
  expect(shortly(deadLetterTargetArn)).toBe('NotificationsDeliveryDeadLetters');
  // Half a minute, twice as long each time, up to an hour.
  const pauses = Array.from({ length: Number(maxReceiveCount) }, (_, i) => Math.min(3_600, 30 * 2 ** i));
  expect(pauses.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(3 * 86_400);
  const fortnight = 14 * 86_400;
  expect(Properties['MessageRetentionPeriod']).toBe(fortnight);
  const kept = stack.one('AWS::SQS::Queue', 'NotificationsDeliveryDeadLetters');
  expect(kept.Properties['MessageRetentionPeriod']).toBe(fortnight);
});

test('one message at a time, which nobody else gets while a function still works at it', () => {
  const [source] = stack.all('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  expect(source).toMatchObject({
    BatchSize: 1,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
  });
  expect(shortly(source?.['EventSourceArn'])).toBe('NotificationsDeliveryQueue');
  expect(shortly(source?.['FunctionName'])).toBe('NotificationsDeliveryDeliverMessagesFunction');
  const timeout = Number(
    stack.one(functionType, 'NotificationsDeliveryDeliverMessages').Properties['Timeout'],
  );
  const queue = stack.one('AWS::SQS::Queue', 'NotificationsDeliveryQueue').Properties;
  // Lambda's guide on SQS: six times the time of the function.
  expect(queue['VisibilityTimeout']).toBe(6 * timeout);
});

test('who delivers knows the channels and their routes as the configuration says them', () => {
  const { CHANNELS } = ofDelivery(stack);
  const config = configSchema.parse(everyChannel);
  expect(JSON.parse(gunzipSync(Buffer.from(String(CHANNELS), 'base64')).toString('utf8'))).toEqual(
    JSON.parse(JSON.stringify({ channels: config.channels, routes: routesOf(config) })),
  );
});

test('channels that are topics have one each, and who delivers knows them by name', () => {
  const join = (ofDelivery(stack)['TOPIC_ARNS'] as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  const text = join[1].map((part) => (typeof part === 'string' ? part : shortly(part))).join('');
  expect(JSON.parse(text)).toEqual({
    chat: 'NotificationsDeliveryTopicschat',
    mail: 'NotificationsDeliveryTopicsmail',
  });
  const topics = stack.all('AWS::SNS::Topic').map(([id]) => shortly({ Ref: id }));
  expect(topics.sort()).toEqual([
    ...[
      'NotificationsAlarms',
      'NotificationsDeliveryTopicschat',
      'NotificationsDeliveryTopicsmail',
      'NotificationsFindings',
    ],
  ]);
  for (const name of ['chat', 'mail']) {
    const [denied] = stack.resourcePolicy('AWS::SNS::TopicPolicy', `NotificationsDeliveryTopics${name}`);
    expect(denied).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
  }
  expect(outputsOf(stack)).toHaveProperty('ChannelTopics');
});

test('addresses of a channel hear its topic alone', () => {
  const mails = subscriptions(stack)
    .filter(({ Protocol }) => Protocol === 'email')
    .map(({ TopicArn, Endpoint }) => [shortly(TopicArn), Endpoint]);
  expect(mails.sort()).toEqual([
    ['NotificationsDeliveryTopicsmail', 'dba@example.com'],
    ['NotificationsDeliveryTopicsmail', 'on-call@example.com'],
    ['NotificationsFindings', 'storage@example.com'],
  ]);
});

test('by default there is a webhook: no topic of a channel, no bus, no buttons', () => {
  expect(ofDelivery(bare)['TOPIC_ARNS']).toBe('{}');
  expect(bare.all('AWS::SNS::Topic')).toHaveLength(2);
  expect(outputsOf(bare)).not.toHaveProperty('ChannelTopics');
  expect(outputsOf(bare)).not.toHaveProperty('SlackActions');
  expect(bare.all(functionType).filter(([id]) => id.includes('SlackActions'))).toEqual([]);
});

test('a bot has a public address only where its buttons are asked for', () => {
  expect(buttonless.all('AWS::Lambda::Url')).toEqual([]);
  expect(outputsOf(buttonless)).not.toHaveProperty('SlackActions');
  expect(buttonless.all(functionType).filter(([id]) => id.includes('SlackActions'))).toEqual([]);
});

test('the notify function knows what each channel needs of the secret', () => {
  const needsOf = (of: Synthesized) =>
    JSON.parse(String(variablesOf(of, 'NotificationsNotifyFindings')['CHANNEL_NEEDS']));
  expect(needsOf(bare)).toEqual({ slack: 'webhookUrl' });
  const kinds = Object.entries(everyChannel.channels).map(([name, { kind }]) => [name, kind]);
  const fieldOf: Record<string, string | null> = {
    ...{ 'slack-webhook': 'webhookUrl', 'slack-bot': 'botToken', teams: 'webhookUrl' },
    ...{ 'amazon-q': null, sns: null, eventbridge: null },
  };
  expect(needsOf(stack)).toEqual(
    Object.fromEntries(kinds.map(([name, kind]) => [name, fieldOf[kind as string]])),
  );
});

test('a bus of another account is named by its ARN', () => {
  const { bus } = configurations.often.channels.bus;
  expect(bus).toMatch(/^arn:/);
  const role = idOf(often.one(functionType, 'NotificationsDeliveryDeliverMessages').Properties['Role']);
  const puts = often.statementsOf(role).filter(({ Action }) => Action.includes('events:PutEvents'));
  expect(puts.map(({ Resource }) => Resource)).toEqual([[bus]]);
});

describe('buttons', () => {
  test('anybody may call them by their address, which is an output; it is their signature that is asked for', () => {
    const { id, Properties } = stack.one('AWS::Lambda::Url', 'NotificationsActionsSlackActions');
    expect(Properties).toMatchObject({ AuthType: 'NONE' });
    expect(outputsOf(stack)['SlackActions']?.Value).toEqual({ 'Fn::GetAtt': [id, 'FunctionUrl'] });
    const permissions = stack
      .all('AWS::Lambda::Permission')
      .map(([, { Properties: allowed }]) => allowed)
      .filter(({ FunctionName }) => shortly(FunctionName) === 'NotificationsActionsSlackActionsFunction');
    expect(permissions).toMatchObject([
      { Principal: '*', Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' },
      { Principal: '*', Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true },
    ]);
  });

  test('they live by the same rules as the notify function', () => {
    const [pressed, notifies] = [
      variablesOf(stack, 'NotificationsActionsSlackActions'),
      variablesOf(stack, 'NotificationsNotifyFindings'),
    ];
    for (const name of ['MIN_SEVERITY', 'RETENTION_DAYS', 'AUDIT_EVERY_HOURS', 'FINDINGS_TABLE'])
      expect(pressed[name]).toEqual(notifies[name]);
  });

  test('they have a second for what Slack waits three for: as much of a processor as helps', () => {
    const { Properties } = stack.one(functionType, 'NotificationsActionsSlackActions');
    expect(Properties).toMatchObject({ MemorySize: 1_024, Timeout: 10 });
  });
});

describe('the digest', () => {
  const schedule = (of: Synthesized) =>
    of.one('AWS::Scheduler::Schedule', 'NotificationsDigestSchedule').Properties;

  test.each([
    // It is sent on Mondays: notify-digest knows of which week it is, and that it was sent.
    ['weekly', () => bare, 'cron(0 7 * * ? *)'],
    ['daily, at 18:30', () => other, 'cron(30 18 * * ? *)'],
  ])('%s: is called each day', (_, of, expression) => {
    expect(schedule(of())).toMatchObject({ ScheduleExpression: expression, State: 'ENABLED' });
    expect(schedule(of())['ScheduleExpressionTimezone'] ?? 'Etc/UTC').toBe('Etc/UTC');
  });

  test('none where nobody wants one', () => {
    expect(stack.all(functionType).filter(([id]) => id.includes('NotifyDigest'))).toEqual([]);
    expect(stack.all('AWS::Scheduler::Schedule').filter(([id]) => id.includes('Digest'))).toEqual([]);
  });
});

test('what waited is reported every five minutes', () => {
  const { Properties } = stack.one('AWS::Scheduler::Schedule', 'NotificationsNotifyPending');
  expect(Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
  const target = Properties['Target'] as Record<string, unknown>;
  expect(target).toMatchObject({ Input: '{}', RetryPolicy: { MaximumEventAgeInSeconds: 300 } });
  expect(shortly(target['Arn'])).toBe('NotificationsNotifyFindingsFunction');
});
