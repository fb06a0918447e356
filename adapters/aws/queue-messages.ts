import { ChangeMessageVisibilityCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { reading } from './failure.ts';

export const sendText = (client: SQSClient, queueUrl: string, text: string): Promise<void> =>
  reading('sqs:SendMessage', async () => {
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: text }));
  });

/** When a message that was received is received again. */
export const changeVisibility = (
  client: SQSClient,
  { queueUrl, receiptHandle }: { queueUrl: string; receiptHandle: string },
  seconds: number,
): Promise<void> =>
  reading('sqs:ChangeMessageVisibility', async () => {
    await client.send(
      new ChangeMessageVisibilityCommand({
        ...{ QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds },
      }),
    );
  });
