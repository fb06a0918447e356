/**
 * Alarms of the service itself, on their way to a channel. The local AWS fires none, so their events are injected: what CloudWatch
 * publishes on a change of state, to the topics that the alarm names for it. Source: CloudWatch user guide, "Notify users on alarm
 * changes", read 2026-11-26.
 */
import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { delay } from 'es-toolkit/promise';
import { z } from 'zod';
import { jsonOrNull } from '../../core/json.ts';
import { clientSettings, connectSlack, overTls } from '../../local/deploy.ts';
import { localAccount } from '../../local/services.ts';
import { Account } from '../resilience/account.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';

let deployment: LocalDeployment;
let cloudWatch: CloudWatchClient;
let sns: SNSClient;

beforeAll(async () => {
  deployment = await localDeployment({ withoutSchedules: true, plan: { instances: [], loose: [] } });
  const settings = clientSettings(deployment.services);
  cloudWatch = new CloudWatchClient(settings);
  sns = overTls(new SNSClient(settings));
}, 240_000);
afterAll(async () => {
  for (const client of [cloudWatch, sns]) client?.destroy();
  await deployment?.remove();
});

/** As it is deployed. @param part of its name. */
async function deployed(part: string): Promise<MetricAlarm> {
  const { MetricAlarms = [] } = await cloudWatch.send(new DescribeAlarmsCommand({}));
  const found = MetricAlarms.filter(({ AlarmName }) => AlarmName?.includes(part));
  if (found.length !== 1) throw new Error(`${found.length} alarms are called ${part}`);
  return found[0] as MetricAlarm;
}

/** CloudWatch writes "+0000". */
const changedAt = (): string => new Date().toISOString().replace('Z', '+0000');

/** The event of a change of state; each is later than the one before. */
async function change(part: string, from: 'OK' | 'ALARM', to: 'OK' | 'ALARM'): Promise<() => Promise<void>> {
  const alarm = await deployed(part);
  const { AlarmName, AlarmArn, AlarmDescription, AlarmActions = [], OKActions = [] } = alarm;
  const topics = to === 'OK' ? OKActions : AlarmActions;
  const { MetricName, Namespace, Period, Threshold, ComparisonOperator, EvaluationPeriods } = alarm;
  const event = {
    ...{ AlarmName, AlarmDescription, AWSAccountId: localAccount },
    AlarmConfigurationUpdatedTimestamp: changedAt(),
    ...{ NewStateValue: to, NewStateReason: 'Threshold Crossed: 1 datapoint was as it is.' },
    ...{ StateChangeTime: changedAt(), Region: 'US East (N. Virginia)', AlarmArn, OldStateValue: from },
    ...{ OKActions, AlarmActions, InsufficientDataActions: [] },
    Trigger: { MetricName, Namespace, Period, Threshold, ComparisonOperator, EvaluationPeriods },
  };
  const Subject = `${to}: "${AlarmName}" in US East (N. Virginia)`;
  const publish = async (): Promise<void> => {
    for (const TopicArn of topics)
      await sns.send(new PublishCommand({ TopicArn, Subject, Message: JSON.stringify(event) }));
  };
  await publish();
  return publish;
}

/** What the channel got of an alarm, when all is delivered: whether it is on, or ended. */
async function heard(part: string): Promise<string[]> {
  const texts = (await deployment.slackMessages()).map(({ text }) => text);
  return texts.flatMap((text) =>
    text.includes(part) ? [/ (is ALARM|ended: OK)/.exec(text)?.[1] ?? text] : [],
  );
}

/** As the function that delivers logs one that it tried. */
const triedSchema = z.object({ messageId: z.string(), notConfigured: z.array(z.string()) });

/** Until so many messages were tried for the channel, which nobody had set up. */
async function triedInVain(messages: number): Promise<void> {
  const until = Date.now() + 90_000;
  const account = new Account(deployment.services, deployment.outputs);
  for (; ; await delay(500)) {
    const lines = await account.logged('DeliverMessages', 0);
    const tried = lines.flatMap((line) => {
      const { data } = triedSchema.safeParse(jsonOrNull(line));
      return data?.notConfigured.includes('slack') ? [data.messageId] : [];
    });
    if (new Set(tried).size === messages) return;
    if (Date.now() > until) throw new Error(`${new Set(tried).size} were tried, not ${messages}`);
  }
}

const messagesNow = async (): Promise<unknown[]> => {
  const reply = await fetch(`${deployment.services.urls.slack}/_stripewise/messages`);
  return z.array(z.unknown()).parse(await reply.json());
};

test('each alarm sends the end of what it said to where it said it', async () => {
  const { MetricAlarms = [] } = await cloudWatch.send(new DescribeAlarmsCommand({}));
  expect(MetricAlarms.length).toBeGreaterThan(5);
  for (const { AlarmActions, OKActions } of MetricAlarms) {
    expect(AlarmActions).toEqual([expect.stringMatching(/^arn:aws:sns:.*NotificationsAlarms/)]);
    expect(OKActions).toEqual(AlarmActions);
  }
});

/** In one order: before the secret of channels is there, and after. */
test('one that comes before the secret of channels waits, and arrives once when the secret is there; so does its end', async () => {
  await change('AuditFailed', 'OK', 'ALARM');
  // That one begins and ends while nobody listens.
  await change('AuditPartial', 'OK', 'ALARM');
  await triedInVain(2);
  await change('AuditPartial', 'ALARM', 'OK');
  await triedInVain(3);
  expect(await messagesNow()).toEqual([]);
  await connectSlack(deployment.services, deployment.outputs);
  expect(await heard('AuditFailed')).toEqual(['is ALARM']);
  await change('AuditFailed', 'ALARM', 'OK');
  expect(await heard('AuditFailed')).toEqual(['is ALARM', 'ended: OK']);
  expect(await heard('AuditPartial')).toEqual([]);
}, 240_000);

test('one that comes after it arrives once, and so does its end, though the topic says each twice', async () => {
  const onceMore = await change('DeadLetters', 'OK', 'ALARM');
  expect(await heard('DeadLetters')).toEqual(['is ALARM']);
  await onceMore();
  expect(await heard('DeadLetters')).toEqual(['is ALARM']);
  const endedOnceMore = await change('DeadLetters', 'ALARM', 'OK');
  await endedOnceMore();
  expect(await heard('DeadLetters')).toEqual(['is ALARM', 'ended: OK']);
}, 240_000);
