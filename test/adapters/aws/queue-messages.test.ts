/** Messages of a queue: put in, and put off. */
import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { changeVisibility, sendText } from '../../../adapters/aws/queue-messages.ts';
import { AccessDenied, Unavailable } from '../../../core/errors.ts';
import { awsError } from './aws-error.ts';

const queueUrl = 'https://sqs.us-east-1.amazonaws.com/111122223333/queue';
const sqs = mockClient(SQSClient);
const client = new SQSClient({ region: 'us-east-1' });

beforeEach(() => {
  sqs.reset();
});

test('a text is sent as it is', async () => {
  sqs.on(SendMessageCommand).resolves({});
  await sendText(client, queueUrl, '{"a":1}');
  expect(sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { QueueUrl: queueUrl, MessageBody: '{"a":1}' },
  ]);
});

test('a message that was received is put off for so many seconds', async () => {
  sqs.on(ChangeMessageVisibilityCommand).resolves({});
  await changeVisibility(client, { queueUrl, receiptHandle: 'handle' }, 90);
  expect(sqs.commandCalls(ChangeMessageVisibilityCommand).map(({ args: [{ input }] }) => input)).toEqual([
    { QueueUrl: queueUrl, ReceiptHandle: 'handle', VisibilityTimeout: 90 },
  ]);
});

test('failures name the call', async () => {
  sqs.on(SendMessageCommand).rejects(awsError('AccessDenied', 'No.', 403));
  const sending = sendText(client, queueUrl, 'text');
  await expect(sending).rejects.toThrow(AccessDenied);
  await expect(sending).rejects.toThrow('sqs:SendMessage failed: AccessDenied: No.');
  sqs.on(ChangeMessageVisibilityCommand).rejects(awsError('InternalError', 'Later.', 500));
  const changing = changeVisibility(client, { queueUrl, receiptHandle: 'handle' }, 90);
  await expect(changing).rejects.toThrow(Unavailable);
  await expect(changing).rejects.toThrow('sqs:ChangeMessageVisibility failed: InternalError: Later.');
});
