import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { sanitizeJson } from '../../core/sanitize.ts';
import { reading } from './failure.ts';

/** Publishes one message: JSON for machines, and text for e-mail where there is one. */
export const publishJson = (
  client: SNSClient,
  topicArn: string,
  body: unknown,
  mail: { subject: string; text: string } | null,
): Promise<void> =>
  reading('sns:Publish', async () => {
    // A queue that listens refuses characters that XML has not, such as U+FFFF.
    const json = sanitizeJson(body);
    await client.send(
      new PublishCommand(
        mail === null
          ? { TopicArn: topicArn, Message: json }
          : {
              TopicArn: topicArn,
              Subject: mail.subject,
              MessageStructure: 'json',
              Message: JSON.stringify({ default: json, email: mail.text }),
            },
      ),
    );
  });
