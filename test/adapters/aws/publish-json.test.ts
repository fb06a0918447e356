/** One message to a topic: JSON for machines, text for people where there is one, within what SNS takes. */
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { publishJson } from '../../../adapters/aws/publish-json.ts';
import { Throttled } from '../../../core/errors.ts';
import { withinTopic } from '../../../core/lifecycle/notification.ts';
import { notificationSchema } from '../../../core/schemas/notification.ts';
import { notificationMail } from '../../../report/mail/mail.ts';
import { aFinding, aNotification, findingsOnVolumes } from '../../fixtures/findings.ts';
import { awsError } from './aws-error.ts';

const topicArn = 'arn:aws:sns:us-east-1:111122223333:stripewise';
const sns = mockClient(SNSClient);
const client = new SNSClient({ region: 'us-east-1' });

beforeEach(() => {
  sns.reset();
});

async function published(body: unknown, mail: { subject: string; text: string } | null) {
  sns.on(PublishCommand).resolves({});
  await publishJson(client, topicArn, body, mail);
  const [input] = sns.commandCalls(PublishCommand).map(({ args: [command] }) => command.input);
  if (input === undefined) throw new Error('nothing was published');
  return input;
}

test('machines get the notification, e-mail its text', async () => {
  const notification = aNotification([aFinding()]);
  const { TopicArn, Subject, MessageStructure, Message } = await published(
    notification,
    notificationMail(notification),
  );
  expect({ TopicArn, Subject, MessageStructure }).toEqual({
    TopicArn: topicArn,
    Subject: 'stripewise: 1 new finding (1 warning) on vol-1.',
    MessageStructure: 'json',
  });
  const parts = JSON.parse(Message ?? '') as Record<string, string>;
  expect(Object.keys(parts)).toEqual(['default', 'email']);
  expect(notificationSchema.parse(JSON.parse(parts['default'] ?? ''))).toEqual(notification);
  expect(parts['email']).toBe(notificationMail(notification).text);
});

test('without text for people the message is the JSON, as a custom notification of Amazon Q is', async () => {
  expect(await published({ version: '1.0', source: 'custom' }, null)).toEqual({
    TopicArn: topicArn,
    Message: '{"version":"1.0","source":"custom"}',
  });
});

test.each([['mail' as const], [null]])(
  'what a queue would refuse is escaped, and reads the same: %j',
  async (who) => {
    const body = { name: 'db\uffff\u2028\u0085' };
    const { Message = '' } = await published(body, who === null ? null : { subject: 's', text: 't' });
    expect(Message).toMatch(/^[\x20-\x7e]*$/);
    const json = who === null ? Message : (JSON.parse(Message) as { default: string }).default;
    expect(JSON.parse(json)).toEqual(body);
  },
);

test('5,000 findings are below the 256 KiB of SNS, subject and all', async () => {
  const notification = withinTopic(aNotification(findingsOnVolumes(5_000)));
  const { Message = '', Subject = '' } = await published(notification, notificationMail(notification));
  expect(Buffer.byteLength(Message, 'utf8') + Subject.length).toBeLessThan(256 * 1_024);
});

test('a failure names the call', async () => {
  sns.on(PublishCommand).rejects(awsError('Throttling', 'Rate exceeded'));
  const publishing = publishJson(client, topicArn, {}, null);
  await expect(publishing).rejects.toThrow(Throttled);
  await expect(publishing).rejects.toThrow('sns:Publish failed: Throttling: Rate exceeded');
});
