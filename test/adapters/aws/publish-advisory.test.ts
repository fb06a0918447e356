/** One message to the topic: JSON for machines, text for people, within what SNS takes. */
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { publishAdvisory } from '../../../adapters/aws/publish-advisory.ts';
import { Throttled } from '../../../core/errors.ts';
import { advisorySchema } from '../../../core/schemas/advisory.ts';
import { advisoryMail } from '../../../report/mail/advisory-mail.ts';
import { aFinding, anAdvisory, findingsOnVolumes } from '../../fixtures/findings.ts';
import { awsError } from './aws-error.ts';

const topicArn = 'arn:aws:sns:us-east-1:111122223333:stripewise';
const sns = mockClient(SNSClient);
const client = new SNSClient({ region: 'us-east-1' });

beforeEach(() => {
  sns.reset();
});

async function published(advisory: ReturnType<typeof anAdvisory>) {
  sns.on(PublishCommand).resolves({});
  await publishAdvisory(client, topicArn, advisory, advisoryMail(advisory));
  const [input] = sns.commandCalls(PublishCommand).map(({ args: [command] }) => command.input);
  if (input === undefined) throw new Error('nothing was published');
  return input;
}

test('machines get the advisory, e-mail its text', async () => {
  const advisory = anAdvisory([aFinding()]);
  const { TopicArn, Subject, MessageStructure, Message } = await published(advisory);
  expect({ TopicArn, Subject, MessageStructure }).toEqual({
    TopicArn: topicArn,
    Subject: 'stripewise: throttled-volume-iops on vol-1',
    MessageStructure: 'json',
  });
  const parts = JSON.parse(Message ?? '') as Record<string, string>;
  expect(Object.keys(parts)).toEqual(['default', 'email']);
  expect(advisorySchema.parse(JSON.parse(parts['default'] ?? ''))).toEqual(advisory);
  expect(parts['email']).toBe(advisoryMail(advisory).text);
});

test('5,000 findings are below the 256 KiB of SNS, subject and all', async () => {
  const { Message = '', Subject = '' } = await published(anAdvisory(findingsOnVolumes(5_000)));
  expect(Buffer.byteLength(Message, 'utf8') + Subject.length).toBeLessThan(256 * 1_024);
});

test('a failure names the call', async () => {
  sns.on(PublishCommand).rejects(awsError('Throttling', 'Rate exceeded'));
  const advisory = anAdvisory([aFinding()]);
  const publishing = publishAdvisory(client, topicArn, advisory, advisoryMail(advisory));
  await expect(publishing).rejects.toThrow(Throttled);
  await expect(publishing).rejects.toThrow('sns:Publish failed: Throttling: Rate exceeded');
});
