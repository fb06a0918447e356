import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import type { Advisory } from '../../core/schemas/advisory.ts';
import { reading } from './failure.ts';

/** Publishes one message: JSON for machines, text for e-mail. */
export const publishAdvisory = (
  client: SNSClient,
  topicArn: string,
  advisory: Advisory,
  mail: { subject: string; text: string },
): Promise<void> =>
  reading('sns:Publish', async () => {
    const json = JSON.stringify(advisory);
    await client.send(
      new PublishCommand({
        TopicArn: topicArn,
        Subject: mail.subject,
        MessageStructure: 'json',
        Message: JSON.stringify({ default: json, email: mail.text }),
      }),
    );
  });
