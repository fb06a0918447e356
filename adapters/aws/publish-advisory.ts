import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { inertJson } from '../../core/inert.ts';
import type { Advisory } from '../../core/schemas/advisory.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import { reading } from './failure.ts';

/** Publishes one message: JSON for machines, text for e-mail. */
export const publishAdvisory = (
  client: SNSClient,
  topicArn: string,
  advisory: Advisory | Digest,
  mail: { subject: string; text: string },
): Promise<void> =>
  reading('sns:Publish', async () => {
    // A queue that listens refuses characters that XML has not, such as U+FFFF.
    const json = inertJson(advisory);
    await client.send(
      new PublishCommand({
        TopicArn: topicArn,
        Subject: mail.subject,
        MessageStructure: 'json',
        Message: JSON.stringify({ default: json, email: mail.text }),
      }),
    );
  });
